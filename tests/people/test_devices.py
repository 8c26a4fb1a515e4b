"""A device that has signed in before goes on, whoever guesses elsewhere; its cookie gives a thief nothing."""

import re
from collections.abc import Callable
from http.cookies import Morsel
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from exams.accounts import closing
from tests.factories import PASSWORD, PersonFactory
from training.operations.metrics.gauges import Readings
from training.people import devices, limits, spraying
from training.people.limits import ACCOUNT, ADDRESS, DEVICE
from training.people.models import User, WrongTries

pytestmark = pytest.mark.django_db
LOGIN = "/account/login/"
NAT = "192.0.2.1"
NEW = "baralho novo e cortado"


def sign_in(browser: Client, person: User, password: str = PASSWORD) -> bool:
    browser.post("/account/logout/")
    browser.post(LOGIN, {"login": person.email, "password": password})
    return "_auth_user_id" in browser.session


def browser_of(*people: User, address: str = NAT) -> Client:
    """A browser in which these people have signed in."""
    browser = Client(REMOTE_ADDR=address)
    for person in people:
        assert sign_in(browser, person)
    browser.post("/account/logout/")
    return browser


def cookie_of(browser: Client) -> Morsel[str]:
    return browser.cookies[devices.COOKIE]


def closed_to_strangers(person: User) -> None:
    """Others have guessed until the account and the address are closed to unknown devices."""
    for number in range(ACCOUNT.most):
        limits.failed(limits.Try(person.email, f"198.51.100.{number}"))
    [key] = [key for key, limit in limits.Try(person.email, NAT).keys().items() if limit is ADDRESS]
    now = timezone.now()
    WrongTries.objects.create(key=key, kind=ADDRESS.kind, since=now, closed_until=now + ADDRESS.longest_wait)
    assert not sign_in(Client(REMOTE_ADDR=NAT), person), "a new device must wait"


def test_a_known_device_is_not_slowed_by_wrong_passwords_of_others() -> None:
    person = PersonFactory()
    known = browser_of(person)
    closed_to_strangers(person)
    assert sign_in(known, person)


def test_a_shared_computer_is_known_to_everybody_who_signed_in_there_and_to_nobody_else() -> None:
    first, second, stranger = PersonFactory(), PersonFactory(), PersonFactory()
    shared = browser_of(first, second)
    closed_to_strangers(first)
    assert sign_in(shared, first) and sign_in(shared, second)
    assert not sign_in(shared, stranger), "the address is closed to a device new to this account"


def test_the_cookie_names_nobody_and_goes_to_the_pages_of_the_account_alone(settings: Any) -> None:
    person = PersonFactory()
    settings.SESSION_COOKIE_SECURE = True
    browser = Client(REMOTE_ADDR=NAT)
    browser.post(LOGIN, {"login": person.email, "password": PASSWORD})
    cookie = cookie_of(browser)
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"], cookie["path"]) == (
        True,
        "Lax",
        True,
        "/account/",
    )
    assert int(cookie["max-age"]) == devices.AGE.total_seconds()
    day, mark, signature = cookie.value.split("-", 2)
    assert (len(day), len(mark), len(signature)) == (5, 12, 43), "a day, chance and a signature"
    browser.get(LOGIN)
    wrong = Client(REMOTE_ADDR=NAT)
    wrong.post(LOGIN, {"login": person.email, "password": "wrong"})
    assert devices.COOKIE not in wrong.cookies


def test_a_stolen_cookie_gives_its_own_small_budget_and_takes_nothing_from_others() -> None:
    person = PersonFactory()
    owner = browser_of(person)
    thief = Client(REMOTE_ADDR="203.0.113.66")
    thief.cookies[devices.COOKIE] = cookie_of(owner).value
    assert sign_in(owner, person), "who signs in again gets another proof"
    for _ in range(DEVICE.most):
        assert not sign_in(thief, person, "wrong")
    assert not sign_in(thief, person), "its budget is used up, for the right password too"
    assert sign_in(owner, person)
    assert sign_in(Client(REMOTE_ADDR=NAT), person), "nothing was counted for devices that are unknown"


def changes_password(browser: Client, person: User) -> None:
    person.set_password(NEW)
    person.save()


def closes_and_returns(browser: Client, person: User) -> None:
    closing.close_leavers(User.objects.filter(pk=person.pk), by=None)
    closing.return_leavers(User.objects.filter(pk=person.pk), by=None)


def tampers(browser: Client, person: User) -> None:
    value = cookie_of(browser).value
    browser.cookies[devices.COOKIE] = f"{int(value[:5]) + 1}{value[5:]}"


def waits_a_year(browser: Client, person: User) -> None:
    old = f"{devices._today() - devices.AGE.days}-{'0' * 12}"
    browser.cookies[devices.COOKIE] = f"{old}-{devices._signer.signature(devices._said(old, person))}"


def writes_rubbish(browser: Client, person: User) -> None:
    browser.cookies[devices.COOKIE] = "--.-.x-y-z.²-a-b" + "." * 100


@pytest.mark.parametrize("end", [changes_password, closes_and_returns, tampers, waits_a_year, writes_rubbish])
def test_the_proof_ends(end: Callable[[Client, User], None]) -> None:
    person = PersonFactory()
    browser = browser_of(person)
    end(browser, person)
    person.refresh_from_db()
    closed_to_strangers(person)
    assert not sign_in(browser, person, NEW if end is changes_password else PASSWORD)


def test_who_changes_the_password_on_a_device_stays_known_there() -> None:
    person = PersonFactory()
    browser = Client(REMOTE_ADDR=NAT)
    sign_in(browser, person)
    changed = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert browser.post("/account/password/change/", changed).status_code == 302
    person.refresh_from_db()
    closed_to_strangers(person)
    assert sign_in(browser, person, NEW)


def test_the_cookie_of_a_busy_computer_stays_small() -> None:
    browser = browser_of(*[PersonFactory() for _ in range(devices.MOST + 3)])
    proofs = cookie_of(browser).value.split(".")
    assert len(proofs) == devices.MOST
    assert len(cookie_of(browser).value) < 3000


def test_known_and_unknown_accounts_take_the_same_questions() -> None:
    """Whether there is such an account shows neither by what the database is asked nor by what is written."""
    browser = browser_of(PersonFactory())
    browser.post(LOGIN, {"login": "warm.up@casino.example", "password": "wrong"})
    asked = []
    for account in (PersonFactory().email, "ninguem@casino.example"):
        with CaptureQueriesContext(connection) as queries:
            answer = browser.post(LOGIN, {"login": account, "password": "wrong"})
        asked.append([re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in queries])
        assert answer.status_code == 200
    # The library finds a person by one question more or less; all that we ask and write is the same.
    own = ("people_wrongtries", 'ORDER BY "people_user"."id" ASC LIMIT ?')
    known, unknown = ([sql for sql in each if any(part in sql for part in own)] for each in asked)
    assert known == unknown
    assert len(known) > 5


# ---- other doors


def test_wrong_passwords_of_strangers_do_not_stop_who_is_signed_in_from_confirming_theirs() -> None:
    person = PersonFactory()
    browser = Client(REMOTE_ADDR=NAT)
    browser.force_login(person)  # a session of before there were cookies for devices
    closed_to_strangers(person)
    assert browser.post("/account/reauthenticate/", {"password": PASSWORD}).status_code == 302


@pytest.mark.parametrize("door", ["/account/reauthenticate/", "/account/password/change/"])
def test_the_password_is_not_guessed_from_a_session_either(door: str) -> None:
    person = PersonFactory()
    browser = Client(REMOTE_ADDR=NAT)
    browser.force_login(person)

    def give(password: str) -> Any:
        cache.clear()  # the library counts too, in a cache that may forget
        fields = {"password": password, "oldpassword": password, "password1": NEW, "password2": NEW}
        return browser.post(door, fields)

    for _ in range(DEVICE.most):
        assert give("wrong").status_code == 200
    refused = give(PASSWORD)
    assert (refused.status_code, "Retry-After" in refused) == (429, True)
    assert "Demasiadas palavras-passe erradas" in refused.content.decode()
    assert sign_in(Client(REMOTE_ADDR="203.0.113.9"), person), "elsewhere nothing was counted"


def test_wrong_codes_of_who_knows_the_password_do_not_stop_the_known_device() -> None:
    person = PersonFactory()
    known = browser_of(person)
    TOTP.activate(person, "JBSWY3DPEHPK3PXP")
    recovery = RecoveryCodes.activate(person).get_unused_codes()
    thief = Client(REMOTE_ADDR="203.0.113.66")
    thief.post(LOGIN, {"login": person.email, "password": PASSWORD})
    for _ in range(limits.CODES.most):
        thief.post("/account/2fa/authenticate/", {"code": "000000"})
    refused = thief.post("/account/2fa/authenticate/", {"code": recovery[0]})
    assert (refused.status_code, "Retry-After" in refused) == (429, True)
    known.post(LOGIN, {"login": person.email, "password": PASSWORD})
    known.post("/account/2fa/authenticate/", {"code": recovery[0]})
    assert "_auth_user_id" in known.session
    assert Authenticator.objects.filter(user=person).count() == 2


# ---- spraying


def readings() -> dict[str, float]:
    return {
        sample.name: sample.value
        for metric in Readings().collect()
        for sample in metric.samples
        if sample.name.startswith("sabot_accounts_guessed")
    }


def test_one_password_on_many_accounts_raises_the_alarm(caplog: pytest.LogCaptureFixture) -> None:
    cache.clear()
    assert readings() == {"sabot_accounts_guessed_hour": 0, "sabot_accounts_guessed_day": 0}
    many = spraying.MANY[spraying.HOUR]
    for number in range(many - 1):
        limits.failed(limits.Try(f"dealer{number}@casino.example", f"198.51.100.{number}"))
    assert "password_spraying" not in caplog.text
    for number in range(many - 1, many + 3):
        limits.failed(limits.Try(f"dealer{number}@casino.example", f"198.51.100.{number}"))
    assert caplog.text.count("password_spraying") == 1
    assert readings() == {"sabot_accounts_guessed_hour": many + 3, "sabot_accounts_guessed_day": many + 3}


def test_a_room_that_mistypes_and_gets_in_raises_no_alarm(caplog: pytest.LogCaptureFixture) -> None:
    cache.clear()
    for number in range(spraying.MANY[spraying.HOUR] * 2):
        tried = limits.Try(f"dealer{number}@casino.example", NAT)
        limits.failed(tried)
        limits.succeeded(tried)
    assert readings()["sabot_accounts_guessed_hour"] == 0
    assert "password_spraying" not in caplog.text


def test_one_account_guessed_again_and_again_is_no_spraying() -> None:
    for number in range(80):
        limits.failed(limits.Try("dealer@casino.example", f"198.51.100.{number}"))
    assert readings()["sabot_accounts_guessed_hour"] == 1
