"""What every test may use."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client, TransactionTestCase
from django.utils import translation

from tests.factories import PersonFactory
from tests.running import Installation
from training import broker
from training.celery import app
from training.people.models import Role, User

# Playwright's event loop runs in the test's own thread; Django would refuse the database there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

pytest_plugins = ["tests.services"]

# Where a change is judged the same examples are tried in every run; at the desk new ones each time. Never by the clock.
hypothesis.settings.register_profile("sabot", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("sabot")


def _lift_guards() -> None:
    """Emptying the tables between tests meets the triggers that keep rows for ever; migrating puts those back after."""
    if connection.vendor == "sqlite":  # PostgreSQL truncates, which no row's trigger sees
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP TRIGGER "{name}"')


@pytest.fixture(autouse=True)
def _language_of_the_house() -> Iterator[None]:
    """Every test begins in one language: a request leaves that of its person in force for whatever comes after it."""
    with translation.override(settings.LANGUAGE_CODE):
        yield


@pytest.fixture(autouse=True, scope="session")
def _emptying_lifts_guards() -> Iterator[None]:
    empty = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def lift_and_empty(case: TransactionTestCase) -> None:
        _lift_guards()
        empty(case)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lift_and_empty)
        yield


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    """Sign-in attempts are counted in the cache; no test may spend another's."""
    cache.clear()


@pytest.fixture(autouse=True)
def _broker_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that was away in one test is not spared in the next."""
    monkeypatch.setattr(broker, "_tried_again_at", 0.0)


@pytest.fixture(autouse=True)
def _known_seeds(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The same test meets the same scenarios in every run: only real life has secret ones."""
    numbers = count()
    monkeypatch.setattr("training.seeds.secret_seed", lambda: f"{request.node.name} {next(numbers)}")


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
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=10, loglevel="WARNING"):
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
