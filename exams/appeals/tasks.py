"""Background tasks for appeals. Each loads by id and calls one service."""

from uuid import UUID

from celery import shared_task

from exams.appeals import letters, remedy
from exams.appeals.models import Appeal


@shared_task
def carry_out(appeal_id: str) -> None:
    remedy.carry_out(UUID(appeal_id))


@shared_task
def send_letters(appeal_id: str) -> None:
    letters.send(Appeal.objects.get(pk=appeal_id))


@shared_task
def sweep() -> None:
    letters.send_overdue()
    remedy.carry_out_overdue()
