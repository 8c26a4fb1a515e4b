"""Makes the papers of a session before it opens: the pool, a form for every candidate, and a final check.

Everything is made in memory and stored in one transaction, so a killed worker leaves nothing behind and two workers
leave one set of forms. The database holds the work to do (sessions that are `preparing`); a message only wakes a
worker, and a periodic sweep picks up what nobody works on. Seeds, items and forms are secret and never logged.
"""

import traceback
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction

from exams import clock, obstacles
from exams.audit.services import record
from exams.papers import composer, exam_bank, hooks, inspection
from exams.papers.composer import ComposedForm, Composer
from exams.papers.knowledge import Known, known_to, until_now
from exams.papers.pool import CannotMake, Pool
from exams.programmes.rules import Rules
from exams.records.models import Candidate, ExamItem, Form, FormItem, Session
from training.figures import expected
from training.operations import heartbeats
from training.platform import pending
from training.platform.broker import send_on_commit

log = structlog.get_logger(__name__)

# A worker reports more often than this; one that has not is considered dead.
LEASE = timedelta(seconds=30)
# Cases made beyond those needed, in percent, in each try to find equally hard forms.
SPARE = (5, 40, 100)
DIVISIONS = 3  # of the same cases into forms, tried before more are made
BATCH = 500
POOL_DONE, FORMS_DONE = 80, 90  # progress in percent

State = Session.State


class Abandoned(Exception):
    """The session was withdrawn or cancelled while its papers were being made, another worker took over, or the bank
    lost what was drawn from it."""


def make_papers(session_id: UUID) -> bool:
    """Make the session's papers, unless another worker is doing so. Returns whether this call made it ready; safe to
    repeat."""
    if not _claimed(session_id):
        return False
    session = Session.objects.select_related("programme_version__programme").get(pk=session_id)
    try:
        return _make(session)
    except Abandoned:
        return False
    except CannotMake as reason:
        give_back(session, reason.obstacle)
    except Exception as error:
        # Log the place only: a full traceback could reveal seeds and cases.
        where = "{0.filename}:{0.lineno}".format(traceback.extract_tb(error.__traceback__)[-1])
        log.error("papers_failed", session=str(session_id), error=type(error).__name__, where=where)
        give_back(session, obstacles.FAULT)
    return False


def wake(session_id: UUID) -> None:
    """Ask a worker to make the papers of a session just stored as preparing."""
    from exams.papers import tasks

    send_on_commit(tasks.make_papers, str(session_id))


def _claimed(session_id: UUID) -> bool:
    """Claim the session unless a live worker already has it; returns whether it was claimed."""
    waiting = Session.objects.filter(pk=session_id, state=State.PREPARING)
    return pending.take(waiting, "worked_at", now=clock.now(), lease=LEASE, progress=0)


def unattended() -> list[UUID]:
    """Sessions whose papers nobody is making, because a message was lost, a worker died or the broker was down."""
    idle = pending.free("worked_at", now=clock.now(), lease=LEASE)
    return list(Session.objects.filter(idle, state=State.PREPARING).values_list("pk", flat=True))


def _make(session: Session) -> bool:
    if session.is_practical:
        return _make_tables(session)
    candidates, looked_at = list(session.candidates.order_by("pk")), until_now()
    rules = session.programme_version.rules
    people = [candidate.person_id for candidate in candidates]
    known = known_to(people, rules.lines, besides=session.pk, at_work=lambda: _advance(session, 0))
    _advance(session, 5)
    pool, papers = _drawn(session, rules, candidates, known)
    return _store(session, pool, papers, known, looked_at)


def _make_tables(session: Session) -> bool:
    """In a practical exam tables take the place of forms."""
    candidates = set(session.candidates.values_list("pk", flat=True))
    store = hooks.tables_made(session, lambda percent: _advance(session, percent))
    with transaction.atomic():
        locked = _still_wanted(session, candidates)
        drop_papers(locked)
        _ready(locked, forms=store(), items=0, bank=0)
    return True


def _still_wanted(session: Session, candidates: set[UUID]) -> Session:
    """The session, locked. Raises Abandoned unless it still wants papers for exactly these candidates."""
    locked = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
    entered = set(locked.candidates.values_list("pk", flat=True))
    same = locked.programme_version_id == session.programme_version_id
    if locked.state != State.PREPARING or not same or entered != candidates:
        raise Abandoned
    return locked


def _ready(session: Session, **made: int) -> None:
    session.state, session.progress = State.READY, 100
    session.save(update_fields=["state", "progress"])
    hooks.papers_ready(session.pk)
    record(None, "session.ready", f"session:{session.pk}", **made)


def _drawn(
    session: Session, rules: Rules, candidates: Sequence[Candidate], known: dict[int, Known]
) -> tuple[Pool, list[ComposedForm]]:
    """Returns a pool and equally hard forms from it. Raises CannotMake if it finds none."""
    experience = expected.experience({line.rulebook for line in rules.lines})
    pool, lines = Pool(session, rules, known, experience), len(rules.slots)
    for spare in SPARE:
        for number in pool.fill(spare=spare):
            _advance(session, 5 + (POOL_DONE - 5) * (number + 1) // lines)
        for _division in range(DIVISIONS):
            papers = Composer(pool.slots, pool.lines, pool.work, pool.placed).compose(candidates)
            _advance(session, FORMS_DONE)
            # Forms must be equally hard.
            if composer.spread(papers) <= composer.TOLERANCE:
                return pool, papers
    raise CannotMake(obstacles.UNEVEN)


def _advance(session: Session, percent: int) -> None:
    """Report progress, which also keeps the lease. Raises Abandoned if the session no longer wants papers."""
    heartbeats.leave_at_work("exams")
    ours = Session.objects.filter(pk=session.pk, state=State.PREPARING)
    if not ours.update(progress=percent, worked_at=clock.now()):
        raise Abandoned


@transaction.atomic
def _store(
    session: Session, pool: Pool, papers: list[ComposedForm], known: dict[int, Known], looked_at: datetime
) -> bool:
    """Store everything, check it as stored, and only then mark the session ready."""
    locked = _still_wanted(session, {paper.candidate.pk for paper in papers})
    drop_papers(locked)
    drawn = [item.version for item in pool.items if item.version]
    if not exam_bank.still_available(drawn, [item for paper in papers for item in paper.items]):
        raise Abandoned  # the sweep starts again with what the bank holds then
    ExamItem.objects.bulk_create(pool.items, batch_size=BATCH)
    forms = [
        Form(candidate=paper.candidate, seed=paper.seed, predicted=paper.predicted, looked_at=looked_at)
        for paper in papers
    ]
    Form.objects.bulk_create(forms, batch_size=BATCH)
    FormItem.objects.bulk_create(
        (
            FormItem(form=form, position=position, item=item)
            for form, paper in zip(forms, papers, strict=True)
            for position, item in enumerate(paper.items, 1)
        ),
        batch_size=BATCH,
    )
    check_papers(locked, known)
    _ready(locked, forms=len(forms), items=len(pool.items), bank=len(drawn))
    return True


def check_papers(session: Session, known: dict[int, Known]) -> None:
    """Check every stored form of a session. Raises BadForm."""
    rules = session.programme_version.rules
    blueprint = rules.slots
    items = {item.pk: item for item in ExamItem.objects.filter(session=session).select_related("version")}
    for item in items.values():
        inspection.check_item(item, blueprint[item.line])
    forms: dict[int, list[ExamItem]] = {person: [] for person in session.candidates.values_list("person_id", flat=True)}
    placed = FormItem.objects.filter(form__candidate__session=session).order_by("form", "position")
    for person, item_id in placed.values_list("form__candidate__person_id", "item_id"):
        forms[person].append(items[item_id])
    for person, chosen in forms.items():
        inspection.check_form(rules, chosen, known[person])
    inspection.check_balance(forms.values())
    if not session.common_start and len(forms) > 1:
        inspection.check_apart(forms.values())


def drop_papers(session: Session) -> None:
    """Delete the forms and the pool. Only for sessions nobody has begun: sittings and answers refer to them."""
    FormItem.objects.filter(form__candidate__session=session).delete()
    Form.objects.filter(candidate__session=session).delete()
    ExamItem.objects.filter(session=session).delete()
    hooks.tables_dropped(session)


@transaction.atomic
def give_back(session: Session, obstacle: obstacles.Obstacle) -> None:
    """Return the session to draft with the reason why it has no forms."""
    ours = Session.objects.filter(pk=session.pk, state=State.PREPARING)
    if ours.update(state=State.DRAFT, obstacle=obstacle, progress=0, worked_at=None):
        record(None, "session.papers_failed", f"session:{session.pk}", obstacle=obstacle)
