"""Background task that sends webhook messages."""

from celery import shared_task

from exams.webhooks import courier


@shared_task
def deliver() -> None:
    courier.deliver()
