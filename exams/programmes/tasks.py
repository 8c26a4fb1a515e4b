"""Background tasks of programmes. Each loads by id and calls one service."""

from celery import shared_task

from exams.programmes import supplies


@shared_task
def count_supplies(version_id: int) -> None:
    supplies.count(version_id)
