"""Dumps and loads the database with its own tools."""

import os
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.backends.postgresql.client import DatabaseClient

from training.operations.backups.errors import Unfit

ASIDE = "sabot_replaced"
LOCKED_TRIES = 40  # a quarter of a second apart


def dump(path: Path) -> None:
    """Write a consistent dump while the platform runs."""
    if connection.vendor == "sqlite":
        _copy(Path(connection.settings_dict["NAME"]), path)
    else:
        options, name, secrets = _server()
        _run(["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={path}", *options, name], secrets)


def load(path: Path) -> None:
    """Load a dump. If it fails, the database stays as it was."""
    if connection.vendor == "sqlite":
        connection.close()
        _copy(path, Path(connection.settings_dict["NAME"]))
    else:
        _load_postgresql(path)
    connection.close()


def is_empty() -> bool:
    return not connection.introspection.table_names()


def others_at_work() -> int:
    """The number of other connections to the database; 0 for SQLite, which does not know."""
    if connection.vendor == "sqlite":
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def _load_postgresql(path: Path) -> None:
    """Keep the old schema under another name, and drop it only after the dump is loaded."""
    options, name, secrets = _server()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"DROP SCHEMA IF EXISTS {ASIDE} CASCADE")
        cursor.execute(f"ALTER SCHEMA public RENAME TO {ASIDE}")
        cursor.execute("CREATE SCHEMA public")
    connection.close()
    command = ["pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    try:
        _run([*command, *options, f"--dbname={name}", str(path)], secrets)
    except Unfit:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute(f"ALTER SCHEMA {ASIDE} RENAME TO public")
        raise
    with connection.cursor() as cursor:
        cursor.execute(f"DROP SCHEMA {ASIDE} CASCADE")


def _copy(source: Path, target: Path) -> None:
    """Copy with SQLite's backup API, which is consistent despite writers. Raises Unfit if the database stays locked."""
    tries = 0

    def count(status: int, _remaining: int, _total: int) -> None:
        nonlocal tries
        tries += status != sqlite3.SQLITE_DONE
        if tries > LOCKED_TRIES:
            raise Unfit("the database is locked")

    with closing(sqlite3.connect(source)) as origin, closing(sqlite3.connect(target)) as copy:
        origin.backup(copy, progress=count)


def _server() -> tuple[list[str], str, dict[str, str]]:
    """The options, database name and secret environment variables for PostgreSQL's programs.

    Django builds them for `psql`, whose options are the same.
    """
    (_, *options, name), secrets = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    return options, name, secrets or {}


def _run(command: Sequence[str], secrets: dict[str, str]) -> None:
    environment: dict[str, Any] = {**os.environ, **secrets}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Unfit(f"{command[0]} is needed (Debian: apt-get install postgresql-client)") from None
    if done.returncode:
        raise Unfit(f"{command[0]} failed: {done.stderr.strip()}")
