"""Adding people, and granting and revoking roles, each with an audit entry."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from exams.accounts import administrators, open_exams
from exams.audit.letters import tell_administrators
from exams.audit.models import Entry
from exams.audit.services import record
from training.mail import password as mail
from training.people.accounts import enter_person, grant_role, withdraw_role
from training.people.models import STAFF_ROLES, Role, User
from training.platform.errors import Refused


@transaction.atomic
def enter(*, email: str, name: str, roles: Sequence[Role], password: str | None = None) -> User:
    """Add a person from the command line. Without a password they get a mail with a link to choose one."""
    person = _enter(email=email, name=name, roles=roles, password=password, by=None)
    if password is None:
        mail.invite_to_house([person], None)
    return person


def _enter(*, email: str, name: str, roles: Sequence[Role], password: str | None, by: User | None) -> User:
    person = enter_person(email=email, name=name, roles=roles, password=password, granted_by=by)
    entry = record(by, "person.entered", f"person:{person.pk}", roles=[role.value for role in roles])
    _tell_of_staff(entry, person, roles)
    return person


def makes_staff(roles: Iterable[str]) -> bool:
    """Whether one is a staff role. Granting one requires the password again and notifies administrators."""
    return not STAFF_ROLES.isdisjoint(roles)


def _tell_of_staff(entry: Entry, person: User, roles: Sequence[Role]) -> None:
    if makes_staff(roles):
        tell_administrators(entry, _("Somebody has a new staff role"), about=person)


@transaction.atomic
def invite(*, email: str, name: str, language: str, roles: Sequence[Role], by: User) -> User:
    """Add a person and mail them a link to choose a password."""
    person = _enter(email=email, name=name, roles=roles, password=None, by=by)
    person.language = language
    person.save(update_fields=["language"])
    mail.invite_to_house([person], by)
    return person


@transaction.atomic
def invite_again(person: User, *, by: User) -> None:
    """Mail again somebody who has not signed in yet. Raises Refused otherwise."""
    if person.has_usable_password():
        raise Refused(
            _("A password has been chosen already. From here on, use “Forgot your password?” on the sign-in page.")
        )
    if not person.is_active:
        raise Refused(_("The account is closed."))
    mail.invite_to_house([person], by)
    record(by, "person.invited", f"person:{person.pk}")


@transaction.atomic
def give(person: User, roles: Sequence[Role], *, by: User | None = None) -> list[str]:
    """Grant the roles a person does not have yet; returns them. `by` is None on the command line."""
    if by is not None:
        administrators.verify_acts(by, person)
    had = _held(person)
    new = [role for role in dict.fromkeys(roles) if role not in had]
    for role in new:
        grant_role(person, role, granted_by=by)
    if new:
        _tell_of_staff(_log(by, "role.given", person, new, had), person, new)
    return [role.value for role in new]


@transaction.atomic
def take(person: User, role: Role, *, by: User) -> bool:
    """Revoke a role; returns False if they did not have it. Never one's own, nor the last administrator's."""
    administrators.verify_acts(by, person)
    if role == Role.ADMINISTRATOR:
        administrators.verify_not_the_last(person, by=by)
    had = _held(person)
    if role not in had:
        return False
    if role == Role.TRAINEE:
        open_exams.verify_none(person)
    withdraw_role(person, role)
    _log(by, "role.taken", person, [role], had)
    return True


# ---- by the groups of the directory (`exams.sign_on`)


@transaction.atomic
def give_from_directory(person: User, roles: Iterable[Role]) -> bool:
    """Grant the roles of somebody's groups. Returns whether anything changed; raises Refused as `grant_role` does."""
    had = _held(person)
    new = [role for role in sorted(set(roles)) if role not in had]
    for role in new:
        grant_role(person, role, granted_by=None, from_directory=True)
    if new:
        _tell_of_staff(_log(None, "role.given", person, new, had, why="directory"), person, new)
    return bool(new)


@transaction.atomic
def take_from_directory(person: User, *, keep: Iterable[Role]) -> bool:
    """Revoke the roles that the directory gave, except those to keep. Returns whether anything changed.

    The directory may take the last administrator's role: the house decides in its directory who administers it, and
    the break-glass administrator and the command line remain.
    """
    had, kept = _held(person), set(keep)
    given = person.role_grants.filter(from_directory=True).order_by("role").values_list("role", flat=True)
    lost = [Role(role) for role in given if role not in kept]
    for role in lost:
        withdraw_role(person, role)
    if lost:
        _log(None, "role.taken", person, lost, had, why="directory")
    return bool(lost)


def _held(person: User) -> list[str]:
    """The person's roles, locked against concurrent changes."""
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    return sorted(person.role_grants.values_list("role", flat=True))


def _log(by: User | None, act: str, person: User, roles: Sequence[Role], had: list[str], **more: str) -> Entry:
    now = sorted(person.role_grants.values_list("role", flat=True))
    details = {"roles": [role.value for role in roles], "changes": {"roles": [had, now]}, **more}
    return record(by, act, f"person:{person.pk}", **details)
