"""The part of a page that is the same for everybody."""

from django.template import engines
from django.utils import translation

SAYS = "{% load i18n still %}{% still %}{% translate 'Close' %}{{ name }}{% endstill %}"


def test_a_still_part_speaks_the_readers_language_and_knows_nobody() -> None:
    page = engines["django"].from_string(SAYS)
    said = {}
    for language in ("en", "pt", "en"):
        with translation.override(language):
            said[language] = page.render({"name": "Inês"})
    assert said == {"en": "Close", "pt": "Fechar"}
