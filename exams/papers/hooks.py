"""Hooks that papers declare for higher packages."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from training.platform.hooks import AllAnswers, Event


@Event
def papers_ready(session_id: UUID) -> None:
    """The papers of a session are made and it is ready. Called in the transaction that stores them."""


@AllAnswers
def cases_met(people: list[int]) -> Iterable[tuple[int, Any]]:
    """Cases other than drills that these people currently see, as person and stored scenario. Called when
    papers are made or renewed."""
    return ()
