"""An auditor reads everything, changes nothing, and follows a certificate back to every act, person and reason."""

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import unquote, urljoin

import pytest
from django.db import connection
from django.test import Client
from django.urls import resolve, reverse

from exams.accounts import roles
from exams.appeals import objections
from exams.audit.models import Entry
from exams.audit.services import verify
from exams.certificates import services
from exams.certificates.models import Act
from exams.programmes import duties
from exams.results.models import Result
from tests.exams.certifying import add_result, make_certificate
from tests.factories import PersonFactory
from tests.house import House
from training.people.models import Role
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
WHY = "Faltou três vezes sem avisar."


@pytest.fixture
def auditor(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.AUDITOR)


def test_a_certificate_is_followed_back_by_pages_alone(auditor: Client) -> None:
    certificate = make_certificate()
    hr = PersonFactory(roles=[Role.HR], name="Teresa Alvim")
    services.suspend(certificate=certificate, actor=hr, reason=WHY)
    assert certificate.result
    session = certificate.result.sitting.candidate.session
    desk = auditor.get("/hr/?q=" + certificate.number).content.decode()
    person = re.search(r"/hr/people/\d+/", desk)
    assert person
    held = auditor.get(person[0]).content.decode()
    assert "<form" not in held.partition("<main")[2].partition("</main>")[0] and "record/" not in held
    trail = re.search(r"/hr/certificates/[0-9a-f-]+/trail/", held)
    assert trail
    page = auditor.get(trail[0]).content.decode()
    for told in (certificate.number, certificate.holder.name, "Teresa Alvim", WHY, session.title):
        assert told in page, told
    (sealed,) = Entry.objects.filter(act="certificate.suspend")
    assert f">{sealed.number}<" in page
    for subject in (f"certificate:{certificate.pk}", f"result:{certificate.result_id}"):
        assert auditor.get(f"/audit/?subject={subject}").status_code == 200


def test_what_an_auditor_is_shown_has_no_button_that_acts(auditor: Client) -> None:
    certificate = make_certificate()
    pages = ["/hr/", f"/hr/people/{certificate.holder_id}/", "/hr/tonight/", "/hr/waiting/", "/hr/law/", "/appeals/"]
    for page in [*pages, "/audit/", "/audit/check/", "/people/", f"/people/{certificate.holder_id}/"]:
        answer = auditor.get(page)
        assert answer.status_code == 200, page
        main = answer.content.decode().partition("<main")[2].partition("</main>")[0]
        assert 'method="post"' not in main, page


def test_an_auditor_has_no_other_role() -> None:
    chief, auditor = PersonFactory(roles=[Role.ADMINISTRATOR]), PersonFactory(roles=[Role.AUDITOR])
    with pytest.raises(Refused):
        roles.give(auditor, [Role.HR], by=chief)
    with pytest.raises(Refused):
        roles.give(PersonFactory(roles=[Role.INSTRUCTOR]), [Role.AUDITOR], by=chief)
    with pytest.raises(Refused):
        roles.invite(
            email="a@casa.example", name="Ana", language="pt", roles=[Role.AUDITOR, Role.ADMINISTRATOR], by=chief
        )
    assert auditor.roles == {Role.AUDITOR}


def forged(sql: str, table: str = "certificates_act") -> None:
    """Run it as somebody with full access to the database, who first drops the triggers that forbid it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table])
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP TRIGGER {name}")
        cursor.execute(sql)


def test_the_reason_of_an_act_is_sealed_in_the_log(auditor: Client) -> None:
    certificate = make_certificate()
    services.suspend(certificate=certificate, actor=PersonFactory(roles=[Role.HR]), reason=WHY)
    assert not list(verify())
    assert "intactos" in auditor.get("/audit/check/").content.decode()
    act = Act.objects.get(certificate=certificate, kind="suspend")
    forged(f"UPDATE certificates_act SET reason = 'Outro motivo.' WHERE id = {act.pk}")
    sealed = Entry.objects.get(act="certificate.suspend")
    assert [(found.number, found.why) for found in verify()] == [(sealed.number, "the reason for the act was changed")]
    page = auditor.get("/audit/check/").content.decode()
    assert f"registo {sealed.number}: o motivo do ato foi alterado" in page
    forged(f"DELETE FROM certificates_notice WHERE act_id = {act.pk}")
    forged(f"DELETE FROM certificates_act WHERE id = {act.pk}")
    assert [found.why for found in verify()] == ["the act that it records is missing"]


def test_the_log_is_checked_part_by_part_and_with_a_noted_seal(
    auditor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exams.audit.views.CHECKED_AT_ONCE", 2)
    certificate = make_certificate()
    for act in (services.suspend, services.reinstate) * 2:
        act(certificate=certificate, actor=PersonFactory(roles=[Role.HR]), reason=WHY)
    first, third = Entry.objects.order_by("number")[0], Entry.objects.order_by("number")[2]
    page = auditor.get("/audit/check/", {"noted": f"{first.number}:{first.digest}"}).content.decode()
    assert "Os registos 1 a 2 estão intactos" in page and "tem o selo que anotou" in page and "?after=2" in page
    part = auditor.get("/audit/check/?after=2", headers={"HX-Request": "true"}).content.decode()
    assert "Os registos 3 a" in part and "<html" not in part
    assert "não é o que foi anotado" in auditor.get("/audit/check/", {"noted": f"1:{third.digest}"}).content.decode()
    assert auditor.get("/audit/check/", {"noted": "nonsense"}).status_code == 422
    assert not list(verify(after=2, most=1))


def test_an_auditor_sees_who_decided(auditor: Client) -> None:
    certificate = make_certificate()
    chief = PersonFactory(roles=[Role.INSTRUCTOR], name="Rui Juiz")
    assert certificate.result_id
    Result.objects.filter(pk=certificate.result_id).update(decided_by=chief)
    assert "Rui Juiz" in auditor.get(f"/hr/certificates/{certificate.pk}/trail/").content.decode()


OWN_PAGES = ("/account/", "/appeals/objections/own/", "/me/", "/api/", "/accounts/", "/language", "/theme")


def main_of(page: str) -> str:
    return page.partition("<main")[2].partition("</main>")[0]


def test_an_auditor_is_shown_nothing_to_click_that_is_refused(auditor: Client) -> None:
    """Follows every link of every page from the home page on."""
    House()
    todo, acting, refused = ["/"], [], []
    whence = {"/": ""}  # each address found, and the page it is on
    while todo:
        address = todo.pop()
        answer = auditor.get(address)
        if answer.status_code != 200:
            refused.append(f"{address} from {whence[address]}: {answer.status_code}")
            continue
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        page = main_of(answer.content.decode())
        if 'method="post"' in page and not address.startswith(OWN_PAGES):
            acting.append(address)
        for link in map(unescape, re.findall(r'href="([^"#]+)', page)):
            link = urljoin(f"http://testserver{address}", link).removeprefix("http://testserver")
            if link.startswith("/") and link not in whence and "page=" not in link:
                whence[link] = address
                todo.append(link)
    assert (refused, acting) == ([], [])
    routes = {resolve(unquote(address.partition("?")[0])).view_name for address in whence}
    assert routes > {
        *("session_results", "decide_result", "session", "session_candidates", "programme_version", "standard"),
        *("regrade", "house_settings", "certificate_trail", "programme_statistics", "annulments", "duties", "appeal"),
    }


@pytest.mark.parametrize(
    "change",
    [
        "subject = 'certificate:nobody'",
        "details = json_remove(details, '$.step')",
        "details = json_set(details, '$.step', json('[1]'))",
    ],
)
def test_an_entry_of_a_sealed_reason_that_was_tampered_with_is_reported(auditor: Client, change: str) -> None:
    certificate = make_certificate()
    services.suspend(certificate=certificate, actor=PersonFactory(roles=[Role.HR]), reason=WHY)
    sealed = Entry.objects.get(act="certificate.suspend")
    forged(f"UPDATE audit_entry SET {change} WHERE number = {sealed.number}", table="audit_entry")
    found = [(one.number, one.why) for one in verify()]
    assert (sealed.number, "the act that it records is missing") in found
    assert (sealed.number, "its content was changed") in found
    assert auditor.get("/audit/check/").status_code == 200


def test_a_trail_shows_objections_waived_duties_and_superseded_results(auditor: Client) -> None:
    certificate = make_certificate()
    hr, first, second = (PersonFactory(roles=[role]) for role in (Role.HR, Role.ADMINISTRATOR, Role.ADMINISTRATOR))
    waiver = duties.ask("withdraw", by=first, reason="Só há uma pessoa nos recursos humanos.")
    duties.sign(waiver, by=second)
    services.suspend(certificate=certificate, actor=hr, reason=WHY)
    act = Act.objects.get(certificate=certificate, kind="suspend")
    lodged = objections.lodge(certificate.holder, "suspension", str(act.pk), "Estive de baixa nesses três dias.")
    complaint = objections.lodge(certificate.holder, "complaint", "", "A sala estava fria de mais no exame.")
    assert certificate.result
    superseded = certificate.result
    current = add_result(superseded.sitting, decided_by=first)
    page = auditor.get(f"/hr/certificates/{certificate.pk}/trail/").content.decode()
    assert f"/appeals/objections/{lodged.pk}/" in page and f"/appeals/objections/{complaint.pk}/" not in page
    assert "Só há uma pessoa nos recursos humanos." in page and second.name in page
    for result in (superseded, current):
        assert reverse("decide_result", args=[result.pk]) in page
    old = auditor.get(reverse("decide_result", args=[superseded.pk]))
    assert old.status_code == 200 and reverse("decide_result", args=[current.pk]) in old.content.decode()
    for entry in Entry.objects.filter(act__in=["objection.lodged", "duty.lifted"]).exclude(
        subject=f"objection:{complaint.pk}"
    ):
        assert f">{entry.number}<" in page


def test_an_auditor_sees_neither_access_codes_nor_the_papers_of_an_exam_in_use(auditor: Client) -> None:
    house = House()
    session = house.sitting.candidate.session
    page = auditor.get(f"/exams/sessions/{session.pk}/").content.decode()
    assert session.title in page
    code = session.access_code
    assert code not in page and f"{code[:4]} {code[4:]}" not in page
    assert auditor.get(f"/exams/sessions/{session.pk}/live/").status_code == 403
