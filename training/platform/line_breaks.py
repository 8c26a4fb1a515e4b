"""Where long text without spaces may go on in the next line."""

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

AFTER_A_SLASH = SafeString("/<wbr>")


def breaking(text: str) -> SafeString:
    """A fraction or an address, which may break after a slash."""
    return format_html_join(AFTER_A_SLASH, "{}", ((part,) for part in text.split("/")))
