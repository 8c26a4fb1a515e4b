"""Work of sessions and sittings for the queue. Each task loads by id and calls one service."""

from uuid import UUID

from celery import shared_task

from exams import clock
from exams.sittings import papers, renewing, sitting, telling

# Longer than a session of three hundred takes; shorter than a broker waits before it gives the work to another.
PAPERS_LIMIT = 270


@shared_task(time_limit=PAPERS_LIMIT)
def make_papers(session_id: str) -> None:
    papers.make_papers(UUID(session_id))


@shared_task
def tell_candidates(session_id: str) -> None:
    telling.tell_candidates(UUID(session_id))


@shared_task
def tell_cancelled(session_id: str, people: list[int]) -> None:
    telling.tell_cancelled(UUID(session_id), people)


@shared_task
def sweep_sessions() -> None:
    """Take up papers that nobody makes, mails that were not sent, and forms whose cases were met in practice since."""
    for session_id in papers.unattended():
        make_papers.delay(str(session_id))
    for session_id in telling.untold():
        tell_candidates.delay(str(session_id))
    renewing.renew_all()


@shared_task
def close_due() -> None:
    sitting.close_due(clock.now())
