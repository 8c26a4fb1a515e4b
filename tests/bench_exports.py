"""Exports of many certificates: `python -m tests.bench_exports [rows]`. Under 10 s and 300 MB each for 50,000 rows.

It makes a database of its own in a temporary directory. Each format is made by a process of its own, so that its memory
is its own; the HR desk is opened too, to see that it does not grow with the list.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta

ROWS, SECONDS, MEGABYTES = 50_000, 10.0, 300
FORMATS = ("csv", "json", "xlsx")
PAGES = ("/hr/", "/hr/?q=pessoa+77&sort=until", "/hr/?within=90&sort=until", "/hr/?standing=lapsed", "/hr/tonight/")


def main(rows: int) -> int:
    slow = 0
    with tempfile.TemporaryDirectory() as var:
        environment = os.environ | {
            "SABOT_MODE": "demo",
            "SABOT_VAR": var,
            "DJANGO_SETTINGS_MODULE": "training.settings",
        }
        environment.pop("DATABASE_URL", None)
        for part in ("fill", *FORMATS, "pages"):
            command = [sys.executable, "-m", "tests.bench_exports", str(rows), part]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            print(done.stdout or done.stderr[-1000:], end="")
            slow += done.returncode != 0
    return slow


def part(rows: int, name: str) -> int:
    import django

    django.setup()
    if name == "fill":
        return fill(rows)
    return pages() if name == "pages" else export(rows, name)


def fill(rows: int) -> int:
    from django.core.management import call_command

    from exams.certificates.models import Certificate
    from exams.hr.models import StaffRecord
    from tests.exams.making import make_version
    from training.people.accounts import enter_person
    from training.people.models import Role, User

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    enter_person(email="hr@bench.example", name="HR", roles=[Role.HR])
    version, today = make_version(), date.today()  # noqa: DTZ011
    people = User.objects.bulk_create(
        User(email=f"p{number}@bench.example", name=f"Pessoa Número {number}", password="!") for number in range(rows)
    )
    StaffRecord.objects.bulk_create(
        StaffRecord(person=person, staff_number=f"S{person.pk}", department=f"Sala {person.pk % 7}")
        for person in people
    )
    Certificate.objects.bulk_create(
        Certificate(  # type: ignore[misc]
            number=f"CDF-1-2026-{number:06d}",
            code=f"C{number:011d}",
            holder=person,
            holder_name=person.name,
            language="pt",
            programme_version=version,
            scope=["pt-chemin-de-fer"],
            granted_at=version.published_at,
            valid_from=today - timedelta(days=700),
            valid_until=today + timedelta(days=number % 700 - 20),
            status_index=number,
        )
        for number, person in enumerate(people)
    )
    return 0


def export(rows: int, kind: str) -> int:
    from exams.hr import exports
    from exams.hr.selectors import Filters
    from training.people.models import User

    asked = exports.ask(User.objects.get(email="hr@bench.example"), what="certificates", format=kind, filters=Filters())
    began = time.perf_counter()
    made = exports.make(asked.pk)
    seconds = time.perf_counter() - began
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    asked.refresh_from_db()
    good = made and asked.done == rows and seconds < SECONDS and megabytes < MEGABYTES
    print(f"{kind:5} {asked.done:6} rows {seconds:6.2f} s {megabytes:5.0f} MB {'' if good else 'TOO MUCH'}")
    return 0 if good else 1


def pages() -> int:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from training.people.models import User

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(email="hr@bench.example"))
    for address in PAGES:
        client.get(address)
        began = time.perf_counter()
        with CaptureQueriesContext(connection) as queries:
            status = client.get(address).status_code
        print(f"{address:32} {status} {time.perf_counter() - began:6.2f} s {len(queries)} queries")
    return 0


if __name__ == "__main__":
    size = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    sys.exit(part(size, sys.argv[2]) if len(sys.argv) > 2 else main(size))
