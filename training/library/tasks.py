"""Library work for the queue."""

from celery import shared_task

from training.library import reruling


@shared_task
def check_published() -> None:
    reruling.check_published()
