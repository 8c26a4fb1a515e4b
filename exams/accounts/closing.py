"""Closing and reopening accounts. Each reason is lifted separately; lifting the last one opens the account."""

from collections.abc import Iterable, Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.accounts import administrators, open_exams
from exams.accounts.models import Closure
from exams.audit.services import LoggedAct, record_several
from exams.certificates.services import fit_reason
from training.api import tokens
from training.people.models import Role, User
from training.platform.errors import Refused

Why = Closure.Why


# ---- by the staff record


@transaction.atomic
def close_leavers(people: QuerySet[User], *, by: User | None) -> int:
    """Close the accounts of people whose last day is over, with a constant number of queries. Returns how many.

    Skips accounts already closed for that reason, administrators (only another administrator closes theirs) and people
    sitting an exam, whom the next sweep closes.
    """
    administrators_too = User.objects.filter(role_grants__role=Role.ADMINISTRATOR).values("pk")
    already = Closure.objects.filter(why=Why.LEFT, returned_at=None).values("person")
    found = people.exclude(pk__in=administrators_too).exclude(pk__in=already)
    locked = list(User.objects.select_for_update(no_key=True).filter(pk__in=found.values("pk")).order_by("pk"))
    sitting = open_exams.sitting_now(locked)
    leaving = [person for person in locked if person.pk not in sitting]
    _close(leaving, Why.LEFT, by=by)
    return len(leaving)


@transaction.atomic
def return_leavers(people: QuerySet[User], *, by: User | None) -> None:
    """Lift the closure of people who work here after all. Other reasons keep their accounts closed."""
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
    _close([current], Why.ADMINISTRATOR, by=by, reason=reason)


@transaction.atomic
def let_return(person: User, *, by: User, reason: str) -> User:
    """Lift an administrator's closure; if the person also left, the account stays closed."""
    administrators.verify_acts(by, person)
    reason = fit_reason(reason)
    current = _locked(person)
    if not _open_closures(current).filter(why=Why.ADMINISTRATOR).exists():
        raise Refused(_("No administrator has closed this account."))
    _return([current], Why.ADMINISTRATOR, by=by, reason=reason)
    return current


# ---- shared


def open_closures(person: User) -> list[Closure]:
    """Why the account is closed now; empty if it is open, or is a demo account."""
    return list(_open_closures(person).select_related("closed_by"))


def _open_closures(person: User) -> QuerySet[Closure]:
    return Closure.objects.filter(person=person, returned_at=None)


def _locked(person: User) -> User:
    return User.objects.select_for_update(no_key=True).get(pk=person.pk)


def _close(people: Sequence[User], why: Why, *, by: User | None, reason: str = "") -> None:
    now, pks = clock.now(), [person.pk for person in people]
    Closure.objects.bulk_create(
        Closure(person=person, why=why, reason=reason, closed_by=by, closed_at=now) for person in people
    )
    # Signs everybody out at once, also for the time after the account opens again.
    User.objects.filter(pk__in=pks).update(is_active=False, sessions_ended=F("sessions_ended") + 1)
    tokens.revoke_all_of(people, by=by)
    record_several(by, [LoggedAct("person.closed", f"person:{pk}", {"why": why.value}) for pk in pks])


def _return(people: Iterable[User], why: Why, *, by: User | None, reason: str = "") -> None:
    """Lift one reason for these closures; accounts without another reason open again."""
    people = list(people)
    closed = Closure.objects.filter(person__in=people, returned_at=None)
    closed.filter(why=why).update(returned_by=by, returned_at=clock.now(), return_reason=reason)
    still_closed = set(closed.values_list("person", flat=True))
    for person in people:
        # Demo accounts have a published password: outside the demo they stay closed.
        person.is_active = person.pk not in still_closed and (settings.DEMO or not person.is_demo)
    pks = [person.pk for person in people]
    # Sessions and links made while it was closed must not work either.
    User.objects.filter(pk__in=pks).update(is_active=False, sessions_ended=F("sessions_ended") + 1)
    User.objects.filter(pk__in=[one.pk for one in people if one.is_active]).update(is_active=True)
    tokens.revoke_all_of(people, by=by)  # a request under way may have issued one after the account was closed
    acts = [(one.pk, {"why": why.value, "may_sign_in": one.is_active}) for one in people]
    record_several(by, [LoggedAct("person.returned", f"person:{pk}", details) for pk, details in acts])
