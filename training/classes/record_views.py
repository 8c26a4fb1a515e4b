"""The record of one trainee of a class, and their single answers."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from rules_engine import RULEBOOKS, topics
from rules_engine.errors import EngineError
from rules_engine.narration import books_by_game, refusal, topic_name
from training.classes import grid, selectors
from training.classes.models import TrainingClass
from training.classes.views import taught
from training.library import drafts
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, language, person
from training.platform.errors import Refused
from training.practice import fresh, instructor_remarks
from training.practice.feedback import feedback
from training.practice.models import Drill
from training.practice.presentation import story

PAGE = 25


@allow(Role.INSTRUCTOR)
@require_safe
def trainee(request: HttpRequest, class_id: UUID, trainee_id: int) -> HttpResponse:
    """A trainee's results by topic, and their answers, optionally of one topic."""
    room = taught(request, class_id)
    who = _trainee(room, trainee_id)
    asked = request.GET.get("rulebook", "")
    book = asked if asked in RULEBOOKS else ""
    topic = request.GET.get("topic", "") if book else ""
    if asked != book or (topic and topic not in topics(book)):
        raise Http404
    [standing] = grid.progress(room, [who], timezone.now())
    answers = selectors.answers_of(who, rulebook=book, topic=topic)
    page = Paginator(answers, PAGE).get_page(request.GET.get("page"))
    context = {
        "room": room,
        "tab": "grid",
        "standing": standing,
        "weakest": best[0] if (best := standing.knowledge.raises_most) else None,
        "who": who,
        "games": [
            (game, [_book(who, book, name) for book, name in listed])
            for game, listed in books_by_game(language(), room.books)
        ],
        "page": page,
        "answers": [(answer, topic_name(answer.drill.rulebook, answer.drill.topic, language())) for answer in page],
        "topic": topic_name(book, topic, language()) if topic else "",
        "query": f"rulebook={book}&topic={topic}" if book else "",
    }
    return render(request, "classes/trainee.html", context)


def _book(who: User, book: str, name: str) -> dict[str, Any]:
    """A rulebook with the topics the trainee has practised, and the names of the others."""
    line = [(cell, topic_name(book, cell.topic, language())) for cell in grid.cells([who], book)[who.pk]]
    return {
        "id": book,
        "name": name,
        "practised": [(cell, name) for cell, name in line if cell.answers],
        "not_yet": [name for cell, name in line if not cell.answers],
    }


@allow(Role.INSTRUCTOR)
@require_safe
def answer(request: HttpRequest, class_id: UUID, trainee_id: int, drill_id: UUID) -> HttpResponse:
    """One answer with its mark, as the trainee saw it, and the instructor's remark."""
    room = taught(request, class_id)
    return _answer_page(request, room, _drill(room, trainee_id, drill_id))


@allow(Role.INSTRUCTOR)
@require_POST
def remark(request: HttpRequest, class_id: UUID, trainee_id: int, drill_id: UUID) -> HttpResponse:
    """Save a remark on an answer for the trainee; an empty one deletes it."""
    room = taught(request, class_id)
    drill, text = _drill(room, trainee_id, drill_id), request.POST.get("text", "")
    try:
        said = instructor_remarks.say(drill, person(request), text, timezone.now())
    except Refused as refused:
        return _answer_page(request, room, drill, status=422, error=str(refused), text=text)
    name = {"name": drill.trainee.name}
    messages.success(
        request, _("%(name)s will see it on the home page.") % name if said else _("The remark has been withdrawn.")
    )
    return redirect("class_answer", class_id, trainee_id, drill_id)


def _answer_page(
    request: HttpRequest, room: TrainingClass, drill: Drill, *, status: int = 200, **told: Any
) -> HttpResponse:
    about(request, drill.rulebook)
    scenario, mark = drill.scenario, getattr(drill.attempt, "mark", None)
    kept = fresh.is_kept_out(scenario)
    mark = None if kept else mark
    context = {
        "kept": kept,
        "room": room,
        "drill": drill,
        "who": drill.trainee,
        "attempt": drill.attempt,
        "story": story(scenario, language(), version=drill.told, ruling=mark.ruling if mark else None),
        "feedback": feedback(scenario, mark, language(), version=drill.told) if mark else None,
    }
    return render(request, "classes/answer.html", context | told, status=status)


@allow(Role.INSTRUCTOR)
@require_POST
def make_scenario(request: HttpRequest, class_id: UUID, trainee_id: int, drill_id: UUID) -> HttpResponse:
    """Make a library draft from the facts of a trainee's drill, without anything about the trainee."""
    drill = _drill(taught(request, class_id), trainee_id, drill_id)
    try:
        draft = drafts.start_from_mistake(person(request), drill.scenario_document)
    except EngineError as error:
        messages.error(
            request, _("The engine no longer accepts these facts: %(why)s") % {"why": refusal(error, language())}
        )
        return redirect("class_answer", class_id, trainee_id, drill_id)
    messages.success(request, _("A draft with the same facts. Change what you like."))
    return redirect("version", draft.pk)


def _trainee(room: TrainingClass, trainee_id: int) -> User:
    try:
        return selectors.trainee_of(room, trainee_id)
    except User.DoesNotExist:
        raise Http404 from None


def _drill(room: TrainingClass, trainee_id: int, drill_id: UUID) -> Drill:
    try:
        return selectors.answered_drill(_trainee(room, trainee_id), drill_id)
    except Drill.DoesNotExist:
        raise Http404 from None
