"""Annulling a sitting or giving the attempt back after an incident.

Somebody who saw the incident requests it. An examiner decides; if the programme says so, a second person. Decisions are
final.
"""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.audit.services import record
from exams.invigilation.acts import may_invigilate
from exams.programmes.models import Examiner
from exams.records.models import Sitting
from exams.results import hooks, letters, recording, services
from exams.results.held_scores import is_held_back
from exams.results.models import Annulment, Result
from training.people import second_signature
from training.people.models import Role, User
from training.people.second_signature import Asked
from training.platform.errors import Refused, Unfit, passes

LONGEST = 2000
Remedy = Annulment.Remedy
PASSED = _("The exam was passed: there is no attempt to give back.")
NOT_YET = _("Others are still answering the same questions. The attempt can be given back once they have finished.")


class UnfitReason(Unfit):
    field = "reason"


class UnfitRemedy(Unfit):
    field = "remedy"


# ---- asking


def concerns(by: User, sitting: Sitting) -> bool:
    """Whether this person may ask about the sitting: they invigilated it or may examine in its programme."""
    session = sitting.candidate.session
    if sitting.candidate.person_id == by.pk:
        return False
    return may_invigilate(by, session) or services.may_examine(by, session.programme_version)


def verify_ask(sitting: Sitting, by: User) -> None:
    if not concerns(by, sitting):
        raise Refused(_("Only the invigilators and examiners of an exam can ask for this."))
    if sitting.closed_at is None:
        raise Refused(_("The exam is still open. Close it first, saying why."))
    if sitting.annulled_at or sitting.try_back:
        raise Refused(_("This has already been decided and stands."))
    if Annulment.objects.filter(sitting=sitting, decided_at=None).exists():
        raise Refused(_("It has already been asked for and is waiting for a second person."))


def may_ask(sitting: Sitting, by: User) -> bool:
    return passes(verify_ask, sitting, by)


@transaction.atomic
def ask(sitting: Sitting, *, by: User, remedy: str, reason: str) -> Annulment:
    """Request it. Decided at once if the programme needs only one examiner and `by` is one."""
    held = recording.locked(sitting.pk)
    verify_ask(held, by)
    _verify_remedy(held, remedy, by)
    asked = Annulment.objects.create(
        sitting=held, remedy=remedy, reason=_fit(reason), by_two=needs_two(held), asked_by=by, asked_at=clock.now()
    )
    version = held.candidate.session.programme_version
    if not asked.by_two and passes(services.verify_judge, by, held.candidate, version):
        _carry_out(asked, held, by)
    else:
        record(by, "annulment.asked", _subject(held), remedy=remedy, reason=asked.reason)
    return asked


def given_back(sitting: Sitting) -> int:
    """How many attempts the candidate has already been given back in this programme."""
    candidate = sitting.candidate
    programme = candidate.session.programme_version.programme_id
    before = Sitting.objects.filter(
        candidate__person=candidate.person_id, candidate__session__programme_version__programme=programme, try_back=True
    )
    return before.exclude(pk=sitting.pk).count()


def needs_two(sitting: Sitting) -> bool:
    """Whether a second person must confirm: if the programme says so, or an attempt was already given back."""
    return sitting.candidate.session.programme_version.rules.annulment == "by_two" or given_back(sitting) > 0


def is_passed(sitting: Sitting) -> bool:
    """Whether it is decided as passed, so there is no attempt to give back."""
    return Result.objects.filter(sitting=sitting, in_force=True, passed=True, decided_at__isnull=False).exists()


def is_result_secret(sitting: Sitting) -> bool:
    """Whether the result is not shown to anybody yet, because others still answer the same cases."""
    seen = Result.objects.filter(sitting=sitting, in_force=True, released_at__isnull=False)
    return not seen.exists() and is_held_back(sitting.pk)


def may_know_passed(sitting: Sitting, reader: User) -> bool:
    """Whether the exam is passed and this reader may know it. Invigilators who do not examine may not, and nobody may
    while others still answer the same cases."""
    if not services.may_examine(reader, sitting.candidate.session.programme_version):
        return False
    return is_passed(sitting) and not is_result_secret(sitting)


def _verify_remedy(sitting: Sitting, remedy: str, by: User) -> None:
    """Raises UnfitRemedy if the remedy does not fit. Somebody who may not know the result must not learn from the
    refusal that the exam is passed; in that case the examiner decides."""
    if remedy not in Remedy.values:
        raise UnfitRemedy(_("Choose what should be done."))
    if remedy != Remedy.TRY_BACK or not services.may_examine(by, sitting.candidate.session.programme_version):
        return
    if is_result_secret(sitting):
        raise UnfitRemedy(NOT_YET)
    if is_passed(sitting):
        raise UnfitRemedy(PASSED)


def _fit(reason: str) -> str:
    reason = reason.replace("\r\n", "\n").replace("\x00", "").strip()
    if not reason:
        raise UnfitReason(_("Say why, in a sentence."))
    if len(reason) > LONGEST:
        raise UnfitReason(_("The reason is longer than %(limit)d characters.") % {"limit": LONGEST})
    return reason


# ---- deciding


def verify_confirm(asked: Annulment, by: User) -> None:
    _verify_decide(asked, by)
    if asked.by_two:
        second_signature.verify(asked_by=asked.asked_by, signer=by, since=asked.asked_at)
    _verify_remedy(asked.sitting, asked.remedy, by)


@transaction.atomic
def confirm(asked: Annulment, *, by: User) -> Annulment:
    held = recording.locked(asked.sitting_id)
    current = Annulment.objects.get(pk=asked.pk)  # reload now that the sitting is locked
    verify_confirm(current, by)
    _carry_out(current, held, by)
    return current


@transaction.atomic
def refuse(asked: Annulment, *, by: User) -> None:
    """Leave the sitting as it is. The person who asked may also withdraw the request this way."""
    held = recording.locked(asked.sitting_id)
    current = Annulment.objects.get(pk=asked.pk)
    if current.asked_by_id != by.pk or current.decided_at:
        _verify_decide(current, by)
    current.decide(by, accepted=False, at=clock.now())
    record(by, "annulment.refused", _subject(held), remedy=current.remedy, asked_by=current.asked_by_id)


def _verify_decide(asked: Annulment, by: User) -> None:
    sitting = asked.sitting
    services.verify_judge(by, sitting.candidate, sitting.candidate.session.programme_version)
    if asked.decided_at:
        raise Refused(_("This has already been decided and stands."))


def _carry_out(asked: Annulment, sitting: Sitting, by: User) -> None:
    now = clock.now()
    asked.decide(by, accepted=True, at=now)
    result = Result.objects.filter(sitting=sitting, in_force=True).first()
    if asked.annuls:
        sitting.annulled_at = now
    sitting.try_back = asked.gives_back
    sitting.save(update_fields=["annulled_at", "try_back"])
    if asked.annuls and result:
        Result.objects.filter(pk=result.pk).update(in_force=False, letter_owed=False)
        hooks.result_annulled(result.pk)
    letters.tell_annulled(asked)
    record(
        by,
        "sitting.annulled" if asked.annuls else "sitting.try_given_back",
        _subject(sitting),
        reason=asked.reason,
        asked_by=asked.asked_by_id,
        try_back=asked.gives_back,
        result=result.pk if result else None,
    )


def _subject(sitting: Sitting) -> str:
    return f"sitting:{sitting.pk}"


# ---- reading


def seen_by(person: User) -> QuerySet[Annulment]:
    """The requests this person made, and those in programmes where they may examine, except about themselves; all for
    auditors."""
    found = Annulment.objects.select_related(
        "sitting__candidate__person", "sitting__candidate__session__programme_version", "asked_by", "decided_by"
    ).exclude(sitting__candidate__person=person)
    if not person.roles.isdisjoint({Role.ADMINISTRATOR, Role.AUDITOR}):
        return found
    asked = Q(asked_by=person)
    if Role.INSTRUCTOR not in person.roles:
        return found.filter(asked)
    version = "sitting__candidate__session__programme_version"
    appointed = Examiner.objects.filter(person=person, programme=OuterRef(f"{version}__programme"))
    closed_to_them = Q(**{f"{version}__rules_document__examiners": "appointed"}) & ~Exists(appointed)
    return found.filter(asked | ~closed_to_them)


def to_decide(person: User) -> int:
    """How many pending requests this person may decide. Not their own, nor those for which they do not count as a
    second person."""
    waiting = seen_by(person).filter(decided_at=None).exclude(asked_by=person)
    rows = [(by_two, Asked(asker, at)) for by_two, asker, at in waiting.values_list("by_two", "asked_by", "asked_at")]
    refused = second_signature.refused(person, [asked for _by_two, asked in rows])
    return sum(not by_two or asked not in refused for by_two, asked in rows)
