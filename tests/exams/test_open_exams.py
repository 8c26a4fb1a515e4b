"""An account is not closed in the middle of its exam, by whatever office and whichever way."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from exams import clock
from exams.accounts import closing, roles
from exams.hr import staff
from exams.hr.tasks import close_leavers
from exams.invigilation import acts
from exams.records.models import Sitting
from exams.sittings import sitting as sittings
from tests.exams import making, staffing
from tests.exams.staff_lists import confirm, send
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def candidate() -> User:
    """Somebody at work on an exam of half an hour, with a last day that was yesterday for all that HR says next."""
    return staffing.staff("Rui Matos", number="A-1")


@pytest.fixture
def open_sitting(candidate: User) -> Sitting:
    return making.start(making.enter(making.make_session(), candidate))


@pytest.fixture
def administrator(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.ADMINISTRATOR)


@pytest.fixture
def hr(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.HR)


def yesterday() -> Any:
    return clock.today() - timedelta(days=1)


def enter_last_day(hr: Client, who: User) -> None:
    sent = {"staff_number": "A-1", "left_on": yesterday().isoformat()}
    assert hr.post(f"/hr/people/{who.pk}/record/", sent).status_code == 302


def import_last_day(hr: Client, who: User) -> None:
    text = f"nome;e-mail;número;entrada;saída\n{who.name};;A-1;;{yesterday():%d/%m/%Y}\n"
    send(hr, text)
    confirm(hr)


def goes_on(sitting: Sitting) -> bool:
    """Whether the candidate still saves answers, in the session that was open before."""
    sitting.refresh_from_db()
    return sitting.closed_at is None and sitting.candidate.person.is_active


def end_of(sitting: Sitting) -> str:
    return f"{timezone.localtime(sitting.deadline_at):%H:%M}"


@pytest.mark.parametrize("leave", [enter_last_day, import_last_day])
def test_the_record_is_kept_and_the_account_closes_once_the_exam_is_over(
    hr: Client, candidate: User, open_sitting: Sitting, leave: Callable[[Client, User], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    browser = Client()
    browser.force_login(candidate)
    leave(hr, candidate)
    candidate.refresh_from_db()
    assert candidate.staff_record.left_on == yesterday()
    close_leavers()
    assert goes_on(open_sitting)
    assert browser.get(f"/exams/sittings/{open_sitting.pk}/").status_code in (200, 302)
    page = hr.get(f"/hr/people/{candidate.pk}/").content.decode()
    assert f"Rui Matos está a fazer um exame até às {end_of(open_sitting)}" in page
    monkeypatch.setattr(clock, "now", lambda: open_sitting.deadline_at)  # at its end it is over
    close_leavers()
    candidate.refresh_from_db()
    assert not candidate.is_active


def test_an_administrator_is_told_until_when_and_nothing_typed_is_lost(
    administrator: Client, candidate: User, open_sitting: Sitting
) -> None:
    page = administrator.post(f"/people/{candidate.pk}/close/", {"reason": "Partilhou a palavra-passe."})
    assert page.status_code == 422
    said = page.content.decode()
    assert f"está a fazer um exame até às {end_of(open_sitting)}" in said
    assert "Partilhou a palavra-passe." in said
    assert goes_on(open_sitting)


def test_it_closes_once_an_invigilator_has_ended_the_exam(candidate: User, open_sitting: Sitting) -> None:
    by = PersonFactory(roles=[Role.ADMINISTRATOR])
    with pytest.raises(Refused, match=end_of(open_sitting)):
        closing.close(candidate, by=by, reason="Fraude.")
    session = open_sitting.candidate.session
    acts.close_sitting(open_sitting, "Usou o telemóvel.", by=session.created_by, now=clock.now())
    closing.close(candidate, by=by, reason="Fraude.")
    candidate.refresh_from_db()
    assert not candidate.is_active


def test_the_role_that_opens_the_exam_stays_too(candidate: User, open_sitting: Sitting) -> None:
    by = PersonFactory(roles=[Role.ADMINISTRATOR])
    with pytest.raises(Refused, match=end_of(open_sitting)):
        roles.take(candidate, Role.TRAINEE, by=by)
    making.close(open_sitting)
    assert roles.take(candidate, Role.TRAINEE, by=by)


def test_nobody_begins_with_an_account_that_was_closed_since_the_request_came_in(candidate: User) -> None:
    entered = making.enter(making.make_session(), candidate)
    closing.close(candidate, by=PersonFactory(roles=[Role.ADMINISTRATOR]), reason="Saiu.")
    with pytest.raises(Refused, match="conta está encerrada"):
        sittings.begin(entered, entered.session.access_code, device="one", now=clock.now())
    assert not Sitting.objects.exists()


def test_who_sits_no_exam_is_closed_at_once(candidate: User) -> None:
    making.close(making.start(making.enter(making.make_session(), candidate)))
    staff.change_record(candidate, PersonFactory(roles=[Role.HR]), staff_number="A-1", left_on=yesterday())
    candidate.refresh_from_db()
    assert not candidate.is_active
