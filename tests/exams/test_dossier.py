"""The dossier of one person: what an inspector must find is in it, and nothing that is not released."""

import pypdfium2
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from exams.audit.models import Entry
from exams.certificates import services
from exams.hr import dossier
from exams.results.models import Result
from tests.factories import PersonFactory
from tests.house import House
from training.people.models import Role

pytestmark = pytest.mark.django_db


def text_of(pdf: bytes) -> str:
    with pypdfium2.PdfDocument(pdf) as opened:
        return " ".join(" ".join(page.get_textpage().get_text_range() for page in opened).split())


@pytest.fixture
def house() -> House:
    made = House()
    services.suspend(certificate=made.certificate, actor=made.hr, reason="Queixa de 3 de novembro.")
    return made


@pytest.mark.parametrize(("language", "said"), [("pt", "suspendeu o certificado"), ("en", "suspended certificate")])
def test_it_has_certificates_exams_appeals_and_acts(house: House, language: str, said: str) -> None:
    with translation.override(language):
        text = text_of(dossier.dossier(house.trainee, by=house.hr))
    for wanted in (
        house.trainee.name,
        house.certificate.number,
        "Queixa de 3 de novembro.",
        "B-17",
        said,
        house.hr.name,
    ):
        assert wanted in text
    appeal = house.trainee.appeals.get()
    assert f"{'Recurso' if language == 'pt' else 'Appeal'} {appeal.number}" in text
    entry = Entry.objects.get(act="person.dossier")
    assert (entry.actor, entry.subject) == (house.hr, f"person:{house.trainee.pk}")


def test_what_is_not_released_is_not_in_it(house: House) -> None:
    candidate = house.result.sitting.candidate
    assert house.result.released_at is None
    with translation.override("en"):
        inputs = dossier._inputs(candidate.person, house.hr)
    assert inputs["exams"] == []
    assert not [act for act in inputs["acts"] if "graded" in act["told"]]
    with translation.override("en"):
        inputs = dossier._inputs(house.trainee, house.hr)
    assert (
        len(inputs["exams"])
        == Result.objects.filter(
            sitting__candidate__person=house.trainee, released_at__isnull=False, in_force=True
        ).count()
    )


def test_somebody_of_whom_there_is_nothing_and_names_in_any_letters() -> None:
    hr = PersonFactory(roles=[Role.HR])
    for name in ("Só", "Żółć Ångström", "Ана Гил", "王小明", "#set page(width: 1pt)"):
        assert dossier.dossier(PersonFactory(name=name), by=hr).startswith(b"%PDF")


def test_the_page_gives_a_file(client: Client) -> None:
    client.force_login(PersonFactory(roles=[Role.HR]))
    answer = client.get(reverse("hr_dossier", args=[PersonFactory().pk]))
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("application/pdf", "no-store")
    assert client.get(reverse("hr_dossier", args=[99999])).status_code == 404
