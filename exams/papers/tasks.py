"""Papers made by the queue."""

from uuid import UUID

from celery import shared_task

from exams.papers import maker

# Longer than a session of three hundred takes; shorter than a broker waits before it gives the work to another.
PAPERS_LIMIT = 270


@shared_task(time_limit=PAPERS_LIMIT)
def make_papers(session_id: str) -> None:
    maker.make_papers(UUID(session_id))
