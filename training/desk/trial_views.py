"""An instructor tries a case as a trainee would. Nothing is stored or counted."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from rules_engine import Mark, Ruling
from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.library import guarded_cases
from training.library.moments import Moment, count
from training.library.views import asked_moment, found_version, version_page
from training.people.access import allow
from training.people.models import Role
from training.people.request import language, person
from training.platform.measure import measure
from training.practice import presentation
from training.practice.answer_form import answer_from_form
from training.practice.feedback import feedback


@dataclass(frozen=True)
class Trial:
    """The mark of an answer that is not stored."""

    engine_mark: Mark
    ruling: Ruling


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest, version_id: int) -> HttpResponse:
    """The scenario with its questions and, once answered, the feedback as the trainee would see it."""
    version, spoken = found_version(version_id), language()
    told = asked_moment(request, version)
    try:
        scenario = told.scenario
        context = {"version": version, "moment": told, "language": scenario.book.language, "reading": True}
        context |= {"further": told.number < count(version) and told.number + 1}
        if request.method != "POST":
            return render(request, "desk/trial.html", context | _asking(told, {}))
        parts, _picked = answer_from_form(scenario, request.POST)
        guarded_cases.verify_open(person(request), scenario)
    except EngineError:
        # The version's page shows why the engine refuses it.
        return version_page(request, version, status=409)
    except guarded_cases.TooClose as kept:
        context |= _asking(told, parts) | {"error": str(kept)}
        return render(request, "desk/trial.html", context, status=kept.status)
    try:
        measured = measure(scenario, {"parts": parts})
    except EngineError as error:
        context |= _asking(told, parts) | {"error": refusal(error, spoken)}
        return render(request, "desk/trial.html", context, status=422)
    mark = Trial(measured.mark, measured.ruling)
    context |= {"feedback": feedback(scenario, mark, spoken, version=told)}
    context |= {"story": presentation.story(scenario, spoken, version=told, ruling=mark.ruling)}
    return render(request, "desk/trial.html", context)


def _asking(told: Moment, given: dict[str, str]) -> dict[str, Any]:
    """The questions, with what was answered so far, and the story without the ruling."""
    return {
        "questions": presentation.questions(told.scenario, language(), given, False),
        "story": presentation.story(told.scenario, language(), version=told),
    }
