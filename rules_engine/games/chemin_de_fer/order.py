"""Who comes first: the order round the table from the banker's right."""

from collections.abc import Iterable

from rules_engine.games.chemin_de_fer.table import SEATS, Situation


class Ranks(dict[str, str]):
    """The rank of each place from the right of a seat, worked out once: every table is sorted several times."""

    def __init__(self, origin: int) -> None:
        super().__init__()
        self._origin = origin

    def __missing__(self, place: str) -> str:
        found = self[place] = f"{(int(place[0]) - self._origin - 1) % SEATS + 1}{place}"
        return found


RANKS = {str(seat): Ranks(seat) for seat in range(1, SEATS + 1)}


def seat_of(place: str) -> int:
    """The seat a place belongs to: a standing player shares the number he stands behind."""
    return int(place[0])


def steps_right(origin: str, place: str) -> int:
    """How many places to the right of `origin` a place is: the next higher number is 1, `origin` itself 9."""
    return (seat_of(place) - seat_of(origin) - 1) % SEATS + 1


def rank(origin: str, place: str) -> str:
    """Sorts places from the right of `origin`; standing players behind one seat by arrival."""
    return RANKS[origin[0]][place]


def from_right(origin: str, places: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(places, key=RANKS[origin[0]].__getitem__))


def seated(s: Situation) -> tuple[str, ...]:
    """The seated pontos, from the banker's right."""
    return from_right(s.banker, (str(seat) for seat in s.seats if str(seat) != s.banker))


def standing(s: Situation) -> tuple[str, ...]:
    """The standing pontos, from the banker's right."""
    return from_right(s.banker, (place for place in s.standing if place != s.banker))
