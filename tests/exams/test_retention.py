"""Forgetting: the practice of who left, on its day; and one person, all that is no evidence and nothing else."""

import re
from datetime import timedelta
from io import StringIO
from smtplib import SMTPRecipientsRefused
from typing import Any
from unittest.mock import patch

import pytest
from django.apps import apps
from django.core import mail
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from exams import clock
from exams.accounts import closing
from exams.appeals.models import Appeal
from exams.audit.models import Entry
from exams.audit.services import verify
from exams.certificates.models import Certificate
from exams.hr import retention, roster, staff
from exams.hr.models import StaffRecord
from exams.hr.privacy import OWN
from exams.hr.tasks import forget_practice
from exams.results.models import Result
from tests.exams.staffing import certify
from tests.factories import PersonFactory
from tests.house import House
from tests.library.versions import make_published
from training.celery import app
from training.classes.models import Enrolment
from training.classes.teaching import teachers_of
from training.mail.courier import deliver
from training.mail.models import Mail
from training.people.models import Role, User
from training.platform.errors import Refused
from training.practice.models import Drill

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator() -> User:
    return PersonFactory(roles=[Role.ADMINISTRATOR])


def leave(house: House, days_ago: int) -> None:
    left_on = clock.today() - timedelta(days=days_ago)
    staff.change_record(house.trainee, house.hr, staff_number="B-17", left_on=left_on)


def practice_of(person: User) -> int:
    return sum(
        apps.get_model(label).objects.filter(**{way: person}).count() for label, way in retention.PRACTICE.items()
    )


# ---- practice


@pytest.mark.parametrize(("days_ago", "kept"), [(29, True), (30, True), (31, False)])
def test_practice_goes_when_it_was_kept_long_enough(settings: Any, days_ago: int, kept: bool) -> None:
    house = House()
    leave(house, days_ago)
    settings.PRACTICE_KEPT_DAYS = 30
    others = Drill.objects.exclude(trainee=house.trainee).count()
    forget_practice()
    assert bool(practice_of(house.trainee)) is kept
    assert Drill.objects.exclude(trainee=house.trainee).count() == others
    assert Entry.objects.filter(act="person.practice_forgotten").count() == (0 if kept else 1)
    forget_practice()  # once is enough
    assert Entry.objects.filter(act="person.practice_forgotten").count() == (0 if kept else 1)
    assert Certificate.objects.filter(holder=house.trainee).exists()


def test_without_a_word_of_the_house_everything_is_kept() -> None:
    house = House()
    leave(house, 4000)
    forget_practice()
    assert practice_of(house.trainee)
    with pytest.raises(CommandError, match="PRACTICE_KEPT_DAYS"):
        call_command("forget_practice")


def test_the_command_says_first_and_then_does() -> None:
    house = House()
    leave(house, 10)
    out = StringIO()
    call_command("forget_practice", "--days", "9", "--dry-run", stdout=out)
    assert practice_of(house.trainee)
    call_command("forget_practice", "--days", "9", stdout=out)
    assert not practice_of(house.trainee)
    assert out.getvalue().splitlines() == ["Practice of 1 people would be deleted.", "Practice of 1 people deleted."]


def test_beat_calls_for_it() -> None:
    assert forget_practice.name in {entry["task"] for entry in app.conf.beat_schedule.values()}


# ---- one person


def decided(person: User) -> None:
    reviewed = {"reviewer": PersonFactory(), "decided_at": clock.now(), "reply": "Indeferido."}
    Appeal.objects.filter(appellant=person).update(state="rejected", **reviewed)


def test_an_erased_person_leaves_evidence_and_nothing_else(administrator: User) -> None:
    house = House()
    who, address = house.trainee, house.trainee.email
    leave(house, 1)
    decided(who)
    User.objects.filter(pk=who.pk).update(last_login=timezone.now(), link_sent_at=timezone.now())
    before = (Result.objects.count(), Certificate.objects.count(), Appeal.objects.count())
    retention.erase(who, by=administrator, reason="Pedido de 3 de novembro.")
    deliver()
    for label, way in (retention.PRACTICE | retention.ACCOUNT).items():
        assert not apps.get_model(label).objects.filter(**{way: who}).exists(), label
    assert (Result.objects.count(), Certificate.objects.count(), Appeal.objects.count()) == before
    erased = User.objects.get(pk=who.pk)
    assert (erased.name, erased.has_usable_password(), erased.is_active) == (who.name, False, False)
    assert (erased.last_login, erased.link_sent_at) == (None, None)
    assert not User.objects.filter(email=address).exists()
    assert not Mail.objects.filter(address=address).exists()
    assert StaffRecord.objects.get(person=who).staff_number == f"#{who.pk}"
    assert list(verify()) == []
    with pytest.raises(Refused, match="já"):
        retention.erase(erased, by=administrator, reason="Outra vez.")


@pytest.mark.parametrize(("sits", "told"), [(True, "The name stays"), (False, "The name is erased too")])
def test_the_person_is_told_once_and_nothing_of_the_mail_stays(administrator: User, sits: bool, told: str) -> None:
    who = certify(PersonFactory(language="en")).holder if sits else PersonFactory(language="en")
    deliver()
    closing.close(who, by=administrator, reason="Saiu.")
    address = who.email
    retention.erase(who, by=administrator, reason="Pedido.")
    before = len(mail.outbox)
    with patch.object(EmailMessage, "send", side_effect=ConnectionRefusedError):
        deliver()
    assert Mail.objects.get(person=who).address == address, "a server that is away is asked again"
    Mail.objects.update(due_at=clock.now())
    assert deliver() == 1
    (sent,) = mail.outbox[before:]
    assert (sent.to, sent.subject) == ([address], "Your data in Sabot has been erased")
    assert told in sent.body
    assert who.name in sent.body
    assert not Mail.objects.filter(person=who).exists()
    assert deliver() == 0


def test_a_last_mail_that_cannot_be_delivered_leaves_no_address(administrator: User) -> None:
    who = PersonFactory(is_active=False)
    address = who.email
    retention.erase(who, by=administrator, reason="Pedido.")
    with patch.object(EmailMessage, "send", side_effect=SMTPRecipientsRefused({address: (550, b"no")})):
        assert deliver() == 0
    assert not Mail.objects.filter(address=address).exists()


def test_who_taught_an_erased_candidate_still_does_not_judge_them(administrator: User) -> None:
    house = House()
    who = house.trainee
    teachers = teachers_of([who.pk])[who.pk]
    assert teachers
    leave(house, 1)
    decided(who)
    retention.erase(who, by=administrator, reason="Pedido de 3 de novembro.")
    assert teachers_of([who.pk])[who.pk] == teachers
    assert not Enrolment.objects.filter(trainee=who).exists()


def test_every_kind_of_row_of_a_person_is_erased_or_evidence() -> None:
    """Whoever adds a table must say which."""
    evidence = {
        # These hang on training.Drill.
        "practice.Attempt", "practice.Mark", "practice.SecondTry", "practice.Flag", "practice.Note", "practice.Remark",
        "sprint.SprintCase",  # hangs on sprint.Sprint
        "live_table.Act",  # hangs on live_table.Session
        "mock.MockItem",  # hangs on mock.Mock
        "library.Version", "library.Act", "library.CoAuthor", "library.Origin", "library.Remark", "programmes.Examiner",
        "programmes.Judgement",
        "records.Candidate", "records.KeptOut", "records.Sitting", "records.Response", "records.Event",
        "records.RulingAsked",
        "practical.ExamTable", "practical.ExamAct", "practical.Marking", "practical.Tick", "practical.Proposal",
        "practical.Settlement",
        "results.Mark", "results.Result", "results.Annulment", "appeals.Appeal", "appeals.Letter",
        "appeals.Objection",
        "certificates.Certificate", "certificates.Act", "records.NameCorrection", "certificates.Reminder",
        "certificates.IssueRequest", "certificates.Notice",
        "accounts.Closure", "audit.Entry",
        "hr.StaffRecord",  # blanked
        "people.AccountAct", "classes.Taught",  # who could be behind an account, and who taught whom: numbers alone
    }  # fmt: skip
    assert set(OWN) - set(retention.PRACTICE) - set(retention.ACCOUNT) == evidence


def test_who_left_no_evidence_loses_the_name_too(administrator: User) -> None:
    who = PersonFactory(name="Nunca Veio")
    closing.close(who, by=administrator, reason="Engano.")
    retention.erase(who, by=administrator, reason="Pedido.")
    assert User.objects.get(pk=who.pk).name == f"#{who.pk}"
    assert not User.objects.filter(name="Nunca Veio").exists()


def test_who_reviewed_a_case_keeps_the_name_that_stands_for_it(administrator: User) -> None:
    reviewer = PersonFactory(roles=[Role.INSTRUCTOR], name="Rosa Revisora")
    make_published(by=reviewer)
    closing.close(reviewer, by=administrator, reason="Saiu da casa.")
    assert retention.erase(reviewer, by=administrator, reason="Pediu-o por escrito.").name == "Rosa Revisora"


def test_an_erased_holder_is_on_no_roster(administrator: User) -> None:
    """A person without any record counts as one who never left."""
    held = certify(PersonFactory())
    assert [entry.person for entry in roster.entries(clock.today())] == [held.holder_id]
    closing.close(held.holder, by=administrator, reason="Saiu.")
    retention.erase(held.holder, by=administrator, reason="Pedido.")
    assert list(roster.entries(clock.today())) == []


def test_nobody_is_erased_who_is_here_who_waits_or_by_themselves(administrator: User) -> None:
    house = House()
    with pytest.raises(Refused, match="aberta"):
        retention.erase(house.trainee, by=administrator, reason="Pedido.")
    leave(house, 1)
    with pytest.raises(Refused, match="recurso"):
        retention.erase(User.objects.get(pk=house.trainee.pk), by=administrator, reason="Pedido.")
    with pytest.raises(Refused, match="própria"):
        retention.erase(administrator, by=administrator, reason="Pedido.")
    with pytest.raises(Refused):
        retention.erase(User.objects.get(pk=house.trainee.pk), by=house.hr, reason="Pedido.")
    assert Drill.objects.filter(trainee=house.trainee).exists()


def test_the_command_erases_and_refuses_in_words() -> None:
    who = PersonFactory(is_active=False)
    with pytest.raises(CommandError, match="Nobody has the address"):
        call_command("erase_person", "nobody@casino.example", "--reason", "x")
    with pytest.raises(CommandError, match="The account is open"):
        call_command("erase_person", PersonFactory().email, "--reason", "x")
    call_command("erase_person", who.email.upper(), "--reason", "Pedido.", stdout=StringIO())
    assert retention.is_erased(User.objects.get(pk=who.pk))
    assert Entry.objects.get(act="person.erased").details["reason"] == "Pedido."


# ---- pages


def test_the_page_erases_only_who_is_sure_and_says_why(client: Client, administrator: User) -> None:
    who = PersonFactory(is_active=False)
    client.force_login(administrator)
    address = reverse("person_data", args=[who.pk])
    kept = client.post(address, {"reason": "Pedido de 3 de novembro."})
    assert kept.status_code == 422
    assert "Pedido de 3 de novembro." in kept.content.decode()
    assert client.post(address, {"reason": "Pedido.", "sure": "on"}).status_code == 302
    assert retention.is_erased(User.objects.get(pk=who.pk))


def test_what_stands_in_the_way_of_erasing_is_one_step_away(client: Client, administrator: User) -> None:
    house = House()
    client.force_login(administrator)

    def linked(who: User) -> list[str]:
        refused = client.post(reverse("person_data", args=[who.pk]), {"reason": "Pedido.", "sure": "on"})
        assert refused.status_code == 409
        notice = refused.content.decode().partition('role="alert"')[2].partition("</div>")[0]
        return re.findall(r'href="([^"]+)"', notice)

    assert linked(administrator) == []
    [closing_page] = linked(house.trainee)
    assert closing_page == reverse("close_account", args=[house.trainee.pk])
    leave(house, 1)
    [waiting] = linked(house.trainee)
    assert waiting == "/appeals/?state=lodged", "not to the one appeal: whose it is is told to nobody"
    assert client.get(waiting).status_code == 200


def test_everybody_has_their_own_copy_and_an_administrator_makes_others(client: Client, administrator: User) -> None:
    ana = PersonFactory(roles=[Role.TRAINEE])
    client.force_login(ana)
    own = client.get(reverse("own_copy")).json()
    assert own["account"]["email"] == ana.email
    client.force_login(administrator)
    assert client.get(reverse("person_copy", args=[ana.pk])).json()["account"]["email"] == ana.email
    made = Entry.objects.filter(act="person.exported", subject=f"person:{ana.pk}").order_by("number")
    assert [entry.actor for entry in made] == [ana, administrator]
