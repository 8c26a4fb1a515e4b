"""The outbox in a real browser: what failed is seen, read on a phone, and tried again."""

from smtplib import SMTPRecipientsRefused
from unittest.mock import patch

import pytest
from django.core.mail import EmailMessage
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.drilling import enter as sign_in
from tests.browser.walking import troubles
from tests.factories import PersonFactory
from training.mail.courier import deliver
from training.mail.outbox import Envelope, post
from training.people.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_administrator_sees_what_failed_and_tries_it_again(page: Page, live_server: LiveServer) -> None:
    names = ("Maria da Conceição Vasconcelos", "Rui Vaz", "Eva Reis")
    people = [PersonFactory(name=name, email=f"{name.split()[0].lower()}@casino-do-estoril.example") for name in names]
    answers = {
        people[0].email: SMTPRecipientsRefused({people[0].email: (550, b"")}),
        people[1].email: ConnectionRefusedError(),
    }

    def send(self: EmailMessage, *_: object) -> int:
        if error := answers.get(self.to[0]):
            raise error
        return 1

    with patch.object(EmailMessage, "send", send):
        for person in (people[0], people[2], people[1]):
            post([Envelope(person, "O seu resultado: Croupier de banca, exame de novembro", "x")])
            deliver()
    sign_in(page.context, PersonFactory(roles=[Role.ADMINISTRATOR]), live_server)
    page.goto(f"{live_server.url}/mail/")
    expect(page.get_by_role("row")).to_have_count(2)
    expect(page.get_by_text("não aceita o endereço do destinatário. (Respondeu 550.)")).to_be_visible()
    assert troubles(page) == []
    page.get_by_role("link", name="À espera (1)").click()
    expect(page.get_by_text("Próxima tentativa")).to_be_visible()
    assert troubles(page) == []
    page.get_by_role("link", name="Falhadas (1)").click()
    page.get_by_role("button", name="Maria da Conceição").click()
    expect(page.locator(".messages")).to_contain_text("volta a ser enviada agora")
    expect(page.get_by_role("link", name="À espera (2)")).to_be_visible()
