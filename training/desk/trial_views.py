"""An instructor tries a case as a trainee would. Nothing is stored or counted."""

from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rules_engine import Mark, Ruling
from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.library import guarded_cases
from training.library.author_texts import checked_words
from training.library.editor import check
from training.library.editor_page import Editing, words_form
from training.library.editor_views import posted_sketch
from training.library.models import Version
from training.library.moments import Moment, count, moments
from training.library.views import asked_moment, found_version, version_page
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language, person
from training.platform.engine_json import as_stored
from training.platform.errors import Refused
from training.platform.measure import measure
from training.practice import presentation
from training.practice.answer_form import answer_from_form
from training.practice.feedback import feedback

CARRIED = "trial"
KEPT_FOR = 24 * 60 * 60  # seconds


@dataclass(frozen=True)
class Trial:
    """The mark of an answer that is not stored."""

    engine_mark: Mark
    ruling: Ruling


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest, version_id: int) -> HttpResponse:
    """The scenario with its questions and, once answered, the feedback as the trainee would see it."""
    version = found_version(request, version_id)
    told = asked_moment(request, version)
    further = told.number < count(version) and told.number + 1
    try:
        return _tried(request, told, {"version": version, "further": further}, answered=request.method == "POST")
    except EngineError:
        # The version's page shows why the engine refuses it.
        return version_page(request, version, status=409)


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def try_facts(request: HttpRequest) -> HttpResponse:
    """Try facts from the editor that are not saved. The page carries them until they are answered."""
    if request.method != "POST":
        return redirect("new_scenario")
    carried = request.POST.get(CARRIED, "")
    try:
        told = _carried(carried) if carried else _typed(request)
    except Refused as refused:
        return render(request, "desk/trial_refused.html", {"error": refused.reason}, status=422)
    scenario, words = told.scenario_document, told.words
    token = carried or signing.dumps([scenario, words], salt=CARRIED, compress=True)
    return _tried(
        request, told, {"carried": token, "further": False}, answered=bool(carried and "again" not in request.POST)
    )


def _typed(request: HttpRequest) -> Moment:
    """The moment in the editor's form. Raises Refused if its facts do not fit together."""
    sketch = posted_sketch(request)
    scenario = check(sketch).scenario
    form = words_form(request, sketch.book, Editing())
    if scenario is None:
        raise Refused(_("The facts do not fit together yet, so there is nothing to try."))
    return _unsaved(as_stored(scenario), form.words() if form.is_valid() else {})


def _carried(token: str) -> Moment:
    try:
        return _unsaved(*signing.loads(token, salt=CARRIED, max_age=KEPT_FOR))
    except signing.BadSignature:
        raise Refused(_("This trial is too old. Try it again from the editor.")) from None


def _unsaved(document: Any, words: dict[str, dict[str, str]]) -> Moment:
    about = {"rulebook": document["rulebook"], "topic": document["topic"], "difficulty": document["difficulty"]}
    return moments(Version(scenario_document=document, words=checked_words(words), **about))[0]


def _tried(request: HttpRequest, told: Moment, context: dict[str, Any], *, answered: bool) -> HttpResponse:
    scenario = told.scenario
    about(request, scenario.rulebook)
    spoken = language()
    context |= {"moment": told, "language": scenario.book.language, "reading": True}
    if not answered:
        return render(request, "desk/trial.html", context | _asking(told, {}))
    parts, _picked = answer_from_form(scenario, request.POST)
    try:
        guarded_cases.verify_open(person(request), scenario)
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
