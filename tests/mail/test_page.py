"""The outbox as HR and administrators see it."""

from collections.abc import Callable
from smtplib import SMTPRecipientsRefused
from unittest.mock import patch

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from tests.factories import PersonFactory
from training.mail import password
from training.mail.courier import deliver
from training.mail.models import Mail
from training.mail.outbox import Envelope, post
from training.people.models import Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.ADMINISTRATOR)


def failed() -> Mail:
    [mail] = post([Envelope(PersonFactory(name="Rui Vaz"), "O seu exame", "Texto só para o Rui.")])
    with patch.object(EmailMessage, "send", side_effect=SMTPRecipientsRefused({mail.address: (550, b"raw words")})):
        deliver()
    return mail


def test_it_shows_who_did_not_get_what_and_why_but_never_the_text(staff: Client) -> None:
    mail = failed()
    page = staff.get("/mail/").content.decode()
    for said in ("Rui Vaz", mail.address, "O seu exame", "550", "O servidor de correio não aceita o endereço"):
        assert said in page, said
    assert "Texto só para" not in page and "raw words" not in page


def test_what_failed_is_shown_first_and_each_state_has_its_own_list(staff: Client) -> None:
    post([Envelope(PersonFactory(name="Ana Gil"), "Chegou", "x")])
    deliver()
    failed()
    post([Envelope(PersonFactory(name="Eva Reis"), "Espera", "x")])
    shown = {state: staff.get(f"/mail/?state={state}").content.decode() for state in ("sent", "failed", "waiting")}
    for state, subject in (("sent", "Chegou"), ("failed", "O seu exame"), ("waiting", "Espera")):
        assert [other for other, page in shown.items() if subject in page] == [state]
    assert "O seu exame" in staff.get("/mail/?state=nonsense").content.decode()


def test_an_address_that_may_be_nobodys_is_not_shown(staff: Client) -> None:
    password.ask("typed.by@somebody.example")
    page = staff.get("/mail/?state=waiting").content.decode()
    assert "typed.by" not in page and "(0)" in page


def test_a_failed_mail_is_tried_again(staff: Client) -> None:
    mail = failed()
    assert staff.post(f"/mail/{mail.pk}/again/").status_code == 302
    assert deliver() == 1
    sent = Mail.objects.get().sent_at
    assert staff.post(f"/mail/{mail.pk}/again/").status_code == 302, "nothing to try again, and no error"
    assert (Mail.objects.get().sent_at, deliver()) == (sent, 0)


def test_all_are_tried_again_after_a_misfortune(staff: Client) -> None:
    for _ in range(3):
        failed()
    staff.post("/mail/again/")
    assert deliver() == 3
