"""A second try before the solution is shown. Only the first try counts."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import rules_engine
from training.platform.engine_json import document
from training.platform.errors import Refused
from training.practice.models import Attempt, Drill, SecondTry
from training.practice.services import AlreadyAnswered


class NothingToTry(Refused):
    """There is no mark yet, or nothing was missed."""

    code = "nothing_to_try"


def may_hold(drill: Drill, parts: dict[str, Any]) -> bool:
    """Whether the solution may be held back: not in tests, where the first answer counts, and only if something was
    answered."""
    return drill.mode not in (Drill.Mode.MOCK, Drill.Mode.PLACEMENT) and any(parts.values())


def missed(attempt: Attempt) -> list[str]:
    """The questions that were answered wrongly."""
    return [part.key for part in attempt.mark.engine_mark.parts if not part.correct]


def show_solution(attempt: Attempt) -> None:
    """Show the solution from now on."""
    Attempt.objects.filter(pk=attempt.pk, state=Attempt.State.GRADED, held=True).update(held=False)
    attempt.held = False


def try_again(drill: Drill, again: dict[str, Any]) -> SecondTry:
    """Mark the second try at the missed questions and show the solution. Raises EngineError for an invalid answer.

    Sending the same answer twice changes nothing. Raises AlreadyAnswered for a different one, or if the solution is
    already shown, and NothingToTry if nothing was missed.
    """
    attempt: Attempt | None = getattr(drill, "attempt", None)
    if attempt is None or attempt.state != Attempt.State.GRADED or not missed(attempt):
        raise NothingToTry(_("There is nothing here to try again."))
    parts = attempt.answer["parts"] | {key: again.get(key, "") for key in missed(attempt)}
    answer = rules_engine.answer_from({"parts": parts})
    mark = rules_engine.grade(drill.scenario, answer, ruling=attempt.mark.ruling)
    with transaction.atomic():
        # Only the request whose update changes the row stores its try; a concurrent one waits, then updates nothing.
        if Attempt.objects.filter(pk=attempt.pk, held=True).update(held=False):
            attempt.held = False
            made = SecondTry(attempt=attempt, answer=document(answer), mark_document=document(mark))
            made.save(force_insert=True)
            return made
    attempt.held = False
    found = SecondTry.objects.filter(attempt=attempt).first()
    if found is None or found.answer != document(answer):
        raise AlreadyAnswered(_("The solution is already shown: nothing more can be tried."))
    return found
