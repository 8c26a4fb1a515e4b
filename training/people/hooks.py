"""What higher packages tell the people package."""

from training.people.models import User
from training.platform.hooks import Event, OneAnswer


@OneAnswer
def open_exam(person: User) -> str:
    """The address of the exam that this person is sitting now, or "". Called for every request of a signed-in person
    to a page that is closed during an exam."""
    return ""


@Event
def break_glass_used(person: User) -> None:
    """The one administrator who keeps a password while local passwords are off has signed in with it."""
