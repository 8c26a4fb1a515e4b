"""Making the papers of a session, before it opens: the pool, a form for every candidate, and the last look at them.

Everything is made in memory and stored in one transaction, so that a worker killed midway leaves nothing behind and
two at once leave one set of forms. The database says what is to be done (a session that is `preparing`); a message only
wakes a worker, and the sweep takes up what nobody works on. Seeds, items and forms are secret: none is logged or told.
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
from exams.papers.pool import CannotMake, Pool, sizes
from exams.programmes.rules import Rules
from exams.records.models import Candidate, ExamItem, Form, FormItem, Session
from training.figures import expected
from training.operations import heartbeats
from training.platform import pending
from training.platform.broker import send_on_commit

log = structlog.get_logger(__name__)

# A worker shows that it is at it more often than this; one that has not for so long is taken for dead.
LEASE = timedelta(seconds=30)
# A pool in which no equal forms are found is made larger so many times before a person is asked.
ROUNDS = 4
GROWTH = 2  # items more for every line in each round
BATCH = 500
POOL_DONE, FORMS_DONE = 40, 90  # percent of the way

State = Session.State


class Abandoned(Exception):
    """While its papers were being made the session was taken back or cancelled, another worker got it, or the bank
    lost what was drawn from it."""


def make_papers(session_id: UUID) -> bool:
    """Make the session ready. May run any number of times anywhere; says whether this time made it so."""
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
        # Where, and not what: a whole traceback may show the values, which are seeds and cases.
        where = "{0.filename}:{0.lineno}".format(traceback.extract_tb(error.__traceback__)[-1])
        log.error("papers_failed", session=str(session_id), error=type(error).__name__, where=where)
        give_back(session, obstacles.FAULT)
    return False


def wake(session_id: UUID) -> None:
    """Have a worker make the papers of a session just stored as preparing."""
    from exams.papers import tasks

    send_on_commit(tasks.make_papers, str(session_id))


def _claimed(session_id: UUID) -> bool:
    """Take the work, unless another worker has it and is alive."""
    waiting = Session.objects.filter(pk=session_id, state=State.PREPARING)
    return pending.take(waiting, "worked_at", now=clock.now(), lease=LEASE, progress=0)


def unattended() -> list[UUID]:
    """Sessions whose papers nobody is making: lost messages, killed workers, a broker that was away."""
    idle = pending.free("worked_at", now=clock.now(), lease=LEASE)
    return list(Session.objects.filter(idle, state=State.PREPARING).values_list("pk", flat=True))


def _make(session: Session) -> bool:
    candidates, looked_at = list(session.candidates.order_by("pk")), until_now()
    rules = session.programme_version.rules
    people = [candidate.person_id for candidate in candidates]
    known = known_to(people, rules.lines, besides=session.pk, at_work=lambda: _advance(session, 0))
    _advance(session, 5)
    pool, papers = _drawn(session, rules, candidates, known)
    return _store(session, pool, papers, known, looked_at)


def _drawn(
    session: Session, rules: Rules, candidates: Sequence[Candidate], known: dict[int, Known]
) -> tuple[Pool, list[ComposedForm]]:
    """A pool and forms from it that are equally hard and differ."""
    experience = expected.experience({line.rulebook for line in rules.lines})
    pool = Pool(session, rules, known, experience)
    wanted = sizes(rules, len(candidates))
    for last in (*[False] * (ROUNDS - 1), True):
        for number in pool.fill(wanted):
            _advance(session, 5 + (POOL_DONE - 5) * (number + 1) // len(wanted))
        papers = []
        for paper in Composer(pool.slots, pool.lines, pool.room).compose(candidates, known):
            papers.append(paper)
            if len(papers) % 10 == 0:
                _advance(session, POOL_DONE + (FORMS_DONE - POOL_DONE) * len(papers) // len(candidates))
        # Equally hard they must be; where there is no other way, two may have the same items in another order.
        if composer.spread(papers) <= composer.TOLERANCE and (last or composer.all_differ(papers)):
            return pool, papers
        wanted = [size + GROWTH for size in wanted]
    raise CannotMake(obstacles.UNEVEN)


def _advance(session: Session, percent: int) -> None:
    """Say how far it is, which also keeps others from taking the work; stop where it is no longer wanted."""
    heartbeats.leave_at_work("exams")
    ours = Session.objects.filter(pk=session.pk, state=State.PREPARING)
    if not ours.update(progress=percent, worked_at=clock.now()):
        raise Abandoned


@transaction.atomic
def _store(
    session: Session, pool: Pool, papers: list[ComposedForm], known: dict[int, Known], looked_at: datetime
) -> bool:
    """Store everything, look at it as it is stored, and only then call the session ready."""
    locked = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
    entered = set(locked.candidates.values_list("pk", flat=True))
    same = locked.programme_version_id == session.programme_version_id
    if locked.state != State.PREPARING or not same or entered != {paper.candidate.pk for paper in papers}:
        raise Abandoned
    drop_papers(locked)
    drawn = [item.version for item in pool.items if item.version]
    if not exam_bank.still_good(drawn, [item for paper in papers for item in paper.items]):
        raise Abandoned  # the sweep has it made anew from what the bank holds then
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
    locked.state, locked.progress = State.READY, 100
    locked.save(update_fields=["state", "progress"])
    hooks.papers_ready(locked.pk)
    record(None, "session.ready", f"session:{locked.pk}", forms=len(forms), items=len(pool.items), bank=len(drawn))
    return True


def check_papers(session: Session, known: dict[int, Known]) -> None:
    """Every form of a session as it is stored; BadForm where anything is wrong."""
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


def drop_papers(session: Session) -> None:
    """Forget the forms and the pool. Nobody may have begun: sittings and answers keep what they stand on."""
    FormItem.objects.filter(form__candidate__session=session).delete()
    Form.objects.filter(candidate__session=session).delete()
    ExamItem.objects.filter(session=session).delete()


@transaction.atomic
def give_back(session: Session, obstacle: obstacles.Obstacle) -> None:
    """Back to who sets the session up, with the reason why there are no forms."""
    ours = Session.objects.filter(pk=session.pk, state=State.PREPARING)
    if ours.update(state=State.DRAFT, obstacle=obstacle, progress=0, worked_at=None):
        record(None, "session.papers_failed", f"session:{session.pk}", obstacle=obstacle)
