"""Tasks that keep the platform itself alive; each sub-domain has its own `tasks` module."""

from celery import Task, shared_task
from django.conf import settings
from django.utils import timezone

from training import broker
from training.models import WorkerSeen


@shared_task(bind=True)
def worker_heartbeat(self: "Task[..., None]") -> None:
    """Run through the queue like any work, so that its trace proves the queue works."""
    WorkerSeen.objects.update_or_create(worker=self.request.hostname or "unknown", defaults={"seen_at": timezone.now()})


@shared_task
def forget_delivered_messages() -> None:
    broker.forget_delivered(settings.CELERY_BROKER_URL)
