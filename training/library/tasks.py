"""Celery tasks of the library."""

from celery import shared_task

from training.library import import_export, reruling


@shared_task
def check_published() -> None:
    """Rule again on every published scenario and suspend those whose ruling changed, e.g. with a new game version."""
    reruling.check_published()


@shared_task
def forget_unconfirmed() -> None:
    import_export.forget_unconfirmed()
