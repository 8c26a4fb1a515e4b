"""Celery tasks of practice."""

from celery import shared_task
from django.utils import timezone

from training.practice import reminders, services


@shared_task
def grade_attempt(attempt_id: int) -> None:
    services.grade(attempt_id)


@shared_task
def sweep() -> None:
    services.grade_overdue()


@shared_task
def remind() -> None:
    reminders.send_due(timezone.now())
