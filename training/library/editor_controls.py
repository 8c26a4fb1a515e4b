"""The editor's form fields for a situation: labels, values as typed, choices and errors."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from rules_engine import Rulebook
from rules_engine.equipment.cards import PACK
from rules_engine.equipment.places import MOST_SEATS, is_place
from rules_engine.game import GroupName
from rules_engine.spots import spot_name
from rules_engine.words import card_sign
from training.library import editor_seats
from training.library.editor_fields import Field, Scalar, Tokens, fields_of, heaps_of, table_fields
from training.library.editor_forms import FACE_DOWN, INCIDENT, ON, cell, row_numbers, standing, written
from training.library.editor_starts import opened
from training.platform.folded_text import sort_key

LOOSE: GroupName = "money"  # the group for facts that belong to none


@dataclass(frozen=True)
class Control:
    """One form control. `widget` is flag, number, choice, text, cards or seats."""

    name: str
    label: str
    widget: str
    value: str
    error: str = ""
    required: bool = False
    choices: list[tuple[str, str]] = field(default_factory=list)
    low: int | None = None
    high: int | None = None
    people: bool = False
    hint: str = ""


@dataclass(frozen=True)
class Row:
    number: int
    controls: list[Control]


@dataclass(frozen=True)
class RowsControl:
    name: str
    label: str
    rows: list[Row]
    optional: bool
    said: bool
    error: str = ""
    hint: str = ""
    widget: str = "rows"


@dataclass(frozen=True)
class Group:
    name: str
    title: str
    controls: list[Control | RowsControl]


class Sheet:
    """The whole form, with the values that were typed."""

    def __init__(
        self, posted: Mapping[str, str], wrong: Mapping[str, str], book: Rulebook, kind: str, language: str
    ) -> None:
        self.posted, self.wrong, self.book, self.kind, self.language = posted, wrong, book, kind, language
        self.table = table_fields(book)
        self.incident = fields_of(book.kinds()[kind])
        self.heaps = heaps_of(book)
        self.words = book.game.words

    def groups(self) -> list[Group]:
        own = [self._control(name, found, f"{INCIDENT}-{name}", self.kind) for name, found in self.incident.items()]
        grouped = self.book.game.groups
        loose = tuple(name for name in self.table if not any(name in names for names in grouped.values()))
        groups = [Group("incident", _("What happened"), own)]
        for name, title in _titles().items():
            names = grouped.get(name, ()) + (loose if name == LOOSE else ())
            groups.append(Group(name, title, self._group(names)))
        return [group for group in groups if group.controls]

    def parts(self) -> list[tuple[str, str]]:
        """The facts of the table that name one place, such as who holds the bank, with their labels."""
        places = [name for name, found in self.table.items() if isinstance(found, Scalar) and found.what == "place"]
        return [(name, self.words.text(f"part.{name}", self.language)) for name in places]

    def _group(self, names: tuple[str, ...]) -> list[Control | RowsControl]:
        return [self._control(name, self.table[name], name, "") for name in names if name in self.table]

    def labels(self) -> dict[str, str]:
        """The label of each field, by name; for a cell of a list, its list, row and column."""
        return {name: label for name, label, _control in self._fields()}

    def told(self) -> dict[str, tuple[str, str]]:
        """Every field that has a value, by name: its label and the value in words."""
        fields = [(name, label, one) for name, label, one in self._fields() if isinstance(one, Control)]
        return {name: (label, value) for name, label, one in fields if (value := _told(one))}

    def _fields(self) -> Iterator[tuple[str, str, Control | RowsControl]]:
        for control in (control for group in self.groups() for control in group.controls):
            yield control.name, control.label, control
            if isinstance(control, RowsControl):
                for number, row in enumerate(control.rows, start=1):
                    yield from ((part.name, f"{control.label} {number}, {part.label}", part) for part in row.controls)

    def _control(self, key: str, found: Field, name: str, kind: str) -> Control | RowsControl:
        label = self._label(key, kind)
        if name == "seats":
            seats = [(seat, ON if self.posted.get(f"seats-{seat}") else "") for seat in self.seats()]
            return Control(name, label, "seats", "", self.wrong.get(name, ""), choices=seats)
        if isinstance(found, Scalar):
            return self._scalar(label, found, name)
        if isinstance(found, Tokens):
            return self._tokens(label, found, name)
        rows = [
            Row(number, [self._cell(name, number, column, inner, label) for column, inner in found.columns])
            for number in row_numbers(self.posted, name, found)
        ]
        said = bool(self.posted.get(f"{name}-said"))
        return RowsControl(name, label, rows, found.optional, said, self.wrong.get(name, ""), self._hint(key))

    def _hint(self, key: str) -> str:
        """The game's hint on filling in a list, if it has one."""
        return self.words.text(f"hint.{key}", self.language) if self.words.has(f"hint.{key}") else ""

    def _cell(self, name: str, number: int, column: str, found: Scalar | Tokens, label: str) -> Control:
        # Members of a pair or a plain list have no label of their own.
        own = label if not column or column.isdigit() else self._label(column, "")
        if isinstance(found, Tokens):
            return replace(self._tokens(own, found, cell(name, number, column)), hint="")
        return self._scalar(own, found, cell(name, number, column))

    def _scalar(self, label: str, found: Scalar, name: str) -> Control:
        value, error = self.posted.get(name, ""), self.wrong.get(name, "")
        if name.endswith("-says"):
            return Control(name, label, "choice", value, error, found.required, self.sayings(found))
        if found.what == "choice":
            choices = [(written(one), self.choice(one)) for one in found.choices if one != ""]
            return Control(name, label, "choice", value, error, found.required, choices)
        if found.what == "spot":
            spots = [(key, spot_name(key, self.book, self.language)) for key in self.book.game.spots]
            return Control(name, label, "choice", value, error, found.required, spots)
        if found.what in ("flag", "number"):
            return Control(name, label, found.what, value, error, found.required, low=found.low, high=found.high)
        parts = _parts(found)
        if parts or found.what == "place":
            everybody = self._people(parts, value)
            return Control(name, label, "choice", value, error, found.required, everybody, people=True)
        return Control(name, label, "text", value, error, found.required)

    def _tokens(self, label: str, found: Tokens, name: str) -> Control:
        value, error = self.posted.get(name, ""), self.wrong.get(name, "")
        if found.item.what == "card":
            hint = _("7h or seven of hearts (s ♠, h ♥, d ♦, c ♣)")
            if name in self.heaps:
                hint = _("7h or seven of hearts (s ♠, h ♥, d ♦, c ♣); with * it lies face down: 7h*")
            return Control(name, label, "cards", signed(value), error, hint=hint)
        places = _("Places one after another: 4 for seat 4, 7a for the first player standing at seat 7")
        if name == "standing":
            places = _("Who stands where: 4 7 for one at seat 4 and one at seat 7, 4a 4b for two at seat 4")
        hints = {"place": places, "number": _("Numbers one after another")}
        cards = _("Tap the cards on the table; here each is its hand and number: ponto.3 is the third of the ponto")
        return Control(name, label, "text", value, error, hint=hints.get(found.item.what, cards))

    def _label(self, key: str, kind: str) -> str:
        for id in (f"field.{kind}.{key}", f"field.{key}"):
            if self.words.has(id):
                return self.words.text(id, self.language)
        return key.replace("_", " ").capitalize()

    def choice(self, value: Any) -> str:
        heap, dot, number = str(value).partition(".")
        if dot:
            return _("card %(number)s of the %(side)s") % {"number": number, "side": self.choice(heap)}
        id = f"choice.{written(value)}"
        return self.words.text(id, self.language) if self.words.has(id) else str(value).replace("_", " ")

    def _people(self, parts: list[str], current: str) -> list[tuple[str, str]]:
        """Everybody who can be chosen here: every seat, those who stand, and roles such as the croupier."""
        known = [*self.seats(), *standing(self.posted), *parts]
        return [(one, self.called(one)) for one in dict.fromkeys([*known, current] if current else known)]

    def seats(self) -> list[str]:
        """The seats of the table, and any other one that is taken."""
        numbers = range(1, MOST_SEATS + 1)
        here = editor_seats.numbers(self.book)
        return [str(number) for number in numbers if number in here or self.posted.get(f"seats-{number}")]

    def called(self, who: str) -> str:
        """The name of somebody at the table."""
        named = (is_place(who) and self.words.has("table.by")) or self.words.has(f"player.{who}")
        return self.words.text("table.by", self.language, by=who) if named else who

    def people(self) -> list[tuple[str, str]]:
        """Those who stand at the table, with their names."""
        return [(place, self.called(place)) for place in standing(self.posted)]

    def sayings(self, found: Scalar) -> list[tuple[str, str]]:
        """Everything that can be said at a table of this game, in the language of the rulebook."""
        words = {str(name): opened(self.words.pattern(f"say.{name}", self.book.language)) for name in found.choices}
        return sorted(words.items(), key=lambda item: sort_key(item[1].strip("(«")))


def _titles() -> dict[GroupName, str]:
    """The titles of the groups of facts, in display order."""
    return {
        "people": _("At the table"),
        "table": _("The table"),
        LOOSE: _("Money"),
        "said": _("What is said"),
        "cards": _("Cards"),
    }


def _parts(found: Scalar) -> list[str]:
    """The roles that a field may name besides places."""
    return re.findall(r"[a-z]{4,}", found.pattern)


def _told(control: Control) -> str:
    """The value of a field as people read it: names instead of ids, cards by their symbols."""
    if control.widget == "seats":
        return ", ".join(seat for seat, taken in control.choices if taken)
    if control.widget == "flag":
        return _("yes") if control.value else ""
    if control.widget == "cards":
        return control.value
    return dict(control.choices).get(control.value, control.value)


def signed(typed: str) -> str:
    """Typed cards as symbols; anything else stays as typed."""
    signs = {card + down: sign + down for card, sign in pack() for down in ("", FACE_DOWN)}
    return " ".join(signs.get(card, card) for card in typed.split())


def pack() -> list[tuple[str, str]]:
    """Every card as typed and as shown, suit by suit."""
    return [(card, card_sign(card)) for suit in "shdc" for card in PACK if card[1] == suit]
