"""Mails by which a password is set: a new one, and the invitation of somebody who was entered."""

import re
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core import mail as post_office
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from exams.accounts import roles
from tests.classes.rooms import make_class
from tests.factories import PASSWORD, PersonFactory
from training.classes import enrolment
from training.mail import password
from training.mail.courier import deliver
from training.mail.models import Mail
from training.mail.outbox import Envelope, post
from training.people.models import Role, User

pytestmark = pytest.mark.django_db
RESET = "/account/password/reset/"
KEY = re.compile(re.escape(settings.PUBLIC_URL) + r"(/account/password/reset/key/\S+)")


def ask(address: str) -> tuple[int, str, list[str]]:
    """The answer to “forgotten password”, and what the database was asked for it."""
    with CaptureQueriesContext(connection) as queries:
        response = Client().post(RESET, {"email": address})
    return response.status_code, response["Location"], [re.sub(r"'[^']*'", "?", query["sql"]) for query in queries]


def test_the_answer_takes_the_same_work_for_known_and_unknown_addresses() -> None:
    known = PersonFactory()
    left = PersonFactory(is_active=False)
    ask("warm.up@casino.example")
    answers = [ask(address) for address in (known.email, "nobody@casino.example", left.email)]
    assert answers[0] == answers[1] == answers[2]


def test_with_the_mail_server_down_the_page_is_the_same_and_the_mail_comes_later() -> None:
    person = PersonFactory()
    with patch.object(EmailMessage, "send", side_effect=ConnectionRefusedError):
        assert ask(person.email)[:2] == ask("nobody@casino.example")[:2] == (302, "/account/password/reset/done/")
        assert deliver() == 0
    assert list(Mail.objects.values_list("person", flat=True)) == [person.pk], "what nobody asked for is forgotten"
    from training.mail import outbox

    outbox.try_again(Mail.objects.all())
    assert deliver() == 1
    assert post_office.outbox[0].to == [person.email]


def test_an_address_as_long_as_one_may_type_is_no_error() -> None:
    assert ask(f"{'a' * 64}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.example")[0] == 302


def test_the_link_is_in_no_row_and_is_made_when_the_mail_goes_out() -> None:
    person = PersonFactory(language="en")
    ask(person.email)
    password.resolve_asked()
    assert "/key/" not in Mail.objects.get().body
    # The password was changed while the mail waited: a link made before would be dead.
    person.set_password("outra palavra de passe")
    person.save()
    deliver()
    body = str(post_office.outbox[0].body)
    assert person.name in body and "valid until" in body and "⟦" not in body
    found = KEY.search(body)
    assert found
    assert not Client().get(found[1], follow=True).context.get("token_fail")
    assert "/key/" not in str(list(Mail.objects.values()))


@pytest.mark.parametrize(("language", "word"), [("pt", "palavra-passe"), ("en", "password")])
def test_mails_speak_the_language_of_who_gets_them(language: str, word: str) -> None:
    person = PersonFactory(language=language)
    ask(person.email)
    deliver()
    assert word in str(post_office.outbox[0].body)


def test_a_changed_password_is_told_with_the_page_to_change_it(client: Client) -> None:
    person = PersonFactory(language="en")
    client.force_login(person)
    new = "baralho novo e cortado"
    client.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    deliver()
    [sent] = post_office.outbox
    assert (sent.to, sent.subject) == ([person.email], "Password changed")
    assert f"{settings.PUBLIC_URL}/account/password/change/" in str(sent.body)


# ---- invitations


@pytest.fixture
def teacher(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.INSTRUCTOR)


def listed(count: int) -> dict[str, str]:
    rows = "\n".join(f"novo{number}@casino.example,Novo {number}" for number in range(count))
    return {"text": f"email,name\n{rows}\n", "enter_unknown": "on", "confirm": "yes"}


def test_a_list_of_a_hundred_is_answered_without_the_mail_server_and_all_get_their_mail(
    teacher: Client, django_capture_on_commit_callbacks: Any
) -> None:
    room = make_class(teacher.person)  # type: ignore[attr-defined]
    with (
        patch.object(EmailMessage, "send", side_effect=AssertionError("mail is not sent in a request")),
        django_capture_on_commit_callbacks() as callbacks,
    ):
        response = teacher.post(f"/classes/{room.pk}/people/list/", listed(100), follow=True)
    assert response.status_code == 200
    assert any("100" in str(message) and "convites" in str(message) for message in response.context["messages"])
    assert len(callbacks) == 1
    assert deliver() == 100
    assert {sent.to[0] for sent in post_office.outbox} == {f"novo{number}@casino.example" for number in range(100)}


@pytest.mark.parametrize("language", ["pt", "en"])
def test_an_invitation_says_who_invites_to_what_and_how_to_begin(teacher: Client, language: str) -> None:
    inviter: User = teacher.person  # type: ignore[attr-defined]
    room = make_class(inviter)
    [new] = enrolment.enrol_list(room, listed(1)["text"], inviter, enter_unknown=True)[1]
    Mail.objects.all().delete()
    new.language = language
    new.time_zone = "Asia/Macau" if language == "pt" else settings.TIME_ZONE
    new.save()
    password.invite([new], inviter, class_name=room.name)
    deliver()
    [sent] = post_office.outbox
    body = str(sent.body)
    for said in (inviter.name, room.name, settings.ISSUER_NAME, new.email, f"{settings.PUBLIC_URL}/account/login/"):
        assert said in body, said
    assert inviter.name in str(sent.subject) and room.name in str(sent.subject)
    assert ("invites you" in str(sent.subject)) is (language == "en")
    assert "⟦" not in body
    assert ("Asia/Macau" in body) is (language == "pt")
    assert settings.TIME_ZONE not in body, "the house's clock needs no name"
    link = KEY.search(body)
    assert link
    browser, chosen = Client(), "baralho novo e cortado"
    form = browser.get(link[1], follow=True)
    assert not form.context.get("token_fail")
    assert browser.post(form.request["PATH_INFO"], {"password1": chosen, "password2": chosen}).status_code == 302
    deliver()
    told = {"pt": "Foi definida uma palavra-passe", "en": "A password was set for your account"}[language]
    assert told in str(post_office.outbox[-1].body), "it was never another before"


@pytest.mark.parametrize("language", ["it", "es"])
def test_an_invitation_is_in_one_language_from_the_mail_to_the_first_page(language: str) -> None:
    """That of the invitation, whatever the inviter reads and the browser asks for, until another is chosen."""
    chief = PersonFactory(roles=[Role.ADMINISTRATOR], language="pt")
    person = roles.invite(email="n@casino.example", name="Nuova", language=language, roles=[Role.TRAINEE], by=chief)
    deliver()
    [sent] = [letter for letter in post_office.outbox if letter.to == [person.email]]
    invited = {"it": "ti invita su Sabot", "es": "te invita a Sabot"}[language]
    assert invited in str(sent.subject)
    browser = Client(headers={"accept-language": "en-GB"})
    link = KEY.search(str(sent.body))
    assert link
    form = browser.get(link[1], follow=True)
    assert f'<html lang="{language}"' in form.content.decode()
    assert form["Content-Language"] == language
    assert '<html lang="en"' in browser.get("/account/login/").content.decode()

    browser.post("/language/", {"language": "en", "next": "/"})
    assert '<html lang="en"' in browser.get(form.request["PATH_INFO"]).content.decode()
    chosen = "tappeto verde e fiches"
    wrong = browser.post(form.request["PATH_INFO"], {"password1": chosen, "password2": "altro"})
    assert '<html lang="en"' in wrong.content.decode()
    browser.post(form.request["PATH_INFO"], {"password1": chosen, "password2": chosen})
    assert f'<html lang="{language}"' in browser.get("/").content.decode(), "signed in, it is the person's own"
    browser.post("/language/", {"language": "pt", "next": "/"})
    assert '<html lang="pt"' in browser.get("/").content.decode()


def test_a_list_that_is_refused_invites_nobody(teacher: Client) -> None:
    room = make_class(teacher.person)  # type: ignore[attr-defined]
    bad = listed(2) | {"text": "email,name\nnovo@casino.example,Novo\nnobody,Rui\n"}
    assert teacher.post(f"/classes/{room.pk}/people/list/", bad).status_code == 422
    assert not Mail.objects.exists()


def test_a_name_that_looks_like_the_mark_gets_no_link_into_a_mail_to_a_former_address() -> None:
    person = PersonFactory(name=f"Rui {password.LINK}", email="new@example.org")
    post([Envelope(person, "Novo endereço", f"Bom dia, {person.name}", address="old@example.org")])
    assert password.filled(Mail.objects.get(), 0) == f"Bom dia, {person.name}"
