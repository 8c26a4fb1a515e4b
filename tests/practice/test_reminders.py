"""Reminders: only for who asked, once a day at their hour, only if something is due, and easily ended."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from tests.factories import PersonFactory
from training.mail import courier
from training.mail.models import Mail
from training.people.models import User
from training.practice import reminders
from training.practice.models import DayPlan, Reminder

pytestmark = pytest.mark.django_db
EIGHT = datetime(2026, 7, 6, 7, 5, tzinfo=UTC)  # in Lisbon


@pytest.fixture
def trainee() -> User:
    found = PersonFactory(time_zone="Europe/Lisbon")
    reminders.ask(found, 8)
    return found


def test_once_a_day_at_the_hour_of_who_asked(trainee: User) -> None:
    PersonFactory()
    assert reminders.send_due(EIGHT - timedelta(hours=1)) == 0
    assert reminders.send_due(EIGHT) == 1
    assert reminders.send_due(EIGHT + timedelta(minutes=10)) == 0
    assert reminders.send_due(EIGHT + timedelta(days=1, hours=5)) == 0, "late is worse than never"
    assert reminders.send_due(EIGHT + timedelta(days=1, hours=1)) == 1
    assert set(Mail.objects.values_list("person", flat=True)) == {trainee.pk}
    assert "10 cenários" in Mail.objects.all()[0].body


def test_nothing_due_or_an_account_closed_means_no_mail(trainee: User) -> None:
    DayPlan.objects.create(trainee=trainee, day=EIGHT.date(), rules=[], minutes=10, made_at=EIGHT)
    assert reminders.send_due(EIGHT) == 0
    DayPlan.objects.all().delete()
    User.objects.update(is_active=False)
    assert reminders.send_due(EIGHT) == 0


def test_the_way_out_takes_one_press_and_nobody_else_has_it(trainee: User, client: Client) -> None:
    reminders.send_due(EIGHT)
    address = reverse("stop_reminders", args=[reminders.way_out(trainee)])
    assert address in Mail.objects.get().body
    client.get(address)
    assert Reminder.objects.exists(), "a machine that follows links ends nothing"
    assert client.post(reverse("stop_reminders", args=[f"{trainee.pk}:forged"])).status_code == 404
    assert Client(enforce_csrf_checks=True).post(address).status_code == 200, "a mail program may press it"
    assert not Reminder.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_mail_programs_are_told_the_way_out(trainee: User, mailoutbox: list[EmailMessage]) -> None:
    reminders.send_due(EIGHT)
    mail = Mail.objects.get()
    courier.deliver()
    stop = mail.way_out
    assert stop.endswith(reverse("stop_reminders", args=[reminders.way_out(trainee)]))
    headers = mailoutbox[0].extra_headers
    assert headers["List-Unsubscribe"] == f"<{stop}>"
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    mail.refresh_from_db()
    assert mail.way_out == "", "kept no longer than the text"


def test_one_asks_on_the_page_of_the_study_plan(trainee: User, client: Client) -> None:
    client.force_login(trainee)
    for given, kept in (("21", 21), ("25", 21), ("x", 21)):
        client.post(reverse("set_reminder"), {"hour": given})
        assert Reminder.objects.get().hour == kept
    assert 'value="21" selected' in client.get(reverse("study")).content.decode()
    client.post(reverse("set_reminder"), {"hour": ""})
    assert not Reminder.objects.exists()
