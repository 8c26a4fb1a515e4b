"""Structured logs: JSON lines in production, readable lines in demo mode.

A request id follows an answer from the web request into its tasks. Request bodies, query strings and paths are never
logged: they may contain passwords, answers and reset keys. `WithoutPaths` replaces paths in messages of libraries by
the route.
"""

import json
import logging.config
import os
import re
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import structlog
from celery.signals import (
    before_task_publish,
    setup_logging,
    task_failure,
    task_postrun,
    task_prerun,
    task_retry,
    worker_init,
)
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

log = structlog.get_logger(__name__)

PROBES = ("healthz", "readyz", "metrics")  # requested every few seconds; logged only when they fail
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
SHARED_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.StackInfoRenderer(),
]


class WithoutPaths(logging.Filter):
    """Replaces the path by the route in messages of Django and gunicorn."""

    LOGGERS = ("django", "gunicorn")

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith(self.LOGGERS) and isinstance(record.args, tuple):
            match = getattr(getattr(record, "request", None), "resolver_match", None)
            route = match.route if match else "a path"
            record.args = tuple(route if isinstance(arg, str) and arg.startswith("/") else arg for arg in record.args)
        return True


class WithoutAlarm(logging.Filter):
    """Logs a foreign Host header as a warning without a traceback: anybody can send one."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
        return True


def config(*, readable: bool) -> dict[str, Any]:
    """The `dictConfig` for logging; everything goes through structlog's renderer."""
    render: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if readable:
        # The default formatter would print the values of variables, passwords and paths among them.
        render += [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    else:
        render += [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED_PROCESSORS,
                "processors": render,
            }
        },
        "filters": {"without_paths": {"()": WithoutPaths}, "without_alarm": {"()": WithoutAlarm}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "structured", "filters": ["without_paths"]}
        },
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            # RequestLog writes one line per request; these would repeat it.
            "django.request": {"level": "ERROR"},
            "django.server": {"level": "ERROR"},
            "django.security.DisallowedHost": {"filters": ["without_alarm"]},
            # These write two lines for every task; ours are below.
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "ERROR"},
            "celery.beat": {"level": "WARNING"},
        },
    }


def configure(*, readable: bool) -> None:
    structlog.configure(
        processors=[*SHARED_PROCESSORS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(config(readable=readable))
    logging.captureWarnings(not readable)


class RequestLog:
    """Gives every request an id (the proxy's, if valid), returns it, and logs one line per request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        clear_contextvars()
        bind_contextvars(request_id=request_id)
        started = time.perf_counter()
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        self._log(request, response, started)
        clear_contextvars()
        return response

    @staticmethod
    def _log(request: HttpRequest, response: HttpResponse, started: float) -> None:
        # The route and not the path, which may contain a password reset key.
        match = request.resolver_match
        probe = request.path_info.strip("/")
        if probe in PROBES and response.status_code < 500:
            return
        write = log.error if response.status_code >= 500 else log.info
        write(
            "request",
            method=request.method,
            route=match.route if match else probe if probe in PROBES else None,
            status=response.status_code,
            ms=round((time.perf_counter() - started) * 1000, 1),
        )


@setup_logging.connect
def _keep_our_logging(**_: Any) -> None:
    """Connecting this signal stops Celery from configuring logging itself."""


@worker_init.connect
def _stop_in_json(**_: Any) -> None:
    """Celery says that it stops from a signal handler, where logging could wait for itself."""
    if not settings.DEMO:
        from celery.apps import worker

        worker.safe_say = _say_in_json  # type: ignore[attr-defined]  # it has no types


def _say_in_json(message: str, _file: Any = None) -> None:
    told = {"event": message.strip(), "level": "info", "logger": "celery.apps.worker"}
    os.write(2, json.dumps(told | {"timestamp": f"{datetime.now(UTC):%FT%TZ}"}).encode() + b"\n")


@before_task_publish.connect
def _send_request_id(headers: dict[str, Any], **_: Any) -> None:
    request_id = get_contextvars().get("request_id")
    if request_id:
        headers["request_id"] = request_id


@task_prerun.connect
def _task_started(task: Any, task_id: str, **_: Any) -> None:
    clear_contextvars()
    bind_contextvars(task=task.name, task_id=task_id)
    request_id = getattr(task.request, "request_id", None) or (task.request.headers or {}).get("request_id")
    if request_id:
        bind_contextvars(request_id=request_id)


@task_postrun.connect
def _task_finished(task: Any, state: str, **_: Any) -> None:
    if get_contextvars().get("request_id"):  # not for periodic tasks
        log.info("task", state=state)
    clear_contextvars()


@task_retry.connect
def _task_retried(reason: Any = "", **_: Any) -> None:
    log.warning("task_retry", reason=str(reason))


@task_failure.connect
def _task_failed(exception: BaseException, **_: Any) -> None:
    log.error("task_failed", exc_info=exception)
