"""An administrator invites an instructor by mail, who sets a password and the second factor that the house demands."""

import base64
import hmac
import struct
import time
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.audit.models import Entry
from tests.browser.drilling import enter as sign_in
from tests.browser.walking import troubles
from tests.factories import PASSWORD as OWN_PASSWORD
from tests.factories import PersonFactory
from training.mail.courier import deliver
from training.people.models import Role, User
from training.people.second_factor import seal

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ADDRESS, PASSWORD = "ilda@sabot.example", "pano-verde-e-fichas"


@pytest.fixture
def pages(chromium: Browser, live_server: LiveServer, transactional_db: None, settings: Any) -> Iterator[list[Page]]:
    """Two browsers that know nothing of each other."""
    settings.PUBLIC_URL = live_server.url
    opened = [chromium.new_context(base_url=live_server.url, locale="pt-PT") for _each in range(2)]
    yield [context.new_page() for context in opened]
    for context in opened:
        context.close()


def shown_by_the_app(secret: str) -> str:
    """What an authenticator shows now for a secret that was typed into it (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.digest(base64.b32decode(secret), counter, "sha1")
    at = digest[-1] & 15
    return f"{(struct.unpack_from('>I', digest, at)[0] & 0x7FFFFFFF) % 1_000_000:06}"


def demand_a_second_factor(page: Page) -> None:
    page.goto("/house/")
    page.get_by_label("Exigir a verificação em dois passos").check()
    page.get_by_role("button", name="Guardar").click()
    page.get_by_label("Palavra-passe", exact=True).fill(OWN_PASSWORD)  # a session left open is not enough for this
    assert troubles(page) == []
    page.get_by_role("button", name="Confirmar").click()
    expect(page.locator(".messages")).to_contain_text("As definições foram mudadas")


def invite(page: Page) -> str:
    """The link of the mail that the invited person gets."""
    page.goto("/people/")
    page.get_by_role("link", name="Convidar alguém").click()
    page.get_by_label("nome").fill("Ilda Formadora")
    page.get_by_label("e-mail").fill(ADDRESS)
    page.get_by_label("Formador").check()
    assert troubles(page) == []
    page.get_by_role("button", name="Enviar o convite").click()
    expect(page.locator(".messages")).to_be_visible()
    deliver()
    (sent,) = [letter for letter in mail.outbox if letter.to == [ADDRESS]]
    return next(word for word in str(sent.body).split() if "/password/reset/key/" in word)


def give_credentials(page: Page) -> None:
    page.get_by_label("E-mail").fill(ADDRESS)
    page.get_by_label("Palavra-passe", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Iniciar sessão").click()


def test_from_the_invitation_to_signing_in_with_a_second_factor(pages: list[Page], live_server: LiveServer) -> None:
    administrator, invited = pages
    chief = PersonFactory(roles=[Role.ADMINISTRATOR])
    Authenticator.objects.create(user=chief, type="totp", data={"secret": seal("x")})
    sign_in(administrator.context, chief, live_server)
    demand_a_second_factor(administrator)
    link = invite(administrator)

    invited.goto(link)
    assert troubles(invited) == []
    for field in invited.locator("input[type=password]").all():
        field.fill(PASSWORD)
    invited.get_by_role("button", name="Guardar a palavra-passe").click()
    expect(invited.get_by_role("heading", name="Palavra-passe")).to_be_visible()
    invited.goto("/")

    # Signed in, and everything but the way to a second factor is closed.
    expect(invited.get_by_role("heading", name="Configure a verificação em dois passos")).to_be_visible()
    assert troubles(invited) == []
    invited.goto("/classes/")
    invited.get_by_role("link", name="Associar uma aplicação").click()
    invited.get_by_label("Palavra-passe", exact=True).fill(PASSWORD)  # what changes how one signs in asks for it again
    invited.get_by_role("button", name="Confirmar").click()
    secret = invited.locator(".copy-block").inner_text().strip()
    assert troubles(invited) == []
    invited.locator("#id_code").fill(shown_by_the_app(secret))
    invited.get_by_role("button", name="Associar a aplicação").click()
    expect(invited.locator(".messages")).to_contain_text("A aplicação de autenticação ficou associada.")
    assert troubles(invited) == []
    invited.goto("/classes/")
    expect(invited.get_by_role("heading", name="Turmas", level=1)).to_be_visible()

    # The next time the password alone opens nothing.
    invited.context.clear_cookies()
    invited.goto("/classes/")
    give_credentials(invited)
    expect(invited.locator("#id_code")).to_be_visible()
    invited.goto("/classes/")  # still the same question
    invited.locator("#id_code").fill("000000")
    invited.get_by_role("button", name="Iniciar sessão").click()
    expect(invited.locator(".errors")).to_be_visible()
    assert troubles(invited) == []
    invited.locator("#id_code").fill(shown_by_the_app(secret))
    invited.get_by_role("button", name="Iniciar sessão").click()
    expect(invited.get_by_role("heading", name="Turmas", level=1)).to_be_visible()

    person = User.objects.get(email=ADDRESS)
    assert person.roles == {Role.INSTRUCTOR}
    assert Entry.objects.filter(act="person.entered", actor=chief, subject=f"person:{person.pk}").exists()
