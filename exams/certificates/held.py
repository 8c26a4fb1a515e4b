"""What people hold today: the certificates that are valid, and the rulebooks they cover."""

from collections.abc import Collection, Sequence
from datetime import date

from django.db.models import QuerySet

from exams import clock
from exams.certificates.models import Certificate
from training.people.models import User


def valid() -> QuerySet[Certificate]:
    """The certificates that are valid today."""
    today = clock.today()
    return Certificate.objects.filter(state=Certificate.State.GRANTED, valid_from__lte=today, valid_until__gte=today)


def held_rulebooks(person: User) -> list[str]:
    """The rulebooks that a person's valid certificates cover. One query."""
    scopes = valid().filter(holder=person).values_list("scope", flat=True)
    return list(dict.fromkeys(book for scope in scopes for book in scope))


def holders(people: Sequence[int], rulebooks: Collection[str]) -> frozenset[int]:
    """Those of these people who have a valid certificate on one of these rulebooks. One query."""
    found = valid().filter(holder__in=people).values_list("holder_id", "scope")
    return frozenset(holder for holder, scope in found if not set(scope).isdisjoint(rulebooks))


def refreshed_until(person_id: int, rulebooks: Collection[str]) -> date | None:
    """The last day of the certificate that a refresher brings up to date; None if there is none today."""
    found = valid().filter(holder=person_id).values_list("valid_until", "scope")
    return max((until for until, scope in found if not set(scope).isdisjoint(rulebooks)), default=None)


def left_without(certificate: Certificate) -> list[Certificate]:
    """The refreshers that brought a certificate up to date and have nothing valid to rest on any more."""
    others = Certificate.objects.filter(holder=certificate.holder_id, state=Certificate.State.GRANTED)
    own = others.exclude(pk=certificate.pk).select_related("programme_version").order_by("pk")
    refreshers = [(one, one.programme_version.rules.refreshes) for one in own]
    return [one for one, rests in refreshers if rests and refreshed_until(one.holder_id, rests) is None]
