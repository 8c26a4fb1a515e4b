"""The message broker: how each kind is set up, and how tasks are sent to it.

The database holds the pending work and a message only wakes a worker. So a message may be lost (the sweep finds the
work) or delivered twice (tasks are idempotent).
"""

import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec
from urllib.parse import urlsplit

import structlog
from celery import Task
from django.db import transaction
from kombu.transport import TRANSPORT_ALIASES

log = structlog.get_logger(__name__)

P = ParamSpec("P")

EMBEDDED_SCHEME = "embedded+sqlite"
TRANSPORT_ALIASES["embedded"] = "training.platform.embedded_broker:Transport"
TRANSPORT_ALIASES["amqp"] = "training.platform.amqp_broker:Transport"
PATIENCE = 3  # seconds without an answer after which a broker counts as down
REST = 10.0  # seconds before trying a broker again that was down, so that not every request waits for it
_tried_again_at = 0.0


def embedded_url(var_dir: Path) -> str:
    return f"{EMBEDDED_SCHEME}:///{var_dir / 'broker.sqlite3'}"


def is_embedded(url: str) -> bool:
    return url.startswith(f"{EMBEDDED_SCHEME}:")


def transport_options(url: str) -> dict[str, Any]:
    """Options for Celery's `broker_transport_options`."""
    # A web request must not hang while the broker is down; the sweep does the work that could not be sent.
    give_up_soon = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2}
    if is_embedded(url):
        return give_up_soon
    if urlsplit(url).scheme.startswith(("redis", "rediss", "sentinel")):
        return give_up_soon | {
            # Longer than any task runs. The messages of a killed worker come back after this time.
            "visibility_timeout": 300,
            "unacked_restore_interval": 2,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 2,
            "socket_timeout": PATIENCE,
        }
    return give_up_soon | {"confirm_publish": True, "read_timeout": PATIENCE, "write_timeout": PATIENCE}


def send_on_commit(task: "Task[P, Any]", *args: P.args, **kwargs: P.kwargs) -> None:
    """Wake a worker for work just stored, once that is committed; a broker's trouble is logged, not raised.

    A service imports the task inside the function that wakes it, because the tasks of a package import its services.
    """
    transaction.on_commit(partial(_send, task, args, kwargs))


def _send(task: "Task[..., Any]", args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    global _tried_again_at
    if time.monotonic() < _tried_again_at:
        return
    try:
        with task.app.producer_or_acquire() as producer:
            try:
                task.apply_async(args, kwargs, producer=producer)
            except Exception:
                _hang_up(producer)
                raise
    except Exception as error:  # each broker raises its own types; the work is stored, and the sweep will find it
        _tried_again_at = time.monotonic() + REST
        log.warning("task_not_sent", task=task.name, args=args, error=f"{type(error).__name__}: {error}")


def _hang_up(producer: Any) -> None:
    """Drop a connection in an unknown state: a late answer could be taken for the answer to something else."""
    with suppress(Exception):
        producer.connection.collect(socket_timeout=0.1)
