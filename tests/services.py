"""Real servers for the tests marked `services`: at the usual local ports, or where the environment says.

Without a server such a test is skipped and says so; under CI=true a missing server is a failure.
"""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from kombu import Connection
from psycopg import sql

from training.celery import QUEUES

POSTGRES = os.environ.get("SABOT_TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
BROKERS = {
    "rabbitmq": os.environ.get("SABOT_TEST_RABBITMQ_URL", "amqp://guest:guest@127.0.0.1:5672//"),
    "redis": os.environ.get("SABOT_TEST_REDIS_URL", "redis://127.0.0.1:6379/15"),
}


def missing(server: str, error: Exception) -> None:
    reason = f"no {server} to test with ({type(error).__name__})"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def empty_database() -> Iterator[str]:
    """The URL of a new, empty database, dropped in the end."""
    try:
        server = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        missing("PostgreSQL", error)
    name = f"sabot_test_{uuid.uuid4().hex[:12]}"
    with server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield f"{POSTGRES.rpartition('/')[0]}/{name}"
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def postgres_url() -> Iterator[str]:
    with empty_database() as url:
        yield url


@pytest.fixture(params=sorted(BROKERS))
def broker_env(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The environment for a real broker, with queues of the test's own; once with RabbitMQ, once with Redis."""
    url = BROKERS[request.param]
    prefix = f"test-{uuid.uuid4().hex[:12]}-"
    with Connection(url, connect_timeout=3, transport_options={"max_retries": 1}) as connection:
        try:
            connection.ensure_connection(max_retries=1, timeout=3)
        except Exception as error:  # each transport has its own kinds
            missing(request.param, error)
        yield {"CELERY_BROKER_URL": url, "CELERY_QUEUE_PREFIX": prefix}
        for queue in QUEUES:
            connection.default_channel.queue_delete(f"{prefix}{queue}")  # type: ignore[attr-defined]
