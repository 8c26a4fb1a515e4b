"""What waits for a member of staff. Rooms say at the start that they are to be asked; none of them is known here."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from training.people.models import Role, User

STAFF = (Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR)


@dataclass(frozen=True)
class Waiting:
    """So many pieces of work of one kind, and where they are done. `kind` tells them apart, and is shown nowhere."""

    kind: str
    label: str
    count: int
    address: str
    late: int = 0  # how many of them are past their time
    about: str = ""


Asked = Callable[[User, datetime], list[Waiting]]
_asked: list[Asked] = []


def ask_what_waits(asked: Asked) -> None:
    """For `AppConfig.ready`. Whoever is asked looks at the roles, and answers in a fixed number of queries."""
    if asked not in _asked:
        _asked.append(asked)


def is_staff(person: User) -> bool:
    return not person.roles.isdisjoint(STAFF)


def waiting_for(person: User, now: datetime) -> list[Waiting]:
    """What is past its time first, then in the order in which the rooms tell it."""
    found = [one for asked in _asked for one in asked(person, now) if one.count]
    return sorted(found, key=lambda one: not one.late)
