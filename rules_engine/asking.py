"""Which questions are asked about an incident: fixed for its kind in `questions.toml`, never taken from the ruling.

Were a trainee asked exactly what the ruling decides, the questions would tell it: an annulled coup has no announcement,
a refused request no consequence. So a kind of incident asks the same whatever follows from it, and a question that may
come to nothing offers the answer that it does not arise.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct, structs

from rules_engine.cards import is_natural, score
from rules_engine.chemin_de_fer import third_card
from rules_engine.errors import UnknownName
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOMAINS, Kind
from rules_engine.situation import kind_of

HEAPS = ("ponto", "banker", "loose", "next")
EVERY_BOOK = "*"
Terms = tuple[tuple[str, ...], ...]


class Asked(Struct, frozen=True):
    """A question that is put: `open` if it may turn out that it does not arise."""

    key: str
    open: bool


class Item(Struct, frozen=True):
    """One word of a row: `fate.loose.*?@!hidden|kept`. `never` (a minus before it) is decided but not asked."""

    key: str
    open: bool
    never: bool
    where: Terms

    def applies(self, facts: frozenset[str]) -> bool:
        return not self.where or any(all(_holds(term, facts) for term in terms) for terms in self.where)


class Asking(Struct, frozen=True):
    """What a kind of incident asks with these facts, in order, and the decisions that are left unasked."""

    asked: tuple[Asked, ...]
    unasked: frozenset[str]


def questions_for(book: Rulebook, situation: Any) -> Asking | None:
    """The questions of this situation, or nothing where the table has no row for its kind."""
    row = _row(kind_of(situation.incident), book)
    if row is None:
        return None
    facts = plain_facts(situation)
    asked: list[Asked] = []
    unasked: set[str] = set()
    for item in row:
        if item.applies(facts):
            keys = _expanded(item.key, situation)
            unasked.update(keys if item.never else ())
            asked += [] if item.never else [Asked(key, item.open) for key in keys]
    return Asking(tuple(asked), frozenset(unasked))


def kind_of_question(key: str) -> Kind:
    """How a question that does not arise would have been answered."""
    name = key.partition(".")[0]
    if name in DOMAINS:
        return "choice"
    kinds: dict[str, list[str]] = _table()["kinds"]
    for kind, names in kinds.items():
        if name in names:
            return kind  # type: ignore[return-value]
    raise UnknownName("kind of question", name)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files("rules_engine") / "questions.toml").read_text("utf-8"))


@cache
def _row(kind: str, book: Rulebook) -> tuple[Item, ...] | None:
    """A row stands for every rulebook, or for one of them and those that inherit from it."""
    found = _table()["asked"].get(kind, {})
    rows = {EVERY_BOOK: found} if isinstance(found, str) else found
    row = rows.get(book.id) or rows.get(book.like.id if book.like else "") or rows.get(EVERY_BOOK)
    return None if row is None else tuple(map(_item, row.split()))


def _item(word: str) -> Item:
    name, _, where = word.partition("@")
    terms = tuple(tuple(some.split("&")) for some in where.split("|")) if where else ()
    return Item(name.strip("-?"), name.endswith("?"), name.startswith("-"), terms)


def _holds(term: str, facts: frozenset[str]) -> bool:
    return term[1:] not in facts if term.startswith("!") else term in facts


def _expanded(key: str, situation: Any) -> list[str]:
    """A star stands for every card of the heap, or for everybody who has a bet."""
    stem, star, _ = key.partition("*")
    if not star:
        return [key]
    if stem == "prize.":
        return [f"{stem}{player}" for player in sorted({bet.player for bet in situation.bets})]
    heap = stem.strip(".").rpartition(".")[2]
    return [f"{stem}{number}" for number in range(1, len(situation.heap(heap)) + 1)]


def plain_facts(situation: Any) -> frozenset[str]:
    """What anybody sees without knowing a rule, in the words by which the table of questions tells facts apart."""
    found: set[str] = set()
    for field in structs.fields(situation.incident):
        value = getattr(situation.incident, field.name)
        found |= _of_field(field.name, value)
        found |= {field.name} if isinstance(value, tuple) and value != field.default else set()
    for call in situation.calls:
        found |= {f"said:{call.says}", f"{call.by}:{call.says}"}
    for name in HEAPS:
        heap = situation.heap(name)
        found |= {name} if heap else set()
        found |= {f"{name}.{number}" for number in range(1, len(heap) + 1)}
    found |= {"hidden"} if situation.hidden else set()
    if situation.game == "chemin_de_fer":
        found |= _at_chemin_de_fer(situation)
    return frozenset(found)


def _of_field(name: str, value: Any) -> set[str]:
    """`refuses`, `order=deal`, `exposed:2`; nothing for what is absent."""
    if value is None or value is False or value in ("", 0):
        return set()
    if isinstance(value, tuple):
        return {f"{name}:{len(value)}"}
    return {name} if value is True else {name, f"{name}={value}"}


def _at_chemin_de_fer(situation: Any) -> set[str]:
    found = {f"by_table:{side}" for side in situation.by_table} | {f"dealt={score(situation.ponto[:2])}"}
    found |= set() if situation.banker.isdigit() else {"standing_banker"}
    found |= {"alone"} if third_card.alone(situation) else set()
    return found | ({"banker_natural"} if is_natural(situation.banker_cards) else set())
