"""Tables between two shoes, and the order to the left in which the cut goes round."""

from collections.abc import Iterable
from typing import Any

from rules_engine.authoring import PACK, ImpossibleFacts, Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.order import seat_of
from rules_engine.games.chemin_de_fer.setting import money, places
from rules_engine.games.chemin_de_fer.table import SEATS, Situation

CARDS_IN_PACK = len(PACK)


def leftwards(origin: str, seats: Iterable[int]) -> tuple[str, ...]:
    """Seats to the left of `origin`, each next lower number; `origin` himself comes last."""
    start = seat_of(origin)
    return tuple(map(str, sorted(seats, key=lambda seat: (start - seat - 1) % SEATS)))


def from_croupiers_left(seats: Iterable[int]) -> tuple[str, ...]:
    """From the first player at the croupier's left: the highest number, then downwards."""
    return tuple(map(str, sorted(seats, reverse=True)))


def check_present(s: Situation, fact: str, players: Iterable[str]) -> None:
    present = {*map(str, s.seats), *s.standing}
    for place in players:
        if place not in present:
            raise ImpossibleFacts(f"incident.{fact}", "nobody is at {place}", place=place)


def first_shoe(draw: Draw, difficulty: int) -> dict[str, Any]:
    """A table whose game has not begun: the first player at the croupier's right will have the first hand."""
    facts = places(draw, difficulty)
    banker = str(min(facts["seats"]))
    return facts | {"banker": banker, "standing": tuple(p for p in facts["standing"] if p[0] != banker)}


def later_shoe(draw: Draw, book: Rulebook, difficulty: int, *, standing: int | None = None) -> dict[str, Any]:
    """A table in play; the stated bank is the one that opens the next shoe."""
    return places(draw, difficulty, standing=standing) | money(draw, book)
