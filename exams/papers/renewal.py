"""Replaces cases a candidate has learnt since their form was made, by practising or by a new role.

Runs in the background and stops once the candidate begins, so nobody waits for it at the start of an exam.
"""

from collections.abc import Iterator
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef

from exams import clock
from exams.audit.services import record
from exams.papers import inspection
from exams.papers.composer import expected_score
from exams.papers.inspection import BadForm
from exams.papers.knowledge import READING, Known, known_to, until_now
from exams.papers.pool import CannotMake, Pool
from exams.programmes.rules import Rules
from exams.records.models import Candidate, ExamItem, Form, FormItem, Session, Sitting
from training.figures import expected
from training.people.models import RoleGrant, User
from training.practice.models import Drill
from training.sprint.models import SprintCase

log = structlog.get_logger(__name__)


def practised_since() -> list[UUID]:
    """Candidates who have not begun and have practised, or got a role that reads the library, since their form was last
    checked."""
    drilled = Drill.objects.filter(trainee=OuterRef("person"), created_at__gt=OuterRef("form__looked_at"))
    run = SprintCase.objects.filter(sprint__trainee=OuterRef("person"), put_at__gt=OuterRef("form__looked_at"))
    reads = RoleGrant.objects.filter(
        user=OuterRef("person"), role__in=READING, granted_at__gt=OuterRef("form__looked_at")
    )
    waiting = Candidate.objects.filter(
        Exists(drilled) | Exists(run) | Exists(reads),
        session__state=Session.State.READY,
        session__entry_closes_at__gt=clock.now(),
        sitting=None,
    )
    return list(waiting.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def renew(candidate_id: UUID) -> int:
    """Replace the items the candidate now knows; returns how many. Does nothing once they have begun."""
    candidate = Candidate.objects.select_related("session__programme_version").get(pk=candidate_id)
    # Two candidates must not get the same spare case at once.
    Session.objects.select_for_update(no_key=True).get(pk=candidate.session_id)
    # `sitting.begin` takes the same lock.
    User.objects.select_for_update(no_key=True).get(pk=candidate.person_id)
    form = Form.objects.filter(candidate=candidate).first()
    if form is None or Sitting.objects.filter(candidate=candidate).exists():
        return 0
    looked_at, rules = until_now(), candidate.session.programme_version.rules
    known = known_to([candidate.person_id], rules.lines, besides=candidate.session_id)[candidate.person_id]
    placed = list(form.items.select_related("item__version"))
    spoiled = [one for one in placed if known.has(one.item)]
    for one, fresh in zip(spoiled, _replacements(candidate.session, rules, known, placed, spoiled), strict=True):
        one.item = fresh
        one.save(update_fields=["item"])
    inspection.check_form(rules, [one.item for one in placed], known)
    form.looked_at = looked_at
    form.predicted = expected_score([one.item for one in placed])
    form.save(update_fields=["looked_at", "predicted"])
    if spoiled:
        record(None, "session.form_renewed", f"session:{candidate.session_id}", items=len(spoiled))
    return len(spoiled)


def _replacements(
    session: Session, rules: Rules, known: Known, placed: list[FormItem], spoiled: list[FormItem]
) -> Iterator[ExamItem]:
    """Yields another item of the same line for each spoiled one, as close in difficulty as possible. Nobody else gets
    it, unless everybody begins at once."""
    forms = FormItem.objects.filter(form__candidate__session=session)
    taken = {one.item_id for one in placed} if session.common_start else set(forms.values_list("item_id", flat=True))
    spare = list(ExamItem.objects.filter(session=session).exclude(pk__in=taken).select_related("version"))
    for one in spoiled:
        fitting = [item for item in spare if item.line == one.item.line and not known.has(item) and not item.version_id]
        if fitting:
            chosen = min(fitting, key=lambda item: (abs(item.predicted - one.item.predicted), item.fingerprint))
            spare.remove(chosen)
        else:
            chosen = _made(session, rules, known, one.item.line)
        yield chosen


def _made(session: Session, rules: Rules, known: Known, line: int) -> ExamItem:
    """Adds a new case to the pool, for a line whose remaining cases the candidate all knows."""
    pool = Pool(session, rules, {0: known}, expected.experience(rules.rulebooks))
    pool.like_those(ExamItem.objects.filter(session=session))
    item = pool.one_more(line)
    item.save(force_insert=True)
    return item


def renew_all() -> None:
    for candidate_id in practised_since():
        try:
            renew(candidate_id)
        except (CannotMake, BadForm):
            log.error("form_not_renewed", candidate=str(candidate_id))
