"""A room that signs in at once: the page “One moment”, and how passwords are stored."""

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.hashers import identify_hasher, make_password
from django.test import Client
from django.utils import timezone
from django.utils.html import escape
from prometheus_client import REGISTRY
from pytest_django import Settings

from tests.factories import PASSWORD, PersonFactory
from training.people import sign_in_queue
from training.people.models import User
from training.platform import turns

pytestmark = pytest.mark.django_db
LOGIN = "/account/login/"
ARGON2 = ["training.people.passwords.Argon2id", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]


@pytest.fixture
def nobody_gets_a_turn(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sign_in_queue, "LONGEST_WAIT", 0.02)
    turns.signing_in.make(1)
    with turns.signing_in.turn():
        yield
    turns.signing_in.remove()


def kept(page: str) -> dict[str, str]:
    return dict(
        re.findall(
            r'<input type="hidden" name="(login|kept|next)" value="([^"]*)">',
            page.partition("data-again")[2].partition("</form>")[0],
        )
    )


def put_off(by: str) -> float:
    return REGISTRY.get_sample_value("sabot_sign_ins_put_off_total", {"by": by}) or 0


def test_without_a_turn_a_page_sends_the_same_form_again(client: Client, nobody_gets_a_turn: None) -> None:
    user, before = PersonFactory(), put_off("web")
    typed = {"login": user.email, "password": PASSWORD, "next": "/account/2fa/"}
    response = client.post(LOGIN, typed)
    page = response.content.decode()
    assert response.status_code == 200
    assert put_off("web") == before + 1
    assert sign_in_queue.AGAIN[0] <= int(response["Retry-After"]) <= sign_in_queue.AGAIN[1]
    assert f'data-again="{response["Retry-After"]}"' in page and "sign-in-again.js" in page
    assert "no-store" in response["Cache-Control"]
    assert escape(PASSWORD) not in page
    assert kept(page)["login"] == escape(user.email)
    # Still no turn: the page keeps the password for another round.
    second = kept(client.post(LOGIN, kept(page)).content.decode())
    turns.signing_in.remove()
    answer = client.post(LOGIN, second)
    assert (answer.status_code, answer["Location"]) == (302, "/account/2fa/")


def test_a_full_queue_in_the_proxy_costs_no_password_check(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    user, before = PersonFactory(), put_off("proxy")
    monkeypatch.setattr("training.people.sign_in_queue.turn", None)
    full = {"X-Sign-In-Queue": "full"}
    page = client.post(LOGIN, {"login": user.email, "password": PASSWORD}, headers=full).content.decode()
    assert put_off("proxy") == before + 1
    monkeypatch.undo()
    assert client.post(LOGIN, kept(page)).status_code == 302
    assert "data-again" not in client.get(LOGIN, headers=full).content.decode()


def test_a_page_that_was_left_open_asks_for_the_password_again(
    client: Client, nobody_gets_a_turn: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = PersonFactory()
    page = client.post(LOGIN, {"login": user.email, "password": PASSWORD}).content.decode()
    turns.signing_in.remove()
    later = timezone.now().timestamp() + sign_in_queue.KEPT_SECONDS + 5
    monkeypatch.setattr("time.time", lambda: later)
    response = client.post(LOGIN, kept(page))
    assert response.status_code == 200
    assert escape(user.email) in response.content.decode()
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("forged", ["", "gAAAA", "é", "x" * 500])
def test_a_forged_password_of_that_page_opens_nothing(client: Client, forged: str) -> None:
    assert client.post(LOGIN, {"login": PersonFactory().email, "kept": forged}).status_code == 200
    assert "_auth_user_id" not in client.session


def test_a_turn_ends_with_the_sign_in(client: Client) -> None:
    for _ in range(3):
        assert "data-again" not in client.post(LOGIN, {"login": "nobody@x.example", "password": "no"}).content.decode()


# ---- how passwords are stored


def stored_earlier() -> User:
    user: User = PersonFactory()
    user.password = make_password(PASSWORD, hasher="pbkdf2_sha256")
    user.save(update_fields=["password"])
    return user


def test_a_password_of_an_earlier_release_is_stored_anew_at_the_sign_in(client: Client, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ARGON2
    user = stored_earlier()
    assert client.post(LOGIN, {"login": user.email, "password": "wrong"}).status_code == 200
    assert identify_hasher(User.objects.get(pk=user.pk).password).algorithm == "pbkdf2_sha256"
    assert client.post(LOGIN, {"login": user.email, "password": PASSWORD}).status_code == 302
    stored = User.objects.get(pk=user.pk).password
    assert stored.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert client.get("/account/2fa/").status_code == 200  # still signed in
    assert Client().post(LOGIN, {"login": user.email, "password": PASSWORD}).status_code == 302
    assert User.objects.get(pk=user.pk).password == stored


def test_confirming_a_password_does_not_end_the_session(client: Client, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ARGON2
    user = stored_earlier()
    old = user.password
    client.force_login(user)
    assert client.post("/account/reauthenticate/", {"password": PASSWORD}).status_code == 302
    assert User.objects.get(pk=user.pk).password == old
    assert client.get("/account/2fa/").status_code == 200
