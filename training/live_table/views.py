"""The pages of the live table: choosing one, dealing at it, and the acts that the browser sends."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, RawPostDataException
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from rules_engine.narration import book_name, books_by_game
from training.live_table import ladder, palette, planning, selectors, services, teaching
from training.live_table.lines import Line, lines
from training.live_table.models import Dealing, Length, Rung, Session
from training.live_table.trends import trends
from training.live_table.view import view
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language, person
from training.platform.errors import Refused

LARGEST = 20_000  # bytes of an act


@allow(Role.TRAINEE)
@require_safe
@never_cache
def live_tables(request: HttpRequest) -> HttpResponse:
    return _choose(request)


def _choose(request: HttpRequest, *, status: int = 200) -> HttpResponse:
    trainee = person(request)
    given = request.POST
    sessions = selectors.ended(trainee)
    context = {
        "games": books_by_game(language(), [book.id for book in ladder.books()]),
        "lengths": Length.choices,
        "rungs": Rung.choices,
        "paces": ladder.PACES.items(),
        "given": {
            "rulebook": given.get("rulebook", ""),
            "length": given.get("length", Length.TEN),
            "rung": given.get("rung", Rung.QUIET),
            "pace": given.get("pace", "5"),
        },
        "under_way": selectors.under_way(trainee),
        "sessions": [(one, book_name(one.rulebook, language())) for one in sessions],
        "reader": trainee,
        "set_tables": [one for one in teaching.tables_set(trainee, timezone.now()) if not one.done],
        "trends": trends(trainee, timezone.now()),
    }
    return render(request, "live_table/tables.html", context, status=status)


@allow(Role.TRAINEE)
@require_POST
def start(request: HttpRequest) -> HttpResponse:
    given = {name: request.POST.get(name, "") for name in ("rulebook", "length", "rung", "pace")}
    fits = (
        given["rulebook"] in {book.id for book in ladder.books()}
        and given["length"] in Length.values
        and given["rung"] in Rung.values
        and given["pace"] in map(str, ladder.PACES)
    )
    if not fits:
        messages.error(request, _("Choose a game, a length, a table and a pace."))
        return _choose(request, status=422)
    session = services.start(
        person(request),
        rulebook=given["rulebook"],
        length=given["length"],
        rung=given["rung"],
        pace=int(given["pace"]),
        now=timezone.now(),
        later=True,
    )
    return planning.after_answer(redirect("live_table", session.pk), session)


@allow(Role.TRAINEE)
@require_safe
@never_cache
def live_table(request: HttpRequest, live_id: UUID) -> HttpResponse:
    """The running table. It always opens covered, so that nothing happens before the dealer is there."""
    session = _own(request, live_id)
    if session.ended_at:
        return redirect("live_debrief", session.pk)
    if session.rests_until and session.last_number == 0:
        if timezone.now() < session.rests_until:
            return render(request, "live_table/laid.html", {"session": session})
        planning.plan_now(session)  # it was, unless the process died
        session = _own(request, live_id)
    return render(request, "live_table/table.html", at_table(session) | {"speaking": True})


def at_table(session: Dealing) -> dict[str, Any]:
    """What the page of a running table shows. Calls are spoken only where a view adds `speaking`: never in an exam."""
    shown = view(session, language())
    return {
        "session": session,
        "book_name": book_name(session.rulebook, language()),
        "view": shown,
        "coups": session.engine_setup.coups,
        "language": session.book.language,
        "calls": palette.calls(session.book),
        "doings": palette.doings(session.book, shown.places, language()),
        "claims": palette.claims(session, shown.places, language()),
        "question": palette.chips(session, language()),
    }


@allow(Role.TRAINEE)
@require_POST
def act(request: HttpRequest, live_id: UUID) -> HttpResponse:
    """One act of the dealer as JSON: `{"number": 12, "act": {"type": "carry_on"}}`."""

    def carry_out(number: int, sent: object) -> services.Given:
        try:
            return services.act(person(request), live_id, number, sent, timezone.now())
        except Session.DoesNotExist:
            raise Http404 from None

    answer = on_the_beat(request, carry_out)
    if answer.status_code == 422:
        _own(request, live_id)
    return answer


def on_the_beat(request: HttpRequest, carry_out: Callable[[int, object], services.Given]) -> HttpResponse:
    """Carry out the act that was sent and answer as JSON; the next coup is planned when the answer has been sent."""
    try:
        sent = json.loads(request.body) if len(request.body) <= LARGEST else None
    except (ValueError, RecursionError, RawPostDataException):  # a form is no act
        sent = None
    sent = sent if isinstance(sent, dict) else {}
    number = sent.get("number")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 2**31:
        return JsonResponse({"error": _("This cannot be done at the table.")}, status=422)
    try:
        given = carry_out(number, sent.get("act"))
    except services.OutOfTurn as refusal:
        return JsonResponse(_answer(refusal.session, []) | {"error": str(refusal)}, status=409)
    except Refused as refusal:
        return JsonResponse({"error": str(refusal), "problem": refusal.code}, status=refusal.status)
    answer = JsonResponse(_answer(given.session, lines(given.events, given.session.book, language())))
    return planning.after_answer(answer, given.session)


def _answer(session: Dealing, new: list[Line]) -> dict[str, Any]:
    """Everything that the browser gets after an act."""
    shown = view(session, language())
    return {
        "number": shown.number,
        "coup": shown.coup,
        "halted": shown.halted,
        "over": shown.over,
        "rest": int(planning.REST * 1000) if session.rests_until else 0,
        "said": [f"{line.by}: {line.words}" if line.by else line.words for line in new],
        "table": render_to_string("live_table/drawn.html", {"view": shown}),
        "log": render_to_string("live_table/log.html", {"view": shown}),
        "piles": render_to_string("live_table/piles.html", {"view": shown}),
    }


@allow(Role.TRAINEE)
@require_POST
def leave(request: HttpRequest, live_id: UUID) -> HttpResponse:
    """End the session before its last coup."""
    try:
        session = services.leave(person(request), live_id, timezone.now())
    except Session.DoesNotExist:
        raise Http404 from None
    return redirect("live_debrief", session.pk)


def _own(request: HttpRequest, live_id: UUID) -> Session:
    try:
        found = selectors.own(person(request), live_id)
    except Session.DoesNotExist:
        raise Http404 from None
    about(request, found.rulebook)
    return found
