"""Whether the database takes a write. Reading alone does not show a full disk, a standby, or a lock that stays."""

import os
import socket
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.utils import timezone

from training.operations.models import WorkerSeen

PATIENCE = 1000  # milliseconds to wait for a lock or for the write itself
# Processes spread over this many rows, so that they do not wait for one another and the table stays small.
ROWS = 64


def verify() -> None:
    """Write one small row and commit it. Raises DatabaseError if that is not done in about a second."""
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
    """Wait for no lock, no statement and no standby."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = {PATIENCE}")
        cursor.execute(f"SET LOCAL statement_timeout = {PATIENCE}")
        cursor.execute("SET LOCAL synchronous_commit = local")


@contextmanager
def _bounded() -> Iterator[None]:
    """On SQLite, wait for the writer no longer than this; elsewhere the transaction says so itself."""
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
