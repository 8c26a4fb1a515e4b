"""Tasks of the platform itself; every package has its own `tasks` module."""

from celery import shared_task
from django.core.management import call_command

from training.operations import heartbeats
from training.people import limits


@shared_task
def worker_heartbeat(queue: str = "practice") -> None:
    """Record a heartbeat, which proves that beat, the broker and a worker of this queue are alive."""
    heartbeats.leave(queue)


@shared_task
def forget_sign_ins() -> None:
    """Delete expired sessions and old records of wrong passwords."""
    call_command("clearsessions")
    limits.forget_old()
