"""A candidate's own exams and results: the decision in plain words, then every item with its mark and the reasoning."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from exams import clock
from exams.programmes.rules import Rules
from exams.results import selectors
from exams.results.models import Result
from exams.results.selectors import GradedItem
from exams.results.words import tell
from exams.sittings.selectors import own_exams as exams_of
from rules_engine.narration import topic_name
from training.people.access import allow
from training.people.models import Role
from training.people.request import language, person
from training.practice.feedback import feedback
from training.practice.presentation import story

EXAMINERS = {Role.INSTRUCTOR, Role.ADMINISTRATOR}


@allow(Role.TRAINEE, in_exam=True)
@require_safe
@never_cache
def own_exams(request: HttpRequest) -> HttpResponse:
    """One's exams: now, to come, and earlier ones with the way to their result."""
    who = person(request)
    exams = exams_of(who, language(), clock.now(), released=selectors.released_sittings(who))
    return render(request, "results/own_exams.html", {"exams": exams})


@allow(Role.TRAINEE, Role.INSTRUCTOR, Role.ADMINISTRATOR)
@require_safe
def results(request: HttpRequest) -> HttpResponse:
    """One's own results, and for those who examine the sessions whose results they see to."""
    who = person(request)
    examines = not EXAMINERS.isdisjoint(who.roles)
    sessions = selectors.examined_sessions(who) if examines else selectors.examined_sessions(who).none()
    context = {
        "own": [
            (result, tell(result, language()), result.programme_version.name(language()))
            for result in selectors.own_results(who)
        ],
        "examines": examines,
        "sessions": [(session, session.programme_version.name(language())) for session in sessions],
    }
    return render(request, "results/results.html", context)


@allow(Role.TRAINEE)
@require_safe
def own_result(request: HttpRequest, sitting_id: UUID) -> HttpResponse:
    """The result of one's own sitting, once released; `?number=` shows one that was replaced."""
    released = selectors.released_results(person(request), sitting_id)
    result = _asked(released, request.GET.get("number", ""))
    session = result.sitting.candidate.session
    shown = selectors.items_shown(session.pk, clock.now())
    rules = result.programme_version.rules
    context = {
        "told": tell(result, language()),
        "session": session,
        "programme": result.programme_version.name(language()),
        "sitting": result.sitting,
        "latest": released[0],
        "being_decided": not released[0].in_force,
        "former": [tell(other, language()) for other in released if other.pk != result.pk],
        "items": [_row(item, rules) for item in selectors.graded_items(result)] if shown else [],
        "items_shown": shown,
    }
    return render(request, "results/own_result.html", context)


def _asked(released: list[Result], number: str) -> Result:
    if not released:
        raise Http404
    if not number:
        return released[0]
    for result in released:
        if str(result.number) == number:
            return result
    raise Http404


def _row(graded: GradedItem, rules: Rules) -> dict[str, Any]:
    item = graded.form_item.item
    return {
        "position": graded.form_item.position,
        "section": rules.section_name(item.section, language()),
        "topic": topic_name(item.rulebook, item.topic, language()),
        "mark": graded.mark,
        "worth": item.points,
    }


@allow(Role.TRAINEE)
@require_safe
def own_result_item(request: HttpRequest, sitting_id: UUID, position: int) -> HttpResponse:
    """One item of a released result as it was put, with the answer, its mark, and why."""
    released = selectors.released_results(person(request), sitting_id)
    if not released or not selectors.items_shown(released[0].sitting.candidate.session_id, clock.now()):
        raise Http404
    found = selectors.graded_items(released[0], documents=True, position=position)
    if not found:
        raise Http404
    graded, rules = found[0], released[0].programme_version.rules
    item, mark = graded.form_item.item, graded.mark
    scenario = item.scenario
    context = {
        "session": released[0].sitting.candidate.session,
        "sitting_id": sitting_id,
        "graded": graded,
        "item": item,
        "section": rules.section_name(item.section, language()),
        "count": rules.items,
        "story": story(scenario, language(), version=item.version, ruling=mark.ruling),
        "feedback": feedback(scenario, mark, language(), version=item.version),
        "contest": _contest_address(graded),
    }
    return render(request, "results/own_item.html", context)


def _contest_address(graded: GradedItem) -> str:
    """Where to contest it; empty where it counts for nobody anyway."""
    return "" if graded.mark.voided else reverse("lodge_appeal", kwargs={"form_item_id": graded.form_item.pk})
