"""Two who act at the same moment, on PostgreSQL: what was sent twice is done once, and whichever act is first, the end
is one that either of them alone could have come to."""

from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import Installation

SCRIPT = """
import threading
from datetime import timedelta
from django.db import connection, transaction
from django.utils import timezone
from exams.audit.models import Entry
from exams.certificates import issuance, services
from exams.hr import schedules, staff_import
from exams.hr.models import Schedule, StaffImport
from exams.hr.selectors import Filters
from exams.webhooks import services as systems
from exams.webhooks.models import Hook
from tests.exams import making
from tests.exams.certifying import make_certificate, make_result
from tests.exams.staff_lists import work
from tests.factories import PersonFactory
from training.mail.models import Mail
from training.people.models import Role, User
from training.platform.errors import Refused

def outcome(work):
    try:
        work()
        return "done"
    except Refused as refusal:
        return type(refusal).__name__

def together(work, count=4):
    ready, seen = threading.Barrier(count), []
    def run():
        ready.wait()
        try:
            seen.append(outcome(work))
        finally:
            connection.close()
    threads = [threading.Thread(target=run) for _number in range(count)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return sorted(seen)

def meanwhile(first, second):
    # The second begins once the first is done and not committed yet; it waits for that, or ends without having seen it.
    began, seen = threading.Event(), {}
    def run():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            seen["pid"] = cursor.fetchone()[0]
        began.set()
        try:
            seen["second"] = outcome(second)
        finally:
            connection.close()
    thread = threading.Thread(target=run)
    with transaction.atomic():
        seen["first"] = outcome(first)
        thread.start()
        began.wait()
        waits = False
        while thread.is_alive() and not waits:
            with connection.cursor() as cursor:
                cursor.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", [seen["pid"]])
                waits = cursor.fetchone()[0]
    thread.join()
    return seen["first"], seen["second"]

hr, colleague, chief = (PersonFactory(roles=[role]) for role in (Role.HR, Role.HR, Role.ADMINISTRATOR))

listed = "nome;e-mail;numero\\nAna;ana@casa.example;A-1\\nRui;rui@casa.example;A-2\\n".encode()
check, confirm = lambda: staff_import.upload(hr, "lista.csv", listed), lambda: staff_import.confirm(hr)
print(meanwhile(check, check), StaffImport.objects.count())
work()
print(meanwhile(confirm, confirm))
work()
new = User.objects.filter(email__endswith="@casa.example")
print(new.count(), Entry.objects.filter(act="staff.imported").count(), Mail.objects.filter(person__in=new).count())

address = "https://rh.example.org/sabot"
print(together(lambda: systems.add(address, by=chief)), Hook.objects.count())
begin = lambda: schedules.begin(hr, what="people", format="csv", filters=Filters(), every="day")
print(together(begin), Schedule.objects.count())

version = making.make_version()
def held():
    # Somebody with a certificate who has passed again, so that it is due to be renewed.
    former = make_certificate(version, decided_at=timezone.now() - timedelta(days=30))
    return former, make_result(version, former.holder)

def standing(former):
    return [(each.state, each.pk == former.pk) for each in former.holder.certificates.order_by("granted_at")]

for suspension_first in (True, False):
    former, result = held()
    suspend = lambda: services.suspend(certificate=former, actor=hr, reason="Falta.")
    issue = lambda: issuance.issue(result=result, actor=colleague, reason="Passou.")
    both = (suspend, issue) if suspension_first else (issue, suspend)
    print(meanwhile(*both), standing(former))
"""
SEEN = [
    "('done', 'done') 1",
    "('done', 'Refused')",
    "2 1 2",
    "['Refused', 'Refused', 'Refused', 'done'] 1",
    "['Refused', 'Refused', 'Refused', 'done'] 1",
    "('done', 'HeldBack') [('suspended', True)]",
    "('done', 'Refused') [('replaced', True), ('granted', False)]",
]


@pytest.mark.services
def test_two_at_the_same_moment_on_postgresql(install: Callable[..., Installation], postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    furnished.with_tables(installation)
    ran = installation.manage("shell", "-v0", "--no-imports", "-c", SCRIPT)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip().splitlines() == SEEN
