"""Background tasks for certificates. Each loads by id and calls one service."""

from uuid import UUID

from celery import shared_task

from exams.certificates import issuance, letters, reminders, services


@shared_task
def follow_result(result_id: str) -> None:
    issuance.follow(UUID(result_id))


@shared_task
def sweep() -> None:
    issuance.sweep()
    letters.tell_hr()


@shared_task
def look_at_the_calendar() -> None:
    """Record expired certificates, then send reminders for those about to expire."""
    services.expire_due()
    reminders.send_due()
