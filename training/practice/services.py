"""Creates drills, stores answers and marks them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from fsrs import Rating

import rules_engine
from rules_engine import Answer, Scenario
from training.figures import services as figures
from training.figures.services import Counted
from training.house import tables
from training.house.readings import as_practised
from training.library.models import Version
from training.library.moments import count, moment
from training.mastery import memory
from training.mastery import services as mastery
from training.people.models import User
from training.platform import pending
from training.platform.broker import send_on_commit
from training.platform.engine_json import document
from training.platform.errors import Refused
from training.platform.measure import Measured, measure
from training.platform.statements import Statement, insert, run, run_each
from training.practice import fresh
from training.practice.models import Attempt, Drill, Mark

log = structlog.get_logger(__name__)

# Seconds. Beyond the longest, the trainee was probably away, and the ordinary time is recorded instead.
LONGEST_ANSWER = 5 * 60
ORDINARY_ANSWER = 60
# A message that has not led to a mark by then is considered lost.
OVERDUE = timedelta(seconds=10)
SWEEP_LIMIT = 500
MAX_FAILURES = 5
# What grading reads of an attempt, its drill and its trainee.
NEEDED = (
    *("answer", "picked_words", "state", "failures", "submitted_at", "seconds", "trainee__time_zone"),
    *(
        f"drill__{name}"
        for name in ("version_id", "moment", "rulebook", "topic", "difficulty", "mode", "scenario_document")
    ),
)


class AlreadyAnswered(Refused):
    """Another answer to this drill is stored, and that one counts."""

    code = "already_answered"


def start_drill(
    trainee: User,
    *,
    rulebook: str,
    topic: str | None,
    difficulty: int,
    article: str | None = None,
    mode: Drill.Mode = Drill.Mode.FREE,
    assignment_id: UUID | None = None,
) -> Drill:
    """A fresh scenario for a trainee; with an article, one that turns on it."""
    met = fresh.met_lately(trainee, rulebook)
    at = tables.of_trainee(trainee.pk, rulebook)
    scenario = fresh.fresh_scenario(rulebook, topic, difficulty, article, met, at)
    return put_drill(trainee, scenario, mode=mode, aim=article or "", assignment_id=assignment_id)


def put_drill(
    trainee: User,
    scenario: Scenario,
    *,
    mode: Drill.Mode,
    aim: str = "",
    version: Version | None = None,
    before: Drill | None = None,
    assignment_id: UUID | None = None,
) -> Drill:
    """Create a drill with the scenario as it is now. `aim` is the rule it was chosen for.

    A version of the library is ruled under the readings that the house has adopted now. Of a story, this is the first
    moment or the one after `before`.
    """
    told = moment(version, before.moment + 1 if before else 1) if version else None
    put = as_practised(scenario) if told else scenario
    return Drill.objects.create(
        trainee=trainee,
        mode=mode,
        aim=aim,
        version=version,
        moment=told.number if told else 1,
        moments=count(version) if version else 1,
        before=before,
        assignment_id=assignment_id,
        rulebook=scenario.rulebook,
        topic=scenario.topic,
        difficulty=scenario.difficulty,
        structure=fresh.structure_of(put, put.solve()),
        scenario_document=told.scenario_document if told and put is scenario else document(put),
    )


def submit_answer(
    drill: Drill, answer: Answer, *, picked_words: bool = False, hold: bool = False, seconds: int | None = None
) -> Attempt:
    """Store the answer and queue its grading. Sending the same answer again changes nothing.

    `hold`: do not show the solution until it is asked for. `seconds`: how long it took, if the caller knows better.
    Raises AlreadyAnswered for a different answer."""
    from training.practice import tasks

    rules_engine.check_answer(drill.scenario, answer)
    stored = document(answer)
    try:
        with transaction.atomic():
            now = timezone.now()
            attempt = Attempt.objects.create(
                drill=drill,
                trainee_id=drill.trainee_id,
                answer=stored,
                picked_words=picked_words,
                submitted_at=now,
                seconds=_seconds_at_it(drill, now) if seconds is None else seconds,
                held=hold,
            )
            send_on_commit(tasks.grade_attempt, attempt.pk)
    except IntegrityError:
        attempt = Attempt.objects.get(drill=drill)
        if attempt.answer != stored:
            raise AlreadyAnswered(_("This scenario was already answered; the first answer counts.")) from None
    return attempt


def _seconds_at_it(drill: Drill, now: datetime) -> int:
    """The seconds spent on a drill: since it was created, or since the previous answer if that was later."""
    before = Attempt.objects.filter(trainee=drill.trainee_id).order_by("-submitted_at").values_list("submitted_at")[:1]
    since = max([drill.created_at, *(at for (at,) in before)])
    seconds = max(0, round((now - since).total_seconds()))
    return seconds if seconds <= LONGEST_ANSWER else ORDINARY_ANSWER


@transaction.atomic
def grade(attempt_id: int) -> Mark | None:
    """Mark an attempt. Idempotent and safe to run concurrently. Returns None if grading fails."""
    attempt = _claim(attempt_id)
    if attempt.state == Attempt.State.GRADED:
        return Mark.objects.get(attempt=attempt)
    try:
        measured = measure(attempt.drill.scenario, attempt.answer)
        shown = _ratings(attempt, measured)
    except Exception:
        _count_failure(attempt)
        return None
    facts = {
        "attempt": attempt.pk,
        "engine": measured.mark.version,
        "points": measured.mark.points,
        "of": measured.mark.of,
        "critical_missed": measured.mark.critical_missed,
        "mark_document": document(measured.mark),
        "ruling_document": document(measured.ruling),
        "ratings": shown,
        "graded_at": timezone.now(),
    }
    graded = Statement("UPDATE practice_attempt SET state = %s WHERE id = %s", [Attempt.State.GRADED, attempt.pk])
    ((key,),) = run([graded, *_consequences(attempt, measured, shown), insert(Mark, [facts], "RETURNING id")])
    return Mark(pk=key, **facts | {"attempt": attempt})


def _ratings(attempt: Attempt, measured: Measured) -> dict[str, Rating]:
    """How well the answer showed each rule. What a placement test missed is left out: it is still to be taught."""
    shown = memory.ratings(measured.mark, measured.ruling, picked_words=attempt.picked_words)
    if attempt.drill.mode != Drill.Mode.PLACEMENT:
        return shown
    return {cite: rating for cite, rating in shown.items() if rating != Rating.Again}


def _consequences(attempt: Attempt, measured: Measured, shown: Mapping[str, Rating]) -> list[Statement]:
    """Statements that update the trainee's memories and the running counts after a mark."""
    counted = _counted(attempt, measured)
    trainee, rulebook = counted.trainee, counted.rulebook
    # In one trip; the lock on the trainee comes first.
    *memories, points = run_each([*mastery.asking(trainee, rulebook, shown), figures.asking(trainee)])
    known = memories[-1] if memories else []
    learnt = mastery.learnt(trainee, rulebook, shown, known, at=counted.at, turned_on=counted.cites)
    return [*learnt, *figures.counts(counted, points)]


def _claim(attempt_id: int) -> Attempt:
    """Return the attempt with its drill and trainee, locked: another worker waits here, then finds it graded."""
    found = Attempt.objects.select_for_update(of=("self",), no_key=True).select_related("drill", "trainee")
    return found.only(*NEEDED).get(pk=attempt_id)


def counted_of(attempt: Attempt, mark: Mark) -> Counted:
    """The `Counted` of a stored mark."""
    return _counted(attempt, Measured(mark.engine_mark, mark.ruling))


def _counted(attempt: Attempt, measured: Measured) -> Counted:
    drill = attempt.drill
    return Counted(
        trainee=attempt.trainee,
        rulebook=drill.rulebook,
        topic=drill.topic,
        item=drill.item,
        cites=measured.ruling.pivots,
        mark=measured.mark,
        seconds=attempt.seconds,
        at=attempt.submitted_at,
        practice=drill.mode != Drill.Mode.PLACEMENT,
    )


def _count_failure(attempt: Attempt) -> None:
    """Count a failure, which is a defect of ours. After `MAX_FAILURES` the attempt waits for a person to look at it."""
    log.exception("grading_failed", attempt=attempt.pk, failures=attempt.failures + 1)
    attempt.failures += 1
    if attempt.failures >= MAX_FAILURES:
        attempt.state = Attempt.State.FAILED
    attempt.save(update_fields=["failures", "state"])


def grade_overdue() -> int:
    """Grade answers that were submitted but not graded: a message was lost, a worker killed, the broker down."""
    submitted = Attempt.objects.filter(state=Attempt.State.SUBMITTED, submitted_at__lt=timezone.now() - OVERDUE)
    waiting = submitted.order_by("submitted_at").values_list("pk", flat=True)
    return pending.sweep(waiting, grade, limit=SWEEP_LIMIT, what="grading")
