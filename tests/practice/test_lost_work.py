"""Workers that are away or die midway: an answer is accepted, waits, and ends with one mark."""

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import psycopg
import pytest
from kombu import Connection

from tests.running import Installation, until
from tests.visitor import Visitor

Install = Callable[..., Installation]


def start_without_worker(installation: Installation) -> Visitor:
    installation.prepare()
    installation.collect_static()
    installation.start("web")
    until("the web server answers", lambda: installation.get("/healthz")[0] == 200)
    return Visitor(installation.url)


def kill_worker(installation: Installation) -> None:
    worker = installation.started.pop("worker")
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


@pytest.fixture
def embedded(install: Install) -> Installation:
    return install()


@pytest.fixture
def on_servers(install: Install, postgres_url: str, broker_env: dict[str, str]) -> Installation:
    return install(DATABASE_URL=postgres_url, **broker_env)


@contextmanager
def sqlite_marks_blocked(installation: Installation) -> Iterator[Callable[[], bool]]:
    """Nobody can write a mark; yields how to see that a worker has taken the task and hangs in it."""
    with (
        closing(sqlite3.connect(installation.var / "sabot.sqlite3", isolation_level=None)) as database,
        closing(sqlite3.connect(installation.var / "broker.sqlite3")) as broker,
    ):
        database.execute("BEGIN IMMEDIATE")
        waiting = "SELECT count(*) FROM kombu_message WHERE visible = 1 AND payload LIKE '%grade_attempt%'"
        yield lambda: broker.execute(waiting).fetchone() == (0,)
        database.execute("ROLLBACK")


@contextmanager
def postgres_marks_blocked(installation: Installation) -> Iterator[Callable[[], bool]]:
    url = installation.environment["DATABASE_URL"]
    with psycopg.connect(url) as holder, psycopg.connect(url, autocommit=True) as looker:
        holder.execute("LOCK TABLE training_mark IN EXCLUSIVE MODE")
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        yield lambda: looker.execute(waiting).fetchone() != (0,)
        holder.rollback()


def ends_graded_once(installation: Installation, blocked: Callable[..., object], marks: Callable[[], int]) -> None:
    visitor = start_without_worker(installation)
    before = marks()
    drill = visitor.start_drill()
    visitor.answer(drill)
    assert visitor.is_waiting(drill)
    with blocked(installation) as hangs_in_the_task:  # type: ignore[attr-defined]
        installation.start("worker")
        until("the worker hangs in the task", hangs_in_the_task)
        kill_worker(installation)
    assert visitor.is_waiting(drill)
    assert marks() == before
    installation.start("worker")
    installation.start("beat")
    until("the mark", lambda: visitor.is_graded(drill))
    assert marks() == before + 1


def test_on_the_embedded_set_up(embedded: Installation) -> None:
    def marks() -> int:
        with closing(sqlite3.connect(embedded.var / "sabot.sqlite3")) as database:
            return int(database.execute("SELECT count(*) FROM training_mark").fetchone()[0])

    ends_graded_once(embedded, sqlite_marks_blocked, marks)


@pytest.mark.services
def test_on_postgresql_with_each_broker(on_servers: Installation) -> None:
    def marks() -> int:
        with psycopg.connect(on_servers.environment["DATABASE_URL"]) as database:
            row = database.execute("SELECT count(*) FROM training_mark").fetchone()
            assert row
            return int(row[0])

    ends_graded_once(on_servers, postgres_marks_blocked, marks)


def test_with_the_worker_away_an_answer_waits_and_is_graded_when_it_is_back(embedded: Installation) -> None:
    visitor = start_without_worker(embedded)
    drill = visitor.start_drill()
    visitor.answer(drill)
    assert visitor.is_waiting(drill)
    embedded.start("worker")
    until("the mark", lambda: visitor.is_graded(drill))


@pytest.mark.services
def test_with_the_broker_lost_the_sweep_finds_the_answer(on_servers: Installation) -> None:
    """The queue forgets everything between submission and grading; the database does not."""
    visitor = start_without_worker(on_servers)
    drill = visitor.start_drill()
    visitor.answer(drill)
    with Connection(on_servers.environment["CELERY_BROKER_URL"]) as broker:
        broker.default_channel.queue_delete(f"{on_servers.environment['CELERY_QUEUE_PREFIX']}practice")  # type: ignore[attr-defined]
    assert visitor.is_waiting(drill)
    on_servers.start("worker")
    on_servers.start("beat")
    until("the mark", lambda: visitor.is_graded(drill))
