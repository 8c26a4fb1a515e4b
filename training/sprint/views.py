"""The pages of sprints: the list of kinds, a sprint case by case, and its result."""

from string import ascii_lowercase
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules_engine.grading import sum_in
from rules_engine.narration import reason
from rules_engine.words import money
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language, person
from training.platform.errors import Refused
from training.practice import fresh, presentation
from training.practice.presentation import AskedQuestion
from training.sprint import selectors, services
from training.sprint.kinds import KINDS
from training.sprint.models import Sprint, SprintCase


@allow(Role.TRAINEE)
@require_safe
@never_cache
def sprints(request: HttpRequest) -> HttpResponse:
    trainee, now = person(request), timezone.now()
    joined, best = selectors.on_board(trainee), selectors.bests(trainee)
    boards = selectors.boards(trainee, now) if joined else {}
    context = {
        "kinds": [(kind, best.get(kind.key, 0), boards.get(kind.key, [])) for kind in KINDS.values()],
        "joined": joined,
        "under_way": selectors.under_way(trainee, now),
        "seconds": round(services.LASTS.total_seconds()),
        "cost": round(services.COST.total_seconds()),
    }
    return render(request, "sprint/sprints.html", context)


@allow(Role.TRAINEE)
@require_POST
def start_sprint(request: HttpRequest) -> HttpResponse:
    kind = request.POST.get("kind", "")
    if kind not in KINDS:
        messages.error(request, _("Choose a sprint."))
        return redirect("sprints")
    return redirect("sprint", services.start(person(request), kind, timezone.now()).pk)


@allow(Role.TRAINEE)
@require_POST
def change_board(request: HttpRequest) -> HttpResponse:
    """Join or leave the leaderboard."""
    services.join_board(person(request), wants=request.POST.get("wants") == "yes")
    return redirect("sprints")


@allow(Role.TRAINEE)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sprint(request: HttpRequest, sprint_id: UUID) -> HttpResponse:
    """The current case, or the result. The server keeps time and score."""
    trainee, now = person(request), timezone.now()
    try:
        found = services.look(selectors.own(trainee, sprint_id), now)
    except Sprint.DoesNotExist:
        raise Http404 from None
    about(request, *(book for book, _topic in KINDS[found.kind].topics))
    if request.method == "POST":
        return _answer(request, found)
    if found.closed_at:
        return _over(request, found)
    return _page(request, found)


def _answer(request: HttpRequest, found: Sprint) -> HttpResponse:
    number = request.POST.get("number", "")
    if not number.isdecimal() or len(number) > 4:
        return _page(request, found, status=422) if found.closed_at is None else _over(request, found, status=409)
    try:
        services.answer(person(request), found.pk, int(number), request.POST.get("given", ""), timezone.now())
    except Refused as refusal:
        messages.warning(request, str(refusal))
    return redirect("sprint", found.pk)


def _page(request: HttpRequest, found: Sprint, *, status: int = 200) -> HttpResponse:
    spoken, cases = language(), list(found.cases.order_by("-number")[:2])
    asked, before = cases[0], cases[1] if len(cases) > 1 else None
    scenario = asked.scenario
    [question] = [one for one in presentation.questions(scenario, spoken, {}) if one.key == asked.question]
    context: dict[str, Any] = {
        "sprint": found,
        "kind": KINDS[found.kind],
        "case": asked,
        "question": question,
        "buttons": _buttons(question),
        "story": presentation.story(scenario, spoken),
        "left": max(0.0, (found.deadline_at - timezone.now()).total_seconds()),
        "lasts": services.LASTS.total_seconds(),
        "before": before,
        "should": _should(before, spoken) if before and not before.correct else "",
    }
    return render(request, "sprint/sprint.html", context, status=status)


def _buttons(question: AskedQuestion) -> list[tuple[str, str, str]]:
    """The buttons: (value, label, key). The key is the score itself, the game's letter, or else a letter from A on.

    Not a number: for “8 times”, 8 would look like the eighth option."""
    if question.typed:
        return []
    letters = dict(pair.split(":")[::-1] for pair in question.hotkeys.split())
    options = [option for option in question.options if option != question.idle]
    return [
        (
            option.value,
            option.label,
            option.value if question.kind == "score" else letters.get(option.value, letter),
        )
        for letter, option in zip(ascii_lowercase, options, strict=False)
    ]


def _over(request: HttpRequest, found: Sprint, *, status: int = 200) -> HttpResponse:
    spoken = language()
    cases = found.cases.filter(answered_at__isnull=False, correct=False)
    best = selectors.bests(person(request)).get(found.kind, 0)
    context = {
        "sprint": found,
        "kind": KINDS[found.kind],
        "best": best,
        "missed": [
            (_asked(case, spoken), _should(case, spoken), _shown(case, case.given, spoken), _why(case, spoken))
            for case in cases[:10]
        ],
    }
    return render(request, "sprint/over.html", context, status=status)


def _asked(case: SprintCase, spoken: str) -> str:
    return next(one.text for one in presentation.questions(case.scenario, spoken, {}) if one.key == case.question)


def _why(case: SprintCase, spoken: str) -> str:
    """The steps of the reasoning that the answer rests on; empty while the case is kept for exams."""
    if fresh.is_kept_out(case.scenario):
        return ""
    ruling, book = case.scenario.solve(), case.scenario.book
    rests = next(decision.rests for decision in ruling.decisions if decision.key == case.question)
    return " ".join(reason(step, book, spoken) for step in ruling.steps if step.cite in rests)


def _should(case: SprintCase, spoken: str) -> str:
    """The right answer as the form shows it; empty while the case is kept for exams."""
    if fresh.is_kept_out(case.scenario):
        return ""
    right = next(decision.value for decision in case.scenario.solve().decisions if decision.key == case.question)
    return _shown(case, str(right), spoken)


def _shown(case: SprintCase, given: str, spoken: str) -> str:
    questions = presentation.questions(case.scenario, spoken, {case.question: given})
    question = next(one for one in questions if one.key == case.question)
    chosen = next((option.label for option in question.options if option.chosen), "")
    amount = sum_in(given, case.question, case.scenario.book) if question.kind == "amount" else ""
    return chosen or (money(amount, case.scenario.book.currency, spoken) if isinstance(amount, int) else question.given)
