"""What instructors do at the live table: ask for a fault, and set a table as work for a class."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from rules_engine import encode, play
from rules_engine.errors import EngineError
from rules_engine.narration import book_name
from training.classes import teaching
from training.classes.hooks import SetTable
from training.classes.models import TrainingClass
from training.classes.selectors import trainees_of
from training.live_table import ladder, planning, watching
from training.live_table.models import Injection, Length, Rung, Session, TableWork
from training.people.models import User
from training.people.request import language
from training.platform.errors import Refused, Unfit


def inject(instructor: User, session_id: UUID, kind: str, now: datetime) -> Injection:
    """Ask for a fault in the next coup. Raises Session.DoesNotExist if the table is not theirs to watch."""
    planning.plan_now(watching.watched(instructor, session_id))
    with transaction.atomic():
        session = Session.objects.select_for_update(no_key=True).get(pk=session_id, ended_at=None)
        if session.unplanned:
            raise Refused(_("The next coup is just being dealt. Try again."))
        state = play.decode_state(session.state)
        if state.coup >= state.setup.coups:
            raise Refused(_("This is the last coup of the table."))
        try:
            state = play.inject(state, kind)
        except EngineError:
            raise Unfit(_("Choose a fault that can occur at this table.")) from None
        session.state = encode(state).decode()
        session.save(update_fields=["state"])
        return Injection.objects.create(
            session=session, after=session.last_number, coup=state.coup + 1, kind=kind, by=instructor, at=now
        )


@transaction.atomic
def set_table(
    room: TrainingClass, by: User, *, rulebook: str, rung: str, length: str, due_at: datetime, now: datetime
) -> TableWork:
    """Set a live table as work for everybody in the class."""
    if room.closed_at:
        raise Refused(_("The class is closed."))
    known = {book.id for book in ladder.books()}
    if rulebook not in known or rung not in Rung.values or length not in Length.values:
        raise Unfit(_("Choose a game, a length and a table."))
    if due_at <= now:
        raise Refused(_("The date must be in the future."))
    made = TableWork.objects.create(
        training_class=room, rulebook=rulebook, rung=rung, length=length, due_at=due_at, set_by=by
    )
    teaching.note([by.pk], trainees_of(room).values_list("pk", flat=True))
    return made


@dataclass(frozen=True)
class Progress:
    """A table that was set, who in the class has dealt it to its end, and who has not."""

    work: TableWork
    book_name: str
    done: list[tuple[User, Session]]
    left: list[User]
    overdue: bool


def progress(room: TrainingClass, people: list[User], now: datetime) -> list[Progress]:
    """The tables set for a class, the latest date first. Two queries."""
    works = list(room.table_work.order_by("-due_at", "pk"))
    dealt: dict[tuple[UUID, int], Session] = {}
    finished = Session.objects.filter(work__in=works, complete=True).order_by("ended_at")
    for session in finished.only("pk", "work", "trainee", "hits", "misses", "false_alarms", "ended_at"):
        dealt.setdefault((session.work_id, session.trainee_id), session)  # type: ignore[arg-type]
    return [
        Progress(
            work,
            book_name(work.rulebook, language()),
            [(who, dealt[work.pk, who.pk]) for who in people if (work.pk, who.pk) in dealt],
            [who for who in people if (work.pk, who.pk) not in dealt],
            work.due_at < now,
        )
        for work in works
    ]


def work_for(trainee: User, work_id: UUID) -> TableWork:
    """A table that was set for this trainee. Raises TableWork.DoesNotExist for any other."""
    return _works_for(trainee).get(pk=work_id)


def _works_for(trainee: User) -> QuerySet[TableWork]:
    """The tables set for the open classes that a trainee is in."""
    inside = Q(training_class__enrolments__trainee=trainee, training_class__enrolments__left_at=None)
    return TableWork.objects.filter(inside, training_class__closed_at=None)


def tables_set(trainee: User, now: datetime) -> Iterable[SetTable]:
    """The tables set for a trainee, nearest date first: those to deal, and those dealt until their date."""
    found = list(_works_for(trainee).select_related("training_class").order_by("due_at", "pk"))
    own = Session.objects.filter(trainee=trainee, complete=True, work__in=found)
    dealt = set(own.values_list("work_id", flat=True)) if found else set()
    for work in found:
        done, overdue = work.pk in dealt, work.due_at < now
        if not done or not overdue:
            game = book_name(work.rulebook, language())
            yield SetTable(
                title=f"{game} · {work.get_rung_display()} · {work.get_length_display()}",
                room=work.training_class.name,
                due_at=work.due_at,
                done=done,
                overdue=overdue,
                url=reverse("start_set_table", args=[work.pk]),
            )
