"""Background tasks for papers."""

from uuid import UUID

from celery import shared_task

from exams.papers import maker

# Longer than a session with 300 candidates takes, shorter than the broker's redelivery timeout.
PAPERS_LIMIT = 270


@shared_task(time_limit=PAPERS_LIMIT)
def make_papers(session_id: str) -> None:
    maker.make_papers(UUID(session_id))
