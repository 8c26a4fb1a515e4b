"""Tasks that keep the platform itself alive; each sub-domain has its own `tasks` module."""

from celery import shared_task
from django.core.management import call_command

from training.operations import heartbeats
from training.people import limits


@shared_task
def worker_heartbeat(queue: str = "practice") -> None:
    """Run through a queue like any work, so that its trace proves that beat, broker and a worker of it are alive."""
    heartbeats.leave(queue)


@shared_task
def forget_sign_ins() -> None:
    """Sessions that have ended and wrong passwords of long ago."""
    call_command("clearsessions")
    limits.forget_old()
