"""Closing accounts and opening them again. Each reason is taken back by itself, and the last one opens the account."""

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.accounts import administrators, open_exams
from exams.accounts.models import Closure
from exams.audit.services import record
from exams.certificates.services import fit_reason
from training.api import tokens
from training.people.models import Role, User
from training.refusal import Refused

Why = Closure.Why


# ---- by the staff record


@transaction.atomic
def close_leaver(person: User, *, by: User | None) -> bool:
    """Close the account of somebody whose last day is over. False if it is closed for that already, in the middle of
    an exam, and for administrators: only another administrator closes theirs."""
    current = _locked(person)
    if Role.ADMINISTRATOR in current.roles or _open_closures(current).filter(why=Why.LEFT).exists():
        return False
    if open_exams.until(current):
        return False  # the calendar comes by again once the exam is over
    _close(current, Why.LEFT, by=by)
    return True


@transaction.atomic
def return_leaver(person: User, *, by: User | None) -> bool:
    """Somebody works here after all. What was closed for another reason stays closed."""
    return _return(_locked(person), Why.LEFT, by=by)


# ---- by an administrator


@transaction.atomic
def close(person: User, *, by: User, reason: str) -> None:
    administrators.verify_acts(by, person)
    reason = fit_reason(reason)
    if Role.ADMINISTRATOR in person.roles:
        administrators.verify_not_the_last(person, by=by)
    current = _locked(person)
    if _open_closures(current).filter(why=Why.ADMINISTRATOR).exists():
        raise Refused(_("An administrator has already closed this account."))
    open_exams.verify_none(current)
    _close(current, Why.ADMINISTRATOR, by=by, reason=reason)


@transaction.atomic
def let_return(person: User, *, by: User, reason: str) -> User:
    """Take back what an administrator closed; where the person also left, the staff record keeps it closed."""
    administrators.verify_acts(by, person)
    reason = fit_reason(reason)
    current = _locked(person)
    if not _return(current, Why.ADMINISTRATOR, by=by, reason=reason):
        raise Refused(_("No administrator has closed this account."))
    return current


# ---- shared


def open_closures(person: User) -> list[Closure]:
    """Why the account is closed now; nothing where it is not, or where it was made for the demonstration."""
    return list(_open_closures(person).select_related("closed_by"))


def _open_closures(person: User) -> QuerySet[Closure]:
    return Closure.objects.filter(person=person, returned_at=None)


def _locked(person: User) -> User:
    return User.objects.select_for_update(no_key=True).get(pk=person.pk)


def _close(person: User, why: Why, *, by: User | None, reason: str = "") -> None:
    Closure.objects.create(person=person, why=why, reason=reason, closed_by=by, closed_at=clock.now())
    # Whoever is signed in is out with this request, and stays out when the account opens again.
    User.objects.filter(pk=person.pk).update(is_active=False, sessions_ended=F("sessions_ended") + 1)
    tokens.revoke_all(person, by=by)
    record(by, "person.closed", f"person:{person.pk}", why=why.value)


def _return(person: User, why: Why, *, by: User | None, reason: str = "") -> bool:
    closed = _open_closures(person).filter(why=why)
    if not closed.update(returned_by=by, returned_at=clock.now(), return_reason=reason):
        return False
    # People of the demonstration have a published password: where it is over they stay out whatever is taken back.
    person.is_active = not _open_closures(person).exists() and (settings.DEMO or not person.is_demo)
    # What was made while it was closed opens nothing either.
    User.objects.filter(pk=person.pk).update(is_active=person.is_active, sessions_ended=F("sessions_ended") + 1)
    tokens.revoke_all(person, by=by)  # of an account that an earlier release closed, which left them
    record(by, "person.returned", f"person:{person.pk}", why=why.value, may_sign_in=person.is_active)
    return True
