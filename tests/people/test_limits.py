"""A room of candidates gets in, a guesser does not."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from tests.factories import PASSWORD, PersonFactory
from training.people import limits
from training.people.limits import ACCOUNT, ACCOUNT_FROM_ADDRESS, ADDRESS, FIRST_WAIT, FORGOTTEN
from training.people.models import Role, WrongTries

pytestmark = pytest.mark.django_db
LOGIN = "/account/login/"
NAT = "192.0.2.1"


def signs_in(email: str, password: str = PASSWORD, address: str = NAT) -> bool:
    client = Client(REMOTE_ADDR=address)
    response = client.post(LOGIN, {"login": email, "password": password})
    assert response.status_code in (200, 302, 429)
    return "_auth_user_id" in client.session


def guess(email: str, times: int, address: str = NAT) -> None:
    for _ in range(times):
        assert not signs_in(email, "wrong", address)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Move the clock of the limits on."""

    class Clock:
        moment = timezone.now()

        @classmethod
        def now(cls) -> datetime:
            return cls.moment

    monkeypatch.setattr(limits, "timezone", Clock)

    def move(step: timedelta) -> datetime:
        Clock.moment += step
        return Clock.moment

    return move


def test_a_room_of_sixty_behind_one_address_signs_in() -> None:
    people = [PersonFactory() for _ in range(60)]
    assert all(signs_in(person.email) for person in people)


def test_a_room_of_sixty_where_everybody_mistypes_once_signs_in() -> None:
    people = [PersonFactory() for _ in range(60)]
    for person in people:
        guess(person.email, 1)
    assert all(signs_in(person.email) for person in people)


def test_ten_wrong_passwords_on_one_account_are_stopped_wherever_they_come_from() -> None:
    person, other = PersonFactory(), PersonFactory()
    for number in range(ACCOUNT.most - 1):
        guess(person.email, 1, f"198.51.100.{number}")
    assert WrongTries.objects.filter(closed_until__isnull=False).count() == 0
    guess(person.email, 1, "198.51.100.200")
    assert not signs_in(person.email, address="203.0.113.9"), "the right password must wait too"
    assert signs_in(other.email, address="198.51.100.1")


def test_five_from_one_address_are_stopped_and_the_owner_elsewhere_is_not() -> None:
    person = PersonFactory()
    guess(person.email, ACCOUNT_FROM_ADDRESS.most - 1)
    assert signs_in(person.email), "four are not too many"
    guess(person.email, ACCOUNT_FROM_ADDRESS.most)
    assert not signs_in(person.email)
    assert signs_in(person.email, address="203.0.113.9")


def nearly_closed(address: str = NAT) -> None:
    """The address has one wrong password left."""
    [key] = [key for key, limit in limits.Try("nobody@casino.example", address).keys().items() if limit is ADDRESS]
    WrongTries.objects.create(key=key, kind=ADDRESS.kind, failures=ADDRESS.most - 1, since=timezone.now())


def test_guessing_one_password_on_many_accounts_is_stopped() -> None:
    person = PersonFactory()
    nearly_closed()
    guess("ninguem1@casino.example", 1)
    assert WrongTries.objects.filter(kind=ADDRESS.kind, closed_until__isnull=False).count() == 1
    client = Client(REMOTE_ADDR=NAT)
    refused = client.post(LOGIN, {"login": "ninguem2@casino.example", "password": "123456"})
    assert refused.context["form"].errors.as_data()["__all__"][0].code == "too_many_login_attempts"
    assert not signs_in(person.email)
    assert signs_in(person.email, address="203.0.113.9"), "others are not touched"


def test_a_right_password_in_between_does_not_set_the_address_free() -> None:
    own = PersonFactory()
    nearly_closed()
    assert signs_in(own.email)
    guess("ninguem@casino.example", 1)
    assert not signs_in(own.email)


def test_a_room_of_three_hundred_who_each_mistype_three_times_signs_in() -> None:
    for number in range(300):
        tried = limits.Try(f"candidate{number}@casino.example", NAT)
        for _ in range(3):
            limits.failed(tried)
        limits.verify(tried)
        limits.succeeded(tried)
    assert signs_in(PersonFactory().email)
    assert WrongTries.objects.filter(kind=ACCOUNT.kind).count() == 0


def test_waits_grow_up_to_the_longest_and_are_forgotten_after_a_day(at: Any) -> None:
    tried = limits.Try("ana@casino.example", NAT)
    key = next(iter(tried.keys()))
    waits: list[timedelta] = []
    for _ in range(9):
        for _number in range(ACCOUNT_FROM_ADDRESS.most):
            limits._count(key, ACCOUNT_FROM_ADDRESS)
        row = WrongTries.objects.get(key=key)
        assert row.closed_until
        waits.append(row.closed_until - at(timedelta()))
        at(waits[-1])
        limits.verify(tried)  # the wait is over exactly then
    assert waits[:3] == [FIRST_WAIT, 2 * FIRST_WAIT, 4 * FIRST_WAIT]
    assert waits[-1] == ACCOUNT_FROM_ADDRESS.longest_wait
    at(FORGOTTEN + timedelta(seconds=1))
    for _number in range(ACCOUNT_FROM_ADDRESS.most):
        limits._count(key, ACCOUNT_FROM_ADDRESS)
    assert WrongTries.objects.get(key=key).closed_until == at(timedelta()) + FIRST_WAIT


def test_mistakes_long_apart_do_not_add_up(at: Any) -> None:
    tried = limits.Try("ana@casino.example", NAT)
    for _ in range(ACCOUNT.most * 2):
        limits.failed(tried)
        at(ACCOUNT.within + timedelta(seconds=1))
        limits.verify(tried)


@pytest.mark.parametrize("known", [True, False])
def test_who_waits_is_told_how_long_whether_or_not_there_is_such_an_account(known: bool) -> None:
    account = PersonFactory().email if known else "ninguem@casino.example"
    guess(account, ACCOUNT_FROM_ADDRESS.most)
    answer = Client(REMOTE_ADDR=NAT).post(LOGIN, {"login": account, "password": PASSWORD})
    assert "Volte a tentar dentro de 1 minuto." in answer.content.decode()
    assert answer.status_code == 429
    assert 50 <= int(answer["Retry-After"]) <= FIRST_WAIT.total_seconds()


def test_addresses_of_one_ipv6_household_count_as_one() -> None:
    keys = [list(limits.Try("a@b.example", address).keys()) for address in ("2001:db8::1", "2001:db8::ffff")]
    assert keys[0] == keys[1] != list(limits.Try("a@b.example", "2001:db8:0:1::1").keys())


def test_a_full_cache_does_not_let_a_guesser_go_on() -> None:
    person = PersonFactory()
    guess(person.email, ACCOUNT_FROM_ADDRESS.most)
    for number in range(1000):
        cache.set(f"another-{number}", number)
    assert not signs_in(person.email)


def test_the_cache_of_an_installation_holds_more_than_a_house_needs() -> None:
    from training.settings import CACHES

    assert int(CACHES["default"]["OPTIONS"]["MAX_ENTRIES"]) >= 10_000


def test_rows_do_not_tell_who_it_was_and_go_after_a_day(at: Any) -> None:
    limits.failed(limits.Try("ana@casino.example", NAT))
    kept = str(list(WrongTries.objects.values()))
    assert "ana@" not in kept and NAT not in kept
    at(FORGOTTEN - timedelta(seconds=1))
    assert limits.forget_old() == 0
    at(timedelta(seconds=2))
    assert limits.forget_old() == 3


# ---- when everybody has one address


@pytest.fixture
def administrator(client: Client) -> Iterator[Client]:
    client.force_login(PersonFactory(roles=[Role.ADMINISTRATOR]))
    yield client


@pytest.mark.parametrize(
    ("proxies", "forwarded", "wrong"),
    [
        (0, "", False),
        (0, "203.0.113.9", True),
        (1, "203.0.113.9", False),
        (1, "", True),
        (2, "203.0.113.9", True),
        (2, "203.0.113.9, 10.0.0.1", False),
        (1, "203.0.113.9, 203.0.113.10", False),
    ],
)
def test_a_wrong_number_of_proxies_is_told_to_administrators_and_breaks_nothing(
    administrator: Client, settings: Any, caplog: pytest.LogCaptureFixture, proxies: int, forwarded: str, wrong: bool
) -> None:
    settings.TRUSTED_PROXIES = settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    person = PersonFactory()
    visitor = Client(headers=headers)
    visitor.post(LOGIN, {"login": person.email, "password": PASSWORD})
    assert "_auth_user_id" in visitor.session
    assert ("everybody_has_one_address" in caplog.text) is wrong
    assert ("TRUSTED_PROXIES" in administrator.get("/").content.decode()) is wrong
    assert "TRUSTED_PROXIES" not in visitor.get("/").content.decode()
