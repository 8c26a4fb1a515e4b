"""Practical exams for tests: a programme with one, a session of it, and candidates who deal at its table."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from exams.exam_sessions import preparation, setup
from exams.papers import maker
from exams.practical import dealing, script
from exams.practical.models import ExamTable
from exams.programmes.models import ProgrammeVersion
from exams.programmes.practical_checks import kinds_of
from exams.programmes.practical_part import FaultLine, Practical
from exams.records.models import Candidate, Event, Session, Sitting
from exams.sittings import sitting
from rules_engine import Utterance, play, rulebook
from tests.exams import making
from tests.factories import PersonFactory
from training.live_table import planning
from training.people.models import User
from training.platform.engine_json import document

BOOK = "pt-roleta-francesa"
DEVICE = "browser"


def make_part(**changes: Any) -> Practical:
    """A short table of French roulette with one late bet."""
    book = changes.get("rulebook", BOOK)
    usual: dict[str, Any] = {
        "held": "screen",
        "rulebook": book,
        "table": rulebook(book).table,
        "rung": "quiet",
        "coups": 4,
        "faults": (FaultLine(topic="faults", kinds=kinds_of(BOOK)["faults"], count=1, critical=True),),
        "minutes": 20,
        "pass_mark": 60,
        "conduct_list": ("Mãos limpas", "Postura"),
    }
    return Practical(**usual | changes)


def make_version(**changes: Any) -> ProgrammeVersion:
    return making.make_version(making.make_rules(practical=make_part(**changes)))


def make_session(version: ProgrammeVersion, *people: User) -> Session:
    """A practical session that is open now, with its tables laid."""
    now = timezone.now()
    session = setup.create_session(
        version.author,
        version=version,
        part=Session.Part.PRACTICE,
        title="Exame prático",
        place="Sala 1",
        opens_at=now - timedelta(minutes=1),
        entry_closes_at=now + timedelta(hours=2),
    )
    for person in people or (PersonFactory(),):
        Candidate.objects.create(session=session, person=person, name=person.name)
    preparation.prepare(session, version.author)
    assert maker.make_papers(session.pk)
    session.refresh_from_db()
    return session


def begin(session: Session, *, identified: bool = True) -> Sitting:
    candidate = session.candidates.get()
    begun = sitting.begin(candidate, session.access_code, device=DEVICE, now=timezone.now())
    if identified:
        identify(begun)
    return begun


def identify(begun: Sitting) -> None:
    by = begun.candidate.session.created_by
    Event.objects.create(sitting=begun, kind=Event.Kind.IDENTITY, at=timezone.now(), by=by, text=begun.name)


def deal(begun: Sitting, *, stops: bool = True, until: int = 10_000, now: datetime | None = None) -> ExamTable:
    """Deal the whole table through the services, as a dealer who does everything that is due."""
    for _act in range(until):
        table = ExamTable.objects.get(candidate=begun.candidate_id)
        if table.ended_at:
            return table
        planning.plan_now(table)
        sent = next_act(ExamTable.objects.get(pk=table.pk), stops=stops)
        ExamTable.objects.filter(pk=table.pk).update(rests_until=None)  # as if the dealer had waited between two coups
        # Between two coups the table is cleared; a browser tries again until it is.
        at = max(now or timezone.now(), table.rests_until or begun.started_at)
        dealing.act(begun, table.last_number + 1, sent, device=DEVICE, now=at)
    return ExamTable.objects.get(candidate=begun.candidate_id)


def next_act(table: ExamTable, *, stops: bool) -> dict[str, Any]:
    """What the browser of such a dealer would send next."""
    if table.pending or table.unplanned:
        return {"type": "carry_on"}
    state = play.decode_state(table.state)
    done = script.faultless(state) if stops else play.CarryOn()
    if isinstance(done, play.Stop):
        if not table.halted_at:
            return {"type": "halt"}
        facts = state.moments[state.fault or 0].facts
        right = {key: value for key, _kind, value in play.questions_asked(table.book, done.kind, facts)}
        answers = {key: written(table, key, value) for key, value in right.items()}
        return {"type": "stop", "kind": done.kind, "answers": answers}
    sent: dict[str, Any] = document(done)
    if isinstance(done, play.Say):
        words = next(duty.words for duty in state.due if duty.words)
        key = next(duty.key for duty in state.due if duty.words)
        sent = {"type": "say", "text": table.book.say(words, table.book.language_of(key))}
    return sent


def written(table: ExamTable, key: str, value: Any) -> Any:
    if isinstance(value, Utterance):
        return table.book.say(value, table.book.language_of(key))
    return list(value) if isinstance(value, tuple) else value
