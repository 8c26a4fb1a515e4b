"""Databases with tables, and with demo people, made once for all tests of a run and copied from then on: making them
anew takes many seconds of every test that starts the platform."""

import json
import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests import services, shared
from tests.running import Installation

TABLES = """
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
call_command("createcachetable", verbosity=0)
"""
PEOPLE = f"""{TABLES}
call_command("demo_data", if_new=True)
"""
NAMES = {TABLES: "tables", PEOPLE: "people"}


def with_tables(installation: Installation) -> None:
    _give(installation, TABLES)


def with_people(installation: Installation) -> None:
    """Tables and demo people. The demo's exams, which `manage.py prepare` plays through as well, take a loaded machine
    minutes, and no test of processes needs them."""
    _give(installation, PEOPLE)


def said(installation: Installation, script: str) -> Any:
    """Give the installation tables and run a script in it; returns what the script printed as JSON after `SAID`."""
    with_tables(installation)
    done = installation.manage("shell", "-c", script)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.rpartition("SAID")[2])


def tables_file() -> Path:
    """A SQLite database with tables, for the tests that run in this process to copy."""
    return shared.once("test.sqlite3", _copy_tables)


def tables_url() -> str:
    """The URL of a PostgreSQL database with tables, to be copied and not changed."""
    return f"{services.POSTGRES.rpartition('/')[0]}/{_database(TABLES)}"


def _copy_tables(place: Path) -> None:
    """To a file of its own: SQLite puts others beside the file it reads, and those must not be copied with a folder."""
    shutil.copyfile(_var(TABLES) / "sabot.sqlite3", place)


def with_static(installation: Installation) -> None:
    """Collected static files: pages need them, probes do not."""
    (installation.var / "static").symlink_to(_static())


def _give(installation: Installation, what: str) -> None:
    url = installation.environment.get("DATABASE_URL", "")
    if not url:
        shutil.copytree(_var(what), installation.var, dirs_exist_ok=True)
    elif urlsplit(url)[:2] == urlsplit(services.POSTGRES)[:2]:
        _copy(_database(what), urlsplit(url).path[1:])
    else:  # a server of the test's own
        installation.run(what)


def _var(what: str) -> Path:
    """Database and key of an installation that needs no server."""
    return shared.once(f"var-{NAMES[what]}", lambda place: _run(place, what))


def _run(place: Path, what: str) -> None:
    place.mkdir() if what == TABLES else shutil.copytree(_var(TABLES), place)
    Installation(place).run(what)


def _static() -> Path:
    return shared.once("static", _collect) / "static"


def _collect(place: Path) -> None:
    place.mkdir()
    collected = Installation(place).manage("collectstatic", "--no-input", "--verbosity=0")
    assert collected.returncode == 0, collected.stderr


def _database(what: str) -> str:
    """The name of a database on the PostgreSQL of the tests, dropped at the end of the run."""
    name = f"sabot_test_{shared.directory().name[-8:]}_{NAMES[what]}".lower()
    shared.once(f"{NAMES[what]}.database", lambda place: _furnish(name, what, place))
    return name


def _furnish(name: str, what: str, place: Path) -> None:
    _copy("template0", name) if what == TABLES else _copy(_database(TABLES), name)
    with tempfile.TemporaryDirectory(prefix="sabot-furnished-") as var:
        url = f"{services.POSTGRES.rpartition('/')[0]}/{name}"
        Installation(Path(var), DATABASE_URL=url).run(what)
    place.write_text(name)


def drop_databases(directory: Path) -> None:
    """That were made in this run."""
    for told in directory.glob("*.database"):
        _drop(told.read_text())


def _copy(template: str, name: str) -> None:
    _drop(name)
    with closing(psycopg.connect(services.POSTGRES, autocommit=True)) as server:
        order = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
        server.execute(order)


def _drop(name: str) -> None:
    with closing(psycopg.connect(services.POSTGRES, autocommit=True)) as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
