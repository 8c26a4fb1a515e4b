"""`make scaling`: the same load on one, two and four workers, on each broker, and where they wait for one another.

Practice answers move the running counts, which many trainees share; graded exams go on the sealed log, which has one
end. While they work, the database is asked every few milliseconds who waits for a lock.
"""

import os
import re
import statistics
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import django
import psycopg

# Of this process alone, which only measures: what it starts gets an environment of its own.
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.bench import grading, group, site  # noqa: E402
from tests.bench.ground import platform, told  # noqa: E402
from tests.bench.table import machine  # noqa: E402
from tests.running import Installation  # noqa: E402

WORKERS = (1, 2, 4)
BROKERS = ("rabbitmq", "redis")
ANSWERS, TRAINEES, SITTINGS, ITEMS, ROUNDS = 200, 60, 20, 5, 3
SAMPLED_EVERY = 0.005  # seconds
GRADE_EXAM = "exams.results.tasks.grade"
EXAMS = f"exams of {ITEMS} items"
TABLE = re.compile(r'(?:INTO|UPDATE|FROM) "(\w+)"')
WAITING = """
SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'
"""
CLOSED = (
    "import json; from tests.bench.inside import closed_sittings as made; print(json.dumps(made({count}, {items})))"
)
SEND = "from tests.bench.inside import send; send({task!r}, {keys!r}, queue='exams')"


class Row(NamedTuple):
    broker: str
    what: str
    workers: int
    rate: float
    waited: float  # the part of the workers' time that was spent waiting for a lock
    where: str


class Locks:
    """Looks who waits, as long as it is open."""

    def __init__(self, url: str) -> None:
        self.url, self.over = url, threading.Event()
        self.looks, self.waits, self.tables = 0, 0, Counter[str]()
        self.thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as database:
            while not self.over.wait(SAMPLED_EVERY):
                found = [query for (query,) in database.execute(WAITING).fetchall()]
                self.looks, self.waits = self.looks + 1, self.waits + len(found)
                self.tables.update(table for query in found for table in TABLE.findall(query)[:1])

    def part(self, workers: int) -> float:
        return self.waits / (self.looks * workers) if self.looks else 0.0

    def where(self) -> str:
        return ", ".join(table for table, _ in self.tables.most_common(2)) or "nowhere"


@contextmanager
def locks(installation: Installation) -> Iterator[Locks]:
    found = Locks(installation.environment["DATABASE_URL"])
    found.thread.start()
    yield found
    found.over.set()
    found.thread.join()


def measured(broker: str) -> Iterator[Row]:
    for count in WORKERS:
        with platform(broker) as installation:
            keys = told(installation, grading.FILL.format(count=ROUNDS * ANSWERS, trainees=TRAINEES))
            parts = [keys[start : start + ANSWERS] for start in range(0, len(keys), ANSWERS)]
            with grading.workers(installation, count, processes=1), locks(installation) as seen:
                rates = [grading.answer_rate(installation, grading.GRADE, part) for part in parts]
            yield Row(broker, "practice answers", count, statistics.median(rates), seen.part(count), seen.where())
            with grading.workers(installation, count, processes=1, queue="exams"), locks(installation) as seen:
                rates = [exam_rate(installation) for _ in range(ROUNDS)]
            yield Row(broker, EXAMS, count, statistics.median(rates), seen.part(count), seen.where())


def exam_rate(installation: Installation) -> float:
    """Sittings that all workers together grade in a second."""
    keys = told(installation, CLOSED.format(count=SITTINGS, items=ITEMS))
    left = "SELECT count(*) FROM records_sitting WHERE graded_at IS NULL AND closed_at IS NOT NULL"
    return grading.rate(installation, SEND.format(task=GRADE_EXAM, keys=keys), left, len(keys))


def table(rows: list[Row]) -> str:
    alone = {(row.broker, row.what): row.rate for row in rows if row.workers == 1}
    heads = ["broker", "what", "workers", "per second", "vs one worker", "time waiting for a lock", "where"]
    cells = [heads, ["---"] * len(heads)]
    for broker, what, workers, rate, waited, where in rows:
        ratio = f"{rate / alone[broker, what]:.2f} ×"
        cells.append([broker, what, str(workers), f"{rate:.1f}", ratio, f"{waited:.1%}", where])
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def main(doc: str = "") -> None:
    print(head := machine(), flush=True)
    pages = {line.name: line.figure for line in site.lines(rounds=ROUNDS, full=False)}
    rows = []
    for broker in BROKERS:
        for row in measured(broker):
            print(row, flush=True)
            rows.append(row)
    print(table(rows))
    if doc:
        rates = {(row.what, row.workers): row.rate for row in rows if row.broker == "rabbitmq"}
        alone = group.Measured(pages, answers=rates["practice answers", 1], exams=rates[EXAMS, 1])
        Path(doc).write_text(group.written(head, table(rows), alone))


if __name__ == "__main__":
    main(*sys.argv[1:])
