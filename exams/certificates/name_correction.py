"""Changing a person's name: one person asks, a second decides.

The account then gets the new name, and certificates with another name are reissued. The database refuses any other
change of an account's name (`exams.records.guard`).
"""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.audit.services import record
from exams.certificates import issuance, lifecycle, services
from exams.certificates.lifecycle import Kind, State
from exams.certificates.models import Certificate
from exams.records.models import NameCorrection
from training.people import second_signature
from training.people.models import Role, User
from training.people.plain_names import is_plain, one_spaced
from training.platform.errors import Refused, Unfit

DECIDE = frozenset({Role.HR, Role.ADMINISTRATOR})


class UnfitName(Unfit):
    field = "name"


def printed_names(holder: User) -> list[str]:
    """The names on certificates that are or may become valid again, and on those still to be issued."""
    names = [certificate.holder_name for certificate in _live(holder)]
    passes = issuance.waiting().filter(sitting__candidate__person=holder)
    return list(dict.fromkeys([*names, *(issuance.printed_name(result) for result in passes)]))


@transaction.atomic
def ask(holder: User, *, by: User, name: str, reason: str) -> NameCorrection:
    _verify_actor(holder, by)
    current = User.objects.select_for_update(no_key=True).get(pk=holder.pk)
    reason, name, before = services.fit_reason(reason), _fit(name), printed_names(current)
    if all(known == name for known in [current.name, *before]):
        raise UnfitName(_("The person already has this name, and nothing is printed in another."))
    if waiting().filter(holder=current).exists():
        raise Refused(_("A correction of this name is already awaiting a decision."))
    asked = NameCorrection.objects.create(
        holder=current, former=current.name, before=before, name=name, reason=reason, asked_by=by, asked_at=clock.now()
    )
    record(by, "name.correction_asked", f"person:{current.pk}", changes=_changes(asked, current))
    return asked


def waiting() -> QuerySet[NameCorrection]:
    """Corrections that wait for a second person."""
    return NameCorrection.objects.filter(decided_at=None)


def _fit(name: str) -> str:
    name = one_spaced(name)
    if not is_plain(name):
        raise UnfitName(_("The name has a character that cannot be printed."))
    try:
        User._meta.get_field("name").clean(name, None)
    except ValidationError as error:
        raise UnfitName(error.messages[0]) from None
    return name


def _changes(asked: NameCorrection, holder: User) -> dict[str, list[object]]:
    """What it changes, for the audit log."""
    changes: dict[str, list[object]] = {}
    if any(printed != asked.name for printed in asked.before):
        changes["printed name"] = [asked.before, asked.name]
    if holder.name != asked.name:
        changes["name"] = [holder.name, asked.name]
    return changes


def verify_confirm(correction: NameCorrection, by: User) -> None:
    _verify_actor(correction.holder, by)
    if correction.decided_at is not None:
        raise Refused(_("This correction has already been decided."))
    second_signature.verify(asked_by=correction.asked_by, signer=by, since=correction.asked_at)
    if any(certificate.state == State.SUSPENDED for certificate in _to_replace(correction)):
        raise Refused(_("A certificate in the old name is suspended: decide on that one first."))


@transaction.atomic
def confirm(correction: NameCorrection, *, by: User) -> list[Certificate]:
    """Rename the account and reissue all certificates that carry another name. Returns the new certificates."""
    # Lock the person first, as in issuing, so that nothing is issued in the former name meanwhile.
    issuance.hold(correction.holder_id)
    current = _locked(correction)
    verify_confirm(current, by)
    holder = current.holder
    changes = _changes(current, holder)
    current.decide(by, accepted=True, at=clock.now())
    User.objects.filter(pk=holder.pk).update(name=current.name)
    pairs = [(former.number, _reissue(former, current, by)) for former in _to_replace(current)]
    record(
        by,
        "name.corrected",
        f"person:{holder.pk}",
        changes=changes,
        asked_by=current.asked_by_id,
        certificates=[[number, made.number] for number, made in pairs],
    )
    return [made for _number, made in pairs]


@transaction.atomic
def refuse(correction: NameCorrection, *, by: User) -> None:
    """Keep the name as it is. The person who asked may also withdraw the request this way."""
    current = _locked(correction)
    _verify_actor(current.holder, by)
    if current.decided_at is not None:
        raise Refused(_("This correction has already been decided."))
    current.decide(by, accepted=False, at=clock.now())
    record(by, "name.correction_refused", f"person:{current.holder_id}", name=current.name)


def _verify_actor(holder: User, by: User) -> None:
    """Raises Refused unless `by` is currently HR or an administrator, and not the holder."""
    if not User.objects.filter(pk=by.pk, is_active=True, role_grants__role__in=DECIDE).exists():
        raise Refused(_("Only human resources and administrators can change a name."))
    if by.pk == holder.pk:
        raise Refused(_("Nobody can change their own name."))


def _live(holder: User) -> list[Certificate]:
    found = Certificate.objects.filter(holder=holder, state__in=lifecycle.LIVE, valid_until__gte=clock.today())
    return list(found.order_by("granted_at", "pk"))


def _to_replace(correction: NameCorrection) -> list[Certificate]:
    return [each for each in _live(correction.holder) if each.holder_name != correction.name]


def _locked(correction: NameCorrection) -> NameCorrection:
    found = NameCorrection.objects.select_for_update(of=("self",), no_key=True).select_related("holder", "asked_by")
    return found.get(pk=correction.pk)


def _reissue(certificate: Certificate, correction: NameCorrection, by: User) -> Certificate:
    """Replaces the certificate by one in the corrected name, with a new number, code and status index."""
    former = services.locked(certificate)
    lifecycle.verify(Kind.CORRECT, former, clock.today())
    services.move(former, Kind.CORRECT, by, reason=correction.reason)
    kept = ("language", "programme_version", "result", "practice", "scope", "valid_from", "valid_until")
    return issuance.create(
        by,
        correction.reason,
        holder=correction.holder,
        holder_name=correction.name,
        replaces=former,
        **{name: getattr(former, name) for name in kept},
    )
