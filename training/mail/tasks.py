"""The tasks of the outbox."""

from celery import shared_task

from training.mail import courier, outbox


@shared_task
def deliver() -> None:
    courier.deliver()


@shared_task
def forget_old() -> None:
    outbox.forget_old()
