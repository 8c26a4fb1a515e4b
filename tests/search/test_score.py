"""How well the search answers what instructors type."""

import tomllib
from pathlib import Path

import pytest
from django.utils import timezone

from rules_engine import rulebook
from training.house.models import OfficialText
from training.library import incident_search
from training.rulebooks import law_search

QUERIES = tomllib.loads((Path(__file__).parent / "queries.toml").read_text("utf-8"))
TOP, WANTED = 3, 0.95


def _first(language: str, group: str, asked: str) -> list[str]:
    """The keys of the first three of a group; a clause also by the rulebooks that say the same."""
    if group == "incidents":
        found = incident_search.search_everywhere(language, asked)[:TOP]
        return [f"{rulebook(one.book).game.id}:{one.happening.kind}" for one in found]
    return [one.key for one in getattr(law_search, group)(language, asked)[:TOP]]


@pytest.mark.django_db
@pytest.mark.parametrize("known", ["tuned", "unseen"])
def test_what_instructors_type_is_among_the_first_three(known: str) -> None:
    OfficialText.objects.create(
        rulebook="pt-chemin-de-fer", source="a copy", articles=QUERIES["wording"], loaded_at=timezone.now()
    )
    asked = [
        (language, group, words, wanted)
        for language, groups in QUERIES[known].items()
        for group, queries in groups.items()
        for words, wanted in queries.items()
    ]
    missed = {
        words: (found, wanted)
        for language, group, words, wanted in asked
        if not set(found := _first(language, group, words)) & set(wanted)
    }
    assert len(asked) >= 60
    assert 1 - len(missed) / len(asked) >= WANTED, "\n".join(f"{words}: {got}" for words, got in missed.items())
