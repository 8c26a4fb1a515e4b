"""What waits for a member of staff."""

from datetime import datetime

from training.home import hooks
from training.home.hooks import Waiting
from training.people.models import Role, User

STAFF = (Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR)


def is_staff(person: User) -> bool:
    return not person.roles.isdisjoint(STAFF)


def waiting_for(person: User, now: datetime) -> list[Waiting]:
    """What is past its time first, then in the order of the subscribers."""
    found = [one for one in hooks.work_waiting(person, now) if one.count]
    return sorted(found, key=lambda one: not one.late)
