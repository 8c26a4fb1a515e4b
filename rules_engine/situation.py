"""What the tables of all games share: incidents, calls, heaps of cards, and reading facts from plain data."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from rules_engine.cards import Card
from rules_engine.errors import EngineError, ImpossibleFacts

SEATS = 9

Seat = Annotated[int, Meta(ge=1, le=SEATS)]
Place = Annotated[str, Meta(pattern="^[1-9][a-i]?$", description="seat number, with a letter for a standing player")]
Sum = Annotated[int, Meta(ge=0, le=10_000_000)]
S = TypeVar("S", bound=Struct)


class Call(Struct, frozen=True, omit_defaults=True):
    """Something said or done in turn. `says` is a catalogue id under `say`; `by` a place or a part in the game."""

    by: str
    says: str
    amount: int | None = None


class Incident(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind"):
    """What happened that must be ruled on. Each game has its own subclass, each kind one with the facts it needs."""

    def check(self, situation: Any) -> None:
        """Raise ImpossibleFacts where these facts cannot be at this table."""

    def narration(self) -> list[tuple[str, dict[str, Any]]]:
        """The sentences that tell it: catalogue ids with values. By default one, named after the kind."""
        return [(f"incident.{kind_of(self)}", msgspec.structs.asdict(self))]


class Table(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts that every table has.

    Cards lie in heaps, in the order in which they were drawn: `ponto`, `banker_cards`, `loose` (out of the shoe,
    nobody's yet) and `next` (what the shoe would give). `hidden` names cards lying face down.
    """

    seats: tuple[Seat, ...]
    standing: tuple[Place, ...] = ()
    calls: tuple[Call, ...] = ()
    ponto: tuple[Card, ...] = ()
    banker_cards: tuple[Card, ...] = ()
    loose: tuple[Card, ...] = ()
    next: tuple[Card, ...] = ()
    hidden: tuple[str, ...] = ()

    def opening(self) -> list[tuple[str, dict[str, Any]]]:
        """The sentences that tell how the table stands before anything happens: catalogue ids with values."""
        return []

    def also_spoken(self) -> tuple[str, ...]:
        """The languages in which an announcement may be said again at this table."""
        return ()

    def card(self, ref: str) -> Card:
        """The card at a reference: `ponto.3`, `banker.1`, `loose.2`, `next.1`."""
        heap, _, number = ref.partition(".")
        return self.heap(heap)[int(number) - 1]

    def heap(self, name: str) -> tuple[Card, ...]:
        return {"ponto": self.ponto, "banker": self.banker_cards, "loose": self.loose, "next": self.next}[name]


def kind_of(incident: Struct | type[Struct]) -> str:
    return str(incident.__struct_config__.tag)


@cache
def kinds(base: type[Incident]) -> dict[str, type[Incident]]:
    """Every kind of incident of a game, by name. All of them exist once the engine is imported."""
    found: dict[str, type[Incident]] = {}
    pending = list(base.__subclasses__())
    while pending:
        kind = pending.pop()
        found[kind_of(kind)] = kind
        pending.extend(kind.__subclasses__())
    return found


def check_present(seats: tuple[int, ...], standing: tuple[str, ...]) -> set[str]:
    """Everybody at the table by place, each listed once."""
    if len(set(seats)) != len(seats):
        raise ImpossibleFacts("seats", "a seat is listed twice")
    if len(set(standing)) != len(standing):
        raise ImpossibleFacts("standing", "a place is listed twice")
    for place in standing:
        if place.isdigit():
            raise ImpossibleFacts("standing", f"{place} is a seat, not a standing place")
    return {str(seat) for seat in seats} | set(standing)


def check_cards(table: Table, decks: int) -> None:
    """No more copies of a card than packs, and nothing said of cards that are not there."""
    out = table.ponto + table.banker_cards + table.loose + table.next
    for card, copies in Counter(out).items():
        if copies > decks:
            raise ImpossibleFacts("cards", f"{copies} copies of {card} in {decks} packs")
    for ref in table.hidden:
        heap, _, number = ref.partition(".")
        on_cloth = heap in ("ponto", "banker", "loose") and number.isdigit()
        if not on_cloth or not 1 <= int(number) <= len(table.heap(heap)):
            raise ImpossibleFacts("hidden", f"there is no card {ref}")


def read(data: object, model: type[S], known: Mapping[str, type[Incident]]) -> S:
    """A situation from plain data (parsed JSON), or an error that says which fact is wrong."""
    if not isinstance(data, dict) or not isinstance(data.get("incident"), dict):
        raise EngineError("situation: expected an object with an `incident` object")
    kind = data["incident"].get("kind")
    if kind not in known:
        raise EngineError(f"situation.incident.kind: unknown kind {kind!r}")
    incident = _convert(data["incident"], known[kind], "situation.incident")
    rest = {name: value for name, value in data.items() if name != "incident"}
    facts = _convert(rest, _facts(model), "situation")
    return model(**{name: getattr(facts, name) for name in facts.__struct_fields__}, incident=incident)


def _convert(data: object, model: type[S], where: str) -> S:
    try:
        return msgspec.convert(data, model)
    except msgspec.ValidationError as error:
        raise EngineError(f"{where}: {error}") from None


@cache
def _facts(model: type[Struct]) -> type[Struct]:
    """The same fields without the incident, whose type is only known by its kind."""
    fields = [
        (field.name, field.type, field.default) if field.default is not msgspec.NODEFAULT else (field.name, field.type)
        for field in msgspec.structs.fields(model)
        if field.name != "incident"
    ]
    return msgspec.defstruct("_Facts", fields, kw_only=True, forbid_unknown_fields=True)
