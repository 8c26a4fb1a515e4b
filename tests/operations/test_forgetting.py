"""What was only kept for a while is deleted by the platform itself."""

from datetime import timedelta

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from exams.hr.models import StaffImport
from exams.hr.tasks import forget_unconfirmed as forget_staff_lists
from tests.factories import PersonFactory
from training.celery import app
from training.library.models import PendingImport
from training.library.tasks import forget_unconfirmed as forget_imports
from training.mail.tasks import forget_old as forget_mail
from training.operations.tasks import forget_sign_ins
from training.people import limits
from training.people.models import WrongTries

pytestmark = pytest.mark.django_db


def test_ended_sessions_and_old_wrong_passwords_go_and_open_ones_stay() -> None:
    for hours in (-1, 1):
        store = SessionStore()
        store.create()
        Session.objects.filter(pk=store.session_key).update(expire_date=timezone.now() + timedelta(hours=hours))
    limits.failed(limits.Try("ana@casino.example", "192.0.2.1"))
    WrongTries.objects.update(since=timezone.now() - timedelta(days=1, seconds=1))
    limits.failed(limits.Try("rui@casino.example", "192.0.2.2"))
    forget_sign_ins()
    assert [session.expire_date > timezone.now() for session in Session.objects.all()] == [True]
    assert WrongTries.objects.count() == 3


def test_what_nobody_confirmed_within_a_day_is_deleted() -> None:
    for age in (timedelta(days=1, minutes=1), timedelta(hours=23)):
        at = timezone.now() - age
        row = PendingImport.objects.create(importer=PersonFactory(), content="{}")
        PendingImport.objects.filter(pk=row.pk).update(checked_at=at)
        StaffImport.objects.create(importer=PersonFactory(), checked_at=at)
    forget_imports()
    forget_staff_lists()
    assert (PendingImport.objects.count(), StaffImport.objects.count()) == (1, 1)


def test_beat_calls_for_all_of_it() -> None:
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert {task.name for task in (forget_sign_ins, forget_imports, forget_staff_lists, forget_mail)} <= scheduled
    app.loader.import_default_modules()
    assert scheduled <= set(app.tasks), "beat calls for what no worker knows"
