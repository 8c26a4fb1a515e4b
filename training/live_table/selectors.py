"""Queries of the live table: one's own sessions, and those of the trainees one teaches."""

from uuid import UUID

from django.db.models import Sum

from rules_engine.detection import Trials
from training.classes.models import Enrolment
from training.live_table.models import Session
from training.people.models import User

LISTED = 20
# Heavy columns that a list does not need.
SECRET = ("setup", "state", "pending", "shown", "base", "reactions", "coups")


def own(trainee: User, session_id: UUID) -> Session:
    return Session.objects.get(pk=session_id, trainee=trainee)


def under_way(trainee: User) -> Session | None:
    return Session.objects.filter(trainee=trainee, ended_at=None).first()


def ended(trainee: User) -> list[Session]:
    """The last sessions that have ended, the newest first."""
    found = Session.objects.filter(trainee=trainee, ended_at__isnull=False).defer(*SECRET)
    return list(found.order_by("-ended_at")[:LISTED])


def pooled(trainee: User) -> Trials:
    """The coups of all ended sessions together."""
    names = ("hits", "misses", "false_alarms", "correct_rejections")
    found = Session.objects.filter(trainee=trainee, ended_at__isnull=False)
    sums = found.aggregate(**{f"all_{name}": Sum(name) for name in names})
    return Trials(*(sums[f"all_{name}"] or 0 for name in names))


def taught(instructor: User, trainee_id: int) -> User:
    """A trainee of an open class that the instructor teaches. Raises User.DoesNotExist for anybody else."""
    rooms = Enrolment.objects.filter(
        training_class__instructors=instructor, training_class__closed_at=None, left_at=None
    )
    return User.objects.get(pk__in=rooms.filter(trainee=trainee_id).values("trainee"))


def readable(person: User, session_id: UUID) -> Session:
    """An ended session of one's own or of a trainee one teaches. Raises Session.DoesNotExist for any other."""
    session = Session.objects.select_related("trainee").get(pk=session_id, ended_at__isnull=False)
    if session.trainee_id != person.pk:
        try:
            taught(person, session.trainee_id)
        except User.DoesNotExist:
            raise Session.DoesNotExist from None
    return session
