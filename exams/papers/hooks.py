"""Hooks that papers declare for higher packages."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from exams.records.models import Session
from training.platform.hooks import AllAnswers, Event, OneAnswer


@Event
def papers_ready(session_id: UUID) -> None:
    """The papers of a session are made and it is ready. Called in the transaction that stores them."""


@AllAnswers
def cases_met(people: list[int]) -> Iterable[tuple[int, Any]]:
    """Cases other than drills that these people currently see, as person and stored scenario. Called when
    papers are made or renewed."""
    return ()


@OneAnswer
def tables_made(session: Session, at_work: Callable[[int], None]) -> Callable[[], int]:
    """Lay the tables of a practical exam, reporting progress in percent. The answer stores them, in the transaction
    that makes the session ready, and returns how many there are."""
    return lambda: 0


@Event
def tables_dropped(session: Session) -> None:
    """The papers of a session that nobody has begun are discarded."""
