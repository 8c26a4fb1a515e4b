"""The instructor's pages of the live table: a class's tables, watching one, asking for a fault, setting one as work.
And the trainee's start of a table that was set."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from rules_engine.narration import book_name, books_by_game
from training.classes import selectors as classes
from training.classes.forms import DueForm
from training.classes.models import TrainingClass
from training.classes.views import taught
from training.live_table import ladder, planning, selectors, services, teaching, watching
from training.live_table.missed import DAYS, missed
from training.live_table.models import Length, Rung, Session, TableWork
from training.live_table.view import view
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language, person
from training.platform.errors import Refused

USUAL_PACE = 5
WEAKEST = 8  # kinds of fault that are listed at once


class TableForm(DueForm):
    """A table to set as work."""

    rulebook = forms.ChoiceField(label=gettext_lazy("Game"))
    rung = forms.ChoiceField(label=gettext_lazy("Table"), choices=Rung.choices, initial=Rung.BUSY)
    length = forms.ChoiceField(label=gettext_lazy("Length"), choices=Length.choices)
    field_order = ["rulebook", "rung", "length", "due"]

    def __init__(self, *args: Any, room: TrainingClass, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = [book.id for book in ladder.books() if book.id in room.books]
        self.fields["rulebook"].choices = books_by_game(language(), known)  # type: ignore[attr-defined]


@allow(Role.INSTRUCTOR)
@require_safe
@never_cache
def class_live_tables(request: HttpRequest, class_id: UUID) -> HttpResponse:
    room = taught(request, class_id)
    return _class_page(request, room, TableForm(room=room))


def _class_page(request: HttpRequest, room: TrainingClass, form: TableForm, *, status: int = 200) -> HttpResponse:
    about(request, *room.books)
    now = timezone.now()
    running = [] if room.closed_at else watching.running(room)
    faults = missed(room, now, language())
    context = {
        "room": room,
        "tab": "live",
        "form": form,
        "playable": bool(form.fields["rulebook"].choices),  # type: ignore[attr-defined]
        "running": [(one, book_name(one.rulebook, language())) for one in running],
        "set_tables": teaching.progress(room, classes.roster(room), now),
        "missed": faults,
        "weakest": faults[:WEAKEST],
        "others": faults[WEAKEST:],
        "days": DAYS,
    }
    return render(request, "live_table/class.html", context, status=status)


@allow(Role.INSTRUCTOR)
@require_POST
def set_live_table(request: HttpRequest, class_id: UUID) -> HttpResponse:
    room = taught(request, class_id)
    form = TableForm(request.POST, room=room)
    if not form.is_valid():
        return _class_page(request, room, form, status=422)
    chosen = {name: form.cleaned_data[name] for name in ("rulebook", "rung", "length")}
    try:
        teaching.set_table(room, person(request), **chosen, due_at=form.cleaned_data["due"], now=timezone.now())
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _class_page(request, room, form, status=422)
    messages.success(request, _("The table has been set. The trainees see it on their home page."))
    return redirect("class_live_tables", room.pk)


@allow(Role.INSTRUCTOR)
@require_POST
def withdraw_live_table(request: HttpRequest, class_id: UUID, table_work_id: UUID) -> HttpResponse:
    room = taught(request, class_id)
    deleted, _each = room.table_work.filter(pk=table_work_id).delete()
    if not deleted:
        raise Http404
    messages.success(request, _("The table has been withdrawn. What was dealt at it is kept."))
    return redirect("class_live_tables", room.pk)


@allow(Role.INSTRUCTOR)
@require_safe
@never_cache
def watch(request: HttpRequest, live_id: UUID) -> HttpResponse:
    """A running table. The page asks for its changing part again and again."""
    try:
        session = watching.watched(person(request), live_id)
    except Session.DoesNotExist:
        return _over(request, live_id)
    return render(request, _template(request), _watched(request, session))


def _template(request: HttpRequest) -> str:
    return "live_table/watched.html" if request.headers.get("HX-Request") else "live_table/watch.html"


def _watched(request: HttpRequest, session: Session) -> dict[str, Any]:
    about(request, session.rulebook)
    return {
        "session": session,
        "book_name": book_name(session.rulebook, language()),
        "view": view(session, language()) if session.state else None,
        "coups": session.engine_setup.coups,
        "behind": watching.behind(session, language()),
        "faults": watching.faults(session.book, language()),
    }


def _over(request: HttpRequest, live_id: UUID) -> HttpResponse:
    """The debrief of a table that has ended meanwhile; nothing for anybody else's table."""
    try:
        session = selectors.readable(person(request), live_id)
    except Session.DoesNotExist:
        raise Http404 from None
    about(request, session.rulebook)
    if request.headers.get("HX-Request"):
        return render(request, "live_table/watched.html", {"session": session, "over": True})
    return redirect("live_debrief", session.pk)


@allow(Role.INSTRUCTOR)
@require_POST
def inject(request: HttpRequest, live_id: UUID) -> HttpResponse:
    """Ask for a fault in the next coup."""
    try:
        asked = teaching.inject(person(request), live_id, request.POST.get("kind", ""), timezone.now())
    except Session.DoesNotExist:
        raise Http404 from None
    except Refused as refusal:
        session = watching.watched(person(request), live_id)
        context = _watched(request, session) | {"error": str(refusal), "given": request.POST.get("kind", "")}
        return render(request, "live_table/watch.html", context, status=refusal.status)
    messages.success(
        request, _("Coup %(number)s will have this fault if the table allows it.") % {"number": asked.coup}
    )
    return redirect("watch_live_table", live_id)


@allow(Role.TRAINEE)
@require_POST
def start_set_table(request: HttpRequest, table_work_id: UUID) -> HttpResponse:
    """Open the table that was set, or go back to the one that is open."""
    trainee = person(request)
    try:
        work = teaching.work_for(trainee, table_work_id)
    except TableWork.DoesNotExist:
        raise Http404 from None
    session = services.start(
        trainee,
        rulebook=work.rulebook,
        length=work.length,
        rung=work.rung,
        pace=USUAL_PACE,
        now=timezone.now(),
        work=work,
        later=True,
    )
    if session.work_id != work.pk:
        messages.info(request, _("Another table is still open. Finish it or leave it first."))
    return planning.after_answer(redirect("live_table", session.pk), session)
