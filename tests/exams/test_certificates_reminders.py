"""Reminders: the right one, once each, over restarts, standstills and clocks that were wrong."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exams.certificates import reminders, services
from exams.certificates.models import Certificate, Reminder
from exams.certificates.reminders import DAYS, nearest
from tests.exams import making
from tests.exams.certifying import make_certificate
from tests.factories import PersonFactory, second_person
from training.mail import outbox
from training.mail.courier import deliver
from training.mail.models import Mail
from training.mail.outbox import Envelope
from training.people.models import Role

pytestmark = pytest.mark.django_db
BEGIN, END = date(2024, 11, 16), date(2026, 11, 16)


@pytest.fixture
def certificate(db: None) -> Certificate:
    PersonFactory(roles=[Role.HR], email="hr@casino.example")
    holder = PersonFactory(email="ines@casino.example", name="Inês", language="en")
    with at(BEGIN):
        made = certified(holder)
    assert made.valid_until == END
    return made


def certified(holder: Any) -> Certificate:
    made = make_certificate(making.make_version(), holder, decided_at=datetime.combine(BEGIN, time(12), UTC))
    Mail.objects.all().delete()  # the letter that tells of it
    return made


@contextmanager
def at(day: date, hour: int = 9) -> Iterator[None]:
    moment = datetime.combine(day, time(hour), UTC)
    with patch("exams.clock.now", lambda: moment), patch("exams.clock.today", lambda: day):
        yield


def run(days_left: int, hour: int = 9) -> list[str]:
    """The addresses written to when the task runs so many days before the end."""
    mail.outbox.clear()
    with at(END - timedelta(days=days_left), hour):
        reminders.send_due()
    deliver()
    return sorted(address for sent in mail.outbox for address in sent.to)


BOTH = ["hr@casino.example", "ines@casino.example"]


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        *[(91, None), (90, 90), (89, 90), (61, 90), (60, 60), (31, 60), (30, 30), (8, 30), (7, 7), (1, 7), (0, 7)],
        (-1, None),
    ],
)
def test_the_nearest_one(left: int, expected: int | None) -> None:
    assert nearest(BEGIN, END, END - timedelta(days=left)) == expected


@pytest.mark.parametrize(("lasts", "expected"), [(30, {7}), (31, {30, 7}), (7, set()), (8, {7}), (91, set(DAYS))])
def test_none_is_due_before_the_certificate_begins(lasts: int, expected: set[int]) -> None:
    assert set(reminders.reminders_of(END - timedelta(days=lasts), END)) == expected


def test_each_once_to_holder_and_hr(certificate: Certificate) -> None:
    assert run(91) == []
    for days in DAYS:
        assert run(days) == BOTH
        assert run(days, hour=10) == []
        assert run(days - 1) == []
    assert set(Reminder.objects.values_list("days", "audience")) == {(d, a) for d in DAYS for a in ("holder", "hr")}
    assert not Reminder.objects.filter(sent_at=None).exists()


def test_what_the_mails_say(certificate: Certificate) -> None:
    run(30)
    by_address = {sent.to[0]: sent for sent in mail.outbox}
    to_holder = by_address["ines@casino.example"]
    assert certificate.number in to_holder.subject
    assert "Inês" in to_holder.body
    assert "30 more days" in to_holder.body
    assert certificate.number in by_address["hr@casino.example"].body


def test_hr_gets_one_mail_for_many(certificate: Certificate) -> None:
    with at(BEGIN):
        certified(PersonFactory(email="rui@casino.example"))
    assert run(30) == ["hr@casino.example", "ines@casino.example", "rui@casino.example"]


def test_after_a_standstill_only_the_nearest_and_the_others_on_record(certificate: Certificate) -> None:
    assert run(20) == BOTH
    assert set(Reminder.objects.filter(passed_over_at=None).values_list("days", flat=True)) == {30}
    assert set(Reminder.objects.exclude(passed_over_at=None).values_list("days", flat=True)) == {90, 60}


@pytest.mark.parametrize("act", ["suspend", "withdraw"])
def test_what_has_no_force_needs_no_reminder(certificate: Certificate, act: str) -> None:
    actor = PersonFactory(roles=[Role.HR], is_active=False)
    with at(END - timedelta(days=40)):
        second = {"second": second_person()} if act == "withdraw" else {}
        getattr(services, act)(certificate=certificate, actor=actor, reason="x", **second)
    Mail.objects.all().delete()  # the letter that tells of it
    assert run(30) == []


def test_who_has_left_is_not_written_to(certificate: Certificate) -> None:
    certificate.holder.is_active = False
    certificate.holder.save()
    assert run(30) == ["hr@casino.example"]
    assert Reminder.objects.get(days=30, audience="holder").passed_over_at


def test_a_dead_mail_server_delays_and_loses_nothing(certificate: Certificate) -> None:
    with patch.object(EmailMessage, "send", side_effect=ConnectionRefusedError):
        assert run(30) == []
    Mail.objects.update(due_at=timezone.now())  # the time of the next try has come
    assert run(30, hour=10) == BOTH


# ---- whatever happens


class Killed(BaseException):
    """The worker dies."""


def dying(before: int) -> Callable[..., list[Mail]]:
    """An outbox at which the worker is killed before so many mails are put into it."""
    real, count = outbox.post, iter(range(100))

    def post(envelopes: list[Envelope]) -> list[Mail]:
        if next(count) >= before:
            raise Killed
        return real(envelopes)

    return post


RUNS = st.lists(
    st.tuples(
        st.integers(-3, 100),  # days left, in any order: clocks are set back and forth
        st.integers(0, 23),
        st.none() | st.integers(0, 1),  # killed between mark and outbox of the first or second mail
    ),
    min_size=1,
    max_size=10,
)


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RUNS)
def test_never_twice_and_never_lost_without_a_trace(
    certificate: Certificate, runs: list[tuple[int, int, int | None]]
) -> None:
    with transaction.atomic():
        _whatever_happens(runs)
        transaction.set_rollback(True)


def _whatever_happens(runs: list[tuple[int, int, int | None]]) -> None:
    for left, hour, killed in runs:
        day = END - timedelta(days=left)
        with at(day, hour):
            if killed is None:
                reminders.send_due()
                assert_dealt_with(day)
            else:
                with patch.object(reminders, "post", dying(killed)), suppress(Killed):
                    reminders.send_due()
    written = Mail.objects.count()
    assert written == Reminder.objects.exclude(sent_at=None).count(), "a mail was written twice or lost"
    # After the end nothing is sent any more, and each reminder is on record: sent, or passed over.
    with at(END + timedelta(days=1)):
        reminders.send_due()
    assert Mail.objects.count() == written
    assert Reminder.objects.count() == len(DAYS) * 2
    assert not Reminder.objects.filter(sent_at=None, passed_over_at=None).exists()


def assert_dealt_with(day: date) -> None:
    """After a run that nobody killed, what is due is sent or passed over."""
    wanted = nearest(BEGIN, END, day)
    for audience in ("holder", "hr") if wanted else ():
        row = Reminder.objects.get(days=wanted, audience=audience)  # type: ignore[misc]
        assert row.sent_at or row.passed_over_at
