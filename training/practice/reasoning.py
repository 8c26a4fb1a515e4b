"""The reasoning of a ruling step by step, and how other rulebooks would have ruled."""

from dataclasses import dataclass, replace
from typing import Any

from rules_engine import Ruling, Scenario, Step, Utterance, rulebook
from rules_engine.compare import compare
from rules_engine.law import Reading
from rules_engine.narration import ask, book_name, cited, reason, show, turned_on
from rules_engine.ruling import After
from training.house.models import HouseRuling
from training.house.readings import practised_by_book, questions, records

IN_SHOE = "shoe"  # a heap that the drawing does not show


@dataclass(frozen=True)
class ReasonStep:
    """A step of the reasoning. `lit` and `lit_after` name what it turned on, for the drawings before and after."""

    rulebook: str
    article: str
    cite: str
    text: str
    pivot: bool
    reading: Reading | None
    lit: str
    lit_after: str
    # The reading that the house has adopted, if it has.
    house: HouseRuling | None = None

    @property
    def silent(self) -> bool:
        """Whether it is about what the rulebook does not decide."""
        return self.reading is not None and self.reading.id == self.article

    @property
    def read_so(self) -> str:
        return self.reading.told(self.house.choice if self.house else "") if self.reading else ""


@dataclass(frozen=True)
class Elsewhere:
    """What other rulebooks would have ruled instead: (question, ruling)."""

    rulebooks: str
    rulings: tuple[tuple[str, str], ...]


def steps(scenario: Scenario, ruling: Ruling, language: str) -> list[ReasonStep]:
    recorded = questions(scenario.book, language) if any(step.reading for step in ruling.steps) else {}
    by_house = records(ruling.steps)
    found = []
    for step in ruling.steps:
        told, house = _step(step, scenario, ruling.after, recorded, language), by_house.get(_record(step))
        cite = house.cited if house and house.is_procedure and step.cite == house.question else told.cite
        found.append(replace(told, house=house, cite=cite))
    return found


def _record(step: Step) -> str:
    return step.adopted.record if step.adopted else ""


def _step(
    step: Step, scenario: Scenario, after: After | None, recorded: dict[str, Reading], language: str
) -> ReasonStep:
    lit = turned_on(step, scenario.situation, scenario.book)
    return ReasonStep(
        rulebook=scenario.rulebook,
        article=step.cite,
        cite=cited(step.cite, scenario.book, language),
        text=reason(step, scenario.book, language),
        pivot=step.pivot,
        reading=recorded.get(step.reading),
        lit=" ".join(lit),
        lit_after=" ".join(_moved(ref, scenario.situation, after) for ref in lit) if after else "",
    )


def _moved(ref: str, situation: Any, after: After) -> str:
    """The reference of a card at the end of the coup, empty if it is not drawn. Places and spots do not move."""
    home, dot, _number = ref.partition(".")
    if not dot or ":" in ref:
        return ref
    card = situation.card(ref)
    drawn = {name: heap for name, heap in after.heaps.items() if name != IN_SHOE}
    for name, heap in sorted(drawn.items(), key=lambda item: item[0] != home):
        if card in heap:
            return f"{name}.{heap.index(card) + 1}"
    return ""


def elsewhere(scenario: Scenario, ruling: Ruling, language: str) -> list[Elsewhere]:
    """The rulings of other rulebooks where they differ from this one; rulebooks that agree are grouped."""
    found: dict[tuple[tuple[str, str], ...], list[str]] = {}
    readings = practised_by_book(book.id for book in scenario.book.game.books)
    for book, other in compare(scenario.situation, readings=readings).rulings.items():
        differing = tuple(
            _ruled(decision.key, decision.kind, decision.value, book, scenario, language)
            for decision in other.decisions
            if ruling.get(decision.key) not in (None, decision.value)
        )
        if book != scenario.rulebook and differing:
            found.setdefault(differing, []).append(book_name(book, language))
    return [Elsewhere("; ".join(books), differing) for differing, books in found.items()]


def _ruled(key: str, kind: str, value: Any, book: str, scenario: Scenario, language: str) -> tuple[str, str]:
    # Amounts are shown in the currency of this table, not of the other rulebook.
    speaking = rulebook(book) if isinstance(value, Utterance) else scenario.book
    return ask(key, scenario.situation, scenario.book, language), show(key, kind, value, speaking, language)
