"""Names on PostgreSQL: the triggers hold, and of two acts at the same moment one is told."""

from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import Installation

SCRIPT = """
import threading
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from exams.certificates import correction, issuance, unchecked
from exams.certificates.models import Certificate, IssueRequest
from exams.hr import retention
from exams.records import names
from exams.records.models import Candidate, NameCorrection, Sitting
from tests.exams import making
from tests.exams.certifying import make_certificate, make_result
from tests.exams.naming import ask, clerk, rename
from tests.factories import PersonFactory
from training.people.models import User
from training.platform.errors import Refused

def together(*works):
    ready, told = threading.Barrier(len(works)), []
    def run(work):
        ready.wait()
        try:
            work()
            told.append("done")
        except Refused as refusal:
            told.append("refused")
        connection.close()
    threads = [threading.Thread(target=run, args=[work]) for work in works]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return sorted(told)

def attempt(work):
    try:
        with transaction.atomic():
            work()
        print("changed")
    except IntegrityError as refusal:
        print(str(refusal).splitlines()[0])

person = PersonFactory(name="Carla Costa")
attempt(lambda: User.objects.filter(pk=person.pk).update(name="Falsa"))
rename(person, "Carla Prates")
attempt(lambda: User.objects.filter(pk=person.pk).update(name="Carla Costa"))
session = making.make_session()
attempt(lambda: Candidate.objects.create(session=session, person=person, name="Falsa"))
candidate = making.enter(session, person=User.objects.get(pk=person.pk))
attempt(lambda: Candidate.objects.filter(pk=candidate.pk).update(name="Falsa"))
now = timezone.now()
attempt(lambda: Sitting.objects.create(candidate=candidate, name="Falsa", started_at=now, deadline_at=now))
rename(person, "Carla Nova")
print(names.printed(Candidate.objects.get(pk=candidate.pk)))

by_hr = making.make_version(making.make_rules(certificate="by_hr"))
held = make_certificate(person=PersonFactory(name="Ana"))
def insert(result, name):
    Certificate.objects.create(
        number="X-1", code="X1", holder=held.holder, holder_name=name, language="pt", programme_version=by_hr,
        result=result, scope=[], granted_at=now, valid_from=now.date(), valid_until=now.date(), status_index=7,
        printed={},
    )
attempt(lambda: insert(make_result(by_hr), "Falsa"))
unseen = make_result(by_hr, identified=False)
attempt(lambda: insert(unseen, unseen.sitting.name))
[asked] = IssueRequest.objects.filter(pk=unchecked.ask(unseen, by=clerk(), reason="Vista.").pk)
attempt(lambda: IssueRequest.objects.filter(pk=asked.pk).update(name="Falsa"))

print(together(lambda: unchecked.confirm(asked, by=clerk()), lambda: unchecked.confirm(asked, by=clerk())))
print(together(lambda: ask(held.holder, "Ana Gil"), lambda: ask(held.holder, "Ana Dias")))
waiting = NameCorrection.objects.get(holder=held.holder)
print(together(lambda: correction.confirm(waiting, by=clerk()), lambda: correction.refuse(waiting, by=clerk())))
gone = PersonFactory(name="Eva", is_active=False)
retention.erase(gone, by=None, reason="A pedido.")
print(User.objects.get(pk=gone.pk).name == f"#{gone.pk}")
"""
SEEN = [
    "renaming an account takes two people",
    "renaming an account takes two people",
    "a candidate is entered with the name of the account",
    "a candidate keeps the person and the name they were entered with",
    "a sitting carries the name of its candidate",
    "Carla Nova",
    "a certificate prints the name of the candidate, or the name two people accepted since",
    "without a confirmed identity a certificate takes two people",
    "a request for a certificate keeps what was requested",
    "['done', 'refused']",
    "['done', 'refused']",
    "['done', 'refused']",
    "True",
]


@pytest.mark.services
def test_names_take_two_people_on_postgresql(install: Callable[..., Installation], postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    furnished.with_tables(installation)
    ran = installation.manage("shell", "-v0", "--no-imports", "-c", SCRIPT)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip().splitlines() == SEEN
