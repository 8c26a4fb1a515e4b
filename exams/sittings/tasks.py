"""Background tasks for sittings."""

from celery import shared_task

from exams import clock
from exams.sittings import sitting


@shared_task
def close_due() -> None:
    sitting.close_due(clock.now())
