"""Line breaks in long text without spaces."""

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

AFTER_A_SLASH = SafeString("/<wbr>")


def breaking(text: str) -> SafeString:
    """Allow a line break after each slash, for fractions and addresses."""
    return format_html_join(AFTER_A_SLASH, "{}", ((part,) for part in text.split("/")))
