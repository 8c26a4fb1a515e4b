"""Messages for the queue. A message of the broker only says that something waits."""

from celery import shared_task

from exams.webhooks import courier


@shared_task
def deliver() -> None:
    courier.deliver()
