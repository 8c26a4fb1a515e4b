"""A staff list of new people applied by a worker while exam answers are saved, on PostgreSQL and without any
server; half-way the worker is killed, and the list goes on.

Saves are timed from the moment they were due. Alone: `python -m tests.bench --only staff --full --rounds 1`.
"""

import os
import signal
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event

from tests.bench import exams
from tests.bench.ground import embedded, platform, told
from tests.bench.table import Line, Target
from tests.running import Installation, until

SMALL, FULL = 2_000, 50_000  # rows
CANDIDATES, RATE = 40, 10  # saves a second
WITHIN = 3 * 60 * 60.0
STEADY, SLOWEST = Target(5.0), Target(1000, of="figure")  # p99 beside the median; milliseconds
NONE = Target(0, of="figure")
LIST = "from tests.bench.staff import begin; begin({rows})"
STATE = "import json; from tests.bench.staff import state; print(json.dumps(state()))"
WORKER = "--hostname=worker@%h"


def lines(*, rounds: int, full: bool) -> list[Line]:
    rows, made = (FULL if full else SMALL), []
    with platform(WEB_CONCURRENCY="2") as installation:
        for name in ("web", "exams", "worker", "beat"):
            installation.start(name)
        installation.wait_until_ready(within=180)
        made += _measured(installation, rows, "PostgreSQL")
    with embedded() as installation:
        made += _measured(installation, rows, "embedded")
    return made


def _measured(installation: Installation, rows: int, where: str) -> list[Line]:
    *people, _other = told(installation, exams.FILL.format(count=CANDIDATES))
    for who in people:
        exams.begin(installation.port, who)
    quiet = exams.crowd([partial(exams.save, installation.port, people[n % CANDIDATES], n) for n in range(200)], RATE)
    installation.run(LIST.format(rows=rows))
    began = time.monotonic()
    with _saving(installation, people) as taken:
        _until_done(installation, rows // 2)
        for pid in _workers(installation):
            os.kill(pid, signal.SIGKILL)
        if "worker" in installation.started:  # nobody starts it again by itself here
            installation.started.pop("worker").wait()
            installation.start("worker")
        _until_done(installation, rows)
    seconds, found = time.monotonic() - began, told(installation, STATE)
    assert found["state"] == "done", found
    usual, slow = statistics.median(taken), sorted(taken)[round(len(taken) * 0.99) - 1]
    named, other = f"a save during {rows:,} rows, {where}", "the median save meanwhile"
    return [
        Line(f"{named}: 99th percentile", "ms", (slow,), other, (usual,), STEADY),
        Line(f"{named}: slowest of {len(taken):,}", "ms", (max(taken),), other, (usual,), SLOWEST),
        Line(f"{named}: median", "ms", (usual,), "the median before", (statistics.median(quiet),)),
        Line(f"{rows:,} rows, {where}: missing or twice", "rows", (found["wrong"],), "one", (1.0,), NONE),
        Line(f"{rows:,} rows, {where}, killed once", "s", (seconds,), "a minute", (60.0,)),
    ]


@contextmanager
def _saving(installation: Installation, people: list[dict[str, str]]) -> Iterator[list[float]]:
    """Somebody saves an answer ten times a second until the block ends; milliseconds from being due."""
    over, taken = Event(), list[float]()

    def one(number: int, due: float) -> None:
        exams.save(installation.port, people[number % CANDIDATES], 1000 + number)
        taken.append((time.perf_counter() - due) * 1000)

    def go_on() -> None:
        number, due = 0, time.perf_counter()
        with ThreadPoolExecutor(exams.THREADS) as pool:
            sent = []
            while not over.is_set():
                sent.append(pool.submit(one, number, due))
                number, due = number + 1, due + 1 / RATE
                time.sleep(max(0.0, due - time.perf_counter()))
        for each in sent:
            each.result()  # no save may fail

    with ThreadPoolExecutor(1) as alone:
        running = alone.submit(go_on)
        try:
            yield taken
        finally:
            over.set()
            running.result()


def _until_done(installation: Installation, rows: int) -> None:
    """Wait until it is reached, asking rarely because every question starts a process."""

    def reached() -> bool:
        time.sleep(3)
        found = told(installation, STATE)
        return bool(found["done"] >= rows and (rows < found["total"] or found["state"] != "confirmed"))

    until(f"{rows} rows are applied", reached, within=WITHIN)


def _workers(installation: Installation) -> list[int]:
    return [pid for pid in installation.pids() if WORKER in Path(f"/proc/{pid}/cmdline").read_text().split("\0")]


# ---- inside the installation


def begin(rows: int) -> None:
    """Upload a list of new people, check it here, and confirm it."""
    from exams.hr import staff_import
    from exams.hr.models import StaffImport
    from training.people.accounts import enter_person
    from training.people.models import Role

    hr = enter_person(email="hr@bench.example", name="HR", roles=[Role.HR])
    listed = "".join(f"Pessoa {n};p{n}@lista.example;N{n};Sala {n % 7};Noite;01/02/2020\n" for n in range(rows))
    content = ("nome;e-mail;número;departamento;turno;entrada\n" + listed).encode("utf-16")
    job = staff_import.upload(hr, "lista.csv", content)
    while (job := StaffImport.objects.get(pk=job.pk)).state == "waiting":
        staff_import.go_on(job.pk)
        time.sleep(0.5)
    assert job.state == "checked", job.errors[:3]
    staff_import.confirm(hr)


def state() -> dict[str, object]:
    from django.db.models import Count

    from exams.audit.models import Entry
    from exams.audit.services import verify
    from exams.hr.models import StaffImport, StaffRecord
    from training.mail.models import Mail

    job = StaffImport.objects.get()
    found: dict[str, object] = {"state": job.state, "done": job.done, "total": job.total}
    if job.under_way:
        return found
    entries = Entry.objects.filter(act="staff.changed")
    counts = [
        StaffRecord.objects.filter(person__email__endswith="@lista.example").count(),
        Mail.objects.filter(address__endswith="@lista.example").count(),
        entries.count(),
        entries.aggregate(people=Count("subject", distinct=True))["people"],
        job.entered,
    ]
    wrong = sum(abs(count - job.total) for count in counts) + len(list(verify()))
    return found | {"wrong": wrong}
