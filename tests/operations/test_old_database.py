"""A database made before version 1.0: the demo's own file is replaced, every other one is refused in one line."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

import psycopg
import pytest

from tests import furnished
from tests.running import Installation
from training.operations.old_database import OLD_TABLE, REFUSAL

Install = Callable[..., Installation]
COMMANDS = ("migrate", "serve", "prepare")
# Without the people of the demo and their exams, which take a minute.
PREPARED_TWICE = """
from unittest.mock import patch
from django.core.management import call_command
from training.operations.management.commands import prepare
def migrate_only(name, **options):
    if name == "migrate":
        call_command(name, **options)
with patch.object(prepare, "call_command", migrate_only):
    call_command("prepare")
    print("again")
    call_command("prepare")
"""
MADE = f"CREATE TABLE {OLD_TABLE} (id integer)"


def make_old(installation: Installation, name: str = "sabot.sqlite3") -> None:
    with closing(sqlite3.connect(installation.var / name)) as database:
        database.execute(MADE)


def assert_refused(installation: Installation, command: str) -> None:
    done = installation.manage(command)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (1, "", f"CommandError: {REFUSAL}")


def test_prepare_replaces_the_old_database_of_the_demo_once(install: Install) -> None:
    installation = install()
    make_old(installation)
    told, again = installation.run(PREPARED_TWICE).splitlines()
    aside = installation.var / "sabot-before-1.0.sqlite3"
    assert told.startswith(f"The demo database was made before version 1.0: it is now {aside}, and the demo starts")
    assert again == "again"
    with closing(sqlite3.connect(aside)) as kept, closing(sqlite3.connect(installation.var / "sabot.sqlite3")) as new:
        assert kept.execute(f"SELECT count(*) FROM {OLD_TABLE}").fetchone() == (0,)
        assert new.execute("SELECT count(*) FROM people_user").fetchone() == (0,)


@pytest.mark.parametrize("command", ["migrate", "serve"])
def test_an_old_demo_that_was_not_prepared_is_refused(install: Install, command: str) -> None:
    installation = install()
    make_old(installation)
    assert_refused(installation, command)


def test_a_file_that_is_not_the_demos_own_is_refused_and_left_alone(install: Install) -> None:
    installation = install()
    (installation.var / "kept").mkdir()
    make_old(installation, "kept/own.sqlite3")
    installation.environment["DATABASE_URL"] = f"sqlite:///{installation.var}/kept/own.sqlite3"
    assert_refused(installation, "prepare")
    assert [path.name for path in (installation.var / "kept").iterdir()] == ["own.sqlite3"]


@pytest.mark.services
@pytest.mark.parametrize("command", COMMANDS)
def test_an_old_database_on_a_server_is_refused(install: Install, postgres_url: str, command: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as database:
        database.execute(MADE)
    assert_refused(install(DATABASE_URL=postgres_url), command)


def test_todays_database_is_not_old(install: Install) -> None:
    installation = install()
    furnished.with_tables(installation)
    assert installation.manage("migrate").returncode == 0
