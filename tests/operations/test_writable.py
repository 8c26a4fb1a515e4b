"""Readiness tells a database that can be read and not written, soon and without waiting for it."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import psycopg
import pytest
from django.db import connection

from tests import furnished
from tests.running import Installation, until
from training.operations import database_writes
from training.operations.models import WorkerSeen

CLOSE_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
SOON = 4.0  # seconds for the whole answer: a second for the write, and the other parts


def database_part(installation: Installation) -> tuple[int, str, float]:
    """Status, what is said of the database, and how long it took."""
    began = time.monotonic()
    status, told = installation.get("/readyz")
    return status, told["database"], time.monotonic() - began


def test_a_write_lock_that_stays_on_sqlite(install: Callable[..., Installation]) -> None:
    installation = install()
    furnished.with_people(installation)
    installation.start("serve")
    installation.wait_until_ready()
    with closing(sqlite3.connect(installation.var / "sabot.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        status, said, took = database_part(installation)
        assert (status, said) == (503, "cannot be written")
        assert took < SOON
        assert installation.get("/healthz")[0] == 200
        other.execute("ROLLBACK")
    until("it is ready again", lambda: installation.get("/readyz")[0] == 200)
    assert installation.output("serve").count("not_writable") == 1


@pytest.mark.services
def test_a_lock_and_a_read_only_server_on_postgresql(install: Callable[..., Installation], postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    furnished.with_people(installation)
    installation.start("serve")
    installation.wait_until_ready()
    name = postgres_url.rpartition("/")[2]
    with psycopg.connect(postgres_url, autocommit=True) as other:
        with other.transaction():
            other.execute("LOCK TABLE operations_workerseen IN EXCLUSIVE MODE")
            status, said, took = database_part(installation)
            assert (status, said) == (503, "cannot be written")
            assert took < SOON
            assert installation.get("/healthz")[0] == 200
        until("it is ready again", lambda: installation.get("/readyz")[0] == 200)
        # As on a standby, or where whoever runs the server has shut it for writing.
        other.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        other.execute(CLOSE_OTHERS, [name])
        until("it tells", lambda: database_part(installation)[:2] == (503, "cannot be written"), within=20)
        other.execute("SET default_transaction_read_only = off")
        other.execute(f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
        other.execute(CLOSE_OTHERS, [name])
        until("it is ready again", lambda: installation.get("/readyz")[0] == 200)
        web = other.execute("SELECT count(*) FROM operations_workerseen WHERE worker LIKE 'web-%'").fetchone()
        assert web is not None and 1 <= web[0] <= 4, "no row for each question"


@pytest.mark.django_db
def test_asking_again_makes_no_second_row(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        database_writes.verify()
    assert WorkerSeen.objects.count() == 1
    for pid in range(1000):
        monkeypatch.setattr(os, "getpid", lambda own=pid: own)
        database_writes.verify()
    assert WorkerSeen.objects.count() == database_writes.ROWS


@pytest.mark.django_db
def test_the_patience_of_other_requests_stays_what_it_was() -> None:
    def patience() -> Any:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout")
            return cursor.fetchone()

    before = patience()
    database_writes.verify()
    assert patience() == before
