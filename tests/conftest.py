"""What every test may use."""

import gc
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from celery.contrib.testing.worker import start_worker
from celery.worker import state as worker_state
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client, TransactionTestCase
from django.utils import translation
from pytest_django import DjangoDbBlocker

from tests.factories import PersonFactory
from tests.running import Installation
from training.celery import app
from training.people.models import Role, User
from training.platform import broker, secret_seeds

# Playwright's event loop runs in the test's own thread; Django would refuse the database there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

pytest_plugins = ["tests.services", "tests.durations"]

# Collection makes hundreds of thousands of objects and drops none. Looking for garbage among them takes seconds, then
# and after every test.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


# Where a change is judged the same examples are tried in every run; at the desk new ones each time. Never by the clock.
hypothesis.settings.register_profile("sabot", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("sabot")


@pytest.fixture(autouse=True)
def _as_at_the_start(request: pytest.FixtureRequest) -> Iterator[None]:
    """Undo what an earlier test may have left behind. One fixture, because each costs time in every test."""
    cache.clear()  # sign-in attempts are counted there
    broker._tried_again_at = 0.0  # a broker that was away in one test is tried again in the next
    # A worker that a test starts for a queue of its own makes that the one of all threads: once closed, it no longer
    # learns of tasks. One that did not exit in time leaves these set, and the next would stop before it is ready.
    worker_state.should_stop = worker_state.should_terminate = None
    app.set_current()
    app.set_default()
    # The same test gets the same scenarios in every run.
    name, numbers = request.node.name, count()
    secret_seeds.secret_seed = lambda: f"{name} {next(numbers)}"
    with translation.override(settings.LANGUAGE_CODE):  # a request leaves its person's language active
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """In place of pytest-django's: the tables are made once for all processes of a run, and each has a copy."""
    from tests import furnished  # not above: pytest wants to import `tests.services` itself

    name = settings.DATABASES["default"]["TEST"]["NAME"]
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        pristine = furnished.tables_file()
        shutil.copy(pristine, name)
        _use_database(name)
        # After a test with transactions of its own everything is as at the start, guarded rows and triggers too.
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _: _put_back(pristine))
        yield


def _use_database(name: str) -> None:
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name


def _put_back(pristine: Path) -> None:
    connection.close()
    connection.ensure_connection()
    with closing(sqlite3.connect(pristine)) as source:
        source.backup(connection.connection)


@pytest.fixture
def person(db: None) -> Callable[..., User]:
    return PersonFactory


@pytest.fixture
def signed_in(db: None) -> Callable[..., Client]:
    """A browser session of a new person with these roles; `client.person` is who it is."""

    def sign_in(*roles: Role) -> Client:
        client = Client()
        client.person = PersonFactory(roles=roles)  # type: ignore[attr-defined]
        client.force_login(client.person)  # type: ignore[attr-defined]
        return client

    return sign_in


@pytest.fixture
def worker(transactional_db: None) -> Iterator[None]:
    """A real queue worker in a thread: what is sent is serialised, carried and run as in real life."""
    app.control.purge()  # what tests without a worker have sent is about rows that are gone
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=60, loglevel="WARNING"):
        yield


@pytest.fixture
def install(tmp_path: Path) -> Iterator[Callable[..., Installation]]:
    """Make installations of the platform to really start; whatever they started is ended after the test."""
    made: list[Installation] = []

    def new(**environment: str) -> Installation:
        var = tmp_path / f"var{len(made)}"
        var.mkdir()
        made.append(Installation(var, **environment))
        return made[-1]

    yield new
    for installation in made:
        installation.end()
