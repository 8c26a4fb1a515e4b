"""The HR desk: people and certificates by filters that live in the address, and acts with a reason."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from exams.certificates.models import Act, Certificate
from exams.hr import selectors
from exams.hr.selectors import Filters
from tests.exams import making
from tests.exams.certifying import make_certificate, make_result
from tests.exams.making import make_rules
from tests.exams.staffing import BOOK, NOON, OTHER, TODAY, certify, days, staff
from training.people.models import Role, User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.clock.now", lambda: NOON)


@pytest.fixture
def hr(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.HR)


def names(**wanted: Any) -> list[str]:
    """Who is found, less the people that tests need for other reasons."""
    return [who.name for who in selectors.people(Filters(**wanted)) if hasattr(who, "staff_record")]


@pytest.mark.parametrize(
    "asked",
    ["joao", "JOÃO", "joão guimaraes", "guimarães joao", "J-77", "j-77", "casa.example", "CDF-2026", "jo\u0303ao"],
)
def test_a_person_is_found_without_case_and_accents_in_any_order(asked: str) -> None:
    certify(staff("João Guimarães", number="J-77", email="jg@casa.example"), number="CDF-2026-X")
    staff("Ana Prates")
    assert names(q=asked) == ["João Guimarães"]
    assert [each.holder.name for each in selectors.certificates(Filters(q=asked))] == ["João Guimarães"]


def test_what_is_looked_for_is_text_and_no_pattern() -> None:
    staff("Ana")
    assert names(q="%") == names(q="_") == names(q='"') == []


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"rulebook": OTHER}, ["Bea"]),
        ({"rulebook": BOOK}, ["Ana", "Bea", "Caio", "Dora"]),
        ({"standing": "valid"}, ["Ana", "Bea"]),
        ({"standing": "suspended"}, ["Caio"]),
        ({"standing": "expired"}, ["Bea", "Dora"]),
        ({"standing": "lapsed"}, ["Dora"]),
        ({"within": 9}, []),
        ({"within": 10}, ["Ana"]),
        ({"within": 10, "rulebook": OTHER}, []),
        ({"department": "Banca"}, ["Ana"]),
        ({"staff": "left"}, ["Eva"]),
        ({"staff": "all"}, ["Ana", "Bea", "Caio", "Dora", "Eva", "Fim"]),
        ({}, ["Ana", "Bea", "Caio", "Dora", "Fim"]),
        ({"sort": "until", "standing": "valid"}, ["Ana", "Bea"]),
    ],
)
def test_the_filters(wanted: dict[str, Any], expected: list[str]) -> None:
    certify(staff("Ana", department="Banca"), ends=days(10))
    bea = staff("Bea")
    certify(bea, begins=days(-90), ends=days(-1))
    certify(bea, scope=(BOOK, OTHER))
    certify(staff("Caio"), state="suspended")
    certify(staff("Dora"), begins=days(-90), ends=days(-1))
    staff("Eva", left_on=days(-1))
    staff("Fim", left_on=TODAY)
    assert names(**wanted) == expected


def test_the_address_holds_the_filters_and_the_pages_keep_them(hr: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.hr.views.PAGE", 2)
    for number in range(3):
        certify(staff(f"Pessoa {number}", department="Banca"))
    certify(staff("Outra"))
    page = hr.get("/hr/?department=Banca&sort=name").content.decode()
    assert "Outra" not in page
    assert "?department=Banca&amp;sort=name&amp;page=2" in page
    assert 'name="query" value="department=Banca&amp;sort=name"' in page
    assert "Pessoa 2" in hr.get("/hr/?department=Banca&sort=name&page=2").content.decode()


def test_where_a_filter_fits_nothing_nobody_is_shown_and_it_is_said_by_name(hr: Client) -> None:
    certify(staff("Ana"))
    assert "Ana" in hr.get("/hr/?q=ana").content.decode()
    response = hr.get("/hr/?within=x&standing=nonsense&q=ana")
    page = response.content.decode()
    assert response.status_code == 422
    assert "<td" not in page and 'name="query"' not in page
    assert 'class="errors"' in page
    assert "Há um filtro que não corresponde a nada: Situação, Termina dentro de quantos dias." in page
    assert 'value="x"' in page and 'value="ana"' in page


def test_the_desk_asks_the_database_as_often_for_many_as_for_few(
    hr: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(15):
        certify(staff(f"Pessoa {number}"))
    with django_assert_max_num_queries(12):
        hr.get("/hr/?sort=until&q=pessoa&within=9999")


# ---- one person and the acts


def history(certificate: Certificate) -> list[tuple[str, str, str]]:
    return [(act.kind, act.reason, act.state_after) for act in certificate.acts.order_by("number")]


def address(certificate: Certificate, deed: str) -> str:
    return f"/hr/certificates/{certificate.pk}/{deed}/"


def test_hr_suspends_with_a_reason_and_everything_says_so(hr: Client) -> None:
    held = certify(staff("Ana"))
    page = hr.get(f"/hr/people/{held.holder_id}/").content.decode()
    assert address(held, "suspend") in page
    assert hr.get(address(held, "suspend")).status_code == 200
    done = hr.post(address(held, "suspend"), {"reason": "Queixa em averiguação."})
    assert (done.status_code, done["Location"]) == (302, f"/hr/people/{held.holder_id}/")
    assert history(held)[-1] == ("suspend", "Queixa em averiguação.", "suspended")
    assert held.acts.last().actor == hr.person  # type: ignore[attr-defined]
    shown = hr.get(f"/hr/people/{held.holder_id}/").content.decode()
    assert "Queixa em averiguação." in shown
    assert ": o certificado está suspenso" in hr.get("/hr/tonight/").content.decode()
    assert address(held, "suspend") not in shown
    assert address(held, "reinstate") in shown


@pytest.mark.parametrize("reason", ["", "   ", "x" * 2001])
def test_without_a_fit_reason_nothing_happens(hr: Client, reason: str) -> None:
    held = certify()
    page = hr.post(address(held, "withdraw"), {"reason": reason})
    assert page.status_code == 422
    assert (reason.strip() or "errors") in page.content.decode()
    assert len(history(held)) == 1


def test_the_scope_is_reduced_and_extended_within_the_programme(hr: Client) -> None:
    version = making.make_version(make_rules(rulebooks=(BOOK, OTHER)))
    held = certify(version=version, scope=(BOOK, OTHER))
    assert hr.post(address(held, "reduce"), {"reason": "Só um.", "scope": [BOOK, OTHER]}).status_code == 422
    assert hr.post(address(held, "reduce"), {"reason": "Só um.", "scope": [BOOK]}).status_code == 302
    held.refresh_from_db()
    assert held.scope == [BOOK]
    assert hr.post(address(held, "reduce"), {"reason": "Nenhum.", "scope": []}).status_code == 409
    assert hr.post(address(held, "extend"), {"reason": "E o outro.", "scope": [BOOK, OTHER]}).status_code == 302
    held.refresh_from_db()
    assert held.scope == [BOOK, OTHER]


def test_nobody_acts_on_their_own_certificate(hr: Client) -> None:
    own = certify(hr.person)  # type: ignore[attr-defined]
    page = hr.get(f"/hr/people/{own.holder_id}/").content.decode()
    assert address(own, "suspend") not in page
    assert hr.post(address(own, "suspend"), {"reason": "Porque sim."}).status_code == 409
    assert len(history(own)) == 1


def test_an_act_that_the_state_does_not_allow_is_refused(hr: Client) -> None:
    held = certify(state="suspended")
    assert hr.post(address(held, "suspend"), {"reason": "Outra vez."}).status_code == 409
    assert hr.get(address(held, "no-such")).status_code == 404


def test_the_whole_history_is_shown_with_the_queries_of_one(hr: Client, django_assert_max_num_queries: Any) -> None:
    held = certify(begins=days(-300))
    for number in range(4):
        name = ("suspend", "reinstate")[number % 2]
        hr.post(address(held, name), {"reason": f"Motivo {number}."})
    certify(held.holder)
    with django_assert_max_num_queries(12):
        page = hr.get(f"/hr/people/{held.holder_id}/").content.decode()
    assert all(f"Motivo {number}." in page for number in range(4))


def test_hr_issues_where_the_programme_leaves_it_to_them(hr: Client) -> None:
    version = making.make_version(make_rules(certificate="by_hr"))
    result = make_result(version, staff("Ana"), decided_at=NOON)
    assert "Ana" in hr.get("/hr/waiting/").content.decode()
    other = make_result(version, staff("Rui"), decided_at=NOON)
    assert hr.post(f"/hr/waiting/{result.pk}/", {"reason": "Conferido."}).status_code == 302
    assert hr.post(f"/hr/waiting/{other.pk}/", {"reason": ""}).status_code == 302, "passing is reason enough"
    made = Certificate.objects.get(holder__name="Ana")
    assert (made.holder.name, made.acts.get().kind, made.acts.get().reason) == ("Ana", Act.Kind.GRANT, "Conferido.")
    assert hr.get(f"/hr/waiting/{result.pk}/").status_code == 404


def test_hr_issues_nothing_to_themselves(hr: Client) -> None:
    version = making.make_version(make_rules(certificate="by_hr"))
    result = make_result(version, hr.person, decided_at=NOON)  # type: ignore[attr-defined]
    assert hr.post(f"/hr/waiting/{result.pk}/", {"reason": "Mereço."}).status_code == 409
    assert not Certificate.objects.exists()


# ---- the record


def test_the_record_is_changed_by_hand(hr: Client, person: Callable[..., User]) -> None:
    who = person()
    sent = {"staff_number": "A-9", "department": "Banca", "joined_on": "2026-11-20", "left_on": "2026-11-19"}
    page = hr.post(f"/hr/people/{who.pk}/record/", sent)
    assert page.status_code == 422
    assert 'value="A-9"' in page.content.decode()
    assert hr.post(f"/hr/people/{who.pk}/record/", sent | {"left_on": "2026-11-20"}).status_code == 302
    who.refresh_from_db()
    assert who.staff_record.department == "Banca"


def test_a_staff_number_belongs_to_one_person(hr: Client, person: Callable[..., User]) -> None:
    staff(number="A-9")
    page = hr.post(f"/hr/people/{person().pk}/record/", {"staff_number": "A-9"}, headers={"accept-language": "pt"})
    assert page.status_code == 422
    assert "Já há quem tenha este número de pessoal." in page.content.decode()


def test_a_certificate_issued_by_rule_is_on_the_desk(hr: Client) -> None:
    held = make_certificate(making.make_version(), staff("Ana"), decided_at=NOON)
    assert held.number in hr.get("/hr/").content.decode()
