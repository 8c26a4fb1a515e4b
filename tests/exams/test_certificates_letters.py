"""Who is told of an act on a certificate, when, how often and in which language."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from exams.certificates import issuance, letters, name_correction, services
from exams.certificates.lifecycle import Kind
from exams.certificates.models import Act, Certificate, Notice
from tests.exams import making
from tests.exams.certifying import make_certificate, make_result
from tests.factories import PersonFactory, second_person
from training.mail.models import Mail
from training.people.models import Role, User

pytestmark = pytest.mark.django_db
BOOKS = ("pt-chemin-de-fer", "it-sanremo-chemin-de-fer")
LATER = letters.GATHERED_FOR + timedelta(seconds=1)


@pytest.fixture
def hr(db: None) -> User:
    return PersonFactory(roles=[Role.HR], language="pt", name="Rita Recursos")


@pytest.fixture
def certificate(db: None) -> Certificate:
    holder = PersonFactory(name="Zoë O’Neill", language="en")
    return make_certificate(making.make_version(making.make_rules(rulebooks=BOOKS)), holder)


def told(person: User) -> list[str]:
    return list(Mail.objects.filter(person=person).order_by("written_at", "pk").values_list("subject", flat=True))


def after(monkeypatch: pytest.MonkeyPatch, wait: timedelta = LATER) -> None:
    moment = timezone.now() + wait
    monkeypatch.setattr("exams.clock.now", lambda: moment)


def test_the_holder_is_told_of_every_act_once(certificate: Certificate, hr: User) -> None:
    given: dict[str, Any] = {"certificate": certificate, "actor": hr, "reason": "Processo 14"}
    services.suspend(**given)
    services.reinstate(**given)
    services.reduce(**given, scope=BOOKS[:1])
    services.extend(**given, scope=BOOKS)
    services.withdraw(**given, second=second_person())
    number = certificate.number
    assert told(certificate.holder) == [
        f"Your certificate {number} {what}"
        for what in (
            "has been issued",
            "has been suspended",
            "has been reinstated",
            "now covers less",
            "now covers more",
            "has been withdrawn",
        )
    ]
    link = f"{settings.PUBLIC_URL}/certificates/#c-{certificate.pk}"
    mails = Mail.objects.filter(person=certificate.holder)
    assert all(link in mail.body and f"/c/{certificate.code}" in mail.body for mail in mails)
    assert all("Processo 14" in mail.body for mail in mails.exclude(subject__contains="issued"))
    reduced = mails.get(subject__contains="less").body
    assert "Portugal · chemin de fer" in reduced
    assert "Sanremo" not in reduced


def test_the_end_by_the_calendar_is_told_too(certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.clock.today", lambda: certificate.valid_until + timedelta(days=1))
    assert services.expire_due() == 1
    assert services.expire_due() == 0
    assert told(certificate.holder)[1:] == [f"Your certificate {certificate.number} has expired"]


def test_an_act_that_fails_tells_nobody(certificate: Certificate, monkeypatch: pytest.MonkeyPatch, hr: User) -> None:
    def broken(*_args: Any, **_details: Any) -> None:
        raise RuntimeError("no log")

    monkeypatch.setattr(services, "record", broken)
    with pytest.raises(RuntimeError):
        services.suspend(certificate=certificate, actor=hr, reason="x")
    assert len(told(certificate.holder)) == 1
    assert Notice.objects.count() == 1


def test_a_renewal_and_a_correction_are_one_letter_that_names_the_former(certificate: Certificate, hr: User) -> None:
    new = make_certificate(certificate.programme_version, certificate.holder)
    asked = name_correction.ask(certificate.holder, by=hr, name="Zoë Neill", reason="Documento visto.")
    [corrected] = name_correction.confirm(asked, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    numbers = [each.number for each in (certificate, new, corrected)]
    assert told(certificate.holder) == [f"Your certificate {number} has been issued" for number in numbers]
    body = Mail.objects.get(subject__contains=corrected.number).body
    assert f"It replaces {new.number}" in body
    assert "Dear Zoë Neill," in body
    assert set(Act.objects.filter(notice=None).values_list("kind", flat=True)) == {Kind.RENEW, Kind.CORRECT}


def test_nobody_is_written_to_who_has_left(certificate: Certificate, hr: User) -> None:
    User.objects.filter(pk=certificate.holder_id).update(is_active=False)
    services.withdraw(certificate=Certificate.objects.get(), actor=hr, second=second_person(), reason="Saiu.")
    assert len(told(certificate.holder)) == 1
    assert Notice.objects.count() == 2, "HR is told all the same"


def test_hr_is_told_of_many_acts_in_one_mail_each(hr: User, monkeypatch: pytest.MonkeyPatch) -> None:
    abroad = PersonFactory(roles=[Role.HR], language="en")
    PersonFactory(roles=[Role.HR], is_active=False)
    version = making.make_version()
    made = [make_certificate(version) for _each in range(3)]
    services.suspend(certificate=made[0], actor=hr, reason="Queixa que fica entre nós")
    assert letters.tell_hr() == 0, "others may follow"
    after(monkeypatch)
    assert letters.tell_hr() == 4
    assert letters.tell_hr() == 0
    assert told(hr) == ["4 alterações a certificados"]
    assert told(abroad) == ["4 changes to certificates"]
    body = Mail.objects.get(person=abroad).body
    for certificate in made:
        assert f"{settings.PUBLIC_URL}/hr/people/{certificate.holder_id}/" in body
        assert certificate.number in body
    assert "by Rita Recursos" in body
    assert "Queixa" not in body
    assert Mail.objects.filter(person__is_active=False).count() == 0


@pytest.mark.parametrize(("wait", "count"), [(-1, 0), (0, 1), (1, 1)])
def test_how_long_acts_are_gathered(
    certificate: Certificate, hr: User, monkeypatch: pytest.MonkeyPatch, wait: int, count: int
) -> None:
    made_at = Notice.objects.get().made_at
    moment = made_at + letters.GATHERED_FOR + timedelta(seconds=wait)
    monkeypatch.setattr("exams.clock.now", lambda: moment)
    assert letters.tell_hr() == count


def test_what_nobody_could_be_told_waits_for_somebody(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    after(monkeypatch)
    assert letters.tell_hr() == 0
    newcomer = PersonFactory(roles=[Role.HR], language="en")
    assert letters.tell_hr() == 1
    assert told(newcomer) == ["1 certificate changed"]


def test_more_than_a_mail_bears_goes_into_the_next(hr: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "MOST", 2)
    version = making.make_version()
    for _each in range(3):
        make_certificate(version)
    after(monkeypatch)
    assert [letters.tell_hr() for _each in range(3)] == [2, 1, 0]


def test_what_hr_issues_says_why(hr: User) -> None:
    holder = PersonFactory(language="pt", name="Inês Conceição")
    result = make_result(making.make_version(making.make_rules(certificate="by_hr")), holder)
    certificate = issuance.issue(result=result, actor=hr, reason="Formação completa.")
    mail = Mail.objects.get(person=holder)
    assert mail.subject == f"O seu certificado {certificate.number} foi emitido"
    assert "Formação completa." in mail.body
    assert "habilita a dar jogo em:" in mail.body
