"""Granting and renewing certificates for decided results.

`follow` runs for every decided result, possibly many times or days later: it reads the database and does what is left
to do. A message only wakes it; `sweep` finds what no message reached.
"""

import secrets
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import DateTimeField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from exams import clock
from exams.certificates import annulled, both_parts, lifecycle, printing, services
from exams.certificates.held import refreshed_until
from exams.certificates.lifecycle import NOTHING, Kind, State
from exams.certificates.models import Act, Certificate
from exams.invigilation.acts import identity_of, moved_since_check
from exams.programmes.models import Programme, ProgrammeVersion
from exams.records import names
from exams.records.models import Event
from exams.results.models import Result
from training.people import second_signature
from training.people.models import User
from training.people.second_signature import Asked
from training.platform import pending
from training.platform.broker import send_on_commit
from training.platform.errors import Refused

log = structlog.get_logger(__name__)

# Without characters that are easily confused: 0 O, 1 I L, U V.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTWXYZ"
CODE_LENGTH = 12
NUMBER_LETTERS = 4
STATUS_LIST_BITS = 131_072  # the minimum in the specification, so that one entry hides among many
SWEEP_LIMIT = 500
# Decision and suspension may be timestamped by two machines; their clocks differ by less than this.
SKEW = timedelta(minutes=1)


class HeldBack(Refused):
    """No automatic certificate: a person must decide first."""


# ---- what follows from a result


def wake(result_id: UUID) -> None:
    from exams.certificates import tasks

    send_on_commit(tasks.follow_result, str(result_id))


def follow(result_id: UUID) -> Certificate | None:
    """Issue, suspend or do nothing, depending on the result and the programme's rules."""
    result = results().get(pk=result_id)
    if result.sitting.annulled_at:
        return annulled.suspend(result)
    if not result.in_force or result.decided_at is None:
        return None
    if not result.passed:
        return suspend_after(result)
    if result.sitting.candidate.session.is_practical:
        return _follow_practice(result)
    return _follow_theory(result)


def _follow_practice(practice: Result) -> Certificate | None:
    """The theory that was waiting for this practical exam now gives a certificate."""
    theory = _to_issue().filter(
        sitting__candidate__person=practice.sitting.candidate.person_id,
        programme_version__programme=practice.programme_version.programme_id,
    )
    made = [certificate for result in theory if (certificate := _follow_theory(result))]
    return made[0] if made else None


def _follow_theory(result: Result) -> Certificate | None:
    if result.programme_version.rules.certificate != "by_rule":
        return None
    try:
        return _issue(result, None)
    except Refused as refusal:
        log.debug("certificate_not_issued", result=str(result.pk), why=str(refusal))
        return None


def suspend_after(result: Result) -> Certificate | None:
    """Suspend the certificate of a result that no longer passes; HR decides what happens next.

    Once per result: a certificate that HR has reinstated since stays valid.
    """
    certificate = Certificate.objects.filter(both_parts.rests_on(result.sitting_id), state=State.GRANTED).first()
    if certificate is None or not _to_suspend().filter(pk=result.pk).exists():
        return None
    with override(certificate.language):
        reason = str(_("The exam was graded again and is no longer a pass."))
    try:
        return services.suspend(certificate=certificate, actor=None, reason=reason)
    except Refused:  # it has just ended, or was suspended concurrently
        return None


def sweep() -> int:
    """Follow up results and annulments that no message reached. Returns how many."""
    return sum(
        pending.sweep(
            waiting.values_list("pk", flat=True),
            lambda pk: follow(pk) is not None,
            limit=SWEEP_LIMIT,
            what="certificate",
        )
        for waiting in (_to_issue(), _to_suspend(), annulled.waiting(results(), SKEW))
    )


# ---- issuing


@transaction.atomic
def issue(*, result: Result, actor: User, reason: str) -> Certificate:
    """Issue as HR, if the programme leaves it to them or the rule was held back. If nobody confirmed who sat the exam,
    issuing takes two people and a reason (`unconfirmed_identity`)."""
    return _issue(results().get(pk=result.pk), actor, services.fit_reason(reason) if reason.strip() else "")


def verify_issue(result: Result, actor: User | None) -> None:
    """Raises Refused if this result gives no certificate or this person may not issue it alone."""
    verify_gives(result, actor)
    verify_identity(result)
    practice = both_parts.practice_for(result)
    if practice is not None:
        verify_identity(practice)
    if actor is not None:
        for part in filter(None, (result, practice)):
            _verify_not_invigilator(part, actor)


def _verify_not_invigilator(result: Result, actor: User) -> None:
    """Raises Refused if the actor, or the person behind their account, also confirmed the identity."""
    looked = Event.objects.filter(sitting=result.sitting_id, kind=Event.Kind.IDENTITY, by__isnull=False)
    if looked.filter(by=actor).exists():
        raise Refused(_("You confirmed the identity in this exam: somebody else must issue the certificate."))
    if second_signature.refused_until_confirmed(actor, [Asked(*row) for row in looked.values_list("by_id", "at")]):
        raise Refused(
            _(
                "One person alone could be behind your account and that of the invigilator who confirmed the identity. "
                "Somebody else must issue the certificate, or another administrator must first confirm one of the two "
                "accounts on its page under “People”."
            )
        )


def verify_identity(result: Result) -> None:
    """Raises HeldBack unless an invigilator compared the name to be printed, or two people changed it since."""
    looked = identity_of(result.sitting_id)
    if looked is None and moved_since_check(result.sitting_id):
        raise HeldBack(
            _(
                "An invigilator checked who sat this exam, but it then moved to another browser, "
                "and nobody checked again."
            )
        )
    if looked is None:
        raise HeldBack(_("No invigilator has checked who sat this exam."))
    if not names.covers(result.sitting.candidate, compared=looked.text, at=looked.at):
        raise HeldBack(_("The invigilator compared a different name from the one to be printed."))


def verify_gives(result: Result, actor: User | None) -> None:
    """Raises Refused if this result gives no certificate, whoever issues it."""
    services.verify_actor(result.sitting.candidate.person_id, actor)
    if not (result.in_force and result.passed and result.decided_at):
        raise Refused(_("Only an exam that has been decided and passed leads to a certificate."))
    # Not before the release: the certificate would reveal the result.
    if result.released_at is None:
        raise Refused(_("The result has not been released yet."))
    if Certificate.objects.filter(result__sitting=result.sitting_id).exists():
        raise Refused(_("This exam has already led to a certificate."))
    both_parts.verify(result)
    former = former_of(result)
    if former and former.result and former.result.sitting.started_at > result.sitting.started_at:
        raise Refused(_("A later exam has already led to a certificate."))
    if former and lifecycle.state_on(former, clock.today()) == State.SUSPENDED:
        raise HeldBack(_("An earlier certificate is suspended: decide on that one first."))
    if actor is None and _withdrawn_since(result):
        raise HeldBack(_("A certificate of this programme was withdrawn after this exam had begun."))
    refreshes = result.programme_version.rules.refreshes
    if refreshes and refreshed_until(result.sitting.candidate.person_id, refreshes) is None:
        raise HeldBack(_("The certificate that this refresher would bring up to date is not valid today."))
    if validity_of(result, former)[1] < clock.today():
        raise Refused(_("The certificate would already have expired."))


@transaction.atomic
def _issue(result: Result, actor: User | None, reason: str = "") -> Certificate:
    hold(result.sitting.candidate.person_id)
    verify_issue(result, actor)
    return grant(result, actor, reason)


def hold(holder_id: int) -> None:
    """Lock the person and their certificates until the transaction ends."""
    User.objects.select_for_update(no_key=True).get(pk=holder_id)
    # So that the former certificate is not suspended or withdrawn meanwhile.
    list(Certificate.objects.select_for_update(no_key=True).filter(holder=holder_id).order_by("pk"))


def grant(result: Result, actor: User | None, reason: str) -> Certificate:
    """Create the certificate for a verified result whose holder is locked."""
    holder, former = result.sitting.candidate.person, former_of(result)
    both_parts.verify(result)
    begins, ends = validity_of(result, former)
    renewed = former if former and lifecycle.state_on(former, clock.today()) == State.GRANTED else None
    if renewed is not None:
        services.move(services.locked(renewed), Kind.RENEW, actor, reason=reason)
    return create(
        actor,
        reason,
        holder=holder,
        holder_name=printed_name(result),
        language=holder.language,
        programme_version=result.programme_version,
        result=result,
        practice=both_parts.practice_for(result),
        scope=list(result.programme_version.rules.rulebooks),
        valid_from=begins,
        valid_until=ends,
        replaces=renewed,
    )


def create(
    actor: User | None, reason: str, *, programme_version: ProgrammeVersion, language: str, **fields: Any
) -> Certificate:
    """Store a certificate with a new number, code and status index, and record that it was granted."""
    certificate = Certificate.objects.create(
        number=next_number(programme_version.programme_id),
        code=new_code(),
        granted_at=clock.now(),
        status_index=free_status_index(),
        printed=printing.of_today(
            programme_version, language, printing.days_of(fields.get("result"), fields.get("practice"))
        ),
        programme_version=programme_version,
        language=language,
        **fields,
    )
    services.leave_act(certificate, Kind.GRANT, actor, reason=reason, state_before=NOTHING, scope_before=[])
    return certificate


def printed_name(result: Result) -> str:
    """The candidate's name at entry, unless two people have changed it since."""
    return names.printed(result.sitting.candidate)


def former_of(result: Result) -> Certificate | None:
    """The latest certificate of the same programme, which this one would follow."""
    return (
        Certificate.objects.filter(
            holder=result.sitting.candidate.person_id,
            programme_version__programme=result.programme_version.programme_id,
            state__in=[State.GRANTED, State.SUSPENDED, State.EXPIRED],
        )
        .select_related("result__sitting")
        .order_by("-valid_until", "-granted_at")
        .first()
    )


def validity_of(result: Result, former: Certificate | None) -> tuple[date, date]:
    """First and last day. A refresher is valid no longer than the certificate that it brings up to date."""
    rules = result.programme_version.rules
    practice = both_parts.practice_for(result)
    decided = [part.decided_at for part in (result, practice) if part and part.decided_at]
    begins, ends = lifecycle.validity(
        timezone.localdate(max(decided), timezone.get_default_timezone()),
        months=rules.valid_months,
        renewal_days=rules.renewal_days,
        former_end=former.valid_until if former else None,
    )
    until = refreshed_until(result.sitting.candidate.person_id, rules.refreshes) if rules.refreshes else None
    return begins, min(ends, until) if until else ends


def _withdrawn_since(result: Result) -> bool:
    """Whether a certificate was withdrawn after the exam began: then only a new exam counts, even if an appeal or
    regrade passes this one later. The same goes for the practical exam."""
    practice = both_parts.practice_for(result)
    return Act.objects.filter(
        kind=Kind.WITHDRAW,
        at__gte=min(part.sitting.started_at for part in (result, practice) if part),
        certificate__holder=result.sitting.candidate.person_id,
        certificate__programme_version__programme=result.programme_version.programme_id,
    ).exists()


# ---- numbers


def next_number(programme_id: UUID) -> str:
    """E.g. `CDF-PT-2026-000123-K7QX`, counted per programme and year. Locks the programme's row.

    The random letters at the end keep a number from being used again after a backup was restored: what was issued since
    the backup is unknown then, and counting begins again where the backup was made.
    """
    programme = Programme.objects.select_for_update(no_key=True).get(pk=programme_id)
    prefix = f"{programme.code.upper()}-{clock.today().year}-"
    last = (
        Certificate.objects.filter(number__startswith=prefix, programme_version__programme=programme)
        .order_by("-number")
        .values_list("number", flat=True)
        .first()
    )
    counted = int(last.removeprefix(prefix).partition("-")[0]) if last else 0
    letters = "".join(secrets.choice(ALPHABET) for _place in range(NUMBER_LETTERS))
    return f"{prefix}{counted + 1:06d}-{letters}"


def new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _place in range(CODE_LENGTH))


def free_status_index() -> int:
    """A random free index in the current status list; a list is used until it is half full."""
    list_no = Certificate.objects.count() // (STATUS_LIST_BITS // 2)
    while True:
        index = list_no * STATUS_LIST_BITS + secrets.randbelow(STATUS_LIST_BITS)
        if not Certificate.objects.filter(status_index=index).exists():
            return index


# ---- reading


def results() -> QuerySet[Result]:
    return Result.objects.select_related(
        "programme_version__programme",
        "sitting__candidate__person",
        "sitting__candidate__session__programme_version",
    )


def waiting() -> QuerySet[Result]:
    """Released passes without a certificate, which HR may issue, oldest first. Where the programme has a practical exam
    only once that is passed too."""
    there = Certificate.objects.filter(result__sitting=OuterRef("sitting"))
    decided = results().filter(
        ~Exists(there), in_force=True, passed=True, decided_at__isnull=False, released_at__isnull=False
    )
    return both_parts.with_practice(decided).order_by("decided_at")


def waiting_for(person: User) -> QuerySet[Result]:
    """Those of one person."""
    return waiting().filter(sitting__candidate__person=person)


def _to_issue() -> QuerySet[Result]:
    # Newest first: results that are held back stay in this list and must not block others.
    by_rule = Q(programme_version__rules_document__certificate="by_rule")
    by_default = Q(programme_version__rules_document__certificate__isnull=True)
    return waiting().filter(by_rule | by_default).order_by("-decided_at")


def _to_suspend() -> QuerySet[Result]:
    """Failed results in force whose certificate is still valid and was not suspended for it."""
    on_theory = Q(certificate__result__sitting=OuterRef("sitting"))
    met = Act.objects.filter(
        on_theory | Q(certificate__practice__sitting=OuterRef("sitting")),
        kind=Kind.SUSPEND,
        actor=None,
        at__gte=ExpressionWrapper(OuterRef("decided_at") - SKEW, DateTimeField()),
    )
    return (
        results()
        .filter(in_force=True, passed=False, decided_at__isnull=False)
        .filter(
            Q(sitting__results__certificates__state="granted")
            | Q(sitting__results__certificates_of_practice__state="granted")
        )
        .filter(~Exists(met))
        .distinct()
    )
