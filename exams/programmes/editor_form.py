"""The editor's sheet: the forms for a programme with its sections and lines, filled from a version or from typed data.
Rows are added and removed by commands, without a script, and nothing typed is lost."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from django import forms
from django.http import QueryDict
from django.utils.text import slugify
from django.utils.translation import gettext as _

from exams.programmes import practical_form
from exams.programmes.exam_tables import key_of
from exams.programmes.forms import LANGUAGES, LineForm, RulesForm, SectionForm, named
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Line, Rules, Section
from exams.programmes.validation import LONGEST_KEY, MOST_LINES, MOST_SECTIONS, Fault, section_name
from training.people.request import language

AnyForm = TypeVar("AnyForm", RulesForm, SectionForm, LineForm)
# Defaults of a new programme: one hour, 70 % to pass, no critical fault allowed.
FIRST = Rules(rulebooks=(), sections=(Section(key="", names={}, lines=()),), minutes=60, pass_mark=70, game_mark=50)
# Rule fields that have another name on the form.
FIELDS = {"names": f"name_{LANGUAGES[0]}", "rulebook": "topic", "key": None, "lines": None, "sections": None, "": None}


@dataclass
class Part:
    """A section on the sheet; `number` names its fields and is not its position."""

    number: int
    form: SectionForm
    lines: list[tuple[int, LineForm]] = field(default_factory=list)

    @property
    def items(self) -> int:
        return sum(_whole(form, "items") for _number, form in self.lines)

    @property
    def points(self) -> int:
        return sum(_whole(form, "items") * _whole(form, "points") for _number, form in self.lines)

    @property
    def name(self) -> str:
        """As typed in the reader's language, or in any."""
        typed = [str(self.form[f"name_{code}"].value() or "") for code in (language(), *LANGUAGES)]
        return next(filter(None, typed), "")


@dataclass(frozen=True)
class Problem:
    """Something to correct: the field's anchor, its place in words, and what is wrong."""

    anchor: str
    where: str
    message: str


class Sheet:
    def __init__(self, form: RulesForm, parts: list[Part]) -> None:
        self.form = form
        self.parts = parts

    # ---- totals of what is typed

    @property
    def items(self) -> int:
        return sum(part.items for part in self.parts)

    @property
    def points(self) -> int:
        return sum(part.points for part in self.parts)

    @property
    def each(self) -> tuple[int, int] | None:
        """Minutes and seconds per item."""
        return divmod(_whole(self.form, "minutes") * 60 // self.items, 60) if self.items else None

    # ---- what was filled in

    def is_valid(self) -> bool:
        # Validate every form, so that all errors are reported.
        answers = [form.is_valid() for _where, form in self._forms()]
        return all(answers)

    def names(self) -> dict[str, str]:
        return self.form.names()

    def rules(self) -> Rules:
        keys = [str(part.form.cleaned_data["key"]) for part in self.parts]
        sections = []
        for place, part in enumerate(self.parts):
            names = part.form.names()
            key = keys[place] or _new_key(names, place, keys)
            keys[place] = key
            lines = tuple(form.line() for _number, form in part.lines)
            sections.append(Section(key=key, names=names, lines=lines, pass_mark=part.form.cleaned_data["pass_mark"]))
        return self.form.rules(tuple(sections))

    def add_faults(self, faults: list[Fault]) -> None:
        """Attach faults to the fields they are about."""
        for fault in faults:
            form, name = self._at(fault.path)
            form.add_error(name if name in form.fields else None, fault.message)

    def _at(self, path: str) -> tuple[forms.Form, str | None]:
        steps = path.split(".")
        name = FIELDS.get(steps[-1], steps[-1])
        if steps[0] == "practical":
            return self.form, "p_topic1" if steps[1] == "faults" else f"p_{steps[1]}"
        if len(steps) == 1:
            return self.form, name
        part = self.parts[int(steps[1])]
        return (part.form, name) if len(steps) == 3 else (part.lines[int(steps[3])][1], name)

    def problems(self) -> list[Problem]:
        """All errors, for the top of the page."""
        return [
            Problem(_anchor(form, name), _place(where, form, name), str(message))
            for where, form in self._forms()
            for name, errors in form.errors.items()
            for message in errors
        ]

    def _forms(self) -> Iterator[tuple[str, forms.Form]]:
        yield "", self.form
        for place, part in enumerate(self.parts):
            about = section_name(Section(key="", names={"": part.name}, lines=()), place)
            yield about, part.form
            for number, (_number, form) in enumerate(part.lines, 1):
                yield _("%(section)s, line %(line)d") % {"section": about, "line": number}, form


def _anchor(form: forms.Form, name: str) -> str:
    return form[name].auto_id if name in form.fields else ""


def _place(where: str, form: forms.Form, name: str) -> str:
    label = str(form.fields[name].label) if name in form.fields else ""
    return ": ".join(filter(None, (where, label)))


def _new_key(names: dict[str, str], place: int, taken: list[str]) -> str:
    base = slugify(next(iter(names.values()), ""))[: LONGEST_KEY - 3].strip("-") or f"section-{place + 1}"
    tried = (base, *(f"{base}-{number}" for number in range(2, MOST_SECTIONS + 2)))
    return next(key for key in tried if key not in taken)


def _whole(form: forms.Form, name: str) -> int:
    """The typed number, or 0 if it is not one yet."""
    typed = str(form[name].value() or "").strip()
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else 0


# ---- ways to fill a sheet


def sheet_of(version: ProgrammeVersion) -> Sheet:
    return _filled(version.rules, version.names, new=False, seen=version.changed_at.isoformat())


def new_sheet() -> Sheet:
    sheet = _filled(FIRST, {}, new=True, seen="")
    sheet.parts[0].lines.append((0, LineForm(prefix="part0-line0", language=language())))
    return sheet


def _filled(rules: Rules, names: dict[str, str], *, new: bool, seen: str) -> Sheet:
    facts = msgspec.structs.asdict(rules) | named(names) | {"seen": seen, "refreshes": " ".join(rules.refreshes)}
    facts |= practical_form.filled(rules.practical)
    facts["tables"] = [key_of(book, table) for book, own in rules.tables.items() for table in own]
    parts = []
    for number, section in enumerate(rules.sections):
        own = named(section.names) | {"key": section.key, "pass_mark": section.pass_mark}
        part = Part(number, SectionForm(prefix=f"part{number}", initial=own, language=language()))
        for place, line in enumerate(section.lines):
            prefix = f"part{number}-line{place}"
            part.lines.append((place, LineForm(prefix=prefix, initial=_typed_line(line), language=language())))
        parts.append(part)
    return Sheet(RulesForm(initial=facts, language=language(), new=new, kept=rules.tables), parts)


def _typed_line(line: Line) -> dict[str, Any]:
    topic = f"{line.rulebook}/{line.topic}"
    return msgspec.structs.asdict(line) | {"topic": topic, "limited": f"{topic}/{line.article}" if line.article else ""}


def judged(posted: QueryDict, version: ProgrammeVersion | None) -> Sheet:
    """The posted sheet of a draft or of a new programme, validated, for saving."""
    parts = [
        Part(
            number,
            SectionForm(posted, prefix=f"part{number}", language=language()),
            [
                (line, LineForm(posted, prefix=f"part{number}-line{line}", language=language()))
                for line in _numbers(posted, f"part{number}-lines")[:MOST_LINES]
            ],
        )
        for number in _numbers(posted, "parts")[:MOST_SECTIONS]
    ]
    return Sheet(RulesForm(posted, language=language(), **_known(version)), parts)


def _known(version: ProgrammeVersion | None) -> dict[str, Any]:
    return {"new": version is None, "kept": version.rules.tables if version else {}}


def typed(posted: QueryDict, order: str, version: ProgrammeVersion | None) -> Sheet:
    """The posted sheet, not validated, after a command: `add:part`, `remove:part:0`, `up:part:1`, `add:line:0`,
    `remove:line:0:2`. Invalid commands change nothing."""
    sheet = judged(posted, version)
    sheet.form = _as_typed(sheet.form, **_known(version))
    for part in sheet.parts:
        part.form = _as_typed(part.form)
        part.lines = [(number, _as_typed(form)) for number, form in part.lines]
    act, _colon, rest = order.partition(":")
    kind, *where = rest.split(":")
    places = [int(number) for number in where if number.isascii() and number.isdigit() and len(number) < 4]
    if kind == "part":
        _change_parts(sheet.parts, act, places)
    elif kind == "line":
        _change_lines(sheet.parts, act, places)
    return sheet


def _as_typed(form: AnyForm, **options: Any) -> AnyForm:
    """The same form filled with what was sent, unvalidated."""
    names = {
        name: item.widget.value_from_datadict(form.data, {}, form.add_prefix(name))
        for name, item in form.fields.items()
    }
    return type(form)(prefix=form.prefix, initial=names, language=language(), **options)


def _change_parts(parts: list[Part], act: str, places: list[int]) -> None:
    if act == "add" and len(parts) < MOST_SECTIONS:
        number = max((part.number for part in parts), default=-1) + 1
        part = Part(number, _focused(SectionForm(prefix=f"part{number}", language=language()), f"name_{LANGUAGES[0]}"))
        part.lines.append((0, LineForm(prefix=f"part{number}-line0", language=language())))
        parts.append(part)
    place = next((place for place, part in enumerate(parts) if [part.number] == places), None)
    if place is None:
        return
    if act == "remove":
        del parts[place]
    elif act == "up" and place:
        parts[place - 1], parts[place] = parts[place], parts[place - 1]


def _change_lines(parts: list[Part], act: str, places: list[int]) -> None:
    part = next((part for part in parts if places and part.number == places[0]), None)
    if part is None:
        return
    if act == "add" and len(part.lines) < MOST_LINES:
        number = max((number for number, _form in part.lines), default=-1) + 1
        form = LineForm(prefix=f"part{part.number}-line{number}", language=language())
        part.lines.append((number, _focused(form, "topic")))
    elif act == "remove":
        part.lines = [(number, form) for number, form in part.lines if [number] != places[1:]]


def _focused(form: AnyForm, name: str) -> AnyForm:
    """Puts the focus on this field."""
    form.fields[name].widget.attrs["autofocus"] = True
    return form


def _numbers(posted: QueryDict, name: str) -> list[int]:
    given = [number for number in posted.getlist(name) if number.isascii() and number.isdigit() and len(number) < 4]
    return list(dict.fromkeys(int(number) for number in given))
