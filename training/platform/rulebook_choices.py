"""Form choices of rulebooks and topics, grouped by game."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from rules_engine import rulebook, topics
from rules_engine.game import LEVELS
from rules_engine.narration import book_name, books_by_game, topic_name


class RulebookBoxes(forms.CheckboxSelectMultiple):
    """A checkbox for every rulebook under the name of its game."""

    template_name = "components/rulebook_boxes.html"

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        return render_to_string(self.template_name, self.get_context(name, value, attrs))


class TableBoxes(RulebookBoxes):
    """A checkbox for every table, by game and rulebook.

    Games with nothing ticked and no rulebook in `chosen` are folded.
    """

    template_name = "components/table_boxes.html"
    chosen: frozenset[str] = frozenset()

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        listed = {_book_of(options): (title, options) for title, options, _index in context["widget"]["optgroups"]}
        context["games"] = [
            (game, self._unfolded(own), [listed[book] for book in own])
            for game, books in books_by_game(get_language() or "en", listed)
            if (own := {book: listed[book][1] for book, _name in books})
        ]
        return context

    def _unfolded(self, own: dict[str, list[dict[str, Any]]]) -> bool:
        ticked = any(option["selected"] for options in own.values() for option in options)
        return ticked or not self.chosen.isdisjoint(own)


def _book_of(options: list[dict[str, Any]]) -> str:
    """The rulebook of a group of tables: their values begin with it."""
    return str(options[0]["value"]).partition(":")[0]


def topic_choices(
    language: str, books: Iterable[str] | None = None, *, whole: bool = False, levels: bool = True
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Topics grouped by rulebook, with values `rulebook/topic`; with `whole`, also each whole rulebook: `rulebook/`.

    `levels` adds the levels of a topic that does not have all five.
    """
    named = _with_levels if levels else topic_name
    groups = []
    for book in (book for _game, listed in books_by_game(language, books) for book, _name in listed):
        options = [(f"{book}/{topic}", named(book, topic, language)) for topic in topics(book)]
        if whole:
            options.insert(0, (f"{book}/", gettext("All topics")))
        groups.append((book_name(book, language), options))
    return groups


def _with_levels(book: str, topic: str, language: str) -> str:
    name, levels = topic_name(book, topic, language), rulebook(book).game.levels(topic)
    if levels == LEVELS:
        return name
    listed = ", ".join(map(str, levels))
    return ngettext("%(topic)s (level %(levels)s)", "%(topic)s (levels %(levels)s)", len(levels)) % {
        "topic": name,
        "levels": listed,
    }
