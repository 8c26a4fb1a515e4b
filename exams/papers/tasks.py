"""Background tasks for papers. Task names are those that messages of earlier releases carry."""

from uuid import UUID

from celery import shared_task

from exams.papers import maker

# Longer than a session with 300 candidates takes, shorter than the broker's redelivery timeout.
PAPERS_LIMIT = 270


@shared_task(name="exams.sittings.tasks.make_papers", time_limit=PAPERS_LIMIT)
def make_papers(session_id: str) -> None:
    maker.make_papers(UUID(session_id))
