"""New names in a staff list: each is requested and confirmed by a second person."""

from dataclasses import dataclass, replace

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from exams import clock
from exams.certificates import name_correction
from training.people.models import User
from training.platform.errors import Refused


@dataclass(frozen=True)
class NewName:
    """A name in a list that differs from the account's. `why_not` says why it cannot be requested."""

    person: User
    name: str
    why_not: str = ""


def mark_waiting(names: list[NewName]) -> list[NewName]:
    """The same names, with `why_not` set if a request for that person is already pending. One query."""
    asked = name_correction.waiting().filter(holder__in=[new.person for new in names])
    waiting: dict[int, str] = dict(asked.values_list("holder", "name"))
    return [_beside(new, waiting) for new in names]


def _beside(new: NewName, waiting: dict[int, str]) -> NewName:
    other = waiting.get(new.person.pk)
    waiting.setdefault(new.person.pk, new.name)
    why_not = _("“%(name)s” is already waiting for a second person.") % {"name": other} if other else ""
    return replace(new, why_not=why_not)


def ask_for(new: NewName, importer: User) -> NewName:
    """Request the name. A refusal is returned in `why_not` and does not stop the list."""
    if new.why_not:
        return new
    reason = _("A staff list of %(date)s has this name.") % {"date": date_format(clock.today(), "SHORT_DATE_FORMAT")}
    try:
        name_correction.ask(new.person, by=importer, name=new.name, reason=reason)
    except Refused as refusal:
        return replace(new, why_not=str(refusal))
    return new
