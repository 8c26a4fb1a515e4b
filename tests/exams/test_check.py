"""The public check, and a holder's own page: what is said, to whom, and what it costs."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from exams.certificates import selectors, services
from exams.certificates.issuance import ALPHABET
from exams.certificates.lifecycle import add_months
from exams.certificates.models import Certificate
from tests.exams import making
from tests.exams.certifying import make_certificate
from tests.factories import PersonFactory, second_person
from training.people.models import Role, User, WrongTries

pytestmark = pytest.mark.django_db
BOOKS = ("pt-chemin-de-fer", "it-sanremo-chemin-de-fer")
JSON = {"accept": "application/json"}


@pytest.fixture
def hr(db: None) -> User:
    return PersonFactory(roles=[Role.HR])


@pytest.fixture
def certificate(db: None) -> Certificate:
    holder = PersonFactory(name="Inês Conceição", email="ines@casino.example")
    return make_certificate(making.make_version(making.make_rules(rulebooks=BOOKS)), holder)


def said(code: str) -> dict[str, Any]:
    found: dict[str, Any] = Client().get(f"/c/{code}.json").json()
    return found


def test_a_stranger_learns_what_the_certificate_says_and_no_more(client: Client, certificate: Certificate) -> None:
    page = client.get(f"/c/{certificate.code}").content.decode()
    for expected in ("Inês Conceição", certificate.number, "Portugal · chemin de fer", "Sanremo · chemin de fer"):
        assert expected in page
    for secret in ("ines@casino", str(certificate.pk), "88.0"):
        assert secret not in page
    data = said(certificate.code)
    assert set(data) == {
        *("standing", "on", "number", "name", "programme", "rulebooks", "laws", "valid_from", "valid_until"),
        "issuer",
    }
    assert data["standing"] == "valid"
    assert list(data["rulebooks"]) == list(BOOKS)
    assert data["valid_until"] == add_months(timezone.localdate(), 24).isoformat()


def test_every_standing_is_said(certificate: Certificate, hr: User, monkeypatch: pytest.MonkeyPatch) -> None:
    services.suspend(certificate=certificate, actor=hr, reason="Motivo reservado")
    assert said(certificate.code)["standing"] == "suspended"
    assert "Motivo reservado" not in Client().get(f"/c/{certificate.code}").content.decode()
    services.reinstate(certificate=certificate, actor=hr, reason="x")
    services.reduce(certificate=certificate, actor=hr, reason="x", scope=BOOKS[:1])
    assert (said(certificate.code)["standing"], list(said(certificate.code)["rulebooks"])) == ("valid", [BOOKS[0]])
    new = make_certificate(certificate.programme_version, certificate.holder)
    assert said(certificate.code)["standing"] == "replaced"
    services.withdraw(certificate=new, actor=hr, second=second_person(), reason="x")
    assert said(new.code)["standing"] == "withdrawn"
    other = make_certificate()
    monkeypatch.setattr("exams.clock.today", lambda: add_months(timezone.localdate(), 25))
    assert said(other.code)["standing"] == "expired"
    assert Client().get(f"/c/{other.code}").status_code == 200


def test_program_and_person_get_what_they_ask_for(client: Client, certificate: Certificate) -> None:
    address = f"/c/{certificate.code}"
    assert client.get(address, headers=JSON).json() == client.get(f"{address}.json").json()
    browser = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    assert "text/html" in client.get(address, headers=browser).headers["Content-Type"]
    assert "Accept" in client.get(address).headers["Vary"]


def test_a_code_may_be_typed_as_people_type(client: Client, certificate: Certificate) -> None:
    code = certificate.code
    for typed in (code.lower(), f"{code[:4]}-{code[4:8]}-{code[8:]}", f" {code[:4]} {code[4:8]} {code[8:]} "):
        assert certificate.number in client.get("/c/", {"code": typed}).content.decode()
    assert client.get("/c/", {"code": code + "A"}).status_code == 404
    assert client.get("/c/", {"code": code[:-1]}).status_code == 404


UNKNOWN = "".join(ALPHABET[(3 * place) % len(ALPHABET)] for place in range(12))
MALFORMED = ["x", "0" * 12, "A" * 500, "<script>", "' OR 1=1 --", "é" * 12, "A.B", "%00", "AAAA-AAAA-AAAA-AAAA"]


def told(client: Client, path: str, params: dict[str, str] | None = None, **headers: Any) -> tuple[int, bytes, int]:
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path, params or {}, **headers)
    # The switch of languages leads back to the address that was asked for.
    return (
        response.status_code,
        re.sub(rb'<form class="segments".*?</form>', b"", response.content, flags=re.S),
        len(queries),
    )


def test_malformed_and_unknown_cannot_be_told_apart(client: Client, certificate: Certificate) -> None:
    page, data = told(client, f"/c/{UNKNOWN}"), told(client, f"/c/{UNKNOWN}.json")
    assert (page[0], data[0], page[2], data[2]) == (404, 404, 2, 2)
    assert json.loads(data[1]) == {"standing": "unknown"}
    for code in MALFORMED:
        assert told(client, f"/c/{code}") == page, code
        assert told(client, f"/c/{code}.json") == data, code
        assert told(client, "/c/", {"code": code}) == page, code
        assert told(client, f"/c/{code}", headers=JSON)[:2] == data[:2], code


@pytest.mark.parametrize("asked", ["/c/", "/c/?code={code}", "/c/{code}", f"/c/{UNKNOWN}", "/register/?name=ines"])
def test_a_stranger_reads_it_in_the_language_of_their_choice(certificate: Certificate, asked: str) -> None:
    client, address = Client(enforce_csrf_checks=True), asked.format(code=certificate.code)
    page = client.get(address).content.decode()
    assert '<html lang="pt">' in page
    assert not client.cookies  # whoever only reads gets none
    sent = dict(re.findall(r'name="(csrfmiddlewaretoken|next)" value="([^"]*)"', page))
    answer = client.post("/language/", sent | {"language": "en"})
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert '<html lang="en">' in client.get(address).content.decode()


def test_one_query_and_one_count(
    client: Client, certificate: Certificate, django_assert_num_queries: Callable[..., Any]
) -> None:
    with django_assert_num_queries(2):
        client.get(f"/c/{certificate.code}")
    with django_assert_num_queries(2):
        client.get(f"/c/{certificate.code}.json")


def test_too_many_questions_are_refused(client: Client, certificate: Certificate, settings: Any) -> None:
    settings.CHECK_RATE = 3
    address = f"/c/{certificate.code}"
    assert [client.get(address).status_code for _each in range(4)] == [200, 200, 200, 429]
    refused = client.get("/c/")
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
    assert client.get(address, REMOTE_ADDR="198.51.100.7").status_code == 200
    # A header that anybody may write gives nobody a fresh count.
    assert client.get(address, headers={"x-forwarded-for": "198.51.100.8"}).status_code == 429
    # Whichever process is asked: nothing is kept in this one.
    assert WrongTries.objects.get(failures__gt=3).since <= timezone.now()


def test_codes_are_kept_as_they_are_compared() -> None:
    assert selectors.plain_code("7kq2-mxh9-wtz4") == "7KQ2MXH9WTZ4"
    assert len(selectors.plain_code("A" * 500)) == 13  # one too many, so never taken for a code


# ---- the holder's own page


def test_the_holder_sees_state_scope_and_end(certificate: Certificate, hr: User) -> None:
    client = Client()
    client.force_login(certificate.holder)
    page = client.get("/certificates/").content.decode()
    for expected in (certificate.number, "Sanremo · chemin de fer", f"/certificates/{certificate.pk}/document.pdf"):
        assert expected in page
    services.suspend(certificate=certificate, actor=hr, reason="Queixa em apreciação")
    services.reduce(certificate=certificate, actor=hr, reason="Outra coisa", scope=BOOKS[:1])
    page = client.get("/certificates/").content.decode()
    assert "Queixa em apreciação" in page
    assert "Outra coisa" not in page


def test_files_are_the_holders_and_hrs_alone(certificate: Certificate, signed_in: Callable[..., Client]) -> None:
    holder = Client()
    holder.force_login(certificate.holder)
    for name, kind in (("document.pdf", "application/pdf"), ("credential.jwt", "application/jwt")):
        address = f"/certificates/{certificate.pk}/{name}"
        for client in (holder, signed_in(Role.HR)):
            given = client.get(address)
            assert (given.status_code, given.headers["Content-Type"]) == (200, kind)
            assert certificate.number in given.headers["Content-Disposition"]
            assert "no-store" in given.headers["Cache-Control"]
        for role in (Role.TRAINEE, Role.INSTRUCTOR, Role.ADMINISTRATOR):
            assert signed_in(role).get(address).status_code == 404


def test_without_any_it_says_what_to_do(signed_in: Callable[..., Client]) -> None:
    assert "<h2>" in signed_in(Role.TRAINEE).get("/certificates/").content.decode()


def test_many_certificates_cost_no_more_queries(
    certificate: Certificate, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    client = Client()
    client.force_login(certificate.holder)
    for _each in range(4):
        make_certificate(making.make_version(), certificate.holder)
    with django_assert_max_num_queries(8):
        page = client.get("/certificates/")
    assert page.content.decode().count("document.pdf") == 5
