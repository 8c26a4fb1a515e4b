"""What a load balancer or a watchman asks: is the process up, and can the platform do its work?"""

from collections.abc import Callable
from datetime import timedelta

import structlog
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from training.celery import app
from training.models import WorkerSeen
from training.people.access import public

log = structlog.get_logger(__name__)

WORKER_SILENCE = timedelta(seconds=60)


class NotReadyError(Exception):
    """Why a part cannot do its work, in words that give no address or credential away."""


def check_database() -> None:
    connection = connections[DEFAULT_DB_ALIAS]
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise NotReadyError("migrations are missing")


def check_broker() -> None:
    with app.connection_for_read() as connection:
        connection.ensure_connection(max_retries=1, timeout=2)
        with connection.channel() as channel:
            # What every sender does first; unlike connecting it reaches the store behind every kind of broker.
            app.amqp.queues[app.conf.task_default_queue].bind(channel).declare()


def check_worker() -> None:
    newest = WorkerSeen.objects.order_by("-seen_at").first()
    if newest is None:
        raise NotReadyError("no worker has been seen yet")
    if newest.seen_at < timezone.now() - WORKER_SILENCE:
        raise NotReadyError("no worker seen in the last minute")


CHECKS: dict[str, Callable[[], None]] = {
    "database": check_database,
    "broker": check_broker,
    "worker": check_worker,
}


@public
@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "up"})


@public
@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    states = {part: _state(part, check) for part, check in CHECKS.items()}
    ready = all(state == "ok" for state in states.values())
    return JsonResponse({"ready": ready, **states}, status=200 if ready else 503)


def _state(part: str, check: Callable[[], None]) -> str:
    try:
        check()
    except NotReadyError as reason:
        return str(reason)
    except Exception as error:  # any driver's own kind of failure: the answer is the same, "not reachable"
        log.warning("not_ready", part=part, error=str(error))
        return "not reachable"
    return "ok"
