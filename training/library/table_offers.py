"""What a menu of the drawn table is made of: offers under headings, read off the rows and fields of the form."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from rules_engine.equipment.places import MOST_SEATS
from rules_engine.words import money
from training.library import table_rows
from training.library.editor_controls import Control, RowsControl, Sheet
from training.library.editor_fields import Scalar, Tokens
from training.library.editor_forms import INCIDENT, Typed, all_fields, standing
from training.library.table_people import is_place, person_column

FEW = 12  # options that a menu lists; longer lists are for the form
TYPED = "?"  # in an order: what is typed beside its button


@dataclass(frozen=True)
class Offer:
    """Something to do, by its order. `on`: it is so already."""

    label: str
    do: str
    on: bool = False


@dataclass(frozen=True)
class Section:
    """Offers under a heading. `folded` ones wait for a tap; `number` is what the field beside them starts with."""

    title: str
    offers: list[Offer]
    folded: bool = False
    number: str | None = None
    look: str = ""


@dataclass(frozen=True)
class Menu:
    title: str
    point: str
    sections: list[Section] = field(default_factory=list)


class Reader:
    """The form of a situation, looked up by what its fields are about."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.typed = sheet, dict(sheet.posted)
        self.fields = all_fields(sheet.book, sheet.kind)
        self.controls = {control.name: control for group in sheet.groups() for control in group.controls}

    @property
    def own(self) -> Iterable[Control | RowsControl]:
        return [control for name, control in self.controls.items() if name.startswith(f"{INCIDENT}-")]

    def single(self) -> Iterator[tuple[Control, Scalar | Tokens]]:
        """Facts that are no lists, with what they hold."""
        for name, control in self.controls.items():
            found = self.fields.get(name)
            if isinstance(control, Control) and isinstance(found, (Scalar, Tokens)):
                yield control, found

    def said(self) -> list[tuple[int, str, str]]:
        """What was said, in order: the row, who, and the words."""
        calls = self.controls.get("calls")
        found = []
        for row in calls.rows if isinstance(calls, RowsControl) else ():
            by, says, amount = (self.typed.get(f"calls-{row.number}-{name}", "") for name in ("by", "says", "amount"))
            if by or says:
                found.append((row.number, self.sheet.called(by), self.words(says, amount)))
        return found

    def words(self, says: str, amount: str) -> str:
        calls = self.controls.get("calls")
        cells = [cell for row in calls.rows for cell in row.controls] if isinstance(calls, RowsControl) else []
        labels = {value: label for cell in cells if cell.name.endswith("-says") for value, label in cell.choices}
        return labels.get(says, "").replace("…", self._sum(amount) or "…", 1)

    def _sum(self, amount: str) -> str:
        """A sum as it is told everywhere else; what is no sum, as it was typed."""
        if not re.fullmatch(r"[0-9]{1,12}", digits := re.sub(r"[\s.]", "", amount)):
            return amount
        return money(int(digits), self.sheet.book.currency, self.sheet.book.language)

    def heaps(self) -> list[tuple[str, str, str]]:
        """The heaps of cards: what references call them, the field, and what people call them."""
        found = table_rows.heaps(self.typed, self.sheet.book)
        return [(heap, name, heap_label(name, self)) for heap, name in found.items()]

    def names(self) -> list[tuple[str, str]]:
        """What is called how on the drawing: everybody and every heap, for who does not see it."""
        seats = [str(seat) for seat in range(1, MOST_SEATS + 1)]
        return [(who, self.sheet.called(who)) for who in (*seats, *standing(self.typed), "croupier")]


def sayings(sheet: Sheet) -> list[tuple[str, str]]:
    """Everything that can be said or done at this table."""
    calls = all_fields(sheet.book, sheet.kind).get("calls")
    says = dict(getattr(calls, "columns", ())).get("says")
    return sheet.sayings(says) if isinstance(says, Scalar) else []


def heap_label(name: str, reader: Reader) -> str:
    """What a heap of cards is called; a seat's hand by its seat."""
    labels = reader.sheet.labels()
    list_, _dash, _rest = name.partition("-")
    seat = reader.typed.get(f"{name.rpartition('-')[0]}-seat", "")
    return reader.sheet.called(seat) if seat and list_ != name else labels.get(name, "")


def present(typed: Typed) -> list[str]:
    """Everybody at the table."""
    seats = [name.removeprefix("seats-") for name, value in typed.items() if name.startswith("seats-") and value]
    return sorted([*seats, *standing(typed)])


def facts_of(controls: Iterable[Control]) -> Iterator[Section]:
    """Facts that are chosen or counted: what is so or not together, then each of the others."""
    known = list(controls)
    flags = [one for one in known if one.widget == "flag"]
    yield Section("", [Offer(one.label, f"act:flip:{one.name}", bool(one.value)) for one in flags])
    for one in known:
        choices = [*one.choices] if one.required else [("", _("not stated")), *one.choices]
        if one.widget == "choice":
            offers = [Offer(label, f"act:set:{one.name}:{value}", value == one.value) for value, label in choices]
            yield Section(one.label, offers, folded=len(offers) > FEW)
        elif one.widget == "number":
            yield Section(one.label, [Offer(_("Change"), f"act:set:{one.name}:{TYPED}")], number=one.value)


# ---- rows: chips, hands, machines


def rows_of(place: str, reader: Reader) -> Iterator[Section]:
    """What lies in the lists for somebody, and room for more."""
    for name, rows in reader.fields.items():
        if isinstance(rows, (Scalar, Tokens)) or name == "calls":
            continue
        columns, person = dict(rows.columns), person_column(rows)
        cells = {person: place} if person else {"seat": place} if "seat" in columns and place.isdigit() else None
        if cells is None or not is_place(place):
            continue
        for at in table_rows.rows_with(reader.typed, name, rows, cells):
            yield from row_of(name, at, reader)
        given = ",".join(f"{column}={value}" for column, value in cells.items())
        control = reader.controls[name]
        if "amount" in columns:
            offer = Offer(_("Put"), f"act:row:{name}:{given},amount={TYPED}")
            on = columns.get("on")
            offers = [offer]
            if isinstance(on, Scalar):
                labels = _labels_of(on, reader)
                offers = [Offer(label, f"{offer.do},on={value}") for value, label in labels]
            yield Section(control.label, offers, number=reader.typed.get("minimum") or "100")
        elif name.startswith(INCIDENT) or person:
            yield Section(control.label, [Offer(_("Add") + f": {control.label}", f"act:row:{name}:{given}")])


def _labels_of(found: Scalar, reader: Reader) -> list[tuple[str, str]]:
    return [(str(value), reader.sheet.choice(value)) for value in found.choices]


def row_of(name: str, at: int, reader: Reader) -> Iterator[Section]:
    """One row of a list, cell by cell."""
    control = reader.controls[name]
    row = next((row for row in control.rows if row.number == at), None) if isinstance(control, RowsControl) else None
    if row is None:
        return
    shown = " · ".join(one for one in map(_shown, row.controls) if one)
    switches = [
        Offer(one.label, f"act:flip:{one.name}", bool(one.value)) for one in row.controls if one.widget == "flag"
    ]
    yield Section(f"{control.label}: {shown}", [*switches, Offer(_("Remove"), f"act:remove:{name}:{at}")])
    for one in row.controls:
        yield from _cell(one)


def _shown(control: Control) -> str:
    if control.people or control.widget == "flag":
        return ""
    return dict(control.choices).get(control.value, control.value)


def _cell(one: Control) -> Iterator[Section]:
    if one.widget == "number":
        yield Section(one.label, [Offer(_("Change"), f"act:set:{one.name}:{TYPED}")], number=one.value)
    elif one.widget == "choice" and not one.people and len(one.choices) <= FEW:
        offers = [Offer(label, f"act:set:{one.name}:{value}", value == one.value) for value, label in one.choices]
        yield Section(one.label, offers, folded=True)
