"""Celery tasks of the home page."""

from celery import shared_task
from django.utils import timezone

from training.home import work_mail


@shared_task
def tell_what_waits() -> None:
    work_mail.send_due(timezone.now())
