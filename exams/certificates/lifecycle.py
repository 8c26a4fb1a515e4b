"""The certificate's state machine. Pure: reads neither the clock nor the database.

    granted ⇄ suspended          by suspend and reinstate
    granted, suspended → withdrawn, expired
    granted → replaced           by renew and correct, which grant a new one
    reduce, extend               change the scope and keep the state

The database enforces the same transitions (`guard.py`).
"""

import calendar
from collections.abc import Sequence
from datetime import date
from typing import Protocol

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy

from exams.certificates.models import Act, Certificate

State = Certificate.State
Kind = Act.Kind

NOTHING = ""  # the state before the certificate exists
MOVES: dict[Kind, dict[str, State]] = {
    Kind.GRANT: {NOTHING: State.GRANTED},
    Kind.SUSPEND: {State.GRANTED: State.SUSPENDED},
    Kind.REINSTATE: {State.SUSPENDED: State.GRANTED},
    Kind.REDUCE: {State.GRANTED: State.GRANTED, State.SUSPENDED: State.SUSPENDED},
    Kind.EXTEND: {State.GRANTED: State.GRANTED},
    Kind.WITHDRAW: {State.GRANTED: State.WITHDRAWN, State.SUSPENDED: State.WITHDRAWN},
    Kind.EXPIRE: {State.GRANTED: State.EXPIRED, State.SUSPENDED: State.EXPIRED},
    Kind.RENEW: {State.GRANTED: State.REPLACED},
    Kind.CORRECT: {State.GRANTED: State.REPLACED},
}
LIVE = (State.GRANTED, State.SUSPENDED)  # acts are still possible


class Standing(TextChoices):
    """What a certificate is worth on a date."""

    VALID = "valid", pgettext_lazy("certificate", "valid")
    NOT_YET = "not_yet", pgettext_lazy("certificate", "not yet valid")
    SUSPENDED = "suspended", pgettext_lazy("certificate", "suspended")
    EXPIRED = "expired", pgettext_lazy("certificate", "expired")
    WITHDRAWN = "withdrawn", pgettext_lazy("certificate", "withdrawn")
    REPLACED = "replaced", pgettext_lazy("certificate", "replaced by a newer one")


class Dated(Protocol):
    """The part of a certificate that its standing depends on."""

    state: str
    valid_from: date
    valid_until: date


class Illegal(Exception):
    """The certificate's state does not allow this act."""

    def __init__(self, kind: Kind, state: str) -> None:
        self.kind, self.state = kind, state
        super().__init__(f"{kind} is not possible from {state or 'nothing'}")


class UnfitScope(Exception):
    """This act cannot lead to this scope."""


def state_on(certificate: Dated, on: date) -> str:
    """The state on a date: certificates expire by date, recorded or not."""
    return State.EXPIRED if certificate.state in LIVE and on > certificate.valid_until else certificate.state


def standing(certificate: Dated, on: date) -> Standing:
    """What it is worth on this date, by the decisions so far."""
    state = state_on(certificate, on)
    if state == State.GRANTED:
        return Standing.VALID if on >= certificate.valid_from else Standing.NOT_YET
    return Standing(state)


def after(kind: Kind, state: str) -> State:
    """The state an act leads to. Raises Illegal."""
    try:
        return MOVES[kind][state]
    except KeyError:
        raise Illegal(kind, state) from None


def verify(kind: Kind, certificate: Dated, on: date) -> None:
    """Raises Illegal if the act is not allowed on this date."""
    if kind == Kind.EXPIRE:
        if on <= certificate.valid_until:
            raise Illegal(kind, certificate.state)
        after(kind, certificate.state)
    else:
        after(kind, state_on(certificate, on))


def scope_after(kind: Kind, scope: Sequence[str], wanted: Sequence[str], programme: Sequence[str]) -> list[str]:
    """The new scope in the programme's order. Raises UnfitScope unless it is smaller but not empty (REDUCE), or larger
    but within what the programme examines (EXTEND)."""
    chosen = set(wanted)
    if not chosen <= set(programme) | set(scope):
        raise UnfitScope("outside of what the programme examines")
    if kind == Kind.REDUCE and not (chosen and chosen < set(scope)):
        raise UnfitScope("not less than before, or nothing at all")
    if kind == Kind.EXTEND and not chosen > set(scope):
        raise UnfitScope("not more than before")
    return [book for book in dict.fromkeys([*programme, *scope]) if book in chosen]


def add_months(day: date, months: int) -> date:
    """The same day some months later, or the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def validity(decided_on: date, *, months: int, renewal_days: int, former_end: date | None) -> tuple[date, date]:
    """First and last day. Renewing within the window before the former end loses no days."""
    if former_end is not None and 0 <= (former_end - decided_on).days <= renewal_days:
        return decided_on, add_months(former_end, months)
    return decided_on, add_months(decided_on, months)
