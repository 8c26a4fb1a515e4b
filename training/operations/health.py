"""Health checks for load balancers and monitoring: is the process up, and can the platform do its work?"""

import ipaddress
from collections.abc import Callable
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import split_domain_port, validate_host
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from training.celery import QUEUES, app
from training.operations import database_writes, heartbeats, hooks
from training.operations.models import Beat
from training.people.access import public
from training.platform import pending

log = structlog.get_logger(__name__)

SILENCE = timedelta(seconds=60)
ADDRESSES = ("/healthz", "/readyz", "/metrics")


class NotReadyError(Exception):
    """A part cannot do its work; the message reveals no address or credential."""


def check_database() -> None:
    connection = connections[DEFAULT_DB_ALIAS]
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise NotReadyError("migrations are missing")
    try:
        database_writes.verify()
    except DatabaseError as error:
        log.warning("not_writable", error=str(error).strip())
        raise NotReadyError("cannot be written") from error


def check_broker() -> None:
    with app.connection_for_read() as connection:
        connection.ensure_connection(max_retries=1, timeout=2)
        with connection.channel() as channel:
            # Unlike connecting, this reaches the storage of every kind of broker.
            app.amqp.queues[app.conf.task_default_queue].bind(channel).declare()


def check_beat() -> None:
    beat = Beat.objects.first()
    if beat is None:
        raise NotReadyError("never seen")
    if (silent := timezone.now() - beat.seen_at) > SILENCE:
        raise NotReadyError(f"silent for {seconds(silent)}")


def check_workers() -> None:
    """Check the heartbeat of each queue, which goes through the broker and a worker of that queue."""
    silences = {queue: heartbeats.silence(queue) for queue in QUEUES}
    missing = [
        f"none on {queue} " + (f"for {seconds(silent)}" if silent else "yet")
        for queue, silent in silences.items()
        if silent is None or silent > SILENCE
    ]
    if missing:
        raise NotReadyError("; ".join(missing))


def check_owed() -> None:
    late = [f"{what} for {seconds(wait)}" for what, wait in pending.late(timezone.now())]
    if late:
        raise NotReadyError(f"waiting too long: {'; '.join(late)}")


def seconds(span: timedelta) -> str:
    return f"{span.total_seconds():.0f} s"


CHECKS: dict[str, Callable[[], None]] = {
    "database": check_database,
    "broker": check_broker,
    "beat": check_beat,
    "workers": check_workers,
    "owed": check_owed,
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
    checks = [*CHECKS.items(), *hooks.readiness_checks()]
    states = {part: _state(part, check) for part, check in checks}
    ready = all(state == "ok" for state in states.values())
    return JsonResponse({"ready": ready, **states}, status=200 if ready else 503)


def _state(part: str, check: Callable[[], None]) -> str:
    try:
        check()
    except NotReadyError as reason:
        return str(reason)
    except Exception as error:  # each driver raises its own types
        log.warning("not_ready", part=part, error=str(error))
        return "not reachable"
    return "ok"


class ProbesByAddress:
    """Lets load balancers ask the health pages by IP address, which is not among ALLOWED_HOSTS.

    Replaces the Host header of such a request by the first allowed host; other pages are not affected.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in ADDRESSES and _is_foreign_address(request.META.get("HTTP_HOST", "")):
            request.META["HTTP_HOST"] = settings.ALLOWED_HOSTS[0].removeprefix(".")
        return self.get_response(request)


def _is_foreign_address(host: str) -> bool:
    domain, _ = split_domain_port(host)
    try:
        ipaddress.ip_address(domain.strip("[]"))
    except ValueError:
        return False
    return not validate_host(domain, settings.ALLOWED_HOSTS)
