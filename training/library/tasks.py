"""Celery tasks of the library."""

from celery import shared_task

from training.library import import_export, reruling


@shared_task
def check_published() -> None:
    reruling.check_published()


@shared_task
def forget_unconfirmed() -> None:
    import_export.forget_unconfirmed()
