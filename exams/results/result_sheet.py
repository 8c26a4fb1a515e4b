"""The printable result sheet: the decision, how it came about and the mark of every item."""

from datetime import datetime
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from exams import clock
from exams.programmes import law
from exams.records import names
from exams.results import selectors
from exams.results.history import Step, history
from exams.results.models import Result
from exams.results.paper import PaperItem, marks_only
from exams.results.words import ResultSummary, summarise
from exams.typesetting import typeset
from training.house.selectors import current as current_house
from training.operations import software_release
from training.platform.storable import share

TEMPLATE = Path(__file__).with_name("sheet.typ")


def sheet(result: Result, language: str, *, with_items: bool) -> bytes:
    """Returns the PDF in the reader's language. Items are listed only `with_items`."""
    summary = summarise(result, language)
    items = [_item(item) for item in marks_only(result, language)] if with_items else []
    session, version = result.sitting.candidate.session, result.programme_version
    inputs: dict[str, Any] = {
        "language": language,
        "number": f"{result.sitting_id}/{result.number}",
        "issuer": current_house().name,
        "title": _("Result sheet"),
        "name": names.printed(result.sitting.candidate),
        "verdict": _("Exam passed") if summary.passed else _("Exam not passed"),
        "facts": [
            [
                _("Programme"),
                _("%(name)s, version %(number)d") % {"name": version.name(language), "number": version.number},
            ],
            *([_("Law"), one] for one in law.cited(version.rules)),
            [_("Session"), f"{session.title}, {session.place}" if session.place else session.title],
            [_("Began"), _moment(result.sitting.started_at)],
            [_("Decided"), _moment(result.decided_at)],
            [_("Released"), _moment(result.released_at)],
            *_contesting(result),
        ],
        "reasons": summary.reasons if not summary.passed else [],
        "reason": result.reason,
        "sections": {"heads": [_("Section"), _("Scored"), _("Needed")], "rows": _sections(summary)},
        "items": {
            "heads": [pgettext("exam", "Question"), _("Section"), _("Points"), _("Worth"), _("Notes")],
            "rows": items,
        },
        "items_title": _("Question by question"),
        "no_items": "" if with_items else _("The questions are listed once everybody in the session has finished."),
        "history": {"heads": [_("When"), _("Score"), _("Decision"), _("Why")], "rows": _history(result, language)},
        "history_title": _("History of the score"),
        "foot": _("Result %(number)s, printed %(at)s") % {"number": result.number, "at": _moment(clock.now())}
        + f" · {software_release.named()}",
        "release": software_release.named(),
    }
    return typeset(TEMPLATE, inputs, at=result.released_at or result.computed_at)


def _contesting(result: Result) -> list[list[str]]:
    until = selectors.appeal_deadline(result, clock.now())
    return [[_("Can be contested until"), _moment(until)]] if until else []


def _sections(summary: ResultSummary) -> list[list[str]]:
    rows = [
        [
            section.name,
            share(section.percent) if section.percent else _("nothing counts"),
            share(section.needed) if section.needed else "–",
        ]
        for section in summary.sections
    ]
    return [*rows, [_("Overall"), share(summary.percent), share(summary.needed)]]


def _item(item: PaperItem) -> list[str]:
    mark = item.graded.mark
    notes = []
    if mark.voided:
        notes.append(_("voided, counts for nobody"))
    elif mark.critical_missed:
        notes.append(_("critical fault"))
    if item.graded.former:
        notes.append(str(mark.get_cause_display()))
    points = _("%(points)s of %(of)s") % {"points": mark.points, "of": mark.of}
    return [
        f"{item.position}. {item.topic}",
        item.section,
        points,
        "–" if mark.voided else str(item.worth),
        ", ".join(notes),
    ]


def _history(result: Result, language: str) -> list[list[str]]:
    steps = history(result.sitting, language, released_only=True)
    return [_step(step) for step in steps] if len(steps) > 1 else []


def _step(step: Step) -> list[str]:
    summary = step.told
    verdict = _("Exam passed") if summary.passed else _("Exam not passed")
    return [_moment(summary.result.decided_at), share(summary.percent), verdict, step.why]


def _moment(at: datetime | None) -> str:
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT") if at else "–"
