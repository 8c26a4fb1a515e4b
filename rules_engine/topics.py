"""Topics and their cases: what can be practised, and the generators that make the facts for it.

A case makes situations that turn on certain articles; a topic is what a trainee chooses. No case carries an answer.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from rules_engine.draw import Draw
from rules_engine.errors import UnknownName
from rules_engine.rulebook import PT, Rulebook, rulebook

Make = Callable[[Draw, Rulebook, int], Any]


class Case(Struct, frozen=True):
    """One way to make facts. `turns_on` promises, for each rulebook, articles that every such situation turns on or
    that some of them do; the coverage report measures whether the promise is kept."""

    name: str
    topic: str
    turns_on: Mapping[str, tuple[str, ...]]
    make: Make


CASES: list[Case] = []
# What a newcomer should meet first: to read and play a coup, then to take stakes and pay, then who gets the cards and
# the bank, then what goes wrong, and last the shoe and the seats, which others see to at first.
TEACHING_ORDER = (
    *("card_values", "third_card", "ponto_draw", "announcements", "stakes", "payment", "bank_capital"),
    *("cards_to", "banco_priority", "banco_table", "suivi"),
    *("auction", "bank_passing", "bank_offer", "partners", "advice"),
    *("ponto_faults", "draw_faults", "deal_faults", "croupier_faults", "discard_faults"),
    *("shoe", "last_coup", "seating", "standing_players"),
    *("pb_drawing", "pb_payout", "pb_limits", "pb_handling", "pb_lapses", "pb_shoe", "pb_seating"),
)


def case(topic: str, turns_on: Mapping[str, tuple[str, ...]]) -> Callable[[Make], Make]:
    """Register a generator. The current Portuguese text and that of 1995 are the same law: naming one names both."""
    books = dict(turns_on)
    if PT[0] in books:
        books.setdefault(PT[1], books[PT[0]])

    def register(make: Make) -> Make:
        CASES.append(Case(name=make.__name__, topic=topic, turns_on=books, make=make))
        return make

    return register


@cache
def cases(book: str, topic: str | None = None, article: str | None = None) -> tuple[Case, ...]:
    """The cases of a rulebook, narrowed to a topic or to an article. All of them exist once the engine is imported."""
    rulebook(book)
    found = [item for item in CASES if book in item.turns_on]
    if topic is not None:
        found = [item for item in found if item.topic == topic]
        if not found:
            raise UnknownName(f"topic of {book}", topic, topics(book))
    if article is not None:
        found = [item for item in found if article in item.turns_on[book]]
        if not found:
            raise UnknownName(f"practised article of {book}", article)
    return tuple(found)


def topics(book: str) -> tuple[str, ...]:
    """The topics of a rulebook, in teaching order."""
    found = dict.fromkeys(item.topic for item in CASES if book in item.turns_on)
    taught = [topic for topic in TEACHING_ORDER if topic in found]
    return (*taught, *(topic for topic in found if topic not in taught))
