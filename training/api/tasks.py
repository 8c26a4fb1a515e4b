"""The tasks of the API."""

from celery import shared_task

from training.api import idempotency


@shared_task
def forget_kept_answers() -> None:
    idempotency.forget_old()
