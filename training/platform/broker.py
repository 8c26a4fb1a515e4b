"""The queue's broker: how each kind is set up, and how work is sent to it.

Whatever the broker, the database holds the work to be done and a message only wakes a worker, so a message
may be lost (the sweep finds the work again) or delivered twice (tasks are idempotent).
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
# Seconds. For so long a broker may be silent before it counts as away …
PATIENCE = 3
# … and for so long nothing more is sent to it then: one request in a while waits for it, not every one.
REST = 10.0
_tried_again_at = 0.0


def embedded_url(var_dir: Path) -> str:
    return f"{EMBEDDED_SCHEME}:///{var_dir / 'broker.sqlite3'}"


def is_embedded(url: str) -> bool:
    return url.startswith(f"{EMBEDDED_SCHEME}:")


def transport_options(url: str) -> dict[str, Any]:
    """Options for Celery's `broker_transport_options`."""
    # A web request must not hang while the broker is away: the sweep sends what could not be sent.
    give_up_soon = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2}
    if is_embedded(url):
        return give_up_soon
    if urlsplit(url).scheme.startswith(("redis", "rediss", "sentinel")):
        return give_up_soon | {
            # Longer than any task runs: what a killed worker held comes back after this and not before.
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
    except Exception as error:  # every broker has its own kinds; the work is stored, and the sweep will find it
        _tried_again_at = time.monotonic() + REST
        log.warning("task_not_sent", task=task.name, args=args, error=f"{type(error).__name__}: {error}")


def _hang_up(producer: Any) -> None:
    """Drop a connection whose other end is in doubt: what it answers late would be taken for another answer."""
    with suppress(Exception):
        producer.connection.collect(socket_timeout=0.1)
