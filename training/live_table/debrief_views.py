"""The debrief of a session, its moments, and practice of what was missed. For the trainee and their instructors."""

from uuid import UUID

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from rules_engine import play
from rules_engine.narration import book_name
from training.live_table import debrief as figures
from training.live_table import practising, selectors
from training.live_table.models import Session
from training.live_table.trends import trends
from training.live_table.view import seen
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, language, person
from training.platform.errors import Unfit


@allow(Role.TRAINEE, Role.INSTRUCTOR)
@require_safe
def debrief(request: HttpRequest, live_id: UUID) -> HttpResponse:
    session = _readable(request, live_id)
    trials = selectors.pooled(session.trainee)
    context = {
        "session": session,
        "own": session.trainee_id == person(request).pk,
        "book_name": book_name(session.rulebook, language()),
        "debrief": figures.debrief(session, language()),
        "measured": figures.measured(trials),
        "trials": trials,
        "needed": figures.still_needed(trials),
    }
    return render(request, "live_table/debrief.html", context)


@allow(Role.TRAINEE, Role.INSTRUCTOR)
@require_safe
def moment(request: HttpRequest, live_id: UUID, act_number: int) -> HttpResponse:
    """The table as it was after one act."""
    session = _readable(request, live_id)
    before = list(session.acts.filter(number__lte=act_number).order_by("-number")[:500])
    if not before or before[0].number != act_number:
        raise Http404
    began = next((at for at, one in enumerate(before) if one.base is not None), len(before) - 1)
    coup = before[began::-1]
    base = coup[0].base or session.base
    events = [msgspec.convert(event, play.Event) for one in coup for event in one.events]
    begun = max((at for at, event in enumerate(events) if event.what == "coup"), default=0)
    context = {
        "session": session,
        "book_name": book_name(session.rulebook, language()),
        "earlier": act_number - 1 or None,
        "later": act_number + 1 if act_number < session.last_number else None,
        "view": seen(session, base, events[begun:], language()),
    }
    return render(request, "live_table/moment.html", context)


@allow(Role.TRAINEE)
@require_POST
def practise(request: HttpRequest, live_id: UUID) -> HttpResponse:
    """Start a drill of a kind of fault that was missed."""
    session = _readable(request, live_id)
    if session.trainee_id != person(request).pk:
        raise Http404
    kind = request.POST.get("kind", "")
    if kind not in {one["kind"] for one in session.coups if one["kind"]}:
        raise Unfit(_("Choose what you want to practise."))
    return redirect("drill", practising.start(person(request), session.rulebook, kind).pk)


@allow(Role.INSTRUCTOR)
@require_safe
def of_trainee(request: HttpRequest, trainee_id: int) -> HttpResponse:
    """The sessions of a trainee, for those who teach them."""
    try:
        trainee = selectors.taught(person(request), trainee_id)
    except User.DoesNotExist:
        raise Http404 from None
    trials = selectors.pooled(trainee)
    context = {
        "trainee": trainee,
        "sessions": [(one, book_name(one.rulebook, language())) for one in selectors.ended(trainee)],
        "measured": figures.measured(trials),
        "trials": trials,
        "needed": figures.still_needed(trials),
        "trends": trends(trainee, timezone.now()),
    }
    return render(request, "live_table/of_trainee.html", context)


def _readable(request: HttpRequest, live_id: UUID) -> Session:
    try:
        found = selectors.readable(person(request), live_id)
    except Session.DoesNotExist:
        raise Http404 from None
    about(request, found.rulebook)
    return found
