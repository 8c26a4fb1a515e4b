"""Databases with tables, and with demo people, made once for all tests of a run and copied from then on: making them
anew takes many seconds of every test that starts the platform."""

import atexit
import shutil
import tempfile
import uuid
from contextlib import closing
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests import services
from tests.running import Installation

TABLES = """
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
call_command("createcachetable", verbosity=0)
"""
PEOPLE = f"""{TABLES}
call_command("demo_data", if_new=True)
"""


def with_tables(installation: Installation) -> None:
    _give(installation, TABLES)


def with_people(installation: Installation) -> None:
    """Tables and demo people. The demo's exams, which `manage.py prepare` plays through as well, take a loaded machine
    minutes, and no test of processes needs them."""
    _give(installation, PEOPLE)


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


def _scratch() -> Path:
    made = Path(tempfile.mkdtemp(prefix="sabot-furnished-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


@cache
def _var(what: str) -> Path:
    """Database and key of an installation that needs no server."""
    installation = Installation(_scratch())
    installation.run(what)
    return installation.var


@cache
def _static() -> Path:
    installation = Installation(_scratch())
    collected = installation.manage("collectstatic", "--no-input", "--verbosity=0")
    assert collected.returncode == 0, collected.stderr
    return installation.var / "static"


@cache
def _database(what: str) -> str:
    """The name of a database on the PostgreSQL of the tests, dropped at the end of the run."""
    name = f"sabot_test_{uuid.uuid4().hex[:12]}"
    atexit.register(_drop, name)
    _copy("template0", name) if what == TABLES else _copy(_database(TABLES), name)
    Installation(_scratch(), DATABASE_URL=f"{services.POSTGRES.rpartition('/')[0]}/{name}").run(what)
    return name


def _copy(template: str, name: str) -> None:
    _drop(name)
    with closing(psycopg.connect(services.POSTGRES, autocommit=True)) as server:
        order = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
        server.execute(order)


def _drop(name: str) -> None:
    with closing(psycopg.connect(services.POSTGRES, autocommit=True)) as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
