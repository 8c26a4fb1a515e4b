"""One person's data: all of it, nothing of anybody else, no secret and no exam item."""

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from exams.audit.models import Entry
from exams.audit.services import record
from exams.certificates import services
from exams.hr import staff
from exams.hr.privacy import LEFT_OUT, OWN, everything_about
from exams.records.models import ExamItem, Form
from tests.house import House
from training.people.models import User


def ways_to_a_person() -> Iterator[tuple[str, str]]:
    """Every field of every model that points to a person."""
    for model in apps.get_models():
        for field in [*model._meta.concrete_fields, *model._meta.many_to_many]:
            if field.related_model is User:
                yield model._meta.label, field.name


def test_every_way_from_a_row_to_a_person_is_followed_or_declared_left_out() -> None:
    undeclared = [
        f"{label}.{name}"
        for label, name in ways_to_a_person()
        if OWN.get(label, ("",))[0] != name and f"{label}.{name}" not in LEFT_OUT
    ]
    assert undeclared == [], "say in exams/hr/privacy.py whether these belong to the person, or why not"
    known = {f"{label}.{name}" for label, name in ways_to_a_person()}
    assert set(LEFT_OUT) - known == set(), "these are no longer there"
    assert not {way for way in LEFT_OUT if OWN.get(way.rpartition(".")[0], ("",))[0] == way.rpartition(".")[2]}


def test_what_is_not_told_exists_and_says_why() -> None:
    for label, (_way, untold) in OWN.items():
        fields = {field.name for field in apps.get_model(label)._meta.concrete_fields}
        assert set(untold) <= fields, label
        assert all(untold.values()), label
        others = {name for model, name in ways_to_a_person() if model == label and name != OWN[label][0]}
        assert others <= set(untold), f"{label} names somebody else"


def words_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from words_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words_of(inner)
    elif isinstance(value, str):
        yield value


@pytest.fixture
def told(db: None) -> tuple[House, dict[str, Any], str]:
    house = House()
    out = StringIO()
    call_command("export_person", house.trainee.email.upper(), stdout=out)
    return house, json.loads(out.getvalue()), out.getvalue()


def test_a_copy_is_whole_and_about_one_person_alone(told: tuple[House, dict[str, Any], str]) -> None:
    house, data, text = told
    assert data["account"]["email"] == house.trainee.email
    assert data["certificates.Certificate"][0]["number"] == house.certificate.number
    assert data["hr.StaffRecord"][0]["staff_number"] == "B-17"
    for label in ("practice.Drill", "practice.Mark", "records.Candidate", "records.Sitting", "appeals.Appeal"):
        assert data[label], label
    others = User.objects.exclude(pk=house.trainee.pk)
    words = set(words_of(data))
    assert not {person.email for person in others if person.email in text}
    assert not {person.name for person in others} & words


def test_no_secret_and_no_item_is_in_it(told: tuple[House, dict[str, Any], str]) -> None:
    house, data, text = told
    assert "password" not in data["account"]
    assert house.trainee.password not in text
    assert house.token.digest not in text
    assert not [item for item in ExamItem.objects.all() if item.fingerprint in text]
    assert not [form for form in Form.objects.all() if form.seed in text]
    assert "scenario_document" not in text
    assert "ruling_document" not in text
    assert not any(row["released_at"] is None for row in data["results.Result"])


def test_what_others_did_about_the_person_is_in_it_without_their_names(db: None) -> None:
    house = House()
    services.suspend(certificate=house.certificate, actor=house.hr, reason="Faltou.")
    staff.change_record(house.trainee, house.hr, staff_number="B-18")
    data = everything_about(house.trainee)
    done = {row["act"]: row["details"] for row in data["audit.Entry about the person"]}
    assert done["Certificado: suspenso"]["number"] == house.certificate.number
    assert done["Pessoal: ficha alterada"]["changes"]["staff_number"] == ["B-17", "B-18"]
    assert house.hr.name not in set(words_of(data))
    numbers = {row["number"] for row in data["audit.Entry about the person"]}
    assert not numbers & {row["number"] for row in data["audit.Entry"]}


def test_a_score_that_is_not_released_is_not_told_by_the_log(db: None) -> None:
    person = User.objects.create_user("ana@casino.example", name="Ana")
    record(None, "sitting.graded", f"person:{person.pk}", score="12.5", passed=False)
    (row,) = everything_about(person)["audit.Entry about the person"]
    assert row["details"] == {}


def test_making_a_copy_is_on_record(told: tuple[House, dict[str, Any], str]) -> None:
    assert Entry.objects.get(act="person.exported").subject == f"person:{told[0].trainee.pk}"


def test_nobody_unknown(db: None) -> None:
    with pytest.raises(CommandError, match="nobody@casino"):
        call_command("export_person", "nobody@casino.example")


def test_somebody_of_whom_there_is_nothing_has_an_account(db: None) -> None:
    person = User.objects.create_user("only@casino.example", name="Só")
    assert {label for label, rows in everything_about(person).items() if rows} == {"account"}
