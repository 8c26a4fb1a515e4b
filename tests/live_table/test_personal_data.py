"""The figures of the live table as personal data: in the copy without what is to come, and gone after the period."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from exams.hr import retention
from exams.hr.models import StaffRecord
from tests.classes import rooms
from tests.factories import PersonFactory
from tests.live_table.test_session import CARRY_ON, dealt, opened, send, who
from training.live_table import teaching, watching
from training.live_table.models import Act, Injection, Session
from training.people.models import Role

pytestmark = pytest.mark.django_db


def test_a_copy_has_the_figures_and_not_what_is_to_come(client: Client) -> None:
    dealt(client, opened(who(client), faults=1, seed="ended"))
    session = opened(who(client), faults=1, seed="verysecretseed")
    send(client, session, 1, CARRY_ON)
    instructor = PersonFactory(roles=[Role.INSTRUCTOR])
    rooms.make_class(instructor, who(client))
    teaching.inject(instructor, session.pk, watching.faults(session.book, "en")[0][0], timezone.now())
    out = StringIO()
    call_command("export_person", who(client).email, stdout=out)
    data = json.loads(out.getvalue())
    ended = next(row for row in data["live_table.Session"] if row["ended_at"])
    assert ended["misses"] == len([one for one in ended["coups"] if one["outcome"] == "miss"]) > 0
    assert {"hits", "false_alarms", "reactions", "totals", "seconds", "reckoning"} <= set(ended)
    assert data["live_table.Act"]
    for secret in ("verysecretseed", "moments", "live_table.Injection", "wanted"):
        assert secret not in out.getvalue()


def test_sessions_go_when_the_period_is_over(client: Client) -> None:
    trainee = who(client)
    session = dealt(client, opened(trainee, faults=1))
    Injection.objects.create(session=session, after=0, coup=1, kind="late_bet", at=timezone.now())
    trainee.is_active = False
    trainee.save()
    left = timezone.localdate() - timedelta(days=31)
    StaffRecord.objects.update_or_create(person=trainee, defaults={"left_on": left})
    assert retention.forget_due(40) == 0
    assert Session.objects.exists()
    assert retention.forget_due(30) == 1
    assert not Session.objects.exists()
    assert not Act.objects.exists()
    assert not Injection.objects.exists()
