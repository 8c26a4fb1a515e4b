"""The pages of the guided first coup. Nothing is stored: it can be skipped or repeated at will."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

import rules_engine
from rules_engine import RULEBOOKS
from rules_engine.errors import EngineError
from rules_engine.narration import cited, lost, reason, refusal, show
from training.lessons import path, reference
from training.lessons.guide import Halt, halts
from training.mastery.selectors import rules as rules_of
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language, person
from training.platform.measure import measure
from training.practice import presentation
from training.practice.answer_form import answer_from_form, no_number, said_no_number


@dataclass(frozen=True)
class Told:
    """The mark of an answer at a stop."""

    correct: bool
    given: str
    right: str
    why: str
    steps: list[tuple[str, str]]


@allow(Role.TRAINEE)
@require_http_methods(["GET", "HEAD", "POST"])
def first_coup(request: HttpRequest, book_id: str) -> HttpResponse:
    """One stop of the guide. An answer is marked and shown at the same stop."""
    if book_id not in RULEBOOKS:
        raise Http404
    about(request, book_id)
    book, spoken = RULEBOOKS[book_id], language()
    stops = halts(book)
    number = _number(request.GET.get("stop", ""), len(stops))
    halt = stops[number - 1]
    asked = request.method == "POST" and bool(halt.key)
    given, told, error = _answered(halt, request.POST, spoken) if asked else ({}, None, "")
    every = presentation.questions(halt.scenario, spoken, given)
    context: dict[str, Any] = {
        "book": book_id,
        "halt": halt,
        "number": number,
        "of": len(stops),
        "behind": [place <= number for place in range(1, len(stops) + 1)],
        "next": number + 1 if number < len(stops) else None,
        "story": presentation.story(halt.scenario, spoken),
        "question": next((question for question in every if question.key == halt.key), None),
        "language": book.language,
        "told": told,
        "error": error,
        "tables": [one for one in reference.drawing_tables(book) if one.name == halt.stop.table],
    }
    if number == len(stops):
        now = timezone.now()
        context["current"] = path.current(path.path(rules_of(person(request), [book_id], now), spoken, now))
    return render(request, "lessons/first_coup.html", context, status=422 if error else 200)


def _number(asked: str, last: int) -> int:
    return min(max(int(asked), 1), last) if asked.isascii() and asked.isdigit() and len(asked) < 4 else 1


def _answered(halt: Halt, form: QueryDict, spoken: str) -> tuple[dict[str, str], Told | None, str]:
    """What was given, its mark, and an error if there is no mark."""
    parts, _picked = answer_from_form(halt.scenario, form)
    given = {key: value for key, value in parts.items() if key == halt.key}
    if not given.get(halt.key):
        return given, None, _("Answer first: a wrong guess costs nothing here.")
    if slip := no_number(halt.scenario, given):
        return given, None, said_no_number(slip)
    try:
        rules_engine.check_answer(halt.scenario, rules_engine.answer_from({"parts": given}))
        measured = measure(halt.scenario, {"parts": given})
    except EngineError as error:
        return given, None, refusal(error, spoken)
    part = next(part for part in measured.mark.parts if part.key == halt.key)
    book = halt.scenario.book
    kind = next(question.kind for question in halt.scenario.questions if question.key == halt.key)
    told = Told(
        correct=part.correct,
        given=show(part.key, kind, part.given, book, spoken),
        right=show(part.key, kind, part.right, book, spoken),
        why=lost(part, book, spoken) if kind == "words" else "",
        steps=[(cited(step.cite, book, spoken), reason(step, book, spoken)) for step in measured.ruling.steps],
    )
    return given, told, ""
