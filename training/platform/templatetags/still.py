"""Parts of a page that are the same for everyone."""

from django import template
from django.template import Context, Node, NodeList
from django.template.base import Parser, Token
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()


@register.tag
def still(parser: Parser, token: Token) -> Node:
    """`{% still %}…{% endstill %}`: rendered once per language, without any variables of the page."""
    nodes = parser.parse(("endstill",))
    parser.delete_first_token()
    return Still(nodes)


class Still(Node):
    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist
        self.rendered: dict[str | None, SafeString] = {}

    def render(self, context: Context) -> SafeString:
        language = get_language()
        if language not in self.rendered:
            self.rendered[language] = self.nodelist.render(context.new())
        return self.rendered[language]
