"""The acts on a certificate, one function each. Each is one transaction on the locked row and leaves a numbered `Act`
and an audit entry. Granting and renewing are in `issuance.py`.

For each act a `verify_…` raises if it is not allowed; pages offer only what `allowed_acts` returns.
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from exams import clock
from exams.audit.services import record
from exams.certificates import hooks, letters, lifecycle
from exams.certificates.held import left_without, refreshed_until
from exams.certificates.lifecycle import LIVE, MOVES, Kind
from exams.certificates.models import Act, Certificate
from exams.certificates.sealed_reasons import SEAL, seal_of
from exams.programmes import duties
from training.people import second_signature
from training.people.models import Role, User
from training.platform.errors import Refused, Unfit, passes

MAX_REASON = 2000
ENDS = (Kind.SUSPEND, Kind.WITHDRAW, Kind.REDUCE)  # what it entitled to, it no longer does
RESTED = _("It brought certificate %(number)s up to date, which no longer entitles its holder to deal that.")
EXPIRE_LIMIT = 1000  # rows per run; the next run does the rest


class UnfitReason(Unfit):
    """The reason is missing or too long."""

    field = "reason"


class UnfitScope(Unfit):
    """The chosen rulebooks cannot be the new scope."""

    field = "scope"


# ---- acts of human resources


def verify_suspend(certificate: Certificate, actor: User | None) -> None:
    _verify(Kind.SUSPEND, certificate, actor)


@transaction.atomic
def suspend(*, certificate: Certificate, actor: User | None, reason: str) -> Certificate:
    """Invalid until reinstated. Without an actor, the platform suspends it."""
    current = locked(certificate)
    verify_suspend(current, actor)
    return move(current, Kind.SUSPEND, actor, reason=fit_reason(reason))


def verify_reinstate(certificate: Certificate, actor: User) -> None:
    _verify(Kind.REINSTATE, certificate, actor)
    if any(part and part.sitting.annulled_at for part in (certificate.result, certificate.practice)):
        raise Refused(_("The exam behind it was annulled: it can only be withdrawn."))
    refreshes = certificate.programme_version.rules.refreshes
    if refreshes and refreshed_until(certificate.holder_id, refreshes) is None:
        raise Refused(_("The certificate that this refresher would bring up to date is not valid today."))


@transaction.atomic
def reinstate(*, certificate: Certificate, actor: User, reason: str) -> Certificate:
    current = locked(certificate)
    verify_reinstate(current, actor)
    return move(current, Kind.REINSTATE, actor, reason=fit_reason(reason))


def verify_withdraw(certificate: Certificate, actor: User) -> None:
    _verify(Kind.WITHDRAW, certificate, actor)


@transaction.atomic
def withdraw(*, certificate: Certificate, actor: User, reason: str, second: User | None = None) -> Certificate:
    """Make the certificate invalid for good. Needs a second signer (`withdrawal`) unless the house waived that rule."""
    current = locked(certificate)
    verify_withdraw(current, actor)
    if duties.applies(duties.WITHDRAW):
        if second is None:
            raise Refused(_("It takes two people to withdraw a certificate."))
        second_signature.verify(asked_by=actor, signer=second)
    return move(current, Kind.WITHDRAW, actor, reason=fit_reason(reason))


def verify_reduce(certificate: Certificate, actor: User) -> None:
    _verify(Kind.REDUCE, certificate, actor)
    if len(certificate.scope) < 2:
        raise Refused(_("It covers only one rulebook: suspend or withdraw it instead."))


@transaction.atomic
def reduce(*, certificate: Certificate, actor: User, reason: str, scope: Sequence[str]) -> Certificate:
    """Keep only these rulebooks."""
    current = locked(certificate)
    verify_reduce(current, actor)
    left = _scope(Kind.REDUCE, current, scope, _("Choose fewer rulebooks than now, and at least one."))
    return move(current, Kind.REDUCE, actor, reason=fit_reason(reason), scope=left)


def verify_extend(certificate: Certificate, actor: User) -> None:
    _verify(Kind.EXTEND, certificate, actor)
    if not set(certificate.programme_version.rules.rulebooks) - set(certificate.scope):
        raise Refused(_("It already covers everything that its programme examines."))


@transaction.atomic
def extend(*, certificate: Certificate, actor: User, reason: str, scope: Sequence[str]) -> Certificate:
    """Add rulebooks: `scope` is the whole new scope, within what the programme examined."""
    current = locked(certificate)
    verify_extend(current, actor)
    more = _scope(
        Kind.EXTEND, current, scope, _("Choose what it covers now and more, from what its programme examines.")
    )
    return move(current, Kind.EXTEND, actor, reason=fit_reason(reason), scope=more)


def allowed_acts(certificate: Certificate, actor: User) -> list[str]:
    """The names of the acts this person may perform on this certificate now."""
    checks = {
        "suspend": verify_suspend,
        "reinstate": verify_reinstate,
        "reduce": verify_reduce,
        "extend": verify_extend,
        "withdraw": verify_withdraw,
    }
    return [name for name, verify in checks.items() if passes(verify, certificate, actor)]


# ---- acts of the calendar


@transaction.atomic
def expire(*, certificate: Certificate) -> Certificate | None:
    """Record that it has expired. Returns None if it has not, or another process recorded it first."""
    current = locked(certificate)
    try:
        lifecycle.verify(Kind.EXPIRE, current, clock.today())
    except lifecycle.Illegal:
        return None
    return move(current, Kind.EXPIRE, None)


def expire_due() -> int:
    """Record the end of all expired certificates. Returns how many."""
    over = Certificate.objects.filter(state__in=LIVE, valid_until__lt=clock.today()).order_by("valid_until")
    return sum(expire(certificate=certificate) is not None for certificate in over[:EXPIRE_LIMIT])


# ---- shared with issuing


def verify_actor(holder_id: int, actor: User | None) -> None:
    """Raises Refused unless the actor is HR and not the holder. None stands for a rule or the calendar."""
    if actor is None:
        return
    if Role.HR not in actor.roles:
        raise Refused(_("Only human resources can act on certificates."))
    if actor.pk == holder_id:
        raise Refused(_("Nobody can act on their own certificate."))


def fit_reason(reason: str) -> str:
    reason = reason.strip()
    if not reason:
        raise UnfitReason(_("Say why, in a sentence."))
    if len(reason) > MAX_REASON:
        raise UnfitReason(_("The reason is longer than %(limit)d characters.") % {"limit": MAX_REASON})
    return reason


def locked(certificate: Certificate) -> Certificate:
    """The current certificate, locked against other acts."""
    return (
        Certificate.objects.select_for_update(of=("self",), no_key=True)
        .select_related("programme_version__programme")
        .get(pk=certificate.pk)
    )


def move(
    certificate: Certificate, kind: Kind, actor: User | None, *, reason: str = "", scope: list[str] | None = None
) -> Certificate:
    """Apply a verified act to a locked certificate and record it."""
    state, former = certificate.state, certificate.scope
    certificate.state = lifecycle.after(kind, state)
    certificate.scope = former if scope is None else scope
    certificate.save(update_fields=["state", "scope"])
    leave_act(certificate, kind, actor, reason=reason, state_before=state, scope_before=former)
    if kind in ENDS:
        _suspend_refreshers(certificate)
    return certificate


def _suspend_refreshers(certificate: Certificate) -> None:
    """A refresher asked only what changed: it is worth nothing without the certificate that it brought up to date."""
    for one in left_without(certificate):
        current = locked(one)
        if current.state in MOVES[Kind.SUSPEND]:
            with override(current.language):
                words = str(RESTED) % {"number": certificate.number}
            move(current, Kind.SUSPEND, None, reason=words)


def leave_act(
    certificate: Certificate, kind: Kind, actor: User | None, *, reason: str, state_before: str, scope_before: list[str]
) -> None:
    """Store the numbered act, its letters and an audit entry. The reason stays with the act; the log has its seal."""
    last = Act.objects.filter(certificate=certificate).aggregate(last=Max("number"))["last"] or 0
    act = Act.objects.create(
        certificate=certificate,
        number=last + 1,
        kind=kind,
        actor=actor,
        reason=reason,
        at=clock.now(),
        state_before=state_before,
        state_after=certificate.state,
        scope_before=scope_before,
        scope_after=certificate.scope,
    )
    letters.write(act)
    hooks.certificate_changed(act)
    record(
        actor,
        f"certificate.{kind}",
        f"certificate:{certificate.pk}",
        number=certificate.number,
        step=act.number,
        state=certificate.state,
        scope=certificate.scope,
        **(duties.noted(duties.WITHDRAW) if kind == Kind.WITHDRAW else {}),
        **{SEAL: seal_of(certificate.pk, act.number, reason)},
    )


def _verify(kind: Kind, certificate: Certificate, actor: User | None) -> None:
    verify_actor(certificate.holder_id, actor)
    try:
        lifecycle.verify(kind, certificate, clock.today())
    except lifecycle.Illegal:
        standing = lifecycle.standing(certificate, clock.today())
        raise Refused(_("Not possible: the certificate is %(state)s.") % {"state": standing.label}) from None


def _scope(kind: Kind, certificate: Certificate, wanted: Sequence[str], advice: Promise) -> list[str]:
    try:
        return lifecycle.scope_after(kind, certificate.scope, wanted, certificate.programme_version.rules.rulebooks)
    except lifecycle.UnfitScope:
        raise UnfitScope(advice) from None
