"""Acts on the drawn table: a verb, a target and a value. Nothing here is stored.

Acts change the fields of the editor's form, so that form and drawing show one situation. An invalid act changes
nothing; the engine says whether the resulting facts are possible.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules_engine import Rulebook
from rules_engine.equipment.layout import Spot
from training.library import table_people, table_rows
from training.library.editor_fields import Tokens
from training.library.editor_forms import FACE_DOWN, ON, Typed, all_fields, counted, standing, tokens
from training.library.editor_rows import with_rows_changed

BANK = "bank"
LETTERS = "abcdefghi"
PREFIX = "act:"


@dataclass(frozen=True)
class Table:
    """The facts as typed. `amount` and `who` are sent with something taken from the tray."""

    typed: Typed
    book: Rulebook
    kind: str
    amount: str = ""
    who: str = ""

    def but(self, changes: Mapping[str, str]) -> Typed:
        return {**self.typed, **changes}

    def seated(self, place: str) -> Typed:
        """The facts with somebody at this place."""
        if not table_people.is_place(place):
            return self.typed
        if place.isdigit():
            return self.but({f"seats-{place}": ON})
        there = standing(self.typed)
        return self.typed if place in there else self.but({"standing": " ".join(sorted([*there, place]))})


def done(order: str, table: Table) -> Typed:
    """The facts after `act:verb:target:value`."""
    verb, target, value = (*order.removeprefix(PREFIX).split(":", 2), "", "")[:3]
    act = ACTS.get(verb)
    return act(table, target, value.strip()) if act else table.typed


# ---- people


def _sit(table: Table, place: str, _value: str) -> Typed:
    """Somebody sits down. A person who stands there takes the seat, with their chips and calls."""
    if place.isdigit():
        return table.seated(place)
    seat = place[:1]
    if place not in standing(table.typed) or table.typed.get(f"seats-{seat}"):
        return table.typed
    return _moved(table, place, seat)


def _stand(table: Table, place: str, value: str) -> Typed:
    """One more person stands there; with `up`, the person in the seat gets up, with their chips and calls."""
    there = standing(table.typed)
    free = next((place[:1] + letter for letter in LETTERS if place[:1] + letter not in there), "")
    if not table_people.is_place(place) or not free:
        return table.typed
    if value == "up" and table.typed.get(f"seats-{place}"):
        return _moved(table, place, free)
    return table.seated(free)


def _moved(table: Table, old: str, new: str) -> Typed:
    return table_people.renamed(
        Table(_gone(table, old), table.book, table.kind).seated(new), old, new, table.book, table.kind
    )


def _leave(table: Table, place: str, _value: str) -> Typed:
    """Somebody leaves; their stakes and calls go too."""
    return table_people.without(_gone(table, place), place, table.book, table.kind)


def _gone(table: Table, place: str) -> Typed:
    if place.isdigit():
        return {name: value for name, value in table.typed.items() if name != f"seats-{place}"}
    return table.but({"standing": " ".join(one for one in standing(table.typed) if one != place)})


# ---- any fact


def _set(table: Table, name: str, value: str) -> Typed:
    """Set any field. A person who is named comes to the table; stakes and calls follow a change of the bank."""
    if not table_rows.is_field(name, table.book, table.kind):
        return table.typed
    changed = table.but({name: value})
    if table_people.is_named_by(name, table.book, table.kind):
        changed = Table(changed, table.book, table.kind).seated(value)
    return changed | _following(table, value) if name == BANK else changed


def _following(table: Table, bank: str) -> Typed:
    """The calls that state the bank and the stakes that cover it, set to its new amount if they had the old one."""
    before, found = table.typed.get(BANK, ""), {}
    for name, value in table.typed.items():
        list_, _dash, rest = name.partition("-")
        states = table.typed.get(name.removesuffix("amount") + "says") in table.book.game.states_bank
        if rest.endswith("-amount") and value == before and (list_ == "stakes" or states):
            found[name] = bank
    return found if before not in ("", "0") else {}


def _flip(table: Table, name: str, _value: str) -> Typed:
    if not table_rows.is_field(name, table.book, table.kind):
        return table.typed
    kept = {key: value for key, value in table.typed.items() if key != name}
    return kept if table.typed.get(name) else table.but({name: ON})


def _list(table: Table, name: str, value: str) -> Typed:
    """Add a value to a list of places, cards or spots, or remove it."""
    if not isinstance(all_fields(table.book, table.kind).get(name), Tokens):
        return table.typed
    there = tokens(table.typed.get(name, ""))
    now = [one for one in there if one != value] if value in there else [*there, value]
    return Table(table.but({name: " ".join(now)}), table.book, table.kind).seated(value)


def _nth(table: Table, target: str, value: str) -> Typed:
    """Set one of several values, such as a die: `dice.2`. The number after the last adds one."""
    name, _dot, number = target.rpartition(".")
    if not isinstance(all_fields(table.book, table.kind).get(name), Tokens):
        return table.typed
    there, at = tokens(table.typed.get(name, "")), counted(number)
    if not 1 <= at <= len(there) + 1 or not value:
        return table.typed
    there[at - 1 : at] = [value]
    return table.but({name: " ".join(there)})


def _row(table: Table, name: str, value: str) -> Typed:
    """Add a row to a list, with these cells: `player=4,amount=200`."""
    cells = dict(part.partition("=")[::2] for part in value.split(",") if part)
    changed = table_rows.with_row(table.typed, name, cells, table.book, table.kind)
    return Table(changed, table.book, table.kind).seated(cells.get("player", ""))


def _rows(verb: str) -> Callable[[Table, str, str], Typed]:
    def changed(table: Table, name: str, value: str) -> Typed:
        return with_rows_changed(dict(table.typed), f"{verb}:{name}:{value}", table.book, table.kind)[0]

    return changed


def _says(table: Table, who: str, says: str) -> Typed:
    """Add a call, with an amount if its words name one."""
    if not table.book.game.words.has(f"say.{says}"):
        return table.typed
    amount = table.amount or table.typed.get(BANK, "") or table.typed.get("minimum", "")
    cells = {"by": who, "says": says}
    if "{amount" in table.book.game.words.pattern(f"say.{says}", table.book.language):
        cells["amount"] = amount
    changed = table_rows.with_row(table.typed, "calls", cells, table.book, table.kind)
    return Table(changed, table.book, table.kind).seated(who)


# ---- cards


def _deal(table: Table, heap: str, card: str) -> Typed:
    name = table_rows.heaps(table.typed, table.book).get(heap, heap)
    if name not in table_rows.heaps(table.typed, table.book).values():
        return table.typed
    return table.but({name: f"{table.typed.get(name, '')} {card}".strip()})


def _card(change: Callable[[str], list[str]]) -> Callable[[Table, str, str], Typed]:
    """An act on one card, given by its reference: `ponto.2`."""

    def changed(table: Table, ref: str, _value: str) -> Typed:
        return _with_card(table, ref, change)

    return changed


def _with_card(table: Table, ref: str, change: Callable[[str], list[str]]) -> Typed:
    heap, _dot, number = ref.rpartition(".")
    name = table_rows.heaps(table.typed, table.book).get(heap)
    cards = tokens(table.typed.get(name, "")) if name else []
    at = counted(number)
    if name is None or not 1 <= at <= len(cards):
        return table.typed
    cards[at - 1 : at] = change(cards[at - 1])
    return table.but({name: " ".join(cards)})


def _turned(card: str) -> list[str]:
    return [card.removesuffix(FACE_DOWN) if card.endswith(FACE_DOWN) else card + FACE_DOWN]


def _change(table: Table, ref: str, card: str) -> Typed:
    return _with_card(table, ref, lambda old: [card + FACE_DOWN if old.endswith(FACE_DOWN) else card])


def _move(table: Table, ref: str, heap: str) -> Typed:
    moved: list[str] = []
    taken = _with_card(table, ref, lambda card: moved.append(card.removesuffix(FACE_DOWN)) or [])  # type: ignore[func-returns-value]
    return _deal(Table(taken, table.book, table.kind), heap, moved[0]) if moved else table.typed


# ---- from the tray


def _put(table: Table, thing: str, point: str) -> Typed:
    """Put something from the tray on the drawing: `sit`, `stand`, `chip.100`, `says.banco`, `card.7h`."""
    what, _dot, value = thing.partition(".")
    on, _colon, where = point.partition(":")
    if what in ("sit", "stand") and on in ("place", "stake"):
        return (_sit if what == "sit" else _stand)(table, where, "")
    if what == "says" and on in ("place", "stake"):
        return _says(table, where, value)
    if what == "card" and on in ("card", "heap"):
        return _deal(table, where.partition(".")[0], value)
    return _chip(table, on, where, value) if what == "chip" and counted(value) > 0 else table.typed


def _chip(table: Table, on: str, where: str, value: str) -> Typed:
    if where == BANK:
        return _set(table, BANK, str(table_rows.number(table.typed, BANK) + int(value)))
    spot: Spot | None = table.book.game.spots.get(where) if on == "spot" else None
    if on == "spot" and not table.who:
        return table.typed
    who = table.who if on == "spot" else where
    lies = spot or (where if on == "spot" else None)
    changed = table_rows.with_chip(table.typed, who, lies, int(value), table.book, table.kind)
    return Table(changed, table.book, table.kind).seated(who)


# ---- dragged on the table


def _carry(table: Table, thing: str, point: str) -> Typed:
    """Move something on the drawing: a person (`place.4`), chips (`stake.4`, `spot.17`) or a card to another place."""
    what, _dot, start = thing.partition(".")
    on, _colon, end = point.partition(":")
    if what == "card" and on in ("card", "heap"):
        return _move(table, start, end.partition(".")[0] if on == "card" else end)
    if what == "place" and on in ("place", "stake") and table_people.is_place(start) and table_people.is_place(end):
        return _go(table, start, end)
    if what in ("stake", "spot") and on in ("place", "stake", "spot"):
        return _shift(table, (what, start), (on, end))
    return table.typed


def _go(table: Table, person: str, place: str) -> Typed:
    """Somebody goes to another place: to the seat if it is free, else to stand there."""
    there, free = standing(table.typed), place
    if not table.typed.get(f"seats-{person}") and person not in there:
        return table.typed
    if not place.isdigit() or table.typed.get(f"seats-{place}"):
        free = next((place[0] + letter for letter in LETTERS if place[0] + letter not in there), "")
    return _moved(table, person, free) if free else table.typed


def _shift(table: Table, start: table_rows.At, end: table_rows.At) -> Typed:
    """Move chips to another place or give them to another person."""
    changed = table_rows.shifted(table.typed, start, end, table.book, table.kind)
    return Table(changed, table.book, table.kind).seated(end[1] if end[0] != "spot" else "")


ACTS: dict[str, Callable[[Table, str, str], Typed]] = {
    "sit": _sit,
    "stand": _stand,
    "leave": _leave,
    "set": _set,
    "flip": _flip,
    "list": _list,
    "nth": _nth,
    "row": _row,
    "remove": _rows("remove"),
    "up": _rows("up"),
    "down": _rows("down"),
    "says": _says,
    "deal": _deal,
    "turn": _card(_turned),
    "take": _card(lambda _card: []),
    "change": _change,
    "move": _move,
    "put": _put,
    "carry": _carry,
}
