"""Uploaded tables, CSV or XLSX, as rows of text and dates."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from rules_engine.folding import folded
from training.platform.errors import RowError, UnfitList
from training.platform.uploads import reader

DELIMITERS = ";,\t"
MAX_UNPACKED = 40 * 1024 * 1024  # an XLSX is a ZIP, which can be much larger unpacked
MAX_LETTERS = 2_000_000  # in all cells together


@dataclass(frozen=True)
class Reach:
    """How large a table may be, and how much time its reader has."""

    letters: int = MAX_LETTERS
    unpacked: int = MAX_UNPACKED
    seconds: float = reader.SECONDS
    most_answer: int = reader.MAX_ANSWER


# In a worker no page waits for the result, so it may be larger and slower.
IN_BACKGROUND = Reach(letters=16_000_000, unpacked=80 * 1024 * 1024, seconds=20.0, most_answer=64 * 1024 * 1024)


def titles_in_every_language(titles: Mapping[str, Promise]) -> dict[str, str]:
    """Field by its column title, in any language of the installation, without case and accents."""
    found: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found |= {folded(str(title)): field for field, title in titles.items()}
    return found


def unfit(reason: str, row: int = 0) -> UnfitList:
    return UnfitList([RowError(row, "", reason)])


def lines(
    content: bytes, *, max_rows: int, max_columns: int, reach: Reach | None = None
) -> tuple[list[tuple[int, list[Any]]], bool]:
    """The rows that are not empty, numbered as in a spreadsheet, and whether the file was in a Windows encoding.

    If there are more than `max_rows`, returns `max_rows + 1`. Raises UnfitList if the file cannot be read.
    """
    reach = reach or Reach(unpacked=MAX_UNPACKED)
    limits = {"rows": max_rows, "columns": max_columns} | asdict(reach)
    try:
        found = reader.read("table", content, **limits)
    except reader.Unreadable as why:
        raise unfit(_told(why.code, reach.letters), why.row) from None
    except reader.TooCostly:
        raise unfit(reader.too_costly()) from None
    except reader.Busy as busy:
        refusal = unfit(str(busy))
        refusal.status = busy.status
        raise refusal from None
    return [(number, [*map(_cell, cells)]) for number, cells in found["rows"]], found["old_letters"]


def _told(code: str, letters: int) -> str:
    told = {
        "not_utf_8": _("The file is not in UTF-8. Save it as “CSV UTF-8” and choose it again."),
        "unstorable": _("The list has a character that cannot be stored."),
        "broken_csv": _("cannot be read from here on: a quotation mark is opened and not closed, or text follows one"),
        "too_large_unpacked": _("The workbook is too large when unpacked."),
        "too_long": _("The cells hold more than %(limit)d characters altogether.") % {"limit": letters},
        "no_workbook": _("This workbook cannot be read. Save it as XLSX or CSV and choose it again."),
    }
    return told[code]


def _cell(read: str | dict[str, str]) -> str | date:
    return read if isinstance(read, str) else date.fromisoformat(read["day"])
