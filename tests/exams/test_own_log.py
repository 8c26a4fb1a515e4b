"""An administrator who sat an exam reads about it on the log, in the own copy and in a dossier, only what is released
or decided."""

import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from exams.audit.services import record
from exams.hr import dossier
from exams.hr.privacy import everything_about
from exams.results import annulment, grading, services
from exams.results.models import Annulment, Result
from tests.exams import making
from tests.exams.certifying import add_result
from tests.factories import PersonFactory
from training.people.models import Role, User

pytestmark = pytest.mark.django_db
WITHHELD = "This is about your own exam."


@pytest.fixture
def candidate() -> User:
    person: User = PersonFactory(roles=[Role.TRAINEE, Role.ADMINISTRATOR, Role.HR], name="Ana Sousa", language="en")
    version = making.make_version(making.make_rules(release="by_examiner", annulment="by_two"))
    sitting = making.start(making.enter(making.make_session(version), person))
    making.answer(sitting, right=4)
    making.close(sitting)
    grading.grade_sitting(sitting.pk)
    return person


def log(reader: User, name: str = "audit") -> bytes:
    client = Client()
    client.force_login(reader)
    return client.get(reverse(name)).content


def rows(reader: User) -> list[tuple[Any, ...]]:
    return list(load_workbook(io.BytesIO(log(reader, "audit_xlsx"))).active.iter_rows(values_only=True))


def told(person: User) -> str:
    """What the copy and the dossier say was done about a person."""
    acts = [entry["act"] for entry in everything_about(person)["audit.Entry about the person"]]
    lines = dossier._inputs(person, person)["acts"]
    return " ".join([*acts, *(line["told"] for line in lines)])


def test_an_own_score_is_read_once_it_is_released(candidate: User) -> None:
    result = Result.objects.get()
    shown, other = log(candidate).decode(), PersonFactory(roles=[Role.ADMINISTRATOR], language="en")
    assert WITHHELD in shown and "graded the exam" not in shown and "Score" not in shown
    assert not any("Score" in str(cell) for row in rows(candidate) for cell in row)
    assert "graded the exam of Ana Sousa" in log(other).decode(), "others read it as before"
    assert "Sitting: graded" not in told(candidate)

    services.release_result(result.pk, result.sitting.candidate.session.created_by)
    assert WITHHELD not in log(candidate).decode() and "graded the exam of Ana Sousa" in log(candidate).decode()
    assert "Sitting: graded" in told(candidate)


def test_a_result_that_follows_a_released_one_waits_for_its_own_release(candidate: User) -> None:
    result = Result.objects.get()
    services.release_result(result.pk, result.sitting.candidate.session.created_by)

    later = add_result(result.sitting, released_at=None)
    record(None, "result.regraded", f"result:{later.pk}", score=["10", "88"], passed=[False, True])
    shown = log(candidate).decode()
    assert shown.count(WITHHELD) == 1 and "graded the exam of Ana Sousa" in shown


def test_an_annulment_is_read_once_it_is_decided(candidate: User) -> None:
    sitting = Result.objects.get().sitting
    asked = annulment.ask(sitting, by=sitting.candidate.session.created_by, remedy="annulled", reason="Fire alarm.")
    assert "to be annulled" not in log(candidate).decode() and "Fire alarm" not in log(candidate).decode()
    assert "nnul" not in told(candidate)
    annulment.confirm(asked, by=PersonFactory(roles=[Role.INSTRUCTOR]))
    assert Annulment.objects.get().accepted
    assert "to be annulled" in log(candidate).decode()
    assert "Annulment: requested" in told(candidate) and "Sitting: annulled" in told(candidate)
