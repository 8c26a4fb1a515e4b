"""Renders the authors' Markdown as a small, safe subset of HTML."""

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = {"p", "br", "hr", "em", "strong", "ul", "ol", "li", "blockquote", "code", "pre", "a", "h3", "h4", "h5", "h6"}
# Images would be loaded from other sites, and raw HTML is not allowed.
_parser = MarkdownIt("commonmark", {"html": False, "typographer": False}).disable(
    ["image", "html_block", "html_inline"]
)


def render(text: str) -> SafeString:
    """Markdown as safe HTML. The output is also sanitized, so that safety does not depend on the parser alone."""
    tokens = _parser.parse(text)
    _lower_headings(tokens)
    html = _parser.renderer.render(tokens, _parser.options, {})
    clean = nh3.clean(
        html,
        tags=TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(clean)  # noqa: S308 (cleaned in the line above)


def _lower_headings(tokens: list[Token]) -> None:
    """Start the author's headings at h3: the page itself uses h1 and h2."""
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
