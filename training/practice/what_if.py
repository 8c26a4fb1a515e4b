"""Shows, beside the mark, one changed fact that would have led to another ruling."""

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from msgspec import structs

from rules_engine import Rulebook, Scenario, Situation
from rules_engine.contrast import Change, changed_facts, most_telling
from rules_engine.narration import ask, show
from training.platform.engine_json import as_stored
from training.practice import fresh
from training.practice.models import Mark

KEPT = 24 * 60 * 60  # seconds
MOST_TOLD = 3  # decisions


@dataclass(frozen=True)
class WhatIf:
    """The changed facts, and the decisions that differ: (question, ruling then, ruling here)."""

    facts: list[str]
    rulings: list[tuple[str, str, str]]


def what_if(scenario: Scenario, mark: Mark, language: str) -> WhatIf | None:
    """None if everything was right or no single fact changes the ruling. Cached per language."""
    if mark.points == mark.of:
        return None
    key = f"what-if:2:{mark.pk}:{scenario.book.game.version}:{language}"
    found = cache.get(key)
    if found is None:
        found = _worked_out(scenario, mark, language) or ()
        cache.set(key, found, KEPT)
    if not found or fresh.is_kept_out(structs.replace(scenario, situation=scenario.book.read(found[1]))):
        return None
    told: WhatIf = found[0]
    return told


def _worked_out(scenario: Scenario, mark: Mark, language: str) -> tuple[WhatIf, Any] | None:
    """The result, with its changed situation as plain data."""
    book, situation = scenario.book, scenario.situation
    missed = [part.key for part in mark.engine_mark.parts if not part.correct]
    asked = [question.key for question in scenario.questions]
    found = most_telling(situation, book, mark.ruling, asked, missed=missed)
    if found is None:
        return None
    told = WhatIf(
        changed_facts(found, situation, book, language),
        [told_change(change, found.situation, book, language) for change in found.changes[:MOST_TOLD]],
    )
    return told, as_stored(found.situation)


def told_change(change: Change, situation: Situation, book: Rulebook, language: str) -> tuple[str, str, str]:
    """The question, what would be decided with the changed fact, and what is decided here."""
    would, was = (show(change.key, one.kind, one.value, book, language) for one in (change.would, change.was))
    return ask(change.key, situation, book, language), would, was
