"""Trying again before the solution is shown. The first try alone counts; what follows it is told and forgotten."""

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
    """Whether the solution may be kept back: in practice alone, and where something was answered."""
    return drill.mode != Drill.Mode.MOCK and any(parts.values())


def missed(attempt: Attempt) -> list[str]:
    """The questions that were answered wrongly."""
    return [part.key for part in attempt.mark.engine_mark.parts if not part.correct]


def show_solution(attempt: Attempt) -> None:
    """From here on the solution is in sight, for good."""
    Attempt.objects.filter(pk=attempt.pk, state=Attempt.State.GRADED, held=True).update(held=False)
    attempt.held = False


def try_again(drill: Drill, again: dict[str, Any]) -> SecondTry:
    """Measure what was missed once more, then show the solution. EngineError where it is no answer.

    The same sent twice changes nothing; another one, or one that comes once the solution is in sight, is refused.
    """
    attempt: Attempt | None = getattr(drill, "attempt", None)
    if attempt is None or attempt.state != Attempt.State.GRADED or not missed(attempt):
        raise NothingToTry(_("There is nothing here to try again."))
    parts = attempt.answer["parts"] | {key: again.get(key, "") for key in missed(attempt)}
    answer = rules_engine.answer_from({"parts": parts})
    mark = rules_engine.grade(drill.scenario, answer, ruling=attempt.mark.ruling)
    with transaction.atomic():
        # Whoever turns this is the second try; another who comes at the same time waits here, then finds it turned.
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
