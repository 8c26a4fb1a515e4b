"""Background tasks for exam sessions."""

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
    """Make papers nobody is making, send mails that were missed, and renew forms with cases met in practice."""
    for session_id in maker.unattended():
        make_papers.delay(str(session_id))
    for session_id in letters.sessions_to_announce():
        tell_candidates.delay(str(session_id))
    renewal.renew_all()
