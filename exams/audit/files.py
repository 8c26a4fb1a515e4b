"""The audit log as a file: every entry in words, with its seal."""

from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from exams.audit import words
from exams.audit.models import Entry
from training.people.models import User
from training.platform.spreadsheet_output import csv_lines, write_workbook

MOST = 20_000  # entries per file, because the user waits for it
BATCH = 500
WIDTHS = (8, 20, 28, 32, 80, 60, 60, 66)


def csv_file(found: QuerySet[Entry], reader: User) -> bytes:
    return "".join(csv_lines([_dated(value) for value in row] for row in _rows(found, reader))).encode()


def xlsx_file(found: QuerySet[Entry], reader: User) -> bytes:
    file = BytesIO()
    write_workbook(_rows(found, reader), file, widths=WIDTHS)
    return file.getvalue()


def _rows(found: QuerySet[Entry], reader: User) -> Iterator[list[Any]]:
    yield [_("No."), _("When"), _("Who"), _("Action"), _("What was done"), _("Details"), _("Reason"), _("Seal")]
    for entries in _batches(found):
        for text in words.describe(entries, reader):
            entry = text.entry
            # Workbooks have no time zones: use the reader's local time.
            at = timezone.make_naive(entry.at).replace(microsecond=0)
            details = "\n".join(str(line) for line in text.lines)
            yield [entry.number, at, text.actor, text.title, text.sentence, details, text.reason, entry.digest]


def _batches(found: QuerySet[Entry]) -> Iterator[list[Entry]]:
    entries = found.iterator(chunk_size=BATCH)
    while batch := list(islice(entries, BATCH)):
        yield batch


def _dated(value: Any) -> Any:
    return value.isoformat(sep=" ") if hasattr(value, "isoformat") else value
