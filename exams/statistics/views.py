"""Exam statistics by session and programme, for those who make and hold exams."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from exams.programmes.models import Programme
from exams.programmes.rules import Rules
from exams.records.models import Session
from exams.results.models import Result
from exams.statistics import plots, selectors
from exams.statistics.measures import ENOUGH, ItemFigures
from exams.statistics.selectors import Report
from rules_engine.narration import book_name, topic_name
from training.people.access import allow
from training.people.models import Role
from training.people.request import language, person
from training.platform.errors import Refused

FLAGS = {
    "hard": gettext_lazy("too hard"),
    "easy": gettext_lazy("too easy"),
    "discrimination": gettext_lazy("does not separate strong from weak"),
    "slow": gettext_lazy("slow"),
}


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    """The programmes that have figures."""
    found = [
        (programme, version.name(language()))
        for programme in selectors.programmes_sat().prefetch_related("versions")
        for version in sorted(programme.versions.all(), key=lambda version: -version.number)[:1]
    ]
    return render(request, "statistics/programmes.html", {"programmes": found})


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def session_statistics(request: HttpRequest, session_id: UUID) -> HttpResponse:
    sessions = Session.objects.select_related("programme_version__programme")
    session = get_object_or_404(sessions, pk=session_id)
    version = session.programme_version
    _verify_own_result_released(request, Result.objects.filter(sitting__candidate__session=session))
    context = {
        "title": session.title,
        "subtitle": version.name(language()),
        "programme": version.programme,
        **_report(selectors.session_report(session), version.rules),
    }
    return render(request, "statistics/report.html", context)


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def programme_statistics(request: HttpRequest, programme_id: UUID) -> HttpResponse:
    """All sessions of a programme under one version: the newest that was sat, or `?version=`."""
    programme = get_object_or_404(Programme, pk=programme_id)
    versions = selectors.versions_sat(programme)
    asked = request.GET.get("version", "")
    chosen = [version for version in versions if asked in ("", str(version.number))]
    if asked and not chosen:
        raise Http404
    version = chosen[0] if chosen else programme.versions.order_by("-number").first()
    if version is None:
        raise Http404
    sat = Result.objects.filter(sitting__candidate__session__programme_version=version)
    _verify_own_result_released(request, sat)
    context = {
        "title": version.name(language()),
        "subtitle": _("all sessions under version %(number)d") % {"number": version.number},
        "version": version,
        "versions": versions,
        **_report(selectors.version_report(version), version.rules),
    }
    return render(request, "statistics/report.html", context)


def _verify_own_result_released(request: HttpRequest, results: QuerySet[Result]) -> None:
    """Raises Refused if the viewer's own unreleased result is included, which the figures could reveal."""
    if results.filter(sitting__candidate__person=person(request), in_force=True, released_at=None).exists():
        raise Refused(
            _("One of these results is your own and has not been released yet. The figures are shown after that.")
        )


def _report(report: Report, rules: Rules) -> dict[str, Any]:
    lines = [
        {
            "name": _kind(line.rulebook, line.topic, line.difficulty),
            "detail": f"{rules.section_name(line.section, language())} · {book_name(line.rulebook, language())}",
            **_figures(line.figures),
        }
        for line in report.lines
    ]
    items = [
        {
            "name": _kind(single.item.rulebook, single.item.topic, single.item.difficulty),
            "detail": single.item.fingerprint[:8],
            **_figures(single.figures),
        }
        for single in report.items
    ]
    models = [
        {
            "name": _kind(one.example.rulebook, one.example.topic, one.example.difficulty),
            "detail": _model(one.example.model, one.seen),
            **_figures(one.figures),
        }
        for one in report.models
    ]
    by_size = ([one.figures for one in report.items], [one.figures for one in report.models])
    drawn: list[ItemFigures] = next(filter(None, by_size), [line.figures for line in report.lines])
    enough = [figures for figures in drawn if figures.answers >= ENOUGH]
    return {
        "report": report,
        "exam": report.exam,
        "lines": lines,
        "models": models,
        "items": items,
        "enough": ENOUGH,
        "too_few": report.exam.people < ENOUGH,
        "histogram": plots.histogram(report.scores, report.cut),
        "scatter": plots.scatter(enough),
    }


def _model(model: str, seen: int) -> str:
    """What tells one model from another of its kind, and how many candidates have had it."""
    told = ngettext("had by %(count)d candidate", "had by %(count)d candidates", seen) % {"count": seen}
    return f"{model.rpartition('/')[2][:6]} · {told}"


def _kind(rulebook: str, topic: str, difficulty: int) -> str:
    level = _("level %(level)s") % {"level": difficulty}
    return f"{topic_name(rulebook, topic, language())} · {level}"


def _figures(figures: ItemFigures) -> dict[str, Any]:
    return {"figures": figures, "flags": [FLAGS[flag] for flag in figures.flags]}
