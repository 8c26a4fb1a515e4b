"""What examiners do with results: decide where the programme leaves it to them, release, retry grading."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from exams import clock
from exams.audit.services import record
from exams.impartiality import Partial, verify_examiner, verify_impartial
from exams.programmes import duties
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Candidate, Session, Sitting
from exams.results import grading, hooks, recording
from exams.results.held_scores import held_back, is_held_back
from exams.results.models import Annulment, Result
from exams.results.selectors import items_shown
from training.people import second_signature
from training.people.models import User
from training.people.second_signature import Asked
from training.platform.errors import Refused, passes


def may_examine(person: User, version: ProgrammeVersion) -> bool:
    return passes(verify_examiner, person, version)


def verify_judge(examiner: User, candidate: Candidate, version: ProgrammeVersion) -> None:
    """Raises Refused, with the candidate's name, if this person may not judge this candidate."""
    try:
        verify_examiner(examiner, version)
        verify_impartial(examiner, candidate.person, version)
        if Candidate.objects.filter(session=candidate.session_id, person=examiner).exists():
            raise Partial(_("You are a candidate in this session yourself: somebody else must decide."))
    except Partial as refusal:
        raise Refused(f"{candidate.person.name}: {refusal}") from None


# ---- deciding


class NotYet(Refused):
    """The result must be decided later: something it depends on is still open."""


def verify_decide(examiner: User, result: Result) -> None:
    """Raises Refused if this person may not decide the result or nobody needs to, NotYet if it is too early."""
    verify_judge(examiner, result.sitting.candidate, result.programme_version)
    if result.programme_version.rules.decision != "by_examiner":
        raise Refused(_("In this programme the rules decide."))
    if not result.in_force or result.decided_at:
        raise Refused(_("This result has already been decided."))
    _verify_not_again(examiner, result)
    _verify_settled(result)


def _verify_not_again(examiner: User, result: Result) -> None:
    """Raises Refused if this person, or whoever is behind their account, decided an earlier result of the sitting."""
    before = Result.objects.filter(sitting=result.sitting_id, decided_by__isnull=False).exclude(pk=result.pk)
    deciders = [Asked(*row) for row in before.values_list("decided_by_id", "decided_at")]
    if second_signature.refused(examiner, deciders) and duties.applies(duties.REDECIDE):
        raise Refused(_("You have already decided on this exam: after a regrade or an appeal somebody else must."))


def _verify_settled(result: Result) -> None:
    """Raises NotYet if the paper cannot be read yet, or something in progress may change the result."""
    if not items_shown(result.sitting.candidate.session_id, clock.now()):
        raise NotYet(
            _(
                "The paper cannot be read yet: its questions may still come up for others. It can be decided "
                "once everybody in this session has finished."
            )
        )
    if is_held_back(result.sitting_id):
        raise NotYet(_("Another exam with some of the same questions is not over yet. Decide once it is."))
    if Annulment.objects.filter(sitting=result.sitting_id, decided_at=None).exists():
        raise NotYet(
            _("Somebody has asked for this exam to be annulled or the attempt given back. That must be decided first.")
        )
    if hooks.contested_sittings().filter(pk=result.sitting_id).exists():
        raise NotYet(_("A question of this exam has been contested. The appeal must be decided and carried out first."))


@transaction.atomic
def decide_result(result_id: UUID, examiner: User, *, passed: bool, reason: str) -> Result:
    """Record an examiner's decision. A decision against the rule needs a reason and becomes a result of its own."""
    result = _held(result_id)
    verify_decide(examiner, result)
    by_rule = result.passed
    if passed != by_rule and not reason.strip():
        raise Refused(_("Say why you decide against the rule."))
    now = clock.now()
    decided = {"decided_at": now, "decided_by": examiner, "reason": reason.strip()}
    if passed == by_rule:
        result = _stamp(result, decided)
    else:
        same = ("sitting_id", "programme_version", "score", "outcome", "computed_at")
        other = Result(**{name: getattr(result, name) for name in same}, passed=passed, **decided)
        result = recording.put_in_force(other, before=result, at=now)
    recording.announce(result)
    record(
        examiner,
        "result.decided",
        f"result:{result.pk}",
        sitting=result.sitting_id,
        passed=passed,
        by_rule=by_rule,
        released=result.released_at is not None,
        **duties.noted(duties.REDECIDE),
    )
    return result


def _stamp(result: Result, decided: dict[str, object]) -> Result:
    for name, value in decided.items():
        setattr(result, name, value)
    if recording.seen_once_decided(result) and not is_held_back(result.sitting_id):
        recording.release(result, at=clock.now())
    result.save(update_fields=[*decided, "released_at", "letter_owed"])
    return result


def _held(result_id: UUID) -> Result:
    """The result, with its sitting locked so that no regrade interferes."""
    results = Result.objects.select_related("programme_version__programme", "sitting__candidate__person")
    recording.locked(results.get(pk=result_id).sitting_id)
    return results.get(pk=result_id)


# ---- releasing


def verify_release(examiner: User, result: Result) -> None:
    try:
        verify_examiner(examiner, result.programme_version)
    except Partial as refusal:
        raise Refused(str(refusal)) from None
    if result.sitting.candidate.person_id == examiner.pk:
        raise Refused(_("Nobody can release their own result."))
    if not result.in_force or not result.decided_at:
        raise Refused(_("This result has not been decided yet."))
    if is_held_back(result.sitting_id):
        raise NotYet(
            _("Others are still answering the same questions. The result can be released once they have finished.")
        )


@transaction.atomic
def release_result(result_id: UUID, examiner: User) -> bool:
    """Let a candidate see a result. Returns False if it was already released."""
    result = _held(result_id)
    verify_release(examiner, result)
    if result.released_at:
        return False
    recording.release(result, at=clock.now())
    result.save(update_fields=["released_at", "letter_owed"])
    recording.send_letter_on_commit(result)
    record(examiner, "result.released", f"result:{result.pk}", sitting=result.sitting_id)
    return True


def release_all(session: Session, examiner: User) -> int:
    """Release all decided results of a session except the examiner's own and those held back. Returns how many."""
    found = Result.objects.filter(
        sitting__candidate__session=session, in_force=True, decided_at__isnull=False, released_at=None
    ).exclude(sitting__candidate__person=examiner)
    waiting = dict(found.values_list("pk", "sitting_id"))
    held = held_back(waiting.values())
    return sum(release_result(pk, examiner) for pk, sitting in waiting.items() if sitting not in held)


# ---- what could not be graded


@transaction.atomic
def grade_set_aside(session: Session, examiner: User) -> int:
    """Retry grading for the sittings given up, once the cause is fixed. Returns how many."""
    try:
        verify_examiner(examiner, session.programme_version)
    except Partial as refusal:
        raise Refused(str(refusal)) from None
    aside = grading.set_aside().filter(candidate__session=session)
    ids = list(aside.values_list("pk", flat=True))
    Sitting.objects.filter(pk__in=ids).update(grading_failures=0)
    for sitting_id in ids:
        grading.wake_grader(sitting_id)
    if ids:
        record(examiner, "grading.tried_again", f"session:{session.pk}", sittings=len(ids))
    return len(ids)
