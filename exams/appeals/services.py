"""Lodging and deciding appeals. Each act is one transaction: checked by `verify_…` first, audited last."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exams import clock
from exams.appeals import letters
from exams.appeals.models import Appeal, Letter
from exams.appeals.reviewers import verify_reviewer
from exams.audit.services import record
from exams.records.models import ExamItem, FormItem
from exams.results.models import Mark, Result
from exams.results.selectors import appeal_deadline
from training.library.authors import co_authors
from training.people.models import User
from training.platform.broker import send_on_commit
from training.platform.errors import Refused, Unfit

SHORTEST, LONGEST = 20, 4000
# Concurrent appeals compete for the same register number; the later one retries.
TRIES = 20
NOTHING: tuple[object, ...] = (None, "", [])


class UnfitText(Unfit):
    """The text is too short or too long."""


# ---- lodging


def verify_lodge(person: User, form_item: FormItem, now: datetime) -> tuple[Mark, Result]:
    """Raises Refused if the item cannot be contested; returns the mark and the result it would contest."""
    if form_item.form.candidate.person_id != person.pk:
        raise Refused(_("Only the candidate can contest a question of an exam."))
    result = released_result(form_item)
    if result is None:
        raise Refused(_("A question can be contested once the result is released."))
    if Appeal.objects.filter(form_item=form_item).exists():
        raise Refused(_("You have already contested this question; each question can be contested only once."))
    _verify_time(result, now)
    mark = Mark.objects.get(form_item=form_item, in_force=True)
    if mark.voided or form_item.item.voided_at:
        raise Refused(_("This question was voided and counts for nobody."))
    return mark, result


def _verify_time(result: Result, now: datetime) -> None:
    if not result.programme_version.rules.appeal_days:
        raise Refused(_("This programme has no appeals."))
    until = appeal_deadline(result, now)
    if until is None:
        raise Refused(_("A question can be contested once everybody in the session has finished."))
    if now > until:
        raise Refused(_("The time to contest this result is over."))


def released_result(form_item: FormItem) -> Result | None:
    """The result in force of the item's sitting, if released."""
    found = Result.objects.filter(
        sitting__candidate=form_item.form.candidate_id, in_force=True, released_at__isnull=False
    )
    return found.select_related("programme_version", "sitting__candidate__session").first()


def lodge(person: User, form_item: FormItem, text: str) -> Appeal:
    """Contest an item. The appeal gets the next register number, without gaps."""
    text = fit(text)
    for _try in range(TRIES):
        try:
            return _lodge(person, form_item, text)
        except IntegrityError:
            continue
    raise Refused(_("The register is busy. Try again in a moment."))


@transaction.atomic
def _lodge(person: User, form_item: FormItem, text: str) -> Appeal:
    now = clock.now()
    mark, result = verify_lodge(person, form_item, now)
    appeal = Appeal.objects.create(
        number=(Appeal.objects.aggregate(last=Max("number"))["last"] or 0) + 1,
        form_item=form_item,
        mark=mark,
        appellant=person,
        text=text,
        lodged_at=now,
        decide_by=now + timedelta(days=result.programme_version.rules.review_days),
    )
    letters.write(appeal, Letter.Kind.RECEIVED, [person])
    letters.write(appeal, Letter.Kind.LODGED, letters.examining_side(appeal))
    record(person, "appeal.lodged", f"appeal:{appeal.pk}", number=appeal.number, form_item=form_item.pk)
    return appeal


def fit(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\x00", "").strip()
    if len(text) < SHORTEST:
        raise UnfitText(_("Write at least %(count)d characters.") % {"count": SHORTEST})
    if len(text) > LONGEST:
        raise UnfitText(_("Write at most %(count)d characters.") % {"count": LONGEST})
    return text


# ---- deciding


def reject(appeal: Appeal, reviewer: User, reply: str) -> Appeal:
    return _decide(appeal, reviewer, reply, state=Appeal.State.REJECTED)


def void(appeal: Appeal, reviewer: User, reply: str) -> Appeal:
    """Uphold the appeal: the item counts for nobody."""
    return _decide(appeal, reviewer, reply, state=Appeal.State.UPHELD, remedy=Appeal.Remedy.VOIDED)


def correct(appeal: Appeal, reviewer: User, reply: str, questions: Sequence[str]) -> Appeal:
    """Uphold the appeal: the candidate's answers to these questions are right, for everybody who gave them."""
    return _decide(
        appeal, reviewer, reply, state=Appeal.State.UPHELD, remedy=Appeal.Remedy.CORRECTED, questions=questions
    )


@transaction.atomic
def _decide(
    appeal: Appeal, reviewer: User, reply: str, *, state: str, remedy: str = "", questions: Sequence[str] = ()
) -> Appeal:
    current = Appeal.objects.select_for_update(no_key=True).get(pk=appeal.pk)
    if current.state != Appeal.State.LODGED:
        raise Refused(_("Somebody has already decided this appeal."))
    verify_reviewer(reviewer, current)
    current.reply = fit(reply)
    current.state, current.remedy, current.reviewer, current.decided_at = state, remedy, reviewer, clock.now()
    if remedy:
        current.accepted = _change_item(current, remedy, questions)
    current.save(update_fields=["reply", "state", "remedy", "accepted", "reviewer", "decided_at"])
    _tell(current)
    if remedy:
        _wake(current)
    record(
        reviewer,
        f"appeal.{state}",
        f"appeal:{current.pk}",
        number=current.number,
        remedy=remedy,
        item=current.form_item.item_id,
        questions=current.accepted,
    )
    return current


def contestable(mark: Mark) -> dict[str, object]:
    """The answers that cost points, by question: those an appeal can accept."""
    return {part.key: part.given for part in mark.engine_mark.parts if not part.correct and part.given not in NOTHING}


def _change_item(appeal: Appeal, remedy: str, questions: Sequence[str]) -> list[str]:
    """Void the item or accept more answers, for everybody. Returns the questions whose answer was accepted."""
    item = ExamItem.objects.select_for_update(no_key=True).get(pk=appeal.form_item.item_id)
    if remedy == Appeal.Remedy.VOIDED:
        if item.voided_at is None:
            item.voided_at = clock.now()
            item.save(update_fields=["voided_at"])
        return []
    given = contestable(appeal.mark)
    if not questions or not set(questions) <= set(given):
        raise Refused(gettext_lazy("Choose the parts whose answer is to be accepted."))
    for key in questions:
        right = item.corrections.setdefault(key, [])
        if given[key] not in right:
            right.append(given[key])
    item.save(update_fields=["corrections"])
    return sorted(questions)


def _tell(appeal: Appeal) -> None:
    letters.write(appeal, Letter.Kind.DECIDED, [appeal.appellant])
    letters.write(appeal, Letter.Kind.INFORMED, [appeal.form_item.form.candidate.session.created_by])
    version = appeal.form_item.item.version
    if appeal.state == Appeal.State.UPHELD and version:
        letters.write(appeal, Letter.Kind.AUTHOR, [version.author, *co_authors(version)])


def _wake(appeal: Appeal) -> None:
    from exams.appeals import tasks

    send_on_commit(tasks.carry_out, str(appeal.pk))
