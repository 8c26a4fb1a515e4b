"""The candidate's pages: access code, one item per page, handing in.

Every page works with plain forms; a script saves the same forms automatically. Nothing here knows a ruling, and no
response contains the scenario document or anything else about the form.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import time_format
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams import clock
from exams.records.models import FormItem, Sitting
from exams.sittings import browser, selectors, sitting, timing
from exams.sittings.browser import on_own_device
from exams.sittings.sitting import Elsewhere, Over, Stale, TooEarly, WrongCode
from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language, person
from training.platform.errors import Refused, why_not
from training.practice.figures import as_printed
from training.practice.presentation import story

# Fields of an item's page that are not part of the answer.
NOT_TYPED = ("csrfmiddlewaretoken", "here", "code")


@allow(Role.TRAINEE, in_exam=True)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@on_own_device
def enter_exam(request: HttpRequest, candidate_id: UUID, device: str) -> HttpResponse:
    """Shows what the candidate must know and asks for the access code."""
    candidate = get_object_or_404(selectors.candidacies(person(request)), pk=candidate_id)
    running: Sitting | None = getattr(candidate, "sitting", None)
    if running:
        return redirect("sitting", running.pk)
    about(request, *candidate.session.programme_version.rules.rulebooks)
    now = clock.now()
    error = ""
    if request.method == "POST":
        try:
            begun = sitting.begin(candidate, request.POST.get("code", ""), device=device, now=now)
            practical = candidate.session.is_practical
            return redirect("sitting", begun.pk) if practical else redirect("sitting_item", begun.pk, 1)
        except Refused as refusal:
            error = str(refusal)
    context = {
        "exam": selectors.own_exam(candidate, language(), now),
        "rules": selectors.rules_for_candidates(candidate.session.programme_version),
        "refusal": sitting.why_not_now(candidate.session, now) or sitting.why_kept_out(candidate),
        "error": error,
    }
    return render(request, "sittings/enter.html", context, status=422 if error else 200)


@allow(Role.TRAINEE, in_exam=True)
@require_safe
@never_cache
def open_sitting(request: HttpRequest, sitting_id: UUID) -> HttpResponse:
    """Redirects to the current item, or shows that the sitting is closed."""
    found = own_sitting(request, sitting_id)
    if found.closed_at is None and not found.candidate.session.is_practical:
        return redirect("sitting_item", found.pk, found.position)
    if found.closed_at is None and not selectors.is_in_room(found.candidate):
        return redirect("exam_table", found.pk)
    if found.closed_at is None:
        return render(request, "practical/in_room.html", {"sitting": found, "menu": []})
    context = {"sitting": found, "reason": selectors.why_closed(found), "menu": []}
    return render(request, "sittings/closed.html", context)


@allow(Role.TRAINEE, in_exam=True)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@on_own_device
def item(request: HttpRequest, sitting_id: UUID, position: int, device: str) -> HttpResponse:
    """One item. Opening it makes this browser the sitting's, unless another has it; posting saves."""
    found = own_sitting(request, sitting_id)
    placed = own_item(found, position)
    if request.method == "POST":
        return _save_and_go(request, found, placed, device)
    if "ahead" in request.GET:  # kept by the page for when there is no connection
        return (
            _page(request, found, placed) if sitting.is_here(found, device, clock.now()) else HttpResponse(status=409)
        )
    try:
        sitting.arrive(found, position, device=device, now=clock.now())
    except Over:
        return redirect("sitting", found.pk)
    except Elsewhere:
        return elsewhere(request, found)
    return _page(request, found, placed)


def _save_and_go(request: HttpRequest, found: Sitting, placed: FormItem, device: str) -> HttpResponse:
    """Without a script, every button saves what is typed and then goes where it says."""
    now, position = clock.now(), placed.position
    try:
        if "here" in request.POST:
            sitting.take_over(found, request.POST.get("code", ""), device=device, now=now)
        change = browser.change_from(request.POST, numbered=False)
        sitting.save_answer(found, position, change, device=device, now=now)
    except Over:
        return redirect("sitting", found.pk)
    except Elsewhere:
        sitting.ask(found, now=now)
        return elsewhere(request, found, unsaved=position, status=409)
    except WrongCode as wrong:
        return elsewhere(request, found, error=str(wrong), unsaved=position)
    except EngineError as error:
        return _page(request, found, placed, status=422, typed=request.POST, error=refusal(error, language()))
    going = request.POST.get("go", "")
    if going == "overview":
        return redirect("hand_in", found.pk)
    there = int(going) if going.isdecimal() and len(going) < 6 else position
    return redirect("sitting_item", found.pk, there or position)


@allow(Role.TRAINEE, in_exam=True)
@require_POST
@never_cache
@on_own_device
def go_on_here(request: HttpRequest, sitting_id: UUID, device: str) -> HttpResponse:
    """Continue in another browser, with the access code."""
    found = own_sitting(request, sitting_id)
    if selectors.is_in_room(found.candidate):
        return redirect("sitting", found.pk)
    try:
        sitting.take_over(found, request.POST.get("code", ""), device=device, now=clock.now())
    except Over:
        pass  # the sitting's own page says so
    except WrongCode as wrong:
        return elsewhere(request, found, error=str(wrong))
    return redirect("sitting", found.pk)


@allow(Role.TRAINEE, in_exam=True)
@require_POST
@never_cache
@on_own_device
def save(request: HttpRequest, sitting_id: UUID, position: int, device: str) -> HttpResponse:
    """Save for the page's script; acknowledged only once stored."""
    found = own_sitting(request, sitting_id, with_exam=False)
    now = clock.now()
    try:
        change = browser.change_from(request.POST, numbered=True)
        stored = sitting.save_answer(found, position, change, device=device, now=now)
    except Stale as stale:
        return _json(found, now, stale.status, problem=stale.code, sequence=stale.sequence)
    except Refused as barred:
        return _json(found, now, barred.status, problem=barred.code)
    except EngineError as error:
        about(request, *found.candidate.session.programme_version.rules.rulebooks)
        return _json(found, now, 422, problem="answer", text=refusal(error, language()))
    except FormItem.DoesNotExist:
        raise Http404 from None
    saved_at = time_format(timezone.localtime(stored.saved_at), "H:i:s")
    return _json(found, now, 200, sequence=stored.sequence, saved_at=saved_at)


@allow(Role.TRAINEE, in_exam=True)
@require_POST
@never_cache
@on_own_device
def pulse(request: HttpRequest, sitting_id: UUID, device: str) -> HttpResponse:
    """An open page asks for the time left and reports its events."""
    found = own_sitting(request, sitting_id, with_exam=False)
    now = clock.now()
    try:
        sitting.pulse(found, browser.browser_events(request.POST.get("events", "")), device=device, now=now)
    except Refused as refusal:
        return _json(found, now, refusal.status, problem=refusal.code)
    return _json(found, now, 200, **_news(found, request.POST.get("ends", "")))


@allow(Role.TRAINEE, in_exam=True)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@on_own_device
def hand_in(request: HttpRequest, sitting_id: UUID, device: str) -> HttpResponse:
    """Lists what is empty or marked, and hands in."""
    found = own_sitting(request, sitting_id)
    if selectors.is_in_room(found.candidate):
        return redirect("sitting", found.pk)
    now = clock.now()
    if request.method == "POST":
        try:
            sitting.hand_in(found, device=device, now=now)
        except (Elsewhere, TooEarly):
            return redirect("hand_in", found.pk)
        return redirect("sitting", found.pk)
    try:
        sitting.arrive(found, found.position, device=device, now=now)
    except Over:
        return redirect("sitting", found.pk)
    except Elsewhere:
        return elsewhere(request, found)
    strip = selectors.strip_checked(found)
    context = frame(found, now) | {
        "practical": found.candidate.session.is_practical,
        "strip": strip,
        "empty": [one for one in strip if not one.answered],
        "partly": [one for one in strip if one.answered and not one.complete],
        "marked": [one for one in strip if one.marked],
        "too_early": why_not(sitting.verify_hand_in, found.candidate.session, now),
    }
    return render(request, "sittings/overview.html", context)


# ---------- making pages ----------


def _json(found: Sitting, now: datetime, status: int, **more: Any) -> JsonResponse:
    """A JSON answer with the time left, so that the page's clock follows the server's."""
    return JsonResponse({"left": timing.seconds_left(found, now), **more}, status=status)


def _news(found: Sitting, known: str) -> dict[str, Any]:
    """The new end and the reasons for added time, if the page still shows another end (`known`)."""
    ends = found.deadline_at.isoformat()
    return {"ends": ends, "added": selectors.added_time(found)} if known and known != ends else {}


def elsewhere(
    request: HttpRequest, found: Sitting, *, error: str = "", unsaved: int | None = None, status: int = 200
) -> HttpResponse:
    """Explains that another browser has the sitting and how to continue in this one. Keeps what was typed in item
    `unsaved` but shows nothing of the item itself."""
    kept = [(name, value) for name, values in request.POST.lists() if name not in NOT_TYPED for value in values]
    context = frame(found, clock.now()) | {"error": error, "unsaved": unsaved, "kept": kept if unsaved else []}
    return render(request, "sittings/elsewhere.html", context, status=422 if error else status)


def _page(
    request: HttpRequest,
    found: Sitting,
    placed: FormItem,
    *,
    status: int = 200,
    typed: QueryDict | None = None,
    **more: Any,
) -> HttpResponse:
    response = selectors.response_of(placed)
    given = dict(response.answer["parts"]) if response else {}
    marked = bool(response and response.marked)
    if typed is not None:
        change = browser.change_from(typed, numbered=False)
        given, marked = dict(change.parts), change.marked
    strip = selectors.strip(found)
    scenario = placed.item.scenario
    context = frame(found, clock.now()) | {
        "item": placed,
        "response": response,
        "marked": marked,
        "strip": strip,
        "count": len(strip),
        "story": story(
            scenario,
            language(),
            version=placed.item.version,
            printed=as_printed(request, placed.item.difficulty),
        ),
        "questions": selectors.asked(placed, language(), given),
        "language": scenario.book.language,
        "before": placed.position - 1,
        "after": placed.position + 1 if placed.position < len(strip) else None,
    }
    return render(request, "sittings/sitting.html", context | more, status=status)


def frame(found: Sitting, now: datetime) -> dict[str, Any]:
    """What every page of a sitting shows. The menu is empty, so nobody leaves an exam by accident."""
    return {
        "sitting": found,
        "exam_name": found.candidate.session.programme_version.name(language()),
        "left": timing.seconds_left(found, now),
        "lasts": (found.deadline_at - found.started_at).total_seconds(),
        "clock_face": timing.clock_face(timing.seconds_left(found, now)),
        "ends": found.deadline_at.isoformat(),
        "added": selectors.added_time(found),
        "menu": [],
    }


def own_sitting(request: HttpRequest, sitting_id: UUID, *, with_exam: bool = True) -> Sitting:
    """The person's sitting, closed if its time is up. Saving, which happens very often, needs no `with_exam`."""
    found = Sitting.objects.filter(candidate__person=person(request))
    if with_exam:
        found = found.select_related("candidate__session__programme_version")
    own = get_object_or_404(found, pk=sitting_id)
    if with_exam:
        about(request, *own.candidate.session.programme_version.rules.rulebooks)
    return sitting.settle(own, clock.now())


def own_item(found: Sitting, position: int) -> FormItem:
    items = selectors.placed_items(found).select_related("item__version", "response")
    return get_object_or_404(items, position=position)
