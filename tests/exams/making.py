"""Programmes, sessions, forms and sittings for tests, made straight in the database with scenarios of the engine."""

from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.utils import timezone

import rules_engine
from exams.papers.knowledge import fingerprint_of
from exams.programmes import standard
from exams.programmes.models import Judgement, Programme, ProgrammeVersion
from exams.programmes.rules import Line, Rules, Section
from exams.records.models import Candidate, ExamItem, Form, FormItem, Response, Session, Sitting
from rules_engine import Scenario
from tests.factories import PersonFactory
from tests.spoken import asked_words
from training.people.models import Role, User
from training.platform.engine_json import document

BOOK = "pt-chemin-de-fer"
SPOKEN = "third_card"  # of this topic of BOOK, sessions hold only cases that ask for words


def make_rules(**changes: Any) -> Rules:
    """Two sections, five items: three on the third card, two on who has the bancô."""
    sections = (
        Section(
            key="coup",
            names={"pt": "O golpe", "en": "The coup"},
            lines=(Line(rulebook=BOOK, topic="third_card", difficulty=2, items=3, points=2),),
        ),
        Section(
            key="claims",
            names={"pt": "As vozes", "en": "The claims"},
            lines=(Line(rulebook=BOOK, topic="banco_priority", difficulty=2, items=2, points=3),),
        ),
    )
    usual: dict[str, Any] = {
        "rulebooks": (BOOK,),
        "sections": sections,
        "minutes": 30,
        "pass_mark": 70,
        "wait_days": 0,
    }
    return Rules(**usual | changes)


def judged(draft: ProgrammeVersion, *shares: int) -> ProgrammeVersion:
    """The draft after two judges have set its pass mark, each with one of the shares for every line."""
    for share in shares or (0, 0):
        Judgement.objects.create(
            version=draft,
            judge=PersonFactory(roles=[Role.INSTRUCTOR]),
            round=1,
            ratings=[share] * len(draft.rules.lines),
            blueprint=standard.blueprint_of(draft.rules),
            given_at=timezone.now(),
        )
    return draft


# One rulebook and topic of each of three games.
THREE_GAMES = {BOOK: "third_card", "pt-ponto-banca-1995": "drawing", "pt-roleta-francesa": "payout"}


def mixed_rules(**changes: Any) -> Rules:
    """An exam of three games: a section for each, two items in it."""
    sections = tuple(
        Section(
            key=topic.replace("_", "-"),
            names={
                "pt": rules_engine.rulebook(book).game.name("pt"),
                "en": rules_engine.rulebook(book).game.name("en"),
            },
            lines=(Line(rulebook=book, topic=topic, difficulty=2, items=2, points=2),),
        )
        for book, topic in THREE_GAMES.items()
    )
    return make_rules(**{"rulebooks": tuple(THREE_GAMES), "sections": sections, "game_mark": 1} | changes)


def make_version(rules: Rules | None = None, **changes: Any) -> ProgrammeVersion:
    """A programme in force."""
    number = Programme.objects.count() + 1
    made = {
        "programme": Programme.objects.create(code=f"CDF-{number}"),
        "state": ProgrammeVersion.State.PUBLISHED,
        "names": {"pt": "Chemin de fer", "en": "Chemin de fer"},
        "rules_document": document(rules or make_rules()),
        "author": PersonFactory(roles=[Role.INSTRUCTOR]),
        "published_by": PersonFactory(roles=[Role.ADMINISTRATOR]),
        "published_at": timezone.now(),
    } | changes
    return ProgrammeVersion.objects.create(**made)


@cache
def scenario(topic: str, number: int, difficulty: int = 2, book: str = BOOK) -> Scenario:
    return rules_engine.generate(book, topic, f"exam {number}", difficulty)


def make_session(
    version: ProgrammeVersion | None = None, *, spare: int = 1, first_seed: int = 0, **changes: Any
) -> Session:
    """A session that is open now, with a pool of `spare` more items than a form needs from every line.

    Its items on the third card of BOOK all ask for words. Sessions have the same cases unless they begin with another
    seed.
    """
    version = version or make_version()
    now = timezone.now()
    made = {
        "programme_version": version,
        "title": "Exame de novembro",
        "opens_at": now - timedelta(minutes=5),
        "entry_closes_at": now + timedelta(hours=2),
        "access_code": "SABOT-7",
        "state": Session.State.READY,
        "created_by": version.author,
    } | changes
    session = Session.objects.create(**made)
    lines = [(section, line) for section in version.rules.sections for line in section.lines]
    items = []
    for number, (section, line) in enumerate(lines):
        seen: set[str] = set()
        seed = first_seed
        while len(seen) < line.items + spare:
            found = scenario(line.topic, seed, line.difficulty, line.rulebook)
            seed += 1
            fingerprint = fingerprint_of(found)
            if fingerprint in seen or not found.solve().exam_safe:
                continue
            if (line.rulebook, line.topic) == (BOOK, SPOKEN) and not asked_words(found):
                continue
            seen.add(fingerprint)
            items.append(
                ExamItem(
                    session=session,
                    section=section.key,
                    line=number,
                    points=line.points,
                    rulebook=line.rulebook,
                    topic=line.topic,
                    difficulty=line.difficulty,
                    scenario_document=document(found),
                    fingerprint=fingerprint,
                    predicted=0.7,
                )
            )
    ExamItem.objects.bulk_create(items)
    return session


def put_in_use(found: Scenario, session: Session | None = None) -> ExamItem:
    """These facts as one more case of a session that a candidate can still begin."""
    if session is None:
        session = make_session(first_seed=5000)
        enter(session)
    like = session.items.all()[0]
    return ExamItem.objects.create(
        session=session,
        section=like.section,
        line=like.line,
        points=like.points,
        rulebook=found.rulebook,
        topic=found.topic,
        difficulty=found.difficulty,
        scenario_document=document(found),
        fingerprint=fingerprint_of(found),
        predicted=0.7,
    )


def enter(session: Session, person: User | None = None, *, skip: int = 0, extra_minutes: int = 0) -> Candidate:
    """A candidate with a form: the first items of every line, after leaving out `skip` of them."""
    person = person or PersonFactory(roles=[Role.TRAINEE])
    candidate = Candidate.objects.create(
        session=session, person=person, name=person.name, extra_minutes=extra_minutes, entered_by=session.created_by
    )
    form = Form.objects.create(candidate=candidate, seed=f"seed {candidate.pk}", predicted=0.7)
    lines = [line for section in session.programme_version.rules.sections for line in section.lines]
    pool = list(ExamItem.objects.filter(session=session).order_by("line", "fingerprint"))
    chosen = [
        item
        for number, line in enumerate(lines)
        for item in [item for item in pool if item.line == number][skip : skip + line.items]
    ]
    FormItem.objects.bulk_create(
        FormItem(form=form, position=position, item=item) for position, item in enumerate(chosen, 1)
    )
    return candidate


def start(candidate: Candidate, *, at: datetime | None = None) -> Sitting:
    at = at or timezone.now()
    minutes = candidate.session.programme_version.rules.minutes + candidate.extra_minutes
    return Sitting.objects.create(
        candidate=candidate,
        name=candidate.name or candidate.person.name,
        started_at=at,
        deadline_at=at + timedelta(minutes=minutes),
    )


def right_answer(made: Scenario) -> dict[str, Any]:
    """The parts of a perfect answer."""
    mark = rules_engine.grade(made, rules_engine.answer_from({"parts": {}}))
    return {part.key: list(part.right) if isinstance(part.right, tuple) else part.right for part in mark.parts}


def answer(sitting: Sitting, *, right: int, at: datetime | None = None) -> None:
    """Answer the first `right` items perfectly and leave the others empty."""
    placed = FormItem.objects.filter(form__candidate=sitting.candidate_id).select_related("item").order_by("position")
    Response.objects.bulk_create(
        Response(
            sitting=sitting,
            form_item=form_item,
            answer={"parts": right_answer(form_item.item.scenario) if position < right else {}},
            sequence=1,
            saved_at=at or sitting.started_at,
        )
        for position, form_item in enumerate(placed)
    )


def close(sitting: Sitting, *, at: datetime | None = None) -> Sitting:
    sitting.closed_at = at or sitting.started_at + timedelta(minutes=1)
    sitting.closed_by = Sitting.ClosedBy.CANDIDATE
    sitting.save(update_fields=["closed_at", "closed_by"])
    return sitting
