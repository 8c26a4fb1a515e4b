"""What can be done to something on the drawn table: the menu of a place, a card, chips, a spot, a call, the incident.

Read off the fields of the form, as those are off the types of the facts: no code for a game or an incident.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from rules_engine.spots import spot_name
from training.library import editor_typing, table_rows
from training.library.editor_controls import Control, Sheet, pack
from training.library.editor_fields import Scalar, Tokens, heaps_of
from training.library.editor_forms import FACE_DOWN, INCIDENT, MAX_TYPED, Typed, counted, standing, tokens
from training.library.table_acts import BANK
from training.library.table_loose import loose_facts
from training.library.table_offers import (
    TYPED,
    Menu,
    Offer,
    Reader,
    Section,
    facts_of,
    heap_label,
    present,
    row_of,
    rows_of,
    sayings,
)
from training.library.table_people import is_place, names_people, person_column

Found = tuple[str, Iterator[Section]]


def menu_of(point: str, sheet: Sheet) -> Menu | None:
    """The menu of what was pointed at; None where nothing can be done to it."""
    on, _colon, what = point.partition(":")
    makers = {
        "place": _place,
        "stake": _chips,
        "card": _card,
        "spot": _spot,
        "call": _call,
        "incident": _incident,
        "table": _table,
    }
    if on not in makers:
        return None
    title, sections = makers[on](what[:MAX_TYPED], Reader(sheet))
    found = [section for section in sections if section.offers]
    return Menu(title, point, found) if found else None


# ---- people


def _place(place: str, reader: Reader) -> Found:
    return reader.sheet.called(place), _of_place(place, reader)


def _of_place(place: str, reader: Reader) -> Iterator[Section]:
    there = _is_there(place, reader.typed)
    if is_place(place):
        yield Section("", [*_comings(place, reader.typed), *_parts(place, reader)])
    yield Section(_("What happened"), list(_named(place, reader)))
    if there or not is_place(place):
        yield from _sayings(place, reader)
        yield from rows_of(place, reader)


def _is_there(place: str, typed: Typed) -> bool:
    return place in standing(typed) or bool(typed.get(f"seats-{place}"))


def _comings(place: str, typed: Typed) -> Iterator[Offer]:
    if place.isdigit() and typed.get(f"seats-{place}"):
        yield Offer(_("gets up and stands there"), f"act:stand:{place}:up")
        yield Offer(_("leaves, with chips and words"), f"act:leave:{place}")
    elif place.isdigit():
        yield Offer(_("somebody sits down"), f"act:sit:{place}")
    elif place in standing(typed):
        if not typed.get(f"seats-{place[0]}"):
            yield Offer(_("sits down"), f"act:sit:{place}")
        yield Offer(_("leaves, with chips and words"), f"act:leave:{place}")
    yield Offer(_("another player stands here"), f"act:stand:{place[0]}")


def _parts(place: str, reader: Reader) -> Iterator[Offer]:
    """The parts in the game that somebody may have: the bank, the cards, the dice."""
    for name, label in reader.sheet.parts():
        found, on = reader.fields[name], reader.typed.get(name) == place
        clears = on and isinstance(found, Scalar) and not found.required
        yield Offer(label, f"act:set:{name}:{'' if clears else place}", on)


def _named(place: str, reader: Reader) -> Iterator[Offer]:
    """The facts of the incident that name somebody."""
    for control, found in reader.single():
        if not control.name.startswith(f"{INCIDENT}-"):
            continue
        if isinstance(found, Tokens) and found.item.what == "place" and is_place(place):
            there = place in tokens(reader.typed.get(control.name, ""))
            yield Offer(control.label, f"act:list:{control.name}:{place}", there)
        elif names_people(found) and any(place == value for value, _label in control.choices):
            on = control.value == place
            yield Offer(control.label, f"act:set:{control.name}:{'' if on and not control.required else place}", on)


def _sayings(place: str, reader: Reader) -> Iterator[Section]:
    calls = reader.fields.get("calls")
    if calls is None or isinstance(calls, (Scalar, Tokens)):
        return
    by = dict(calls.columns)["by"]
    if not is_place(place) and place not in getattr(by, "pattern", ""):
        return
    said = [
        Offer(f"{label} ✕", f"act:remove:calls:{row}")
        for row, who, label in reader.said()
        if reader.typed.get(f"calls-{row}-by") == place
    ]
    yield Section(_("Said"), said)
    sums = reader.typed.get(BANK) or reader.typed.get("minimum") or ""
    offers = [Offer(label, f"act:says:{place}:{value}") for value, label in sayings(reader.sheet)]
    yield Section(_("Says…"), offers, folded=True, number=sums)


# ---- chips and spots


def _chips(whose: str, reader: Reader) -> Found:
    if whose == BANK and BANK in reader.controls:
        control = reader.controls[BANK]
        money = Section("", [Offer(_("Change"), f"act:set:{BANK}:{TYPED}")], number=reader.typed.get(BANK, ""))
        return control.label, iter([money])
    return _place(whose, reader)


def _spot(key: str, reader: Reader) -> Found:
    known = key in reader.sheet.book.game.spots
    name = spot_name(key, reader.sheet.book, reader.sheet.language) if known else reader.sheet.choice(key)
    return name[:1].upper() + name[1:], _of_spot(key, reader)


def _of_spot(key: str, reader: Reader) -> Iterator[Section]:
    yield Section("", list(_spot_facts(key, reader)))
    spot = reader.sheet.book.game.spots.get(key, key)
    money = table_rows.money_list(reader.sheet.book, reader.sheet.kind)
    if money and (cells := table_rows.on_spot(money[1], spot)):
        name, rows = money
        for at in table_rows.rows_with(reader.typed, name, rows, cells):
            yield from row_of(name, at, reader)
        given = ",".join(f"{column}={value}" for column, value in cells.items())
        worth = "amount" if "amount" in dict(rows.columns) else "value"
        people = [
            Offer(reader.sheet.called(who), f"act:row:{name}:{person_column(rows)}={who},{given},{worth}={TYPED}")
            for who in present(reader.typed)
        ]
        yield Section(_("Chips of…"), people, number=reader.typed.get("minimum") or "100")
    for name, found in reader.fields.items():  # what stands in a row by its number, such as machines
        if not isinstance(found, (Scalar, Tokens)) and found.columns[0][0] == "number":
            for at in table_rows.rows_with(reader.typed, name, found, {"number": key}):
                yield from row_of(name, at, reader)


def _spot_facts(key: str, reader: Reader) -> Iterator[Offer]:
    """The facts that name a spot, or the number that is printed on it."""
    for control, found in reader.single():
        if isinstance(found, Tokens):
            if found.item.what == "spot":
                on = key in tokens(reader.typed.get(control.name, ""))
                yield Offer(control.label, f"act:list:{control.name}:{key}", on)
        elif found.what == "spot" or (found.what == "number" and _bounded(found, key)):
            on = control.value == key
            yield Offer(control.label, f"act:set:{control.name}:{'' if on and not found.required else key}", on)


def _bounded(found: Scalar, key: str) -> bool:
    """Whether a number is one of those printed on a layout."""
    return found.low == 0 and found.high is not None and 0 <= counted(key) <= found.high < 100


# ---- cards


def _card(ref: str, reader: Reader) -> Found:
    heap, _dot, number = ref.rpartition(".")
    name = table_rows.heaps(reader.typed, reader.sheet.book).get(heap, "")
    return f"{heap_label(name, reader)}, {number}", _of_card(ref, name, reader)


def _of_card(ref: str, name: str, reader: Reader) -> Iterator[Section]:
    number = ref.rpartition(".")[2]
    if not name or counted(number) < 0:
        return
    turns = [Offer(_("Turn over"), f"act:turn:{ref}")] if name in heaps_of(reader.sheet.book) else []
    yield Section("", [*turns, Offer(_("Remove"), f"act:take:{ref}")])
    yield Section(_("What happened"), [*_pointed(ref, reader)])
    others = {heap: field for heap, field in table_rows.heaps(reader.typed, reader.sheet.book).items() if field != name}
    moves = [Offer(heap_label(field, reader), f"act:move:{ref}:{heap}") for heap, field in others.items()]
    yield Section(_("Move to…"), moves)
    there = dict(enumerate(tokens(editor_typing.cards(reader.typed.get(name, ""))), start=1))
    now = there.get(counted(number), "").removesuffix(FACE_DOWN)
    cards = [Offer(sign, f"act:change:{ref}:{card}", card == now) for card, sign in pack()]
    yield Section(_("Change into…"), cards, folded=True, look="pack")


def _pointed(ref: str, reader: Reader) -> Iterator[Offer]:
    """The facts of the incident that point at a card."""
    for control, found in reader.single():
        label = _("%(fact)s: this one") % {"fact": control.label}
        if isinstance(found, Scalar) and ref in map(str, found.choices):
            yield Offer(label, f"act:set:{control.name}:{ref}", control.value == ref)
        elif isinstance(found, Tokens) and found.item.what == "text":
            on = ref in tokens(reader.typed.get(control.name, ""))
            yield Offer(label, f"act:list:{control.name}:{ref}", on)


# ---- calls and the incident


def _call(number: str, reader: Reader) -> Found:
    said = reader.said()
    if not 1 <= counted(number) <= len(said):
        return "", iter(())
    row, who, words = said[counted(number) - 1]
    return f"{who}: {words}", _of_call(row, reader)


def _of_call(row: int, reader: Reader) -> Iterator[Section]:
    orders = [(_("Remove"), "remove"), (_("Earlier"), "up"), (_("Later"), "down")]
    yield Section("", [Offer(label, f"act:{verb}:calls:{row}") for label, verb in orders])
    if amount := reader.typed.get(f"calls-{row}-amount"):
        yield Section(_("Amount"), [Offer(_("Change"), f"act:set:calls-{row}-amount:{TYPED}")], number=amount)
    now = reader.typed.get(f"calls-{row}-says")
    words = [Offer(label, f"act:set:calls-{row}-says:{value}", value == now) for value, label in sayings(reader.sheet)]
    yield Section(_("Says instead…"), words)


def _incident(_what: str, reader: Reader) -> Found:
    return _("What happened"), _of_incident(reader)


def _of_incident(reader: Reader) -> Iterator[Section]:
    """All of it that is chosen or counted; who and which card are pointed at."""
    yield from facts_of([control for control in reader.own if isinstance(control, Control)])


def _table(_what: str, reader: Reader) -> Found:
    return _("The table"), loose_facts(reader)
