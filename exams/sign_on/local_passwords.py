"""Turning local passwords off and on again, and the one administrator who keeps theirs for emergencies."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from exams.audit.letters import tell_administrators
from exams.audit.models import Entry
from exams.audit.services import record
from training.house.models import ONLY
from training.people import second_factor
from training.people.models import LocalPasswords, Role, User
from training.platform.errors import Refused

USES_SHOWN = 10


class UnfitBreakGlass(Refused):
    field = "break_glass"


def current() -> LocalPasswords:
    return LocalPasswords.objects.select_related("break_glass").filter(pk=ONLY).first() or LocalPasswords()


def administrators() -> QuerySet[User]:
    return User.objects.filter(is_active=True, role_grants__role=Role.ADMINISTRATOR).order_by("name", "pk")


def why_unfit(person: User) -> str:
    """Why this person's password would not open the house in an emergency; "" if it would."""
    if not person.is_active or Role.ADMINISTRATOR not in person.roles:
        return str(_("Only an administrator who may sign in can keep a password."))
    if person.role_grants.filter(role=Role.ADMINISTRATOR, from_directory=True).exists():
        return str(_("This administrator has the role from the directory. Choose one who has it from the house."))
    if not person.has_usable_password():
        return str(_("This administrator has no password."))
    if not second_factor.is_set_up(person):
        return str(_("This administrator has not set up two-step verification in Sabot."))
    return ""


@transaction.atomic
def turn_off(*, by: User, break_glass: User, at_directory: bool) -> None:
    """Only `break_glass` keeps a password. Everybody else's sessions that began with one end, except during an exam.

    Whoever does it must have signed in with the directory, which proves that it works.
    """
    _verify(by)
    if not at_directory:
        raise Refused(_("Sign in with the directory first. That proves that it works before passwords are off."))
    if why := why_unfit(break_glass):
        raise UnfitBreakGlass(why)
    _set(off=True, break_glass=break_glass)
    entry = record(by, "sign_on.passwords_off", f"person:{break_glass.pk}")
    tell_administrators(entry, _("Local passwords were turned off"))


@transaction.atomic
def turn_on(*, by: User) -> None:
    _verify(by)
    if not current().off:
        raise Refused(_("Local passwords are on already."))
    _set(off=False, break_glass=None)
    entry = record(by, "sign_on.passwords_on", f"house:{ONLY}")
    tell_administrators(entry, _("Local passwords were turned on"))


def note_use(person: User) -> None:
    """The emergency sign-in was used: everybody who administers the house learns of it."""
    with transaction.atomic():
        entry = record(person, "sign_on.break_glass", f"person:{person.pk}")
        tell_administrators(entry, _("The emergency sign-in was used"))


def uses() -> QuerySet[Entry]:
    """When the emergency sign-in was used, the newest first."""
    return Entry.objects.filter(act="sign_on.break_glass").select_related("actor").order_by("-number")[:USES_SHOWN]


def _verify(by: User) -> None:
    if not administrators().filter(pk=by.pk).exists():
        raise Refused(_("Only an administrator who may sign in can do this."))


def _set(*, off: bool, break_glass: User | None) -> None:
    LocalPasswords.objects.update_or_create(pk=ONLY, defaults={"off": off, "break_glass": break_glass})
