"""Sign-in, password reset and second factor, as configured here."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from tests.factories import PASSWORD, PersonFactory
from training.house.selectors import current
from training.mail.courier import deliver
from training.people.accounts import enter_person
from training.people.limits import CODES
from training.people.models import Role, User, WrongTries

pytestmark = pytest.mark.django_db
LOGIN = "/account/login/"


def sign_in(client: Client, email: str, password: str = PASSWORD, **headers: Any) -> int:
    return client.post(LOGIN, {"login": email, "password": password}, **headers).status_code


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_signing_in_by_address_in_any_case_leads_back_to_the_page_asked_for(client: Client) -> None:
    user = PersonFactory()
    response = client.post(f"{LOGIN}?next=/account/2fa/", {"login": user.email.upper(), "password": PASSWORD})
    assert (response.status_code, response["Location"]) == (302, "/account/2fa/")
    assert is_in(client)


def test_nobody_is_sent_to_another_site_after_signing_in(client: Client) -> None:
    user = PersonFactory()
    response = client.post(f"{LOGIN}?next=https://evil.example/", {"login": user.email, "password": PASSWORD})
    assert response["Location"] == "/"


@pytest.mark.parametrize(
    "address",
    [
        "//evil.example/",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https:evil.example",
        "javascript:alert(1)",
        " //evil.example",
        "/\t/evil.example",
        "http://testserver@evil.example/",
    ],
)
def test_nobody_is_sent_anywhere_else_however_it_is_written(client: Client, address: str) -> None:
    user = PersonFactory()
    asked = client.post(
        LOGIN, {"login": user.email, "password": PASSWORD, "next": address}, query_params={"next": address}
    )
    assert asked["Location"] == "/"
    assert is_in(client)
    assert client.post("/language/", {"language": "en", "next": address})["Location"] == "/"
    assert client.post("/account/logout/", {"next": address})["Location"] == LOGIN


def test_a_session_known_before_signing_in_is_worth_nothing_after(client: Client) -> None:
    """Who plants a session in somebody's browser must not be in when that person signs in."""
    client.post("/language/", {"language": "en"})
    session = client.session
    session["planted"] = True
    session.save()
    planted = session.session_key or ""
    client.cookies["sessionid"] = planted
    sign_in(client, PersonFactory().email)
    assert is_in(client)
    assert client.cookies["sessionid"].value != planted
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert thief.get("/")["Location"] == "/account/login/?next=/"


def test_a_session_of_somebody_else_is_emptied_on_signing_in(client: Client) -> None:
    sign_in(client, PersonFactory().email)
    session = client.session
    session["of the one before"] = True
    session.save()
    client.post("/account/logout/")
    sign_in(client, PersonFactory().email)
    assert "of the one before" not in client.session


def test_the_session_ends_with_the_browser_and_is_out_of_scripts_reach(client: Client) -> None:
    sign_in(client, PersonFactory().email)
    cookie = client.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", "")


def test_a_closed_account_does_not_get_in(client: Client) -> None:
    user = PersonFactory(is_active=False)
    sign_in(client, user.email)
    assert not is_in(client)


def test_closing_an_account_ends_its_session(client: Client) -> None:
    user = PersonFactory()
    client.force_login(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert client.get("/")["Location"] == "/account/login/?next=/"


def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(client: Client) -> None:
    user = PersonFactory()
    errors = []
    for email in (user.email, "nobody@casino.example"):
        response = client.post(LOGIN, {"login": email, "password": "wrong"})
        assert response.status_code == 200
        errors.append(response.context["form"].errors.as_json())
    assert errors[0] == errors[1]


def test_after_five_wrong_tries_the_right_password_must_wait_and_others_need_not(client: Client) -> None:
    user, other = PersonFactory(), PersonFactory()
    for _ in range(5):
        sign_in(client, user.email, "wrong")
    sign_in(client, user.email)
    assert not is_in(client)
    sign_in(client, other.email)
    assert is_in(client)


def test_signing_out_takes_a_post(client: Client) -> None:
    client.force_login(PersonFactory())
    client.get("/account/logout/")
    assert is_in(client)
    client.post("/account/logout/")
    assert not is_in(client)


@pytest.mark.parametrize(("browser", "said"), [("en", "You have signed out."), ("pt", "A sessão foi terminada.")])
def test_signing_out_is_told_in_the_language_of_the_page_that_tells_it(client: Client, browser: str, said: str) -> None:
    client.force_login(PersonFactory(language="pt" if browser == "en" else "en"))
    page = client.post("/account/logout/", follow=True, headers={"accept-language": browser})
    assert page["Content-Language"] == browser
    assert said in page.content.decode()


def test_a_form_from_another_site_is_refused() -> None:
    client = Client(enforce_csrf_checks=True)
    assert sign_in(client, PersonFactory().email) == 403


def reset_link(email: str) -> str:
    client = Client()
    assert client.post("/account/password/reset/", {"email": email}).status_code == 302
    deliver()
    (message,) = mail.outbox
    assert message.to == [email]
    found = re.search(r"http://localhost:8000(/account/password/reset/key/\S+)", message.body)  # type: ignore[arg-type]
    assert found, message.body
    return found[1]


@pytest.mark.parametrize("first_password", [None, PASSWORD])
def test_a_password_is_set_through_the_mailed_link_once(client: Client, first_password: str | None) -> None:
    user = enter_person(email="ana@casino.example", name="Ana", roles=[Role.TRAINEE], password=first_password)
    link = reset_link(user.email)
    form = client.get(link, follow=True)
    new = "baralho novo e cortado"
    client.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
    assert sign_in(client, user.email, new) == 302
    assert is_in(client)
    assert Client().get(link, follow=True).context["token_fail"]


def test_who_was_invited_is_welcomed_by_name_and_who_forgot_is_not(client: Client) -> None:
    invited = enter_person(email="ana@casino.example", name="Ana Reis", roles=[Role.TRAINEE])
    page = client.get(reset_link(invited.email), follow=True).content.decode()
    assert "Boas-vindas, Ana" in page
    assert escape(current().name) in page
    assert "ana@casino.example" in page
    assert "nova palavra-passe" not in page.lower()
    mail.outbox.clear()
    page = client.get(reset_link(PersonFactory().email), follow=True).content.decode()
    assert "Boas-vindas" not in page
    assert "Escolher nova palavra-passe" in page


def test_an_invitation_to_an_account_that_was_closed_since_names_nobody(client: Client) -> None:
    invited = enter_person(email="ana@casino.example", name="Ana Reis", roles=[Role.TRAINEE])
    link = reset_link(invited.email)
    User.objects.filter(pk=invited.pk).update(is_active=False)
    page = client.get(link, follow=True).content.decode()
    assert "Boas-vindas" not in page and "ana@casino.example" not in page


def test_a_password_set_through_a_link_is_told_once(client: Client) -> None:
    form = client.get(reset_link(PersonFactory().email), follow=True)
    new = "baralho novo e cortado"
    page = client.post(form.request["PATH_INFO"], {"password1": new, "password2": new}, follow=True)
    assert "Palavra-passe guardada" in page.content.decode()
    assert not list(page.context["messages"])


@pytest.mark.parametrize("first", [True, False])
def test_the_first_password_signs_in_and_a_later_one_does_not(client: Client, first: bool) -> None:
    invited = enter_person(email="ana@casino.example", name="Ana Reis", roles=[Role.TRAINEE])
    form = client.get(reset_link(invited.email if first else PersonFactory().email), follow=True)
    new = "baralho novo e cortado"
    client.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
    assert is_in(client) is first


def test_a_reset_for_an_unknown_address_answers_the_same_and_mails_nobody(client: Client) -> None:
    user = PersonFactory()
    known = client.post("/account/password/reset/", {"email": user.email})
    unknown = client.post("/account/password/reset/", {"email": "nobody@casino.example"})
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    deliver()
    assert [message.to for message in mail.outbox] == [[user.email]]


def test_a_changed_password_must_be_a_good_one(client: Client) -> None:
    user = PersonFactory()
    sign_in(client, user.email)
    for new, accepted in (("short", False), ("password123", False), ("baralho novo e cortado", True)):
        client.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
        user.refresh_from_db()
        assert user.check_password(new) is accepted
    assert is_in(client)


@pytest.fixture
def second_factor(client: Client) -> tuple[User, list[str]]:
    """A person who has set up the second factor through the pages, and the recovery codes."""
    user = PersonFactory()
    sign_in(client, user.email)
    assert "/account/reauthenticate/" in client.get("/account/2fa/totp/activate/")["Location"]
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    secret = client.get("/account/2fa/totp/activate/").context["form"].secret
    moment = next(iter(yield_hotp_counters_from_time()))
    code = format_hotp_value(hotp_value(secret, moment))
    assert client.post("/account/2fa/totp/activate/", {"code": code}).status_code == 302
    codes = Authenticator.objects.get(user=user, type=Authenticator.Type.RECOVERY_CODES).wrap()
    return user, codes.get_unused_codes()


def test_a_person_with_a_second_factor_needs_the_code(second_factor: tuple[User, list[str]]) -> None:
    user, recovery = second_factor
    client = Client()
    response = client.post(LOGIN, {"login": user.email, "password": PASSWORD})
    assert response["Location"].startswith("/account/2fa/authenticate/")
    assert not is_in(client)
    assert client.post("/account/2fa/authenticate/", {"code": "000000"}).status_code == 200
    assert not is_in(client)
    client.post("/account/2fa/authenticate/", {"code": recovery[0]})
    assert is_in(client)


def test_a_recovery_code_works_once(second_factor: tuple[User, list[str]]) -> None:
    user, recovery = second_factor
    for expected in (True, False):
        client = Client()
        sign_in(client, user.email)
        client.post("/account/2fa/authenticate/", {"code": recovery[0]})
        assert is_in(client) is expected


def test_every_account_page_can_be_read(client: Client) -> None:
    for address in ("login/", "password/reset/", "password/reset/done/", "inactive/"):
        assert client.get(f"/account/{address}").status_code == 200, address
    sign_in(client, PersonFactory().email)
    for address in ("logout/", "password/change/", "reauthenticate/", "2fa/"):
        assert client.get(f"/account/{address}").status_code == 200, address


def test_five_wrong_codes_close_the_second_factor_whichever_process_is_asked(
    second_factor: tuple[User, list[str]],
) -> None:
    user, recovery = second_factor
    client = Client()
    sign_in(client, user.email)
    for _ in range(CODES.most - 1):
        client.post("/account/2fa/authenticate/", {"code": "000000"})
        cache.clear()  # another process, or a cache that forgot
    assert WrongTries.objects.filter(closed_until__isnull=False).count() == 0
    client.post("/account/2fa/authenticate/", {"code": "000000"})
    refused = client.post("/account/2fa/authenticate/", {"code": recovery[0]})
    assert "Demasiados códigos errados" in refused.content.decode()
    assert not is_in(client)
    WrongTries.objects.update(closed_until=timezone.now())
    client.post("/account/2fa/authenticate/", {"code": recovery[0]})
    assert is_in(client)
    assert not WrongTries.objects.exists(), "who knows the code guessed nothing"


def test_whoever_signs_out_leaves_no_pages_in_the_browser(client: Client) -> None:
    client.force_login(PersonFactory())
    assert "Clear-Site-Data" not in client.get("/").headers
    assert client.post("/account/logout/").headers["Clear-Site-Data"] == '"cache"'
    assert "Clear-Site-Data" not in client.get(LOGIN).headers
