"""Staff lists as CSV or XLSX files, read into text and dates; `staff` interprets them."""

import io
from datetime import date, datetime
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules_engine.folding import folded
from training.people.plain_names import is_plain
from training.platform import spreadsheet_input
from training.platform.errors import RowError, UnfitList
from training.platform.spreadsheet_input import unfit
from training.platform.spreadsheet_output import FORMULA_STARTS, write_workbook

MAX_BYTES = 12 * 1024 * 1024
MAX_ROWS = 50_000
MAX_COLUMNS = 60
LONGEST_CELL = 300
# Accepted column titles besides those of FIELD_NAMES in every language, without case and accents.
COLUMNS = {
    **dict.fromkeys(("name", "nome"), "name"),
    **dict.fromkeys(("email", "e-mail", "correio eletronico"), "email"),
    **dict.fromkeys(("staff number", "number", "numero", "numero mecanografico", "numero de pessoal"), "staff_number"),
    **dict.fromkeys(("department", "departamento", "seccao"), "department"),
    **dict.fromkeys(("shift", "turno"), "shift"),
    **dict.fromkeys(("joined", "joined on", "entrada", "admissao", "data de entrada"), "joined_on"),
    **dict.fromkeys(("left", "left on", "saida", "last day at work", "ultimo dia de trabalho"), "left_on"),
    **dict.fromkeys(
        ("licence number", "licence", "numero da licenca", "licenca", "carteira profissional"), "licence_number"
    ),
    **dict.fromkeys(
        ("licence valid until", "licence until", "licenca valida ate", "validade da licenca", "validade da carteira"),
        "licence_until",
    ),
}
# Column titles in the template, also used for missing columns.
FIELD_NAMES = {
    "name": gettext_lazy("Name"),
    "email": gettext_lazy("E-mail"),
    "staff_number": gettext_lazy("Staff number"),
    "department": gettext_lazy("Department"),
    "shift": gettext_lazy("Shift"),
    "joined_on": gettext_lazy("Joined on"),
    "left_on": gettext_lazy("Last day at work"),
    "licence_number": gettext_lazy("Licence number"),
    "licence_until": gettext_lazy("Licence valid until"),
}
DATES = ("%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y")


class StaffRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a list; empty cells are ignored. `number` is the spreadsheet's row number."""

    number: int
    name: str = ""
    email: str = ""
    staff_number: str = ""
    department: str = ""
    shift: str = ""
    joined_on: date | None = None
    left_on: date | None = None
    licence_number: str = ""
    licence_until: date | None = None


class StaffList(msgspec.Struct, frozen=True, kw_only=True):
    """`titles` are the file's own column titles. Unreadable cells are empty in their row and listed in `errors`, so
    that all errors can be reported together."""

    rows: list[StaffRow]
    ignored: list[str]  # titles of unknown columns
    titles: dict[str, str]
    errors: list[RowError]
    old_letters: bool = False  # CSV in a Windows encoding: accents may be wrong


def read(content: bytes) -> StaffList:
    """Reads the rows. Raises UnfitList if it is not a list at all."""
    if len(content) > MAX_BYTES:
        raise unfit(_("The list is larger than %(limit)d KB.") % {"limit": MAX_BYTES // 1024})
    # One more row for the titles.
    filled, old_letters = spreadsheet_input.lines(
        content, max_rows=MAX_ROWS + 1, max_columns=MAX_COLUMNS, reach=spreadsheet_input.IN_BACKGROUND
    )
    if not filled:
        raise unfit(_("The list is empty."))
    titles = [str(cell).strip() for cell in filled[0][1]]
    columns, ignored = _columns(titles)
    if len(filled) == 1:
        raise unfit(_("The list has column titles but nobody under them."))
    if len(filled) - 1 > MAX_ROWS:
        raise unfit(_("The list has more than %(limit)d rows.") % {"limit": MAX_ROWS})
    errors: list[RowError] = []
    rows = [_row(number, cells, columns, errors) for number, cells in filled[1:]]
    called = {field: titles[place] for field, place in columns.items()}
    return StaffList(rows=rows, ignored=ignored, titles=called, errors=errors, old_letters=old_letters)


def column_names() -> str:
    """The template's column titles; those of other languages are understood too."""
    return ", ".join(str(name) for name in FIELD_NAMES.values())


def _columns(titles: list[str]) -> tuple[dict[str, int], list[str]]:
    accepted = COLUMNS | spreadsheet_input.titles_in_every_language(FIELD_NAMES)
    found: dict[str, int] = {}
    ignored = []
    for place, title in enumerate(titles):
        known = accepted.get(folded(title.replace("_", " ")).strip(" ."))
        if known and known not in found:
            found[known] = place
        elif title:
            ignored.append(title)
    if not found.keys() & {"email", "staff_number"}:
        message = _("The first row must name the columns: %(columns)s") % {"columns": column_names()}
        raise UnfitList([RowError(1, "", message)])
    return found, ignored


def _row(number: int, cells: list[Any], columns: dict[str, int], errors: list[RowError]) -> StaffRow:
    values: dict[str, Any] = {}
    for field, place in columns.items():
        cell = cells[place] if place < len(cells) else ""
        if cell == "":
            continue
        try:
            values[field] = _date(cell) if field.endswith(("_on", "_until")) else _text(cell, field)
        except ValueError as error:
            errors.append(RowError(number, field, str(error)))
    return StaffRow(number=number, **values)


def _date(cell: Any) -> date:
    if isinstance(cell, date):
        return cell
    for pattern in DATES:
        try:
            return datetime.strptime(cell, pattern).date()  # noqa: DTZ007 (a day of the calendar)
        except ValueError:
            continue
    raise ValueError(_("is not a date; write it as 2026-11-16 or 16/11/2026"))


def _text(cell: Any, field: str) -> str:
    text = " ".join(str(cell).split())
    if text.startswith(FORMULA_STARTS):
        raise ValueError(_("begins with “%(sign)s”, as formulas do; write it without that sign") % {"sign": text[0]})
    if len(text) > LONGEST_CELL or not is_plain(text):
        raise ValueError(_("is too long, or has a character that cannot be stored"))
    return text.lower() if field == "email" else text


def template() -> bytes:
    """An empty list with titles, in the active language."""
    file = io.BytesIO()
    write_workbook([[str(title) for title in FIELD_NAMES.values()]], file, widths=[32, 32, 18, 24, 16, 16, 18, 18, 18])
    return file.getvalue()
