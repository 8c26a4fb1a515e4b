"""The context of a case: of a version of the library, or of facts in the editor."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from rules_engine import Scenario
from rules_engine.errors import EngineError
from training.desk import case_context
from training.library import editor, guarded_cases
from training.library.editor_views import posted_sketch
from training.library.views import asked_moment, found_version, version_page
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import by_htmx, language, person
from training.platform.errors import Refused
from training.practice import presentation


@allow(Role.INSTRUCTOR)
@require_safe
def around_version(request: HttpRequest, version_id: int) -> HttpResponse:
    """The context of a version, as a page or, for htmx, as a part of another page."""
    version = found_version(request, version_id)
    try:
        told = asked_moment(request, version)
        # Statistics of a version are about its first moment.
        guarded_cases.verify_open(person(request), told.scenario)
        context = _around(told.scenario, person(request), version_id if told.number == 1 else None) | {
            "version": version
        }
    except EngineError:
        # The version's page shows why the engine refuses it.
        return version_page(request, version, status=409)
    except guarded_cases.TooClose as refusal:
        return _refused(request, refusal) if by_htmx(request) else version_page(request, version, status=409)
    return render(request, "desk/around_parts.html" if by_htmx(request) else "desk/around.html", context)


@allow(Role.INSTRUCTOR)
@require_POST
def around_facts(request: HttpRequest) -> HttpResponse:
    """The context of the facts in the editor's form."""
    checked = editor.check(posted_sketch(request))
    if checked.scenario is None:
        return render(request, "desk/around_parts.html", {"impossible": True})
    try:
        guarded_cases.verify_open(person(request), checked.scenario)
    except guarded_cases.TooClose as refusal:
        return _refused(request, refusal)
    return render(request, "desk/around_parts.html", _around(checked.scenario, person(request)))


def _refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    return render(request, "desk/around_parts.html", {"kept": str(refusal)}, status=refusal.status)


def _around(scenario: Scenario, reader: User, version_id: int | None = None) -> dict[str, Any]:
    ruling, spoken = scenario.solve(), language()
    return {
        "edges": case_context.edges(scenario, ruling, spoken, reader),
        "same_answers": case_context.same_answers(scenario, ruling, spoken, reader),
        "elsewhere": case_context.elsewhere(scenario, ruling, spoken),
        "expected": case_context.expected(scenario, ruling, version_id),
        "difficulty": scenario.difficulty,
        "questions": presentation.questions(scenario, spoken, {}, False),
        "reading": True,
    }
