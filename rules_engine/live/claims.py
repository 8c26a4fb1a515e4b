"""What a dealer who stops the game can say is wrong, and the questions about it.

Both depend on the rulebook alone: the same claim is asked about in the same way whether it is true or not.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import cycle, islice, product
from typing import Any

from msgspec import Struct, structs

from rules_engine.asking import plain_questions
from rules_engine.equipment.cards import PACK
from rules_engine.errors import EngineError
from rules_engine.game import rulebook
from rules_engine.grading import Answer, grade
from rules_engine.live.model import Moment
from rules_engine.live.transplant import cases_of
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Kind, Ruling
from rules_engine.scenario import scenario_of
from rules_engine.situation import Situation, kind_of

SAMPLES = 10
HEAPS = {"ponto": "ponto", "banker": "banker_cards", "bank": "bank_cards", "loose": "loose"}
# From one card to the next of other cards face down: an even and an odd number, for all sums of two cards.
STEPS = (2, 5)


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


def questions_asked(book: Rulebook, kind: str, facts: Any, down: Iterable[str] = ()) -> list[tuple[str, Kind, Any]]:
    """The questions about a fault that the dealer must rule on, each with its kind and the right answer. Leaves
    out those that depend on cards nobody has seen yet; `down` are those that lie face down."""
    scenario = scenario_of(book.read(facts), book)
    ruling = scenario.solve()
    asked = {question.key for question in questions_about(book, kind)}
    asked -= hangs_on_unseen(book.read(facts), book, ruling, down)
    keys = [question.key for question in scenario.questions if question.key in asked]
    return [(key, *_right(ruling, key)) for key in keys]


def hangs_on_unseen(situation: Situation, book: Rulebook, ruling: Ruling, down: Iterable[str] = ()) -> frozenset[str]:
    """The decisions that depend on cards that nobody at the table has seen: the next ones in the shoe, and those of
    which `down` names the places (`ponto.1`), because they lie face down."""
    found: set[str] = set()
    for cards in (*_next_cards(situation), *_down_cards(situation, frozenset(down))):
        with suppress(EngineError):
            changed = structs.replace(situation, **cards)
            if _naturals(changed) != _naturals(situation):
                continue
            other = book.rule(changed)
            keys = {one.key for one in (*ruling.decisions, *other.decisions)}
            found |= {key for key in keys if ruling.get(key) != other.get(key)}
    return frozenset(found)


def _naturals(situation: Situation) -> Any:
    """What is known of cards that lie face down, in games in which whoever holds a natural says so."""
    told = getattr(situation, "naturals", None)
    return told() if told else None


def _next_cards(situation: Situation) -> Iterator[dict[str, tuple[str, ...]]]:
    """Other cards in the shoe."""
    unseen = getattr(situation, "next", ())
    for first in range(0, len(PACK), len(unseen) or len(PACK)):
        if unseen:
            yield {"next": (PACK * 2)[first : first + len(unseen)]}


def _down_cards(situation: Situation, down: frozenset[str]) -> Iterator[dict[str, tuple[str, ...]]]:
    """Other cards where some lie face down."""
    hands = {heap: getattr(situation, fact, ()) for heap, fact in HEAPS.items()}
    if not any(f"{heap}.{number}" in down for heap, hand in hands.items() for number in range(1, len(hand) + 1)):
        return
    for first, step in product(range(len(PACK)), STEPS):
        others = islice(cycle(PACK), first, None, step)
        yield {
            HEAPS[heap]: tuple(
                next(others) if f"{heap}.{number}" in down else card for number, card in enumerate(hand, start=1)
            )
            for heap, hand in hands.items()
            if hand
        }


def face_down(moments: Iterable[Moment]) -> frozenset[str]:
    """The places whose cards have not been seen in these moments of a coup."""
    found: dict[str, str] = {}
    for event in (event for moment in moments for event in moment.events if event.what == "card"):
        found[event.to] = event.card
    return frozenset(place for place, card in found.items() if not card)


def _right(ruling: Ruling, key: str) -> tuple[Kind, Any]:
    found = next((one for one in ruling.decisions if one.key == key), None)
    return (found.kind, found.value) if found else ("choice", DOES_NOT_ARISE)


def marked(situation: Situation, book: Rulebook, answers: dict[str, Any], down: Iterable[str] = ()) -> tuple[int, int]:
    """The points that these answers get, and the most they could get. Counts the questions that were asked and can be
    answered from what lies on the table; `down` are the cards that lie face down."""
    scenario = scenario_of(situation, book)
    asked = {question.key for question in questions_about(book, kind_of(situation.incident))}
    asked &= {question.key for question in scenario.questions}
    asked -= hangs_on_unseen(situation, book, scenario.solve(), down)
    mark = grade(scenario, Answer({key: given for key, given in answers.items() if key in asked}))
    parts = [part for part in mark.parts if part.key in asked]
    return sum(part.points for part in parts), sum(part.of for part in parts)
