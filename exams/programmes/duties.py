"""The separation of duties: which acts one person may not do alone or together with another one (ISO/IEC 17024).

Services ask `applies` before an act. A small house may waive the rules that have a key: one administrator asks, giving
a reason, and a second one signs; any administrator can end it. Audit entries of acts done meanwhile say so.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exams import clock
from exams.audit.services import record
from exams.programmes.models import Relaxation
from training.people import second_signature
from training.people.models import Role, User
from training.platform.errors import Refused

SHORTEST, LONGEST = 20, 1000
STANDARD, REDECIDE, REGRADE, WITHDRAW = "standard", "redecide", "regrade", "withdraw"


@dataclass(frozen=True)
class Duty:
    """A rule of the table. One with a `key` can be waived; for the others `how` says why not, or where it is set."""

    act: Promise
    rule: Promise
    key: str = ""
    how: Promise | str = ""


ALWAYS = gettext_lazy("Always")
DUTIES = (
    Duty(
        gettext_lazy("Create a programme, put it in force"),
        gettext_lazy("Whoever wrote a version does not put it in force."),
        how=ALWAYS,
    ),
    Duty(
        gettext_lazy("Put a programme in force"),
        gettext_lazy("At least two judges have set its pass mark."),
        key=STANDARD,
    ),
    Duty(
        gettext_lazy("Set up a session, invigilate"),
        gettext_lazy("Nobody sets up or invigilates a session that they sit."),
        how=ALWAYS,
    ),
    Duty(
        gettext_lazy("Confirm an identity"),
        gettext_lazy("Not by human resources, nor by whoever created or changed the account."),
        how=ALWAYS,
    ),
    Duty(
        gettext_lazy("Decide"),
        gettext_lazy("Nobody decides on themselves or on somebody they ever taught."),
        how=gettext_lazy("The programme may allow whoever taught; two people put it in force"),
    ),
    Duty(
        gettext_lazy("Decide again"),
        gettext_lazy("Whoever decided a result does not decide again after a regrade or an appeal."),
        key=REDECIDE,
    ),
    Duty(gettext_lazy("Release"), gettext_lazy("Nobody releases their own result."), how=ALWAYS),
    Duty(
        gettext_lazy("Annul a sitting, give an attempt back"),
        gettext_lazy("One person asks, a second one confirms."),
        how=gettext_lazy("The programme may leave the first time to one examiner; two people put it in force"),
    ),
    Duty(
        gettext_lazy("Issue"),
        gettext_lazy(
            "Whoever confirmed the identity does not issue the certificate; without a confirmed identity it takes two."
        ),
        how=ALWAYS,
    ),
    Duty(gettext_lazy("Withdraw"), gettext_lazy("It takes two people to withdraw a certificate."), key=WITHDRAW),
    Duty(gettext_lazy("Regrade"), gettext_lazy("Whoever started a regrade does not publish it."), key=REGRADE),
)
LIFTED = {duty.key: duty for duty in DUTIES if duty.key}


def applies(key: str) -> bool:
    """Whether the rule is in force now."""
    return not _in_force().filter(line=key).exists()


def noted(*keys: str) -> dict[str, Any]:
    """For the audit entry of an act: which of these rules were waived at the time."""
    lifted = sorted(_in_force().filter(line__in=keys).values_list("line", flat=True))
    return {"lifted": lifted} if lifted else {}


def _in_force() -> Any:
    return Relaxation.objects.filter(signed_at__isnull=False, ended_at=None)


# ---- the table


@dataclass(frozen=True)
class Row:
    duty: Duty
    relaxation: Relaxation | None


def table() -> list[Row]:
    """Every rule with the waiver that is in force or asked for, in one query."""
    found = Relaxation.objects.filter(ended_at=None).select_related("asked_by", "signed_by")
    current = {one.line: one for one in found}
    return [Row(duty, current.get(duty.key)) for duty in DUTIES]


def lifted_since(moment: datetime) -> list[Relaxation]:
    """The waivers that were in force at some time since then, oldest first."""
    found = Relaxation.objects.filter(signed_at__isnull=False).exclude(ended_at__lt=moment)
    return list(found.select_related("asked_by", "signed_by").order_by("signed_at"))


# ---- waiving a rule


@transaction.atomic
def ask(key: str, *, by: User, reason: str) -> Relaxation:
    """Ask to waive a rule. It stays in force until a second person has signed."""
    _verify_administrator(by)
    if key not in LIFTED:
        raise Refused(_("This rule cannot be waived."))
    reason = reason.strip()
    if not SHORTEST <= len(reason) <= LONGEST:
        message = _("Say why the house cannot follow it, in %(least)d to %(most)d characters.")
        raise Refused(message % {"least": SHORTEST, "most": LONGEST})
    try:
        with transaction.atomic():
            made = Relaxation.objects.create(line=key, reason=reason, asked_by=by, asked_at=clock.now())
    except IntegrityError:
        raise Refused(_("This rule is already waived, or somebody has asked for it.")) from None
    record(by, "duty.asked", f"duty:{key}", line=key, reason=reason)
    return made


def verify_sign(relaxation: Relaxation, by: User) -> None:
    _verify_administrator(by)
    if relaxation.signed_at or relaxation.ended_at:
        raise Refused(_("This has already been decided."))
    second_signature.verify(asked_by=relaxation.asked_by, signer=by, since=relaxation.asked_at)
    if not relaxation.asked_by.is_active or Role.ADMINISTRATOR not in relaxation.asked_by.roles:
        raise Refused(_("Whoever asked for this is no longer an administrator, so somebody else must ask."))


@transaction.atomic
def sign(relaxation: Relaxation, *, by: User) -> None:
    """Waive the rule, as the second person."""
    current = _locked(relaxation)
    verify_sign(current, by)
    current.signed_by, current.signed_at = by, clock.now()
    current.save(update_fields=["signed_by", "signed_at"])
    record(
        by,
        "duty.lifted",
        f"duty:{current.line}",
        line=current.line,
        asked_by=current.asked_by_id,
        reason=current.reason,
    )


@transaction.atomic
def end(relaxation: Relaxation, *, by: User) -> None:
    """Put the rule back in force, or take back the request to waive it."""
    current = _locked(relaxation)
    _verify_administrator(by)
    if current.ended_at:
        raise Refused(_("This rule is already in force."))
    current.ended_by, current.ended_at = by, clock.now()
    current.save(update_fields=["ended_by", "ended_at"])
    record(by, "duty.restored", f"duty:{current.line}", line=current.line)


def _verify_administrator(by: User) -> None:
    if Role.ADMINISTRATOR not in by.roles:
        raise Refused(_("Only administrators change the separation of duties."))


def _locked(relaxation: Relaxation) -> Relaxation:
    found = Relaxation.objects.select_for_update(of=("self",), no_key=True).select_related("asked_by")
    return found.get(pk=relaxation.pk)
