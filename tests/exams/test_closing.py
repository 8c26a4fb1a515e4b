"""An account is closed for reasons that are kept apart: each is taken back by whom it belongs to."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client

from exams.accounts import closing
from exams.accounts.models import Closure
from exams.audit.models import Entry
from exams.hr import staff
from tests.exams import staffing
from tests.exams.staff_lists import confirm, send
from tests.exams.staffing import TODAY, days
from tests.factories import PersonFactory
from training.api import tokens
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
REASON = "Partilhou a palavra-passe."


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.clock.now", lambda: staffing.NOON)


@pytest.fixture
def hr(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.HR)


def enter_last_day(hr: Client, who: User, left_on: date | None) -> None:
    sent = {"staff_number": who.staff_record.staff_number, "left_on": left_on.isoformat() if left_on else ""}
    assert hr.post(f"/hr/people/{who.pk}/record/", sent).status_code == 302
    who.refresh_from_db()


def administrator() -> User:
    return PersonFactory(roles=[Role.ADMINISTRATOR])


@pytest.mark.parametrize(("left_on", "may"), [(days(-1), False), (TODAY, True), (days(1), True)])
def test_a_last_day_that_is_over_closes_the_account_when_it_is_entered(
    hr: Client, client: Client, left_on: date, may: bool
) -> None:
    who = staffing.staff()
    client.force_login(who)
    enter_last_day(hr, who, left_on)
    assert who.is_active is may
    assert client.get("/").status_code == (200 if may else 302)
    assert Entry.objects.filter(act="person.closed", subject=f"person:{who.pk}").count() == (not may)


def test_a_list_closes_accounts_when_it_is_confirmed(hr: Client) -> None:
    who = staffing.staff(number="A-1")
    titles = "nome;e-mail;número;entrada;saída\n"
    rows = f"{who.name};;A-1;;{days(-3):%d/%m/%Y}\nAna Prates;ana@casa.example;A-2;;{days(-1):%d/%m/%Y}\n"
    send(hr, titles + rows)
    confirm(hr)
    who.refresh_from_db()
    assert not who.is_active
    assert not User.objects.get(email="ana@casa.example").is_active


def test_a_session_of_before_is_not_good_again_when_the_account_is(hr: Client, client: Client) -> None:
    who = staffing.staff()
    client.force_login(who)
    enter_last_day(hr, who, days(-1))
    enter_last_day(hr, who, None)
    assert who.is_active
    assert client.get("/").status_code == 302


def test_tokens_of_a_closed_account_do_not_come_back_with_it() -> None:
    administrator, person = PersonFactory(roles=[Role.ADMINISTRATOR]), PersonFactory()
    token, text = tokens.issue(person, name="Escola", scopes=["practice:read"], days=30)
    assert tokens.known(text)
    closing.close(person, by=administrator, reason="Saiu.")
    token.refresh_from_db()
    assert token.revoked_at is not None
    closing.let_return(person, by=administrator, reason="Voltou.")
    assert User.objects.get(pk=person.pk).is_active
    assert tokens.known(text) is None


def test_no_token_is_issued_to_a_closed_account_and_none_comes_back_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request may have been signed in before the account was closed, and wait for that to be stored."""
    administrator, person = PersonFactory(roles=[Role.ADMINISTRATOR]), PersonFactory()
    _token, text = tokens.issue(person, name="Escola", scopes=["practice:read"], days=30)
    with monkeypatch.context() as patch:
        patch.setattr(tokens, "revoke_all_of", lambda *_args, **_kwargs: None)
        closing.close(person, by=administrator, reason="Saiu.")
    with pytest.raises(Refused, match="está encerrada"):
        tokens.issue(person, name="Escola", scopes=["practice:read"], days=30)
    closing.let_return(person, by=administrator, reason="Voltou.")
    assert tokens.known(text) is None


def test_the_record_never_closes_an_administrator(hr: Client) -> None:
    who = staffing.staff(roles=[Role.ADMINISTRATOR])
    enter_last_day(hr, who, days(-1))
    assert who.is_active
    assert staff.close_leavers() == 0
    who.refresh_from_db()
    assert who.is_active
    assert "tem a função de administrador: a conta fica aberta" in hr.get(f"/hr/people/{who.pk}/").content.decode()


def test_clearing_the_last_day_opens_nothing_that_an_administrator_closed(hr: Client) -> None:
    who = staffing.staff()
    enter_last_day(hr, who, days(-1))
    closing.close(who, by=administrator(), reason=REASON)
    enter_last_day(hr, who, None)
    assert not who.is_active
    assert [closure.why for closure in closing.open_closures(who)] == [Closure.Why.ADMINISTRATOR]


def test_an_administrator_opens_nothing_that_the_record_closed(hr: Client) -> None:
    who, by = staffing.staff(), administrator()
    closing.close(who, by=by, reason=REASON)
    enter_last_day(hr, who, days(-1))
    closing.let_return(who, by=by, reason="Engano.")
    who.refresh_from_db()
    assert not who.is_active
    with pytest.raises(Refused, match="Nenhum administrador encerrou"):
        closing.let_return(who, by=by, reason="Engano.")


def test_closing_twice_for_one_reason_is_refused() -> None:
    who, by = PersonFactory(), administrator()
    closing.close(who, by=by, reason=REASON)
    with pytest.raises(Refused, match="já encerrou esta conta"):
        closing.close(who, by=by, reason=REASON)
    kept = Closure.objects.get()
    assert (kept.closed_by, kept.reason, kept.returned_at) == (by, REASON, None)


def test_people_of_the_demonstration_stay_out_where_it_is_over(settings: Any) -> None:
    settings.DEMO = False
    who, by = PersonFactory(is_demo=True), administrator()
    closing.close(who, by=by, reason=REASON)
    assert not closing.let_return(who, by=by, reason="Volta.").is_active
