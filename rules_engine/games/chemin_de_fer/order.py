"""Who comes first: the order round the table from the banker's right."""

from collections.abc import Iterable

from rules_engine.authoring import Reasoning, Rulebook
from rules_engine.games.chemin_de_fer.books import PT
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


def neighbours_first(book: Rulebook, origin: str, ranked: tuple[str, ...]) -> tuple[str, ...]:
    """The same order, in a house that puts whoever stands behind `origin` himself first and not last (Q7)."""
    near = _neighbours(origin, ranked)
    if not near or not book.reads("Q7", "first"):
        return ranked
    return (*near, *(place for place in ranked if place not in near))


def by_house(r: Reasoning, origin: str, ranked: tuple[str, ...]) -> tuple[str, ...]:
    """The order in which a house takes players who are ranked against each other.

    Portugal does not say where those come who stand behind `origin` himself; Sanremo does.
    """
    near = _neighbours(origin, ranked)
    if not near or len(near) == len(ranked) or r.book.coded_as not in PT:
        return ranked
    last_or_first = "first" if r.book.reads("Q7", "first") else "last"
    r.pivot("24 open", f"seating.behind_origin_{last_or_first}", who=near, origin=origin[0])
    return neighbours_first(r.book, origin, ranked)


def standing_by_house(r: Reasoning, origin: str, ranked: tuple[str, ...]) -> tuple[str, ...]:
    """The seated as they are, and then those who stand as the house takes them."""
    seated = tuple(place for place in ranked if place.isdigit())
    standing = tuple(place for place in ranked if not place.isdigit())
    return (*seated, *by_house(r, origin, standing))


def _neighbours(origin: str, places: Iterable[str]) -> tuple[str, ...]:
    return tuple(place for place in places if place[0] == origin[0] and not place.isdigit())
