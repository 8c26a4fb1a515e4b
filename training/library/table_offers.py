"""The parts of a menu of the drawn table: offers under headings, derived from the fields of the form."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from rules_engine.words import money
from training.library import table_rows
from training.library.editor_controls import Control, RowsControl, Sheet
from training.library.editor_fields import Scalar, Tokens
from training.library.editor_forms import INCIDENT, Typed, all_fields, standing
from training.library.table_people import is_place, person_column

BANK = "bank"
FEW = 12  # options that a menu lists; longer lists are for the form
TYPED = "?"  # in an order: replaced with what is typed beside the button


@dataclass(frozen=True)
class Offer:
    """One menu entry with its order. `on`: it is the case already."""

    label: str
    do: str
    on: bool = False


@dataclass(frozen=True)
class Section:
    """Offers under a heading. `folded`: closed at first. `number`: the initial value of the field beside them."""

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
    """Access to the form of a situation by field."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.typed = sheet, dict(sheet.posted)
        self.fields = all_fields(sheet.book, sheet.kind)
        self.controls = {control.name: control for group in sheet.groups() for control in group.controls}

    @property
    def own(self) -> Iterable[Control | RowsControl]:
        return [control for name, control in self.controls.items() if name.startswith(f"{INCIDENT}-")]

    def single(self) -> Iterator[tuple[Control, Scalar | Tokens]]:
        """The controls that are not lists, with their fields."""
        for name, control in self.controls.items():
            found = self.fields.get(name)
            if isinstance(control, Control) and isinstance(found, (Scalar, Tokens)):
                yield control, found

    def said(self) -> list[tuple[int, str, str]]:
        """The calls in order: the row, who, and the words."""
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
        """A formatted amount of money; anything else as typed."""
        if not re.fullmatch(r"[0-9]{1,12}", digits := re.sub(r"[\s.]", "", amount)):
            return amount
        return money(int(digits), self.sheet.book.currency, self.sheet.book.language)

    def heaps(self) -> list[tuple[str, str, str]]:
        """The heaps of cards: the name in references, the field, and the label."""
        found = table_rows.heaps(self.typed, self.sheet.book)
        return [(heap, name, heap_label(name, self)) for heap, name in found.items()]

    def names(self) -> list[tuple[str, str]]:
        """The names of all places and heaps, for readers who do not see the drawing."""
        people = [(who, self.sheet.called(who)) for who in (*self.sheet.seats(), *standing(self.typed), "croupier")]
        bank = [(BANK, self.controls[BANK].label)] if BANK in self.controls else []
        return [*people, *bank, *((f"heap:{heap}", label) for heap, _name, label in self.heaps())]


def sayings(sheet: Sheet) -> list[tuple[str, str]]:
    """Everything that can be said or done at this table."""
    calls = all_fields(sheet.book, sheet.kind).get("calls")
    says = dict(getattr(calls, "columns", ())).get("says")
    return sheet.sayings(says) if isinstance(says, Scalar) else []


def heap_label(name: str, reader: Reader) -> str:
    """The label of a heap of cards; for a seat's hand, the name of the seat."""
    labels = reader.sheet.labels()
    list_, _dash, _rest = name.partition("-")
    seat = reader.typed.get(f"{name.rpartition('-')[0]}-seat", "")
    return reader.sheet.called(seat) if seat and list_ != name else labels.get(name, "")


def present(typed: Typed) -> list[str]:
    """Everybody at the table."""
    seats = [name.removeprefix("seats-") for name, value in typed.items() if name.startswith("seats-") and value]
    return sorted([*seats, *standing(typed)])


def facts_of(controls: Iterable[Control]) -> Iterator[Section]:
    """Sections for choices and numbers: all flags together, then one for each other fact."""
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


# ---- rows of lists


def rows_of(place: str, reader: Reader) -> Iterator[Section]:
    """The rows of somebody in all lists, and offers to add more."""
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
    """The menu of one row of a list, cell by cell."""
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
