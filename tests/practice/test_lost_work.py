"""Workers that are away or die midway: an answer is accepted, waits, and ends with one mark."""

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import psycopg
import pytest
from kombu import Connection

from tests import furnished
from tests.running import Installation, until
from tests.visitor import Visitor

Install = Callable[..., Installation]


def start_without_worker(installation: Installation) -> Visitor:
    furnished.with_people(installation)
    furnished.with_static(installation)
    installation.start("web")
    until("the web server answers", lambda: installation.get("/healthz")[0] == 200)
    return Visitor(installation.url)


def signal_worker(installation: Installation, number: signal.Signals) -> None:
    os.killpg(installation.started["worker"].pid, number)


def answered(visitor: Visitor) -> str:
    """A drill whose answer waits for a worker."""
    drill = visitor.start_drill()
    visitor.answer(drill)
    assert visitor.is_waiting(drill)
    return drill


@contextmanager
def sqlite_marks_blocked(installation: Installation) -> Iterator[Callable[[], bool]]:
    """Nobody can write a mark; yields how to see that a worker has taken the task and hangs in it."""
    with (
        closing(sqlite3.connect(installation.var / "sabot.sqlite3", isolation_level=None)) as database,
        closing(sqlite3.connect(installation.var / "broker.sqlite3")) as broker,
    ):
        database.execute("BEGIN IMMEDIATE")
        waiting = "SELECT count(*) FROM message WHERE payload LIKE '%grade_attempt%'"
        yield lambda: broker.execute(waiting).fetchone() == (0,)
        database.execute("ROLLBACK")


@contextmanager
def postgres_marks_blocked(installation: Installation) -> Iterator[Callable[[], bool]]:
    url = installation.environment["DATABASE_URL"]
    with psycopg.connect(url) as holder, psycopg.connect(url, autocommit=True) as looker:
        holder.execute("LOCK TABLE practice_mark IN EXCLUSIVE MODE")
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        yield lambda: looker.execute(waiting).fetchone() != (0,)
        holder.rollback()


def dies_midway(installation: Installation, blocked: Callable[..., object]) -> None:
    """The worker, in the middle of the task that it has taken."""
    with blocked(installation) as hangs_in_the_task:  # type: ignore[attr-defined]
        if "worker" in installation.started:
            signal_worker(installation, signal.SIGCONT)
        else:
            installation.start("worker")
        until("the worker hangs in the task", hangs_in_the_task)
        signal_worker(installation, signal.SIGKILL)
        installation.started.pop("worker").wait()


def test_on_the_embedded_set_up(install: Install) -> None:
    installation = install()

    def marks() -> int:
        with closing(sqlite3.connect(installation.var / "sabot.sqlite3")) as database:
            return int(database.execute("SELECT count(*) FROM practice_mark").fetchone()[0])

    visitor = start_without_worker(installation)
    before = marks()
    early = answered(visitor)
    installation.start("worker")
    until("the mark of what waited for a worker", lambda: visitor.is_graded(early))
    signal_worker(installation, signal.SIGSTOP)
    drill = answered(visitor)
    dies_midway(installation, sqlite_marks_blocked)
    assert visitor.is_waiting(drill)
    assert marks() == before + 1
    installation.start("worker")
    installation.start("beat")
    until("the mark", lambda: visitor.is_graded(drill))
    assert marks() == before + 2


@pytest.mark.services
def test_on_postgresql_with_each_broker(install: Install, postgres_url: str, broker_env: dict[str, str]) -> None:
    """Once the queue forgets everything between submission and grading, once the worker dies: the database does not
    forget, and the sweep finds both."""
    installation = install(DATABASE_URL=postgres_url, **broker_env)

    def marks() -> int:
        with psycopg.connect(postgres_url) as database:
            row = database.execute("SELECT count(*) FROM practice_mark").fetchone()
            assert row
            return int(row[0])

    visitor = start_without_worker(installation)
    before = marks()
    forgotten = answered(visitor)
    with Connection(broker_env["CELERY_BROKER_URL"]) as broker:
        broker.default_channel.queue_purge(f"{broker_env['CELERY_QUEUE_PREFIX']}practice")  # type: ignore[attr-defined]
    drill = answered(visitor)
    dies_midway(installation, postgres_marks_blocked)
    assert visitor.is_waiting(drill)
    assert marks() == before
    installation.start("worker")
    installation.start("beat")
    until("both marks", lambda: visitor.is_graded(forgotten) and visitor.is_graded(drill))
    assert marks() == before + 2
