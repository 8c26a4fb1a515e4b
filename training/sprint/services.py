"""Starts sprints, takes answers in order, and ends sprints by the server's clock."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from rules_engine.errors import EngineError
from training.people.models import User
from training.platform.engine_json import document
from training.platform.errors import Refused
from training.platform.measure import measure
from training.sprint.kinds import KINDS, new_case
from training.sprint.models import OnBoard, Sprint, SprintCase

LASTS = timedelta(seconds=90)
COST = timedelta(seconds=5)  # for the first wrong answer, twice for the second and so on, so that guessing does not pay


class OutOfTurn(Refused):
    """The answer is not to the current case: it was sent twice, or from another tab."""

    status = 409
    code = "out_of_turn"


class SprintOver(Refused):
    """The answer came after the deadline."""

    status = 409
    code = "sprint_over"


@transaction.atomic
def start(trainee: User, kind: str, now: datetime) -> Sprint:
    """Start a sprint, or return the open one: its clock goes on."""
    User.objects.select_for_update(no_key=True).get(pk=trainee.pk)
    under_way = Sprint.objects.filter(trainee=trainee, closed_at=None).first()
    if under_way and not _ended(under_way, now):
        return under_way
    sprint = Sprint.objects.create(trainee=trainee, kind=KINDS[kind].key, started_at=now, deadline_at=now + LASTS)
    _put(sprint, 1, now)
    return sprint


def answer(trainee: User, sprint_id: UUID, number: int, given: str, now: datetime) -> SprintCase:
    """Mark an answer to the current case and add the next one. Raises OutOfTurn or SprintOver.

    The sprint is locked meanwhile, so that of two concurrent answers only one counts.
    """
    with transaction.atomic():
        sprint = Sprint.objects.select_for_update(no_key=True).get(pk=sprint_id, trainee=trainee)
        over = sprint.closed_at is not None or _ended(sprint, now)
        if not over:
            return _take(sprint, number, given, now)
    raise SprintOver(_("The time is up: this answer does not count."))


def _take(sprint: Sprint, number: int, given: str, now: datetime) -> SprintCase:
    case = sprint.cases.get(answered_at=None)
    if case.number != number:
        raise OutOfTurn(_("This one was answered already; the first answer counts."))
    case.given = given.replace("\x00", "").strip()[: SprintCase._meta.get_field("given").max_length]
    case.correct, case.answered_at = _is_right(case), now
    case.save(update_fields=["given", "correct", "answered_at"])
    sprint.right += case.correct
    sprint.wrong += not case.correct
    if not case.correct:
        sprint.deadline_at -= COST * sprint.wrong
    sprint.save(update_fields=["right", "wrong", "deadline_at"])
    if not _ended(sprint, now):
        _put(sprint, number + 1, now)
    return case


def _is_right(case: SprintCase) -> bool:
    try:
        mark = measure(case.scenario, {"parts": {case.question: case.given}}).mark
    except EngineError:
        return False  # not a valid answer to the question
    return any(part.correct for part in mark.parts if part.key == case.question)


def _put(sprint: Sprint, number: int, now: datetime) -> None:
    made, question = new_case(KINDS[sprint.kind], sprint.trainee)
    SprintCase.objects.create(
        sprint=sprint, number=number, scenario_document=document(made), question=question, put_at=now
    )


def _ended(sprint: Sprint, now: datetime) -> bool:
    """Whether its time is up. If so, close it with the deadline as its end."""
    if now < sprint.deadline_at:
        return False
    Sprint.objects.filter(pk=sprint.pk, closed_at=None).update(closed_at=sprint.deadline_at)
    sprint.closed_at = sprint.closed_at or sprint.deadline_at
    return True


def look(sprint: Sprint, now: datetime) -> Sprint:
    """Close the sprint if its time is up, and return it."""
    if sprint.closed_at is None:
        _ended(sprint, now)
    return sprint


def join_board(trainee: User, *, wants: bool) -> None:
    if wants:
        OnBoard.objects.get_or_create(trainee=trainee)
    else:
        OnBoard.objects.filter(trainee=trainee).delete()
