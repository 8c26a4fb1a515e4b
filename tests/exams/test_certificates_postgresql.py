"""Certificates on PostgreSQL, by several at once: each issued once, each reminder sent once, the triggers hold."""

from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import Installation

SCRIPT = """
import re
import threading
from datetime import timedelta
from django.core import mail
from django.db import IntegrityError, connection, transaction
from exams import clock
from exams.certificates import issuance, keys, letters, reminders, services, statuslists
from exams.certificates.models import Act, Certificate, Notice
from tests.exams import making
from tests.exams.certifying import make_result
from tests.factories import PersonFactory
from training.mail import courier
from training.mail.models import Mail
from training.people.models import Role
from training.platform.errors import Refused

def together(work, count=4):
    ready = threading.Barrier(count)
    def run():
        ready.wait()
        work()
        connection.close()
    threads = [threading.Thread(target=run) for _number in range(count)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]

hr = PersonFactory(roles=[Role.HR], email="hr@casino.example")
version = making.make_version()
results = [make_result(version) for _number in range(6)]
together(lambda: [issuance.follow(result.pk) for result in results])
numbers = sorted(Certificate.objects.values_list("number", flat=True))
print([re.fullmatch(r".+-(\\d{6})-[0-9A-Z]{4}", number)[1] for number in numbers])
together(keys.key_in_use)
one = Certificate.objects.order_by("number").first()
failures = []
def suspend():
    try:
        services.suspend(certificate=one, actor=hr, reason="x")
    except Refused:
        failures.append(1)
together(suspend)
print(len(failures), list(one.acts.values_list("kind", flat=True)))
for change in ({"state": "replaced"}, {"holder_name": "Outra"}, {"printed": {}}, {"scope": []}):
    try:
        with transaction.atomic():
            Certificate.objects.filter(pk=one.pk).update(**change)
            print("changed", change)
    except IntegrityError as refusal:
        print("refused")
for change in (lambda: Act.objects.update(reason="y"), lambda: Act.objects.all()._raw_delete("default")):
    try:
        with transaction.atomic():
            change()
    except IntegrityError:
        print("refused")
print(bool(statuslists.signed_list("standing-0", 0)), issuance.sweep())
later = clock.now() + letters.GATHERED_FOR
clock.now = lambda: later
together(letters.tell_hr)
told = Mail.objects.filter(person=hr).values_list("subject", flat=True)
print(Notice.objects.filter(told_at=None).count(), list(told))
day = Certificate.objects.first().valid_until - timedelta(days=30)
clock.today = lambda: day
together(reminders.send_due)
together(courier.deliver)
courier.deliver()
print(Mail.objects.filter(sent_at=None).count(), Mail.objects.exclude(tries=1).count())
try:
    with transaction.atomic():
        Mail.objects.update(sent_at=None)
except IntegrityError:
    print("refused")
"""
SEEN = [
    "['000001', '000002', '000003', '000004', '000005', '000006']",
    "3 ['grant', 'suspend']",
    "refused",
    "refused",
    "refused",
    "changed {'scope': []}",
    "refused",
    "refused",
    "True 0",
    "0 ['7 alterações a certificados']",
    "0 0",
    "refused",
]


@pytest.mark.services
def test_several_at_once_on_postgresql(install: Callable[..., Installation], postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    furnished.with_tables(installation)
    ran = installation.manage("shell", "-v0", "--no-imports", "-c", SCRIPT)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip().splitlines() == SEEN
    mails = "".join(path.read_text() for path in (installation.var / "mail").iterdir())
    # Five holders (one is suspended), and HR hears of each once, in as many mails as there were runs that got some.
    told = [line for line in mails.splitlines() if line.startswith("Message-ID: <")]
    assert len(told) == len(set(told)) > 5
    # Every holder of the grant, one of the suspension.
    assert mails.count("To: person") == 5 + 6 + 1
    listed = [line for line in mails.splitlines() if line.endswith("(Chemin de fer)") and not line.startswith(" ")]
    assert len(listed) == len(set(listed)) == 5
