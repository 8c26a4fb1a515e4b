"""A link that sets a password dies with all that it was made for, and never sets one of a closed account."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings
from django.test import Client

from exams.accounts import closing, email_correction, second_factor
from tests.factories import PASSWORD, PersonFactory
from training.mail import password
from training.mail.courier import deliver
from training.people.accounts import HouseAccountAdapter, enter_person
from training.people.links import LinkTokens, went_out
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
NEW = "baralho novo e cortado"


@pytest.fixture
def administrator() -> User:
    return PersonFactory(roles=[Role.ADMINISTRATOR])


@pytest.fixture
def person(administrator: User) -> User:
    return PersonFactory()


def link_of(person: User, **made: int) -> str:
    token = LinkTokens().make_token(User.objects.get(pk=person.pk), **made)
    return f"/account/password/reset/key/{user_pk_to_url_str(person)}-{token}/"


def opens(link: str) -> bool:
    return not Client().get(link, follow=True).context.get("token_fail")


def sets_password(link: str, browser: Client | None = None) -> bool:
    """Whether the link, followed to its end, sets the password."""
    browser = browser or Client()
    form = browser.get(link, follow=True)
    done = browser.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    return done.status_code == 302


def close_and_return(person: User, by: User) -> None:
    closing.close(person, by=by, reason="Telemóvel perdido")
    closing.let_return(person, by=by, reason="Encontrado")


def leave_and_return(person: User, by: User) -> None:
    closing.close_leavers(User.objects.filter(pk=person.pk), by=by)
    closing.return_leavers(User.objects.filter(pk=person.pk), by=by)


def change_address(person: User, by: User) -> None:
    email_correction.correct(person, by=by, email="outra@casino.example")


def sign_in(person: User, by: User) -> None:
    Client().post("/account/login/", {"login": person.email, "password": PASSWORD})


def set_a_password(person: User, by: User) -> None:
    assert sets_password(link_of(person))


def lose_second_factor(person: User, by: User) -> None:
    TOTP.activate(person, "JBSWY3DPEHPK3PXP")
    second_factor.remove(person, by=by, reason="Telemóvel perdido")


ENDS = [close_and_return, leave_and_return, change_address, sign_in, set_a_password, lose_second_factor]


@pytest.mark.parametrize("end", ENDS)
def test_a_link_of_before_never_works_again(
    person: User, administrator: User, end: Callable[[User, User], None]
) -> None:
    link = link_of(person)
    assert opens(link)
    end(person, administrator)
    assert not opens(link)
    person.refresh_from_db()
    assert opens(link_of(person)), "a link of afterwards does"


@pytest.mark.parametrize("end", [close_and_return, leave_and_return])
def test_an_invitation_of_before_never_works_again(administrator: User, end: Callable[[User, User], None]) -> None:
    invited = enter_person(email="nova@casino.example", name="Nova Dealer", roles=[Role.TRAINEE])
    link = link_of(invited)
    end(invited, administrator)
    assert not sets_password(link)
    invited.refresh_from_db()
    assert not invited.has_usable_password()


def test_a_closed_account_sets_no_password_by_a_link_of_before_nor_by_one_made_meanwhile(
    person: User, administrator: User
) -> None:
    of_before = link_of(person)
    closing.close(person, by=administrator, reason="Saiu da casa")
    of_meanwhile = link_of(person)
    assert not sets_password(of_before) and not sets_password(of_meanwhile)
    person.refresh_from_db()
    assert person.check_password(PASSWORD)
    closing.let_return(person, by=administrator, reason="Voltou")
    assert not opens(of_before) and not opens(of_meanwhile)


def test_a_page_opened_before_the_account_was_closed_sets_nothing(person: User, administrator: User) -> None:
    browser = Client()
    form = browser.get(link_of(person), follow=True)
    close_and_return(person, administrator)
    page = browser.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    assert page.context["token_fail"]
    person.refresh_from_db()
    assert person.check_password(PASSWORD)


@pytest.mark.parametrize("change", ["close", "password"])
def test_what_changed_between_reading_and_writing_is_not_undone(person: User, administrator: User, change: str) -> None:
    """The request that sets a password has read the person already: it must not write back what was."""
    read = User.objects.get(pk=person.pk)
    if change == "close":
        closing.close(person, by=administrator, reason="Saiu da casa")
    else:
        person.set_password("uma outra palavra")
        person.save()
    with pytest.raises(Refused, match=r"alterada entretanto|changed meanwhile"):
        HouseAccountAdapter().set_password(read, NEW)
    person.refresh_from_db()
    assert person.is_active is (change == "password")
    assert not person.check_password(NEW)


def test_a_newer_link_ends_an_older_one_after_an_hour_and_not_at_once(
    person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = 1_800_000_000
    monkeypatch.setattr("training.people.links.time.time", lambda: float(moment))
    older = LinkTokens().make_token(person, moment - 3600)
    newer = LinkTokens().make_token(person, moment)
    went_out(person, moment)
    person.refresh_from_db()
    assert LinkTokens().check_token(person, newer)
    assert LinkTokens().check_token(person, older), "an hour between them"
    went_out(person, moment + 1)
    person.refresh_from_db()
    assert not LinkTokens().check_token(person, older)
    assert LinkTokens().check_token(person, newer)
    went_out(person, moment - 5000)  # a mail that waited longer than others takes nothing back
    person.refresh_from_db()
    assert not LinkTokens().check_token(person, older)


def test_the_mail_that_goes_out_says_that_its_link_is_the_newest(person: User) -> None:
    password.ask(person.email)
    deliver()
    person.refresh_from_db()
    assert person.link_sent_at is not None


def test_a_link_is_good_for_its_time_and_not_a_second_longer(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    made = 1_800_000_000
    token = LinkTokens().make_token(person, made)
    for seconds, good in ((settings.PASSWORD_RESET_TIMEOUT, True), (settings.PASSWORD_RESET_TIMEOUT + 1, False)):
        monkeypatch.setattr("training.people.links.time.time", lambda now=made + seconds: float(now))
        assert LinkTokens().check_token(person, token) is good


@pytest.mark.parametrize(
    "token", ["", "-", "zz-abc", "1", "6a-", "-6a", "6a6a6a6a-" + "A" * 43, "6A-é", "9" * 300 + "-x"]
)
def test_what_is_no_link_opens_nothing(person: User, token: str) -> None:
    assert not LinkTokens().check_token(person, token)
    assert not LinkTokens().check_token(None, token)


def test_a_link_of_somebody_else_opens_nothing(person: User) -> None:
    token = LinkTokens().make_token(person)
    assert LinkTokens().check_token(person, token)
    assert not LinkTokens().check_token(PersonFactory(), token)


# ---- halfway through signing in


@pytest.mark.parametrize("end", [None, close_and_return, set_a_password])
def test_a_sign_in_that_waits_for_its_code_dies_like_a_link(
    person: User, administrator: User, end: Callable[[User, User], None] | None
) -> None:
    TOTP.activate(person, "JBSWY3DPEHPK3PXP")
    recovery: Any = RecoveryCodes.activate(person).get_unused_codes()
    browser = Client()
    browser.post("/account/login/", {"login": person.email, "password": PASSWORD})
    if end:
        end(person, administrator)
    browser.post("/account/2fa/authenticate/", {"code": recovery[0]})
    assert ("_auth_user_id" in browser.session) is (end is None)
