"""What candidates practise between the making of their form and their exam, or may read since they were given a role:
a case met meanwhile is exchanged.

This runs in the background and ends when the candidate begins; nothing is made while anybody waits at the door.
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
    """Candidates who have yet to begin and have practised, or got a role that reads the library, since their form was
    last looked at."""
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
    """Exchange what the candidate has met in practice; says how many items. Nothing once they have begun."""
    candidate = Candidate.objects.select_related("session__programme_version").get(pk=candidate_id)
    # Beginning takes the same lock.
    User.objects.select_for_update(no_key=True).get(pk=candidate.person_id)
    form = Form.objects.filter(candidate=candidate).first()
    if form is None or Sitting.objects.filter(candidate=candidate).exists():
        return 0
    looked_at, rules = until_now(), candidate.session.programme_version.rules
    known = known_to([candidate.person_id], rules.lines, besides=candidate.session_id)[candidate.person_id]
    placed = list(form.items.select_related("item__version"))
    spoiled = [one for one in placed if known.has(one.item)]
    for one, fresh in zip(spoiled, _others(candidate.session, rules, known, placed, spoiled), strict=True):
        one.item = fresh
        one.save(update_fields=["item"])
    inspection.check_form(rules, [one.item for one in placed], known)
    form.looked_at = looked_at
    form.predicted = expected_score([one.item for one in placed])
    form.save(update_fields=["looked_at", "predicted"])
    if spoiled:
        record(None, "session.form_renewed", f"session:{candidate.session_id}", items=len(spoiled))
    return len(spoiled)


def _others(
    session: Session, rules: Rules, known: Known, placed: list[FormItem], spoiled: list[FormItem]
) -> Iterator[ExamItem]:
    """For each spoiled item another of its line, as hard as can be found."""
    taken = {one.item_id for one in placed}
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
    """A new case for the pool, where all that is left of a line is known to the candidate."""
    pool = Pool(session, rules, {0: known}, expected.experience(rules.rulebooks))
    item = pool.one_more(line, besides=ExamItem.objects.filter(session=session).values_list("fingerprint", flat=True))
    item.save(force_insert=True)
    return item


def renew_all() -> None:
    for candidate_id in practised_since():
        try:
            renew(candidate_id)
        except (CannotMake, BadForm):
            log.error("form_not_renewed", candidate=str(candidate_id))
