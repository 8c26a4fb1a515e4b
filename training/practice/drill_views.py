"""The page of a drill: scenario and questions, then waiting for the mark, then feedback; also notes and flags."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

import rules_engine
from rules_engine import Scenario
from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, by_htmx, language, person
from training.platform.errors import Refused
from training.practice import (
    day,
    flags,
    fresh,
    instructor_remarks,
    notes,
    presentation,
    second_try,
    selectors,
    services,
    stories,
    wrong_rules,
)
from training.practice.answer_form import answer_from_form, no_number, said_no_number
from training.practice.feedback import feedback, right_so_far
from training.practice.figures import as_printed
from training.practice.models import Attempt, Drill
from training.practice.what_if import what_if

SLOW_AFTER = 5  # seconds; after that the page says that grading is slow
# Poll interval by time waited so far, both in seconds: (until, interval).
PATIENCE = ((2, 0.1), (SLOW_AFTER, 0.5))
LONGEST_PAUSE = 2


@allow(Role.TRAINEE)
@require_http_methods(["GET", "HEAD", "POST"])
def drill(request: HttpRequest, drill_id: UUID) -> HttpResponse:
    """Show or answer a drill."""
    found = _own_drill(request, drill_id)
    if request.method != "POST":
        return _page(request, found, refused="refused" in request.GET)
    parts, picked = answer_from_form(found.scenario, request.POST)
    if (slip := no_number(found.scenario, parts)) and not hasattr(found, "attempt"):
        return _page(request, found, status=422, given=parts, picked=picked, error=said_no_number(slip))
    try:
        hold = "hold" in request.POST and second_try.may_hold(found, parts)
        answer = rules_engine.answer_from({"parts": parts})
        attempt = services.submit_answer(found, answer, picked_words=picked, hold=hold)
    except EngineError as error:
        return _page(request, found, status=422, given=parts, picked=picked, error=refusal(error, language()))
    except services.AlreadyAnswered:
        return _page(request, _own_drill(request, drill_id), status=409, refused=True)
    if by_htmx(request):
        found.attempt = attempt
        return _page(request, found)
    return redirect("drill", found.pk)


@allow(Role.TRAINEE)
@require_POST
def again(request: HttpRequest, drill_id: UUID) -> HttpResponse:
    """Answer the missed questions once more, before the solution is shown."""
    found = _own_drill(request, drill_id)
    parts, picked = answer_from_form(found.scenario, request.POST)
    if slip := no_number(found.scenario, parts):
        return _page(request, found, status=422, given=parts, picked=picked, error=said_no_number(slip))
    try:
        second_try.try_again(found, parts)
    except EngineError as error:
        return _page(request, found, status=422, given=parts, picked=picked, error=refusal(error, language()))
    except Refused as late:
        return _page(request, _own_drill(request, drill_id), status=409, error=str(late))
    return _page(request, _own_drill(request, drill_id)) if by_htmx(request) else redirect("drill", found.pk)


@allow(Role.TRAINEE)
@require_POST
def solution(request: HttpRequest, drill_id: UUID) -> HttpResponse:
    """Show the solution without another try."""
    found = _own_drill(request, drill_id)
    if hasattr(found, "attempt"):
        second_try.show_solution(found.attempt)
    return _page(request, found) if by_htmx(request) else redirect("drill", found.pk)


@allow(Role.TRAINEE)
@require_POST
def go_on(request: HttpRequest, drill_id: UUID) -> HttpResponse:
    """Start the next moment of a story."""
    found = _own_drill(request, drill_id)
    try:
        return redirect("drill", stories.go_on(found).pk)
    except Refused as refusal:
        return _page(request, found, status=409, error=str(refusal))


@allow(Role.TRAINEE)
@require_POST
def flag(request: HttpRequest, drill_id: UUID) -> HttpResponse:
    """Report that something is wrong with a scenario."""
    found = _own_drill(request, drill_id)
    try:
        found.flag = flags.raise_flag(found, request.POST.get("text", ""))
    except Refused as refusal:
        status = 409 if isinstance(refusal, flags.AlreadyFlagged) else 422
        context = {"flag_error": str(refusal), "flag_text": request.POST.get("text", "")}
        if by_htmx(request):
            return render(request, "practice/flag.html", context | {"drill": found}, status=status)
        return _page(request, found, status=status, more=context)
    if by_htmx(request):
        return render(request, "practice/flag.html", {"drill": found})
    return redirect("drill", found.pk)


@allow(Role.TRAINEE)
@require_POST
def note(request: HttpRequest, drill_id: UUID) -> HttpResponse:
    """Save the trainee's note about a drill, and whether it is a favourite."""
    found = _own_drill(request, drill_id)
    try:
        notes.keep(found, request.POST.get("text", ""), favourite="favourite" in request.POST)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Saved."))
    return redirect("drill", found.pk)


def _page(
    request: HttpRequest,
    drill: Drill,
    *,
    status: int = 200,
    given: dict[str, str] | None = None,
    picked: bool = False,
    error: str = "",
    refused: bool = False,
    more: dict[str, Any] | None = None,
) -> HttpResponse:
    """The whole page or, for htmx, the answer panel. `refused`: another answer was stored first and counts."""
    spoken = language()
    scenario, told = drill.scenario, drill.told
    attempt: Attempt | None = getattr(drill, "attempt", None)
    mark = attempt.mark if attempt is not None and attempt.state == Attempt.State.GRADED else None
    held = attempt is not None and attempt.withheld
    kept = mark is not None and fresh.is_kept_out(scenario)
    refused = refused and attempt is not None
    if refused:
        error = _("This scenario was already answered; the first answer counts.")
    context: dict[str, Any] = {"drill": drill, "attempt": attempt, "error": error, "refused": refused} | (more or {})
    context |= {"kept": True} if kept else _panel(drill, attempt, spoken, given or {}, picked)
    if attempt and hasattr(drill, "remark") and drill.remark.read_at is None:
        instructor_remarks.note_read(drill, timezone.now())
    fragment = by_htmx(request)
    if not fragment:
        context |= day.head_of(drill, timezone.now())
    shown = mark is not None and not held and not kept
    if not fragment or shown:
        ruling = mark.ruling if mark and shown else None
        printed = as_printed(request, drill.difficulty)
        context["story"] = presentation.story(scenario, spoken, version=told, ruling=ruling, printed=printed)
    return render(request, "practice/answer.html" if fragment else "practice/drill.html", context, status=status)


def _panel(drill: Drill, attempt: Attempt | None, spoken: str, given: dict[str, str], picked: bool) -> dict[str, Any]:
    """What the answer panel shows: the questions, the wait for the mark, the second try or the mark."""
    if attempt is None:
        questions = presentation.questions(drill.scenario, spoken, given, picked)
        return {"questions": questions, "language": drill.scenario.book.language}
    if attempt.state != Attempt.State.GRADED:
        return _waiting(attempt)
    if attempt.withheld:
        return _held(drill.scenario, attempt, spoken, given, picked)
    return _marked(drill, attempt, spoken)


def _waiting(attempt: Attempt) -> dict[str, Any]:
    waited = (timezone.now() - attempt.submitted_at).total_seconds()
    pause = next((pause for until, pause in PATIENCE if waited < until), LONGEST_PAUSE)
    return {"slow": waited > SLOW_AFTER, "pause": round(pause * 1000)}


def _marked(drill: Drill, attempt: Attempt, spoken: str) -> dict[str, Any]:
    """The feedback on a marked answer whose solution may be shown."""
    scenario, mark = drill.scenario, attempt.mark
    tried = getattr(attempt, "second_try", None)
    second = tried.engine_mark if tried else None
    return {
        "feedback": feedback(scenario, mark, spoken, version=drill.told, second=second),
        "what_if": what_if(scenario, mark, spoken),
        "wrong_rule": None if mark.engine_mark.perfect else wrong_rules.noticed(drill, attempt, spoken),
        "model": presentation.model_words(scenario, mark.ruling),
        "whole": stories.whole(drill),
        "goes_on": stories.goes_on(drill),
    }


def _held(scenario: Scenario, attempt: Attempt, spoken: str, given: dict[str, str], picked: bool) -> dict[str, Any]:
    """For a trainee who may try again: what was right, and the missed questions."""
    line, right = right_so_far(scenario, attempt.mark, spoken)
    open_again = second_try.missed(attempt)
    asked = presentation.questions(scenario, spoken, given, picked)
    return {
        "held": {"line": line, "right": right, "percent": round(100 * attempt.mark.points / attempt.mark.of)},
        "questions": [question for question in asked if question.key in open_again],
        "language": scenario.book.language,
    }


def _own_drill(request: HttpRequest, drill_id: UUID) -> Drill:
    try:
        found = selectors.drill_of(person(request), drill_id)
    except Drill.DoesNotExist:
        raise Http404 from None
    about(request, found.rulebook)
    return found
