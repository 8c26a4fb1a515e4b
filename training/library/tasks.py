"""Library work for the queue."""

from celery import shared_task

from training.library import exchange, reruling


@shared_task
def check_published() -> None:
    reruling.check_published()


@shared_task
def forget_unconfirmed() -> None:
    exchange.forget_unconfirmed()
