"""Work of sessions for the queue."""

from uuid import UUID

from celery import shared_task

from exams.exam_sessions import letters
from exams.papers import maker, renewal
from exams.papers.tasks import make_papers


@shared_task
def tell_candidates(session_id: str) -> None:
    letters.tell_candidates(UUID(session_id))


@shared_task
def sweep_sessions() -> None:
    """Take up papers that nobody makes, mails that were not sent, and forms whose cases were met in practice since."""
    for session_id in maker.unattended():
        make_papers.delay(str(session_id))
    for session_id in letters.untold():
        tell_candidates.delay(str(session_id))
    renewal.renew_all()
