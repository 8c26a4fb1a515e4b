"""Signing in with the house's directory in a real browser: there, back, and out again, at every width."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.totp.internal import auth
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.sign_on.models import GroupRole
from tests import directory as directories
from tests.browser.walking import troubles
from tests.directory import Directory
from tests.factories import PersonFactory
from tests.sign_on.conftest import connected
from training.people.models import Role, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHOTS = os.environ.get("SABOT_SHOTS", "")  # a folder for screenshots


@pytest.fixture
def house(live_server: LiveServer, transactional_db: None, settings: Any) -> Iterator[Directory]:
    """A house with a directory, which knows its administrator."""
    with directories.started() as found:
        settings.SIGN_ON_ISSUER, settings.SIGN_ON_NAME = found.issuer, "Diretório Aurora"
        settings.SIGN_ON_CLIENT_ID, settings.SIGN_ON_CLIENT_SECRET = directories.CLIENT, directories.SECRET
        settings.PUBLIC_URL = live_server.url
        mapper = PersonFactory(roles=[Role.ADMINISTRATOR], name="Amélia Prado")
        for group, role in (("casino-admins", Role.ADMINISTRATOR), ("a" * 190, Role.TRAINEE)):
            GroupRole.objects.create(group=group, role=role, made_by=mapper, made_at=timezone.now())
        auth.TOTP.activate(mapper, auth.generate_totp_secret())
        found.knows("s-admin", "casino-admins")
        connected(PersonFactory(roles=[], name="Berta Lobo"), "s-admin")
        yield found


@pytest.fixture(params=[(360, "light"), (390, "dark"), (1366, "light")], ids=str)
def page(request: pytest.FixtureRequest, chromium: Browser, live_server: LiveServer) -> Iterator[Page]:
    width, scheme = request.param
    context = chromium.new_context(
        base_url=live_server.url, locale="pt-PT", color_scheme=scheme, viewport={"width": width, "height": 800}
    )
    yield context.new_page()
    context.close()


def looked_at(page: Page, name: str) -> None:
    """Nothing is wider than the screen, and nothing keeps people out of the page."""
    page.wait_for_load_state("load")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    size = page.viewport_size
    assert size
    if SHOTS:
        dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        page.screenshot(path=Path(SHOTS) / f"{name}-{size['width']}{'-dark' if dark else ''}.png", full_page=True)
    if size["width"] == 1366:  # with axe, in several looks
        assert troubles(page) == [], name
        page.set_viewport_size(size)


def at_the_provider(page: Page, subject: str) -> None:
    page.wait_for_url("**/oauth2/authorize**")
    page.locator("input[name=sub]").first.fill(subject)
    page.get_by_role("button", name="Authorize").first.click()


def test_there_and_back(house: Directory, page: Page) -> None:
    page.goto("/house/sign-on/")
    looked_at(page, "sign-in")
    page.get_by_role("button", name="Iniciar sessão com Diretório Aurora").click()
    at_the_provider(page, "s-admin")
    expect(page.get_by_role("heading", level=1)).to_have_text("Início de sessão pelo diretório")
    looked_at(page, "office")
    page.goto("/account/directory/own/")
    looked_at(page, "own")
    person = User.objects.get(name="Amélia Prado")
    for name, address in {"person": f"/people/{person.pk}/", "subject": f"/people/{person.pk}/directory/"}.items():
        page.goto(address)
        looked_at(page, name)
    page.get_by_label("Identificador no diretório").fill("s-amelia")
    page.get_by_role("button", name="Ligar", exact=True).click()
    looked_at(page, "again")
    page.goto("/account/directory/callback/?code=x&state=y")
    looked_at(page, "refused")
