"""Background tasks for results. Each loads by id and calls one service."""

from uuid import UUID

from celery import shared_task

from exams.results import grading, letters, release


@shared_task
def grade(sitting_id: str) -> None:
    grading.grade_sitting(UUID(sitting_id))
    release.release_due()  # those that waited for this one


@shared_task
def send_letter(result_id: str) -> None:
    letters.send_owed(UUID(result_id))


@shared_task
def sweep() -> None:
    grading.grade_overdue()
    release.release_due()
    letters.send_overdue()
