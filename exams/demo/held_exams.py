"""Holds exams in the demo's past: sessions, papers, sittings and marks, all through the normal services."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone

import rules_engine
from exams.exam_sessions import candidacy, preparation, setup
from exams.invigilation.acts import check_identity, close_sitting
from exams.papers import maker
from exams.programmes import law
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Candidate, ExamItem, FormItem, Session, Sitting
from exams.results.grading import grade_sitting
from exams.results.models import Result
from exams.sittings import sitting
from exams.sittings.sitting import Change
from rules_engine import Scenario
from training.people.models import User

DEVICE = "demo"
SET_UP_BEFORE = timedelta(days=3)
ENTRY = timedelta(hours=3)
EACH = timedelta(minutes=35)  # one after the other


@contextmanager
def played_at(moment: datetime) -> Iterator[datetime]:
    """Run the block at this time: everything in exams asks Django for the time, the log included.

    It moves the clock of the whole process, so use it only in a command that does nothing else.
    """
    clock: Any = timezone
    real = clock.now
    clock.now = lambda: moment
    try:
        yield moment
    finally:
        clock.now = real


@contextmanager
def under_the_law_of(today: date) -> Iterator[None]:
    """Run the block as if the law in force today had been in force in the demo's past too.

    Otherwise a recent amendment would rule out the demo's exams from before its date. Like `played_at`, it affects the
    whole process.
    """
    module: Any = law
    real = module.day_of
    module.day_of = lambda moment: max(real(moment), today)
    try:
        yield
    finally:
        module.day_of = real


@dataclass(frozen=True)
class Showing:
    """How somebody does in an exam: one item in `one_wrong_in` is wrong, starting with the first.

    The first wrong item is a slip; somebody who `gives_up` leaves the others empty, so it is certain who passes
    whatever the form contains.
    """

    person: User
    one_wrong_in: int
    gives_up: bool = False

    def answer(self, place: FormItem) -> dict[str, str]:
        wrong = (place.position - 1) % self.one_wrong_in == 0
        if wrong and self.gives_up and place.position > 1:
            return {}
        return _parts(place.item, slip=wrong)


def set_up(
    holder: User,
    version: ProgrammeVersion,
    people: Iterable[User],
    *,
    title: str,
    opens_at: datetime,
    closes_at: datetime,
    invigilator: User,
) -> Session:
    """A session with its papers made, set up some days before it opens."""
    with played_at(opens_at - SET_UP_BEFORE):
        session = setup.create_session(
            holder, version=version, title=title, place="Sala de formação", opens_at=opens_at, entry_closes_at=closes_at
        )
        setup.add_invigilator(session, invigilator, holder)
        for person in people:
            candidacy.enter(session, person, holder)
        preparation.prepare(session, holder)
        maker.make_papers(session.pk)
    session.refresh_from_db()
    return session


def hold(
    holder: User,
    version: ProgrammeVersion,
    showings: Sequence[Showing],
    *,
    title: str,
    opens_at: datetime,
    invigilator: User,
) -> list[Result]:
    """Hold a session from setup to graded papers; returns the results in the order of `showings`."""
    session = set_up(
        holder,
        version,
        [showing.person for showing in showings],
        title=title,
        opens_at=opens_at,
        closes_at=opens_at + ENTRY,
        invigilator=invigilator,
    )
    return [_sit(session, showing, opens_at + place * EACH) for place, showing in enumerate(showings)]


def interrupt(session: Session, showing: Showing, invigilator: User, *, after: int, why: str) -> Sitting:
    """Somebody answers some items of a session; then the invigilator closes the sitting."""
    begun, at = _answered(session, showing, session.opens_at, most=after)
    with played_at(at):
        return close_sitting(begun, why, by=invigilator, now=at)


def _answered(
    session: Session, showing: Showing, begins: datetime, most: int | None = None
) -> tuple[Sitting, datetime]:
    """Somebody begins, is identified and answers all items, or the first `most`. Returns the sitting and the end
    time."""
    candidate = Candidate.objects.get(session=session, person=showing.person)
    placed = FormItem.objects.filter(form__candidate=candidate).select_related("item").order_by("position")
    at = begins
    with played_at(begins):
        begun = sitting.begin(candidate, session.access_code, device=DEVICE, now=begins)
        check_identity(begun, name=begun.name, by=session.created_by, now=begins)
    for place in placed[:most]:
        seconds = 45 + 17 * place.position % 60
        at += timedelta(seconds=seconds)
        change = Change(parts=showing.answer(place), seconds=seconds)
        sitting.save_answer(begun, place.position, change, device=DEVICE, now=at)
    begun.refresh_from_db()
    return begun, at


def _sit(session: Session, showing: Showing, begins: datetime) -> Result:
    begun, at = _answered(session, showing, begins)
    with played_at(at):
        sitting.hand_in(begun, device=DEVICE, now=at)
        result = grade_sitting(begun.pk)
    if result is None:
        raise RuntimeError("a demo paper could not be graded")
    return result


def _parts(item: ExamItem, *, slip: bool) -> dict[str, str]:
    """The right answers; with `slip`, one choice is wrong or, without a choice, the words are missing."""
    scenario = item.scenario
    parts = rules_engine.grade(scenario, rules_engine.answer_from({"parts": {}})).parts
    answers = {part.key: _as_text(part.right) for part in parts}
    if slip:
        key, other = _slip(scenario, answers)
        answers[key] = other
    return answers


def _as_text(right: object) -> str:
    return ", ".join(map(str, right)) if isinstance(right, list | tuple) else str(right)


def _slip(scenario: Scenario, right: dict[str, str]) -> tuple[str, str]:
    for question in scenario.questions:
        others = [str(option) for option in question.options if str(option) != right[question.key]]
        if question.kind == "choice" and others:
            return question.key, others[0]
    return scenario.questions[0].key, ""
