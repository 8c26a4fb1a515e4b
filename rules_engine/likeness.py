"""How alike two tables are: whether they differ only in ways that hardly matter.

A table is sketched from its facts as plain data, so facts that the engine no longer accepts can be sketched too. The
sketch ignores the suits of cards and the order of lists. Two sketches are compared in several ways (`WAYS`): all facts,
facts without the sums, or facts without the places of people. Sums are compared on their best common scale, places both
as they are and counted from the person who matters most.

The thresholds were measured: see `tests/engine/test_likeness.py`.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from math import gcd
from typing import Any, NamedTuple

from msgspec import Struct, inspect, structs

from rules_engine.equipment.cards import PACK
from rules_engine.equipment.places import MOST_SEATS, is_place
from rules_engine.game import rulebook

TENS = "TJQK"  # which have the same value in most games
PEOPLE = ("seats", "standing")
# A whole number that may be this large is a sum of money; a smaller one is a count or a label.
LARGE = 1_000
MOST_TRIED = 40  # how many sums are used to find the common scale of two tables
# A card, a number or a sum distinguishes cases; words and places occur in many.
HARD = 3


class Way(NamedTuple):
    """One way to compare: the weights of words, places and sums, the share of the facts that must be the same, and how
    many cards, numbers and sums must be among them. `of` picks the sketch whose facts the share refers to."""

    share: float
    least: int
    places: int = 1
    sums: int = HARD
    of: Callable[[int, int], int] = max


WAYS = (
    Way(1.0, 5),
    Way(0.9, 6),
    Way(0.85, 8),
    Way(0.95, 8, of=min),  # something was added or left out
    Way(0.95, 5, sums=0),
    Way(0.95, 7, places=0),
    Way(1.0, 6, places=0, sums=0),
)


Sizes = tuple[int, int, int, int]


class Sketch(Struct, frozen=True):
    """The facts of a table as hashes: `hard` with the number of cards or numbers each stands for, `words`, the places
    of people as they are and relative to one person, and the sums. `exact` covers all facts unchanged. `bare` is the
    table without the incident: ruling on one incident reveals much about another at the same table."""

    game: str
    kind: str
    exact: int
    hard: dict[int, int]
    words: frozenset[int]
    places: frozenset[int]
    turned: frozenset[int]
    sums: frozenset[int]
    sizes: Sizes  # counts of cards and numbers, words, places, and sums
    bare: "Sketch | None" = None


def sketch(book: str, situation: Mapping[str, Any]) -> Sketch:
    """A sketch of a situation under a rulebook, given as plain data in the current format."""
    whole = _sketch(book, situation, str(situation["incident"]["kind"]))
    without = {name: value for name, value in situation.items() if name != "incident"}
    return structs.replace(whole, bare=_sketch(book, without, ""))


def _sketch(book: str, situation: Mapping[str, Any], kind: str) -> Sketch:
    game = rulebook(book).game
    leaves, of_table = _Leaves(), _fields(game.situation)  # type: ignore[arg-type]
    for name, value in situation.items():
        if name == "incident":
            facts = {fact: one for fact, one in value.items() if fact != "kind"}
            model = game.kinds.get(kind)
            leaves.gather(facts, _fields(model) if model else {}, "incident.")
        elif name not in PEOPLE:
            leaves.gather({name: value}, of_table)
    seats = [str(who) for name in PEOPLE for who in situation.get(name, ())]
    here = [*leaves.places, *(("seat", who) for who in seats)]
    turn = _turning(situation, leaves.places)
    return Sketch(
        game=game.id,
        kind=kind,
        exact=_hash(_plain(situation)),
        hard=leaves.hard,
        words=frozenset(map(_hash, leaves.words)),
        places=frozenset(_hash(f"{path}={who}") for path, who in here),
        turned=frozenset(_hash(f"{path}={turn(who)}") for path, who in here),
        sums=frozenset(leaves.sums),
        sizes=(sum(leaves.hard.values()), len(set(leaves.words)), len(set(here)), len(leaves.sums)),
    )


def near(one: Sketch, other: Sketch) -> bool:
    """Whether two tables are the same or hardly differ. For two different incidents: whether they happen at the same
    table, if it has enough facts to be recognised."""
    if one.game != other.game:
        return False
    if one.kind == other.kind:
        return one.exact == other.exact or _are_near(one, other)
    return bool(one.bare and other.bare) and _are_near(one.bare, other.bare)  # type: ignore[arg-type]


def _are_near(one: Sketch, other: Sketch) -> bool:
    hard = sum(count for leaf, count in one.hard.items() if leaf in other.hard)
    places = max(len(one.places & other.places), len(one.turned & other.turned))
    words, sizes = len(one.words & other.words), (one.sizes, other.sizes)
    # Most tables differ in other facts, and sums take longest to compare.
    at_most = (hard, words, places, min(len(one.sums), len(other.sums)))
    if not any(_is_near(way, at_most, *sizes) for way in WAYS):
        return False
    shared = (hard, words, places, shared_sums(one.sums, other.sums))
    return any(_is_near(way, shared, *sizes) for way in WAYS)


def _is_near(way: Way, shared: Sizes, one: Sizes, other: Sizes) -> bool:
    counted = shared[0] + (shared[3] if way.sums else 0)
    whole = way.of(_weight(way, one), _weight(way, other))
    return counted >= way.least and _weight(way, shared) >= way.share * whole


def _weight(way: Way, sizes: Sizes) -> int:
    hard, words, places, sums = sizes
    return HARD * hard + words + way.places * places + way.sums * sums


def shared_sums(one: frozenset[int], other: frozenset[int]) -> int:
    """How many sums two tables share on the scale that makes most of them equal. A scale other than 1 costs one.

    With more sums than a real table has, the scale is found from a few of them, because the work is quadratic.
    """
    few, many = sorted((one - {0}, other - {0}), key=len)
    tried = sorted(few)[:: len(few) // MOST_TRIED + 1]
    scales = Counter(_ratio(there, here) for here in tried for there in many)
    [(scale, often)] = scales.most_common(1) or [((1, 1), 0)]
    if len(few) > MOST_TRIED:
        up, down = scale
        often = sum(here * up % down == 0 and here * up // down in many for here in few)
    return max(len(one & other), often - (scale != (1, 1)))


def _ratio(one: int, other: int) -> tuple[int, int]:
    common = gcd(one, other)
    return one // common, other // common


def _turning(situation: Mapping[str, Any], places: list[tuple[str, str]]) -> Callable[[str], str]:
    """Renames people by their distance, in occupied seats, from the banker or else from the person the incident
    names."""
    seats = sorted(seat for seat in situation.get("seats", ()) if isinstance(seat, int))
    named = [who for path, who in places if path.startswith("incident.")]
    middle = next((who for who in [situation.get("banker"), *named] if isinstance(who, str) and is_place(who)), "")

    def rank(who: str) -> int:
        return bisect_left(seats, int(who[0]))

    start = rank(middle) if middle else 0
    return lambda who: f"{(rank(who) - start) % max(1, len(seats))}{who[1:]}" if is_place(who) else who


class _Leaves:
    """The facts of a table one by one, each with its path. Elements of lists are not numbered."""

    def __init__(self) -> None:
        self.hard: dict[int, int] = {}
        self.words: list[str] = []
        self.places: list[tuple[str, str]] = []
        self.sums: set[int] = set()
        self._met: Counter[str] = Counter()

    def gather(self, facts: Mapping[str, Any], types: Mapping[str, Any], path: str = "") -> None:
        for name, value in facts.items():
            for kind, leaf in _flat(value, types.get(name)):
                self._add(f"{path}{name}", kind, leaf)

    def _add(self, path: str, kind: Any, leaf: Any) -> None:
        if isinstance(leaf, dict):
            self._add_together(path, kind, leaf)
        elif _is_card(kind):
            self._add_hard(f"{path}={_rank(leaf)}", 1, again=True)
        elif _is_place(kind):
            self.places.append((path, str(leaf)))
        elif _is_sum(kind, leaf):
            self.sums.add(leaf)
        elif _is_number(leaf):
            self._add_hard(f"{path}={leaf}", 1)
        else:
            self.words.append(f"{path}={leaf}")

    def _add_hard(self, leaf: str, count: int, *, again: bool = False) -> None:
        """A repeated number adds nothing; a repeated card does."""
        self._met[leaf] += again
        self.hard[_hash(f"{leaf}#{self._met[leaf]}")] = count

    def _add_together(self, path: str, kind: Any, element: Mapping[str, Any]) -> None:
        """One element of a list, such as a bet or a hand: its words belong together, and so do its cards."""
        types = _fields(kind.cls) if isinstance(kind, inspect.StructType) else {}
        found = [(name, one, leaf) for name, value in element.items() for one, leaf in _flat(value, types.get(name))]
        cards = sorted(_rank(leaf) for _name, one, leaf in found if _is_card(one))
        plain = [(name, one, leaf) for name, one, leaf in found if not _is_card(one)]
        words = sorted(f"{name}={leaf}" for name, one, leaf in plain if not _is_place(one) and not _is_sum(one, leaf))
        if words:
            self.words.append(f"{path}[{','.join(words)}]")
        if cards:
            self._add_hard(f"{path}:{''.join(cards)}", len(cards), again=True)
        self.places += [(f"{path}{words}.{name}", str(leaf)) for name, one, leaf in plain if _is_place(one)]
        self.sums |= {leaf for _name, one, leaf in plain if _is_sum(one, leaf)}


def _flat(value: Any, kind: Any) -> Iterator[tuple[Any, Any]]:
    """The members of a list at any depth, each with its type; anything else unchanged."""
    if not isinstance(value, list | tuple):
        yield kind, value
        return
    several = getattr(kind, "item_types", None)
    for number, one in enumerate(value):
        inner = several[number] if several and number < len(several) else getattr(kind, "item_type", None)
        yield from _flat(one, _bare(inner))


@cache
def _fields(model: type) -> dict[str, Any]:
    """The types of a structure's facts by name."""
    told = inspect.type_info(model)
    return {one.encode_name: _bare(one.type) for one in told.fields} if isinstance(told, inspect.StructType) else {}


def _bare(kind: Any) -> Any:
    """A type without its annotations and without None."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    if isinstance(kind, inspect.UnionType):
        rest = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        return _bare(rest[0]) if len(rest) == 1 else kind
    return kind


def _is_card(kind: Any) -> bool:
    return isinstance(kind, inspect.StrType) and bool(kind.pattern) and _takes(kind.pattern, PACK[0])


@cache
def _takes(pattern: str | None, value: str) -> bool:
    return bool(pattern and re.search(pattern, value))


def _is_place(kind: Any) -> bool:
    if isinstance(kind, inspect.StrType):
        return bool(kind.pattern) and _takes(kind.pattern, f"{MOST_SEATS}a") and not _takes(kind.pattern, "red")
    return isinstance(kind, inspect.IntType) and (kind.ge, kind.le) == (1, MOST_SEATS)


def _is_sum(kind: Any, leaf: Any) -> bool:
    return isinstance(kind, inspect.IntType) and _is_number(leaf) and (kind.le is None or kind.le >= LARGE)


def _is_number(leaf: Any) -> bool:
    return isinstance(leaf, int) and not isinstance(leaf, bool)


def _rank(card: Any) -> str:
    rank = str(card)[:1]
    return "T" if rank in TENS else rank


def _plain(value: Any) -> str:
    """Plain data as text, independent of the order of names."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{name}:{_plain(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_plain, value)) + "]"
    return repr(value)


def _hash(leaf: str) -> int:
    return int.from_bytes(blake2b(leaf.encode(), digest_size=6).digest(), "big")
