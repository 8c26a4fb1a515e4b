"""Certificates, the roster and results for programs."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from exams.certificates.models import Certificate
from tests.exams import certifying, making
from tests.exams.making import make_rules
from tests.exams.staffing import BOOK, NOON, OTHER, TODAY, certify, days, staff
from training.api import tokens
from training.people.models import Role, User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.clock.now", lambda: NOON)


class Program:
    """A program with a token of these scopes."""

    def __init__(self, owner: User, *scopes: str) -> None:
        self.owner = owner
        _token, text = tokens.issue(owner, name="Escalas", scopes=scopes, days=30)
        self.headers = {"Authorization": f"Bearer {text}"}

    def get(self, address: str) -> tuple[int, Any]:
        response = Client().get(f"/api/v1/{address}", headers=self.headers)
        return response.status_code, response.json()

    def post(self, address: str, body: Any, **headers: str) -> tuple[int, Any]:
        sent: dict[str, Any] = {"content_type": "application/json", "headers": self.headers | headers}
        response = Client().post(f"/api/v1/{address}", body, **sent)
        return response.status_code, response.json()


@pytest.fixture
def hr(person: Callable[..., User]) -> Program:
    return Program(person(roles=[Role.HR]), "certificates:read", "certificates:write", "roster:read")


def code(answer: tuple[int, Any]) -> tuple[int, str]:
    return answer[0], answer[1]["error"]["code"]


def test_hr_reads_certificates_by_the_filters_of_the_desk(hr: Program) -> None:
    held = certify(staff("João", number="J-7"), ends=days(9))
    certify(staff("Ana"))
    status, body = hr.get("certificates/?within=9&q=joao")
    assert (status, body["count"]) == (200, 1)
    (line,) = body["results"]
    assert (line["number"], line["standing"], line["scope"]) == (held.number, "valid", [BOOK])
    assert line["holder"] == {"id": held.holder_id, "name": "João", "staff_number": "J-7"}
    assert code(hr.get("certificates/?standing=nonsense")) == (422, "invalid")


def test_a_holder_reads_their_own_and_no_other(person: Callable[..., User]) -> None:
    holder = Program(person(), "certificates:read")
    own, other = certify(holder.owner), certify()
    assert [line["id"] for line in holder.get("certificates/")[1]["results"]] == [str(own.pk)]
    assert holder.get(f"certificates/{own.pk}/")[1]["acts"] == []
    assert code(holder.get(f"certificates/{other.pk}/")) == (404, "not_found")
    assert code(holder.post(f"certificates/{own.pk}/acts/", {"act": "suspend", "reason": "x"})) == (403, "forbidden")


def test_hr_suspends_and_reinstates_by_program(hr: Program) -> None:
    held = certify()
    address = f"certificates/{held.pk}/acts/"
    status, body = hr.post(address, {"act": "suspend", "reason": "Queixa."})
    assert (status, body["standing"], body["acts"]) == (200, "suspended", ["reinstate", "withdraw"])
    assert [(act["kind"], act["reason"]) for act in body["history"]][-1] == ("suspend", "Queixa.")
    assert code(hr.post(address, {"act": "suspend", "reason": "Outra."})) == (409, "refused")
    assert hr.post(address, {"act": "reinstate", "reason": "Esclarecida."})[1]["standing"] == "valid"


def test_an_act_sent_twice_with_a_key_is_done_once(hr: Program) -> None:
    held = certify()
    sent = {"act": "suspend", "reason": "Queixa."}
    answers = [hr.post(f"certificates/{held.pk}/acts/", sent, **{"Idempotency-Key": "k1"}) for _ in range(2)]
    assert answers[0] == answers[1]
    assert held.acts.count() == 2


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"act": "suspend"}, "reason"),
        ({"act": "suspend", "reason": "  "}, "reason"),
        ({"act": "suspend", "reason": "x", "scope": [BOOK]}, "scope"),
        ({"act": "reduce", "reason": "x"}, "scope"),
        ({"act": "reduce", "reason": "x", "scope": [BOOK, OTHER]}, "scope"),
        ({"act": "grant", "reason": "x"}, "act"),
    ],
)
def test_what_cannot_be_done_names_its_field(hr: Program, body: Any, field: str) -> None:
    version = making.make_version(make_rules(rulebooks=(BOOK, OTHER)))
    held = certify(version=version, scope=(BOOK, OTHER))
    answer = hr.post(f"certificates/{held.pk}/acts/", body)
    assert code(answer) == (422, "invalid")
    assert list(answer[1]["error"]["fields"]) == [field]
    assert held.acts.count() == 1


def test_nobody_acts_on_their_own_certificate_by_program_either(hr: Program) -> None:
    own = certify(hr.owner)
    assert code(hr.post(f"certificates/{own.pk}/acts/", {"act": "suspend", "reason": "x"})) == (409, "refused")


def test_the_roster_is_the_roster(hr: Program) -> None:
    certify(staff("Ana"), ends=days(3))
    status, body = hr.get(f"roster/?on={days(3).isoformat()}&rulebook={BOOK}")
    assert (status, body["on"]) == (200, days(3).isoformat())
    assert [(entry["name"], entry["until"], entry["lapses_soon"]) for entry in body["entries"]] == [
        ("Ana", days(3).isoformat(), True)
    ]
    assert hr.get(f"roster/?on={days(4).isoformat()}")[1]["entries"] == []
    assert hr.get("roster/")[1]["on"] == TODAY.isoformat()
    for nonsense in ("amanha", "9999-12-31", "0001-01-01"):
        assert code(hr.get(f"roster/?on={nonsense}")) == (422, "invalid")


def test_each_area_wants_its_own_scope(person: Callable[..., User]) -> None:
    only_roster = Program(person(roles=[Role.HR]), "roster:read")
    assert only_roster.get("roster/")[0] == 200
    assert code(only_roster.get("certificates/")) == (403, "out_of_scope")
    reader = Program(person(roles=[Role.HR]), "certificates:read")
    address = f"certificates/{certify().pk}/acts/"
    assert code(reader.post(address, {"act": "suspend", "reason": "x"})) == (403, "out_of_scope")
    assert Certificate.objects.get().state == "granted"


def test_results_are_ones_own_and_only_when_released(person: Callable[..., User]) -> None:
    mine = Program(person(), "exams:read")
    version = making.make_version()
    shown = certifying.make_result(version, mine.owner, decided_at=NOON)
    certifying.make_result(version, mine.owner, decided_at=NOON, released_at=None)
    certifying.make_result(version, decided_at=NOON)
    (line,) = mine.get("results/")[1]["results"]
    assert (line["id"], line["passed"], line["score"]) == (str(shown.pk), True, "88.0000")


def test_lists_ask_the_database_as_often_for_many_as_for_few(hr: Program, django_assert_max_num_queries: Any) -> None:
    for _ in range(6):
        certify()
    with django_assert_max_num_queries(8):
        hr.get("certificates/")
    with django_assert_max_num_queries(8):
        hr.get("roster/")
