"""A candidate's exams and results: the decision in plain words, then every item with its mark and reasoning."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from exams import clock
from exams.papers.exam_bank import is_reserved
from exams.results import annulment, hooks, selectors
from exams.results.history import history
from exams.results.models import Annulment, Result
from exams.results.paper import item_context, marks_only, weak_topics
from exams.results.result_sheet import sheet
from exams.results.words import summarise
from exams.sittings.selectors import own_exams as exams_of
from exams.sittings.selectors import why_closed
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language, person

READ_RESULTS = {Role.INSTRUCTOR, Role.ADMINISTRATOR, Role.AUDITOR}


@allow(Role.TRAINEE, in_exam=True)
@require_safe
@never_cache
def own_exams(request: HttpRequest) -> HttpResponse:
    """The candidate's exams: current, upcoming, and past ones with a link to the result."""
    who = person(request)
    exams = exams_of(who, language(), clock.now(), released=selectors.released_sittings(who))
    return render(request, "results/own_exams.html", {"exams": exams})


@allow(Role.TRAINEE, Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def results(request: HttpRequest) -> HttpResponse:
    """The user's own results and, for examiners and auditors, the sessions whose results they handle or read."""
    who = person(request)
    examines = not READ_RESULTS.isdisjoint(who.roles)
    sessions = selectors.examined_sessions(who) if examines else selectors.examined_sessions(who).none()
    context = {
        "own": [
            (result, summarise(result, language()), result.programme_version.name(language()))
            for result in selectors.own_results(who)
        ],
        "examines": examines,
        "to_confirm": annulment.to_decide(who) if examines else 0,
        "sessions": [(session, session.programme_version.name(language())) for session in sessions],
    }
    return render(request, "results/results.html", context)


@allow(Role.TRAINEE)
@require_safe
def own_result(request: HttpRequest, sitting_id: UUID) -> HttpResponse:
    """The released result of the candidate's sitting; `?number=` shows one that was replaced."""
    decided = selectors.own_annulment(person(request), sitting_id)
    if decided and decided.annuls:
        return _annulled(request, decided)
    released = selectors.released_results(person(request), sitting_id)
    result, now = _chosen(released, request.GET.get("number", "")), clock.now()
    about(request, *result.programme_version.rules.rulebooks)
    session = result.sitting.candidate.session
    shown = selectors.items_shown(session.pk, now)
    context = {
        "told": summarise(result, language()),
        "session": session,
        "programme": result.programme_version.name(language()),
        "sitting": result.sitting,
        "why_closed": why_closed(result.sitting),
        "latest": released[0],
        "being_decided": not released[0].in_force,
        "history": history(result.sitting, language(), released_only=True),
        "items": marks_only(result, language()) if shown else [],
        "weak": weak_topics(result, language()) if shown else [],
        "items_shown": shown,
        "try_back": decided,
        "certificate": hooks.certificate_of(sitting_id),
        **_contesting(released[0], now),
    }
    return render(request, "results/own_result.html", context)


def _annulled(request: HttpRequest, decided: Annulment) -> HttpResponse:
    """Says that the sitting has no result, and why."""
    session = decided.sitting.candidate.session
    about(request, *session.programme_version.rules.rulebooks)
    context = {
        "decided": decided,
        "session": session,
        "programme": session.programme_version.name(language()),
        "sitting": decided.sitting,
        "why_closed": why_closed(decided.sitting),
    }
    return render(request, "results/own_annulled.html", context)


def _contesting(result: Result, now: datetime) -> dict[str, Any]:
    """The deadline for contesting an item, and whether it has passed."""
    until = selectors.appeal_deadline(result, now)
    days = result.programme_version.rules.appeal_days
    return {"appeal_until": until, "appeal_days": days, "appeal_over": until is not None and now > until}


def _chosen(released: list[Result], number: str) -> Result:
    if not released:
        raise Http404
    if not number:
        return released[0]
    for result in released:
        if str(result.number) == number:
            return result
    raise Http404


@allow(Role.TRAINEE)
@require_safe
@never_cache
def own_sheet(request: HttpRequest, sitting_id: UUID) -> HttpResponse:
    """The result sheet as a PDF."""
    result = _chosen(selectors.released_results(person(request), sitting_id), "")
    about(request, *result.programme_version.rules.rulebooks)
    shown = selectors.items_shown(result.sitting.candidate.session_id, clock.now())
    made = sheet(result, language(), with_items=shown)
    headers = {"Content-Disposition": f'attachment; filename="{sitting_id}-{result.number}.pdf"'}
    return HttpResponse(made, content_type="application/pdf", headers=headers)


@allow(Role.TRAINEE)
@require_safe
def own_result_item(request: HttpRequest, sitting_id: UUID, position: int) -> HttpResponse:
    """One item of a released result with the answer, its mark and the reasons.

    For items that the bank reserves for further exams, only the mark is shown.
    """
    released = selectors.released_results(person(request), sitting_id)
    if not released or not selectors.items_shown(released[0].sitting.candidate.session_id, clock.now()):
        raise Http404
    about(request, *released[0].programme_version.rules.rulebooks)

    def address(position: int) -> str:
        return reverse("own_result_item", args=[sitting_id, position])

    context = item_context(released[0], position, language(), address)
    form_item, mark = context["graded"].form_item, context["graded"].mark
    back = {"back": reverse("own_result", args=[sitting_id]), "back_to": context["session"].title}
    # Voided items cannot be contested.
    contest = "" if mark.voided else reverse("lodge_appeal", kwargs={"form_item_id": form_item.pk})
    page = "results/item_kept.html" if is_reserved(form_item.item) else "results/item.html"
    return render(request, page, context | back | {"contest": contest})
