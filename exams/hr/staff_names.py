"""New names in a staff list: each is asked for, and a second person confirms it."""

from dataclasses import dataclass, replace

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from exams import clock
from exams.certificates import name_correction
from training.people.models import User
from training.platform.errors import Refused


@dataclass(frozen=True)
class NewName:
    """A name in a list that differs from the account's. `why_not` says why it cannot be asked for, if so."""

    person: User
    name: str
    why_not: str = ""


def that_wait(names: list[NewName]) -> list[NewName]:
    """The same names, with `why_not` where one for that person already waits from an earlier list or row; one query."""
    asked = name_correction.waiting().filter(holder__in=[new.person for new in names])
    waiting: dict[int, str] = dict(asked.values_list("holder", "name"))
    return [_beside(new, waiting) for new in names]


def _beside(new: NewName, waiting: dict[int, str]) -> NewName:
    other = waiting.get(new.person.pk)
    waiting.setdefault(new.person.pk, new.name)
    told = _("“%(name)s” is already waiting for a second person.") % {"name": other} if other else ""
    return replace(new, why_not=told)


def ask_for(new: NewName, importer: User) -> NewName:
    """Ask for the name. A refusal goes into `why_not` and does not stop the rest of the list."""
    if new.why_not:
        return new
    reason = _("A staff list of %(date)s has this name.") % {"date": date_format(clock.today(), "SHORT_DATE_FORMAT")}
    try:
        name_correction.ask(new.person, by=importer, name=new.name, reason=reason)
    except Refused as refusal:
        return replace(new, why_not=str(refusal))
    return new
