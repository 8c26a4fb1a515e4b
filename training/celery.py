"""The Celery application: `celery -A training worker` and `celery -A training beat`."""

import gc
import os
import secrets
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import beat_init, celeryd_init, heartbeat_sent, worker_init, worker_ready
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from kombu import Queue

from training.operations import alive

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "training.settings")

app = Celery("training")


# Beat keeps one connection open and needs a retry to notice that the broker was restarted.
PUBLISH_AGAIN = {
    "retry": True,
    "retry_policy": {"max_retries": 3, "interval_start": 0, "interval_step": 0.5, "interval_max": 1},
}


# Exams have their own queue and worker, so that practice and exports never delay them.
QUEUES = ("exams", "practice", "background")
HEARTBEAT = "training.operations.tasks.worker_heartbeat"


def _beat(task: str, schedule: float | crontab, *, expires: int, args: tuple[str, ...] = ()) -> dict[str, Any]:
    """An entry of the schedule. It expires soon, so that messages do not pile up while no worker runs."""
    return {"task": task, "schedule": schedule, "args": args, "options": {"expires": expires} | PUBLISH_AGAIN}


class QueueConfig:
    """The configuration of every installation; the broker's address and options come from the settings."""

    task_serializer = result_serializer = "json"
    accept_content = ["json"]
    task_ignore_result = True
    # A killed task runs again; all tasks are idempotent.
    task_acks_late = True
    task_reject_on_worker_lost = True
    task_time_limit = 120
    task_publish_retry = False
    worker_prefetch_multiplier = 4
    worker_hijack_root_logger = False
    worker_cancel_long_running_tasks_on_connection_loss = True
    broker_connection_retry_on_startup = True
    broker_connection_timeout = 2
    broker_connection_max_retries = None
    # All dates that matter are in the database, so beat stores nothing between runs.
    beat_scheduler = "training.operations.beat:OneAtATime"
    beat_schedule: dict[str, dict[str, Any]] = {
        **{f"heartbeat-{queue}": _beat(HEARTBEAT, 10.0, expires=10, args=(queue,)) for queue in QUEUES},
        "mail-sweep": _beat("training.mail.tasks.deliver", 15.0, expires=15),
        "forget-mail": _beat("training.mail.tasks.forget_old", crontab(minute=37), expires=3600),
        # Every hour, for installations that are off at night.
        "forget-sign-ins": _beat("training.operations.tasks.forget_sign_ins", crontab(minute=27), expires=3600),
        "forget-imports": _beat("training.library.tasks.forget_unconfirmed", crontab(minute=47), expires=3600),
        "forget-practice": _beat("exams.hr.tasks.forget_practice", crontab(hour=3, minute=40), expires=3600),
        "forget-staff-lists": _beat("exams.hr.tasks.forget_unconfirmed", crontab(minute=47), expires=3600),
        "remind": _beat("training.practice.tasks.remind", crontab(minute="*/10"), expires=600),
        "tell-what-waits": _beat("training.home.tasks.tell_what_waits", crontab(minute="*/10"), expires=600),
        "practice-sweep": _beat("training.practice.tasks.sweep", 10.0, expires=10),
        "exam-sessions-sweep": _beat("exams.exam_sessions.tasks.sweep_sessions", 10.0, expires=10),
        # A sitting ends at its deadline in any case; this stores it within three or four seconds.
        "close-sittings": _beat("exams.sittings.tasks.close_due", 3.0, expires=6),
        "appeals-sweep": _beat("exams.appeals.tasks.sweep", 15.0, expires=15),
        "regrading-sweep": _beat("exams.regrading.tasks.sweep", 30.0, expires=30),
        "exam-results-sweep": _beat("exams.results.tasks.sweep", 10.0, expires=10),
        # Also done at every update, but that may be forgotten.
        "check-published": _beat("training.library.tasks.check_published", crontab(hour=4, minute=30), expires=3600),
        "forget-kept-answers": _beat("training.api.tasks.forget_kept_answers", crontab(minute=17), expires=3600),
        "webhooks-sweep": _beat("exams.webhooks.tasks.deliver", 15.0, expires=15),
        "export-sweep": _beat("exams.hr.tasks.sweep_exports", 15.0, expires=15),
        # Often, so that somebody who left during an exam is signed out soon after it.
        "close-leavers": _beat("exams.hr.tasks.close_leavers", crontab(minute="*/5"), expires=300),
        "certificates-sweep": _beat("exams.certificates.tasks.sweep", 60.0, expires=60),
        # Every hour, so that mail that could not be sent goes out the same day.
        "certificates-calendar": _beat(
            "exams.certificates.tasks.look_at_the_calendar", crontab(minute=10), expires=1800
        ),
    }


ROUTES = {
    "exams.exam_sessions.*": "exams",
    "exams.papers.*": "exams",
    "exams.sittings.*": "exams",
    "exams.results.*": "exams",
    "exams.appeals.*": "exams",
    "exams.*": "background",
    "training.mail.*": "background",
    "training.home.*": "background",
}


def queue_name(queue: str) -> str:
    return f"{settings.CELERY_QUEUE_PREFIX}{queue}"


def _route_heartbeat(name: str, args: Any, *_: Any, **__: Any) -> dict[str, str] | None:
    """Route a heartbeat to the queue in its argument."""
    return {"queue": queue_name(args[0])} if name == HEARTBEAT and args else None


def _from_settings() -> dict[str, Any]:
    return {
        "broker_url": settings.CELERY_BROKER_URL,
        "broker_transport_options": settings.CELERY_BROKER_TRANSPORT_OPTIONS,
        "task_queues": [Queue(queue_name(queue)) for queue in QUEUES],
        "task_default_queue": queue_name("practice"),
        "task_routes": (
            _route_heartbeat,
            [(tasks, {"queue": queue_name(queue)}) for tasks, queue in ROUTES.items()],
        ),
        "timezone": settings.TIME_ZONE,
    }


app.config_from_object(QueueConfig)
app.add_defaults(_from_settings)
app.autodiscover_tasks(
    [
        "training.operations",
        "training.mail",
        "training.practice",
        "training.library",
        "training.home",
        "training.api",
        "exams.programmes",
        "exams.exam_sessions",
        "exams.papers",
        "exams.sittings",
        "exams.results",
        "exams.appeals",
        "exams.regrading",
        "exams.webhooks",
        "exams.certificates",
        "exams.hr",
    ]
)


@celeryd_init.connect
def _set_unique_name(instance: Any, **_: Any) -> None:
    """Give every worker on a machine a unique name, since a broker refuses duplicates."""
    name, _at, host = instance.hostname.partition("@")
    instance.hostname = f"{name}-{secrets.token_hex(3)}@{host}"


@worker_init.connect
@beat_init.connect
def _refuse_demo_people(**_: Any) -> None:
    from training.people.demo import refuse_in_production

    try:
        refuse_in_production()
    except ImproperlyConfigured as refusal:
        raise SystemExit(str(refusal)) from refusal  # Celery swallows an Exception in a signal handler


@worker_init.connect
def _share_what_is_loaded(**_: Any) -> None:
    """Keep what is loaded out of the garbage collector, which would write to it and so copy it in every child."""
    gc.collect()
    gc.freeze()


@heartbeat_sent.connect
def _is_alive(**_: Any) -> None:
    alive.touch()


@worker_ready.connect
def _send_heartbeat(**_: Any) -> None:
    """Send a heartbeat at once, so that a new platform is ready without waiting for beat."""
    for queue in QUEUES:
        if queue_name(queue) in app.amqp.queues.consume_from:
            app.send_task(HEARTBEAT, (queue,))
