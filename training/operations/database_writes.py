"""Checks that the database accepts writes. Reading would not reveal a full disk, a standby or a stuck lock."""

import os
import socket
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.utils import timezone

from training.operations.models import WorkerSeen

PATIENCE = 1000  # milliseconds to wait for a lock or for the write itself
# Processes share this many rows: enough that they rarely wait for each other, and the table stays small.
ROWS = 64


def verify() -> None:
    """Write and commit one small row. Raises DatabaseError if that takes longer than about a second."""
    with _bounded(), transaction.atomic():
        if connection.vendor == "postgresql":
            _bound_transaction()
        row, now = _own_row(), timezone.now()
        if not WorkerSeen.objects.filter(worker=row).update(seen_at=now):
            WorkerSeen.objects.get_or_create(worker=row, defaults={"seen_at": now})


def _own_row() -> str:
    process = f"{socket.gethostname()} {os.getpid()}"
    return f"web-{zlib.crc32(process.encode()) % ROWS}"


def _bound_transaction() -> None:
    """Limit the wait for locks and statements, and do not wait for a standby."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = {PATIENCE}")
        cursor.execute(f"SET LOCAL statement_timeout = {PATIENCE}")
        cursor.execute("SET LOCAL synchronous_commit = local")


@contextmanager
def _bounded() -> Iterator[None]:
    """Limit the wait for a lock on SQLite. PostgreSQL is limited inside the transaction."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        before = int(cursor.fetchone()[0])
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {before}")
