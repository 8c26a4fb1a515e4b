"""Closing accounts and opening them again. Each reason is taken back by itself, and the last one opens the account."""

from collections.abc import Iterable

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.accounts import administrators, open_exams
from exams.accounts.models import Closure
from exams.audit.services import LoggedAct, record, record_several
from exams.certificates.services import fit_reason
from training.api import tokens
from training.people.models import Role, User
from training.platform.errors import Refused

Why = Closure.Why


# ---- by the staff record


@transaction.atomic
def close_leavers(people: QuerySet[User], *, by: User | None) -> int:
    """Close the accounts of people whose last day is over. Returns how many, in as many queries for many as for one.

    Skips accounts that are already closed for that reason, administrators (only another administrator closes theirs)
    and whoever is sitting an exam: the next sweep closes theirs.
    """
    administrators_too = User.objects.filter(role_grants__role=Role.ADMINISTRATOR).values("pk")
    already = Closure.objects.filter(why=Why.LEFT, returned_at=None).values("person")
    found = people.exclude(pk__in=administrators_too).exclude(pk__in=already)
    locked = list(User.objects.select_for_update(no_key=True).filter(pk__in=found.values("pk")).order_by("pk"))
    sitting = open_exams.sitting_now(locked)
    leaving = [person for person in locked if person.pk not in sitting]
    now = clock.now()
    Closure.objects.bulk_create(
        Closure(person=person, why=Why.LEFT, reason="", closed_by=by, closed_at=now) for person in leaving
    )
    pks = [person.pk for person in leaving]
    # Whoever is signed in is out with this request, and stays out when the account opens again.
    User.objects.filter(pk__in=pks).update(is_active=False, sessions_ended=F("sessions_ended") + 1)
    tokens.revoke_all_of(leaving, by=by)
    record_several(by, [LoggedAct("person.closed", f"person:{pk}", {"why": Why.LEFT.value}) for pk in pks])
    return len(leaving)


@transaction.atomic
def return_leavers(people: QuerySet[User], *, by: User | None) -> None:
    """These work here after all. What was closed for another reason stays closed."""
    closed = Closure.objects.filter(why=Why.LEFT, returned_at=None).values("person")
    found = people.filter(pk__in=closed).values("pk")
    _return(User.objects.select_for_update(no_key=True).filter(pk__in=found).order_by("pk"), Why.LEFT, by=by)


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
    if not _open_closures(current).filter(why=Why.ADMINISTRATOR).exists():
        raise Refused(_("No administrator has closed this account."))
    _return([current], Why.ADMINISTRATOR, by=by, reason=reason)
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


def _return(people: Iterable[User], why: Why, *, by: User | None, reason: str = "") -> None:
    """Take back one reason why the accounts of these are closed; whoever has no other may sign in again."""
    people = list(people)
    closed = Closure.objects.filter(person__in=people, returned_at=None)
    closed.filter(why=why).update(returned_by=by, returned_at=clock.now(), return_reason=reason)
    still_closed = set(closed.values_list("person", flat=True))
    for person in people:
        # People of the demonstration have a published password: where it is over they stay out whatever is taken back.
        person.is_active = person.pk not in still_closed and (settings.DEMO or not person.is_demo)
    pks = [person.pk for person in people]
    # Sessions and links made while it was closed do not work either.
    User.objects.filter(pk__in=pks).update(is_active=False, sessions_ended=F("sessions_ended") + 1)
    User.objects.filter(pk__in=[one.pk for one in people if one.is_active]).update(is_active=True)
    told = [(one.pk, {"why": why.value, "may_sign_in": one.is_active}) for one in people]
    record_several(by, [LoggedAct("person.returned", f"person:{pk}", details) for pk, details in told])
