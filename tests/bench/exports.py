"""Exports of many certificates, each format by a process of its own, so that its memory is its own; beside the same
rows read by one SELECT and written by Python's own csv."""

import csv
import io
import resource
import time
from datetime import date, timedelta

from tests.bench.ground import platform, told
from tests.bench.table import Line, Target

SMALL, FULL = 5_000, 50_000  # rows
FORMATS = ("csv", "json", "xlsx")
SECONDS = 10.0  # for the full number of rows
MEMORY = Target(300, of="figure")
FILL = "from tests.bench.exports import fill; fill({rows})"
MEASURE = "import json; from tests.bench.exports import measure; print(json.dumps(measure({kind!r}, {rounds})))"


def lines(*, rounds: int, full: bool) -> list[Line]:
    rows, made = (FULL if full else SMALL), []
    wanted = Target(SECONDS * rows / FULL, of="figure")
    with platform() as installation:
        installation.run(FILL.format(rows=rows))
        for kind in FORMATS:
            found = told(installation, MEASURE.format(kind=kind, rounds=rounds))
            named = f"{kind} of {rows:,} certificates"
            made.append(Line(named, "s", *_beside(found, "seconds", "one SELECT and a bare csv"), wanted))
            made.append(Line(f"{named}: memory", "MB", *_beside(found, "megabytes", "the platform loaded"), MEMORY))
    return made


def _beside(
    found: dict[str, list[list[float]]], what: str, yardstick: str
) -> tuple[tuple[float, ...], str, tuple[float, ...]]:
    taken, bare = zip(*found[what], strict=True)
    return taken, yardstick, bare


# ---- inside the installation


def fill(rows: int) -> None:
    from exams.certificates.models import Certificate
    from exams.hr.models import StaffRecord
    from tests.exams.making import make_version
    from training.people.accounts import enter_person
    from training.people.models import Role, User

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
            printed={"issuer": "Casa"},
        )
        for number, person in enumerate(people)
    )


def measure(kind: str, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Seconds and megabytes, each beside its yardstick; the first round warms up."""
    from exams.hr import exports
    from exams.hr.selectors import Filters
    from training.people.models import User

    hr = User.objects.get(email="hr@bench.example")
    seconds, megabytes, loaded = [], [], _megabytes()
    for _ in range(rounds + 1):
        asked = exports.ask(hr, what="certificates", format=kind, filters=Filters())
        started = time.perf_counter()
        assert exports.make(asked.pk)
        made = time.perf_counter()
        _bare()
        seconds.append((made - started, time.perf_counter() - made))
        megabytes.append((_megabytes(), loaded))
    return {"seconds": seconds[1:], "megabytes": megabytes[1:]}


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _bare() -> None:
    from django.db import connection

    columns = "c.number, u.name, c.valid_from, c.valid_until, c.state"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM certificates_certificate c JOIN people_user u ON u.id = c.holder_id")
        csv.writer(io.StringIO()).writerows(cursor.fetchall())
