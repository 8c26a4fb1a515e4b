"""What a dealer who stops the game can say is wrong, and the questions about it.

Both depend on the rulebook alone: the same claim is asked about in the same way whether it is true or not.
"""

from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any

from msgspec import Struct, structs

from rules_engine.asking import plain_questions
from rules_engine.equipment.cards import PACK
from rules_engine.errors import EngineError
from rules_engine.game import rulebook
from rules_engine.grading import Answer, grade
from rules_engine.live.transplant import cases_of
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Kind, Ruling
from rules_engine.scenario import scenario_of
from rules_engine.situation import Situation, kind_of

SAMPLES = 10


class ClaimQuestion(Struct, frozen=True, omit_defaults=True):
    """A question about a claim. A choice has options; the others are answered freely, by pointing or with a sum."""

    key: str
    kind: Kind
    options: tuple[str, ...] = ()


def questions_about(book: Rulebook, kind: str) -> tuple[ClaimQuestion, ...]:
    """The questions about a claim of this kind; none if all of them are about single cards or bets."""
    known = _kinds(book.id)
    asked = [one for one in plain_questions(book, kind) if one.key.partition(".")[0] in known]
    return tuple(_question(book, one.key, known[one.key.partition(".")[0]], open=one.open) for one in asked)


@cache
def _kinds(book_id: str) -> dict[str, Kind]:
    """The kind of every question by its name, as rulings on generated cases decide them."""
    book, found = rulebook(book_id), dict[str, Kind]()
    for cases in cases_of(book_id).values():
        for case, seed in product(cases, range(SAMPLES)):
            with suppress(EngineError):
                ruling = book.rule(case.make(book.game.draw("questions", case.name, seed), book, 1 + seed % 5))
                found |= {one.key.partition(".")[0]: one.kind for one in ruling.decisions}
    return found


def _question(book: Rulebook, key: str, kind: Kind, *, open: bool) -> ClaimQuestion:
    if kind != "choice":
        return ClaimQuestion(key, kind)
    options = book.game.options(key, book.id)
    return ClaimQuestion(key, kind, (*options, DOES_NOT_ARISE) if open else options)


def questions_asked(book: Rulebook, kind: str, facts: Any) -> list[tuple[str, Kind, Any]]:
    """The questions about a fault that the dealer must rule on, each with its kind and the right answer. Leaves
    out those that depend on cards nobody has seen yet."""
    scenario = scenario_of(book.read(facts), book)
    ruling = scenario.solve()
    asked = {question.key for question in questions_about(book, kind)}
    asked -= hangs_on_shoe(book.read(facts), book, ruling)
    keys = [question.key for question in scenario.questions if question.key in asked]
    return [(key, *_right(ruling, key)) for key in keys]


def hangs_on_shoe(situation: Situation, book: Rulebook, ruling: Ruling) -> frozenset[str]:
    """The decisions that depend on the next cards in the shoe, which nobody at the table has seen."""
    unseen = getattr(situation, "next", ())
    if not unseen:
        return frozenset()
    found: set[str] = set()
    for first in range(0, len(PACK), len(unseen)):
        others = (PACK * 2)[first : first + len(unseen)]
        with suppress(EngineError):
            other = book.rule(structs.replace(situation, next=others))
            keys = {one.key for one in (*ruling.decisions, *other.decisions)}
            found |= {key for key in keys if ruling.get(key) != other.get(key)}
    return frozenset(found)


def _right(ruling: Ruling, key: str) -> tuple[Kind, Any]:
    found = next((one for one in ruling.decisions if one.key == key), None)
    return (found.kind, found.value) if found else ("choice", DOES_NOT_ARISE)


def marked(situation: Situation, book: Rulebook, answers: dict[str, Any]) -> tuple[int, int]:
    """The points that these answers get, and the most they could get. Counts the questions that were asked and can be
    answered from what lies on the table."""
    scenario = scenario_of(situation, book)
    asked = {question.key for question in questions_about(book, kind_of(situation.incident))}
    asked &= {question.key for question in scenario.questions}
    asked -= hangs_on_shoe(situation, book, scenario.solve())
    mark = grade(scenario, Answer({key: given for key, given in answers.items() if key in asked}))
    parts = [part for part in mark.parts if part.key in asked]
    return sum(part.points for part in parts), sum(part.of for part in parts)
