"""Where the platform of a bench runs: a database and queues of its own on the servers of the tests, gone afterwards."""

import json
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from kombu import Connection

from tests import furnished
from tests.running import Installation
from tests.services import BROKERS, empty_database
from training.celery import QUEUES

PATIENCE = 3600.0  # seconds: filling a database with a million answers takes a while


class Missing(Exception):
    """A server that a part needs is not there."""


@contextmanager
def platform(broker: str = "rabbitmq", **environment: str) -> Iterator[Installation]:
    """On PostgreSQL and a real broker, with tables and nobody in them."""
    with ExitStack() as stack:
        var = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sabot-bench-", ignore_cleanup_errors=True)))
        try:
            url = stack.enter_context(empty_database())
            stack.enter_context(_queues(broker, prefix := f"bench-{uuid.uuid4().hex[:8]}-"))
        except Exception as error:  # each server has its own kinds
            raise Missing(f"{type(error).__name__}: {error}") from error
        servers = {"DATABASE_URL": url, "CELERY_BROKER_URL": BROKERS[broker], "CELERY_QUEUE_PREFIX": prefix}
        made = Installation(var, **servers, **environment)
        made.patience = PATIENCE
        stack.callback(made.end)
        furnished.with_tables(made)
        furnished.with_static(made)
        yield made


@contextmanager
def embedded() -> Iterator[Installation]:
    """As `make run` starts it, without any server, with demo people."""
    with tempfile.TemporaryDirectory(prefix="sabot-bench-", ignore_cleanup_errors=True) as var:
        made = Installation(Path(var))
        furnished.with_people(made)
        furnished.with_static(made)
        made.start("serve")
        try:
            made.wait_until_ready(within=180)
            yield made
        finally:
            made.end()


def told(installation: Installation, code: str) -> Any:
    """What Python inside the installation says last, as JSON."""
    return json.loads(installation.run(code).splitlines()[-1])


@contextmanager
def _queues(broker: str, prefix: str) -> Iterator[None]:
    with Connection(BROKERS[broker], connect_timeout=3, transport_options={"max_retries": 1}) as connection:
        connection.ensure_connection(max_retries=1, timeout=3)
        yield
        for queue in QUEUES:
            connection.default_channel.queue_delete(f"{prefix}{queue}")  # type: ignore[attr-defined]
