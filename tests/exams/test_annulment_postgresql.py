"""Annulments on PostgreSQL, by several at once: decided once, never beside a grading, and the triggers hold."""

from collections.abc import Callable

import pytest

from tests.running import Installation

SCRIPT = """
import threading
from django.db import IntegrityError, connection, transaction
from exams.records.models import Sitting
from exams.results import annulment, grading
from exams.results.models import Annulment, Result
from tests.exams import certifying, making
from tests.factories import PersonFactory
from training.mail.models import Mail
from training.people.models import Role
from training.platform.errors import Refused

def together(*works):
    ready = threading.Barrier(len(works))
    def run(work):
        ready.wait()
        try:
            work()
        except Refused:
            refused.append(1)
        connection.close()
    threads = [threading.Thread(target=run, args=[work]) for work in works]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]

def waiting():
    sitting = making.close(making.start(making.enter(session)))
    asked = annulment.ask(sitting, by=session.created_by, remedy="annulled", reason="Alarme.")
    return sitting, asked

refused = []
session = making.make_session()
seconds = [PersonFactory(roles=[Role.INSTRUCTOR]) for _number in range(3)]
sitting, asked = waiting()
together(*[lambda who=who: annulment.confirm(asked, by=who) for who in seconds])
print(len(refused), Mail.objects.filter(person=sitting.candidate.person).count())
for _round in range(5):
    sitting, asked = waiting()
    together(lambda: annulment.confirm(asked, by=seconds[0]), lambda: grading.grade_sitting(sitting.pk))
print(Result.objects.filter(in_force=True).count(), Sitting.objects.filter(annulled_at=None).count())
certificate = certifying.make_certificate()
Sitting.objects.filter(pk=certificate.result.sitting_id).update(annulled_at=certificate.granted_at)
for change in (
    lambda: certifying.add_result(sitting),
    lambda: Sitting.objects.update(annulled_at=None),
    lambda: Sitting.objects.filter(pk=sitting.pk).update(try_back=False),
    lambda: Annulment.objects.update(reason="y"),
    lambda: Annulment.objects.all()._raw_delete("default"),
    lambda: type(certificate).objects.bulk_create([type(certificate)(
        number="X", code="X", holder=certificate.holder, language="pt", status_index=1, scope=[],
        programme_version=certificate.programme_version, result=certificate.result, granted_at=certificate.granted_at,
        valid_from=certificate.valid_from, valid_until=certificate.valid_until)]),
):
    try:
        with transaction.atomic():
            change()
            print("changed")
    except IntegrityError as refusal:
        print("refused", str(refusal).split(chr(10))[0])
"""
SEEN = [
    "2 1",
    "0 0",
    "refused an annulled sitting has no result",
    "refused an annulled sitting stays annulled",
    "refused an attempt that was given back cannot be taken away",
    "refused an annulment keeps what was requested",
    "refused an annulment is never deleted",
    "refused an annulled sitting gives no certificate",
]


@pytest.mark.services
def test_annulments_by_several_at_once_on_postgresql(install: Callable[..., Installation], postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    assert installation.manage("migrate", "-v0").returncode == 0
    assert installation.manage("createcachetable", "-v0").returncode == 0
    ran = installation.manage("shell", "-v0", "--no-imports", "-c", SCRIPT)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip().splitlines() == SEEN
