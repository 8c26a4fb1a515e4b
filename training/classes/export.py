"""A class as a spreadsheet: a row for each trainee, with results by topic."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from rules_engine import topics
from rules_engine.narration import book_name, topic_name
from training.classes.grid import RECENT_DAYS, Cell, Progress, cells, progress
from training.classes.models import TrainingClass
from training.people.models import User


def rows(training_class: TrainingClass, trainees: Sequence[User], now: datetime, language: str) -> Iterator[list[Any]]:
    """A header, then a row for each trainee. All data are read before the first row is yielded."""
    books = training_class.books
    lines = progress(training_class, trainees, now)
    grids = [cells(trainees, book) for book in books]
    return _rows(_titles(books, language), lines, grids)


def _titles(books: list[str], language: str) -> list[str]:
    recent = {"days": RECENT_DAYS}
    titles = [
        *(_("Name"), _("E-mail"), _("Last practice")),
        *(_("Answers in %(days)d days") % recent, _("Share of points in %(days)d days, %%") % recent),
        *(_("Overdue work"), _("Stuck"), _("Ready")),
    ]
    for book in books:
        for topic in topics(book):
            name = f"{book_name(book, language)}: {topic_name(book, topic, language)}"
            titles += [f"{name} · {_('answers')}", f"{name} · {_('share of points, %')}"]
    return titles


def _rows(titles: list[str], lines: list[Progress], grids: list[dict[int, list[Cell]]]) -> Iterator[list[Any]]:
    yield titles
    for line in lines:
        row: list[Any] = [
            *(line.trainee.name, line.trainee.email, _moment(line.last_at), line.answers, line.percent),
            *(line.late, int(line.stuck), int(line.ready)),
        ]
        for grid in grids:
            for cell in grid[line.trainee.pk]:
                row += [cell.answers, cell.percent]
        yield row


def _moment(at: datetime | None) -> str:
    return timezone.localtime(at).isoformat(sep=" ", timespec="minutes") if at else ""
