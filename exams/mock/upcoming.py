"""What the home page and the page of the day show about exams."""

from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse

from exams.programmes.readiness import readiness_of, readiness_without
from exams.records.models import Candidate
from exams.sittings.selectors import OwnExam, candidacies, own_exam
from rules_engine.narration import topic_name
from training.home.hooks import NOTHING, Ahead, Next, OpenNow, ToPractise
from training.people.models import User
from training.practice.hooks import Effect


def _coming(person: User, now: datetime) -> QuerySet[Candidate]:
    return candidacies(person).filter(session__entry_closes_at__gt=now, sitting=None)


def ahead(person: User, now: datetime, language: str) -> Ahead:
    """Exams open now, and readiness for the next one. Most people have none, so that is checked first."""
    coming = _coming(person, now)
    if not coming.exists():
        return NOTHING
    exams = [own_exam(candidate, language, now) for candidate in coming.order_by("session__opens_at")]
    to_come = [exam for exam in exams if exam.state in ("open", "waiting", "upcoming")]
    return Ahead(
        now=[_open(exam) for exam in to_come if exam.state != "upcoming"],
        next=next((_next(person, exam, now, language) for exam in to_come if exam.state != "waiting"), None),
    )


def _open(exam: OwnExam) -> OpenNow:
    address = reverse("enter_exam", args=[exam.candidate.pk])
    return OpenNow(exam.name, exam.session.title, address, exam.session.entry_closes_at, exam.why)


def _next(person: User, exam: OwnExam, now: datetime, language: str) -> Next:
    version, at = exam.session.programme_version, max(now, exam.session.opens_at)
    found = readiness_of(person, version.rules, at)
    return Next(
        name=exam.name,
        at=exam.session.opens_at,
        percent=found.percent,
        needed=version.rules.pass_mark,
        to_practise=[
            ToPractise(
                f"{weak.line.rulebook}/{weak.line.topic}",
                topic_name(weak.line.rulebook, weak.line.topic, language),
                weak.line.difficulty,
                weak.percent,
            )
            for weak in found.to_practise
        ],
        mock=reverse("mocks"),
    )


def effect_of_day(trainee: User, begin: datetime, now: datetime, language: str) -> Effect | None:
    """Readiness for the next exam without and with what was practised since `begin`; None without an exam."""
    coming = _coming(trainee, now).order_by("session__opens_at").first()
    if coming is None:
        return None
    exam = own_exam(coming, language, now)
    version, at = exam.session.programme_version, max(now, exam.session.opens_at)
    return Effect(
        name=exam.name,
        at=exam.session.opens_at,
        without=readiness_without(trainee, version.rules, at, begin).percent,
        percent=readiness_of(trainee, version.rules, at).percent,
        needed=version.rules.pass_mark,
    )
