"""Pages for appeals: the candidate's own, the register, and the review."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from exams import clock
from exams.appeals import reviewers, selectors, services
from exams.appeals.forms import DecideForm, LodgeForm
from exams.appeals.models import Appeal
from exams.appeals.selectors import RegisterFilter
from exams.papers.exam_bank import is_closed_to
from exams.programmes.selectors import names
from exams.records.models import FormItem
from exams.results.selectors import appeal_deadline
from rules_engine.narration import ask, book_name, show, topic_name
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, language, person
from training.platform.errors import Refused
from training.practice.feedback import feedback
from training.practice.presentation import story

PAGE = 25


@dataclass(frozen=True)
class RegisterRow:
    """An appeal in a list; `why_not` says why the viewer may not decide it."""

    appeal: Appeal
    programme: str
    topic: str
    overdue: bool
    why_not: str = ""


def _line(appeal: Appeal, now: datetime, why_not: str = "") -> RegisterRow:
    return RegisterRow(
        appeal=appeal,
        programme=_session(appeal.form_item).programme_version.name(language()),
        topic=topic_name(appeal.form_item.item.rulebook, appeal.form_item.item.topic, language()),
        overdue=appeal.state == Appeal.State.LODGED and appeal.decide_by < now,
        why_not=why_not,
    )


# ---- the candidate


@allow(Role.TRAINEE)
@require_safe
def own_appeals(request: HttpRequest) -> HttpResponse:
    """The candidate's own appeals with state and replies."""
    page = Paginator(selectors.own_appeals(person(request)), PAGE).get_page(request.GET.get("page"))
    lines = [_line(appeal, clock.now()) for appeal in page]
    return render(request, "appeals/own.html", {"page": page, "lines": lines})


@allow(Role.TRAINEE)
@require_http_methods(["GET", "HEAD", "POST"])
def lodge(request: HttpRequest, form_item_id: int) -> HttpResponse:
    """Contest an item of the candidate's own released result."""
    who = person(request)
    form_item = get_object_or_404(selectors.own_items(who), pk=form_item_id)
    result = services.released_result(form_item)
    if result is None:
        raise Http404  # before that, candidates must not learn what is on their paper
    form = LodgeForm(request.POST or None)
    about(request, *result.programme_version.rules.rulebooks)
    context = {"form": form, "until": appeal_deadline(result, clock.now())} | _item_context(form_item)
    try:
        services.verify_lodge(who, form_item, clock.now())
        if request.method == "POST" and form.is_valid():
            services.lodge(who, form_item, form.cleaned_data["text"])
            messages.success(request, _("Your appeal has been received. You will get an e-mail to confirm it."))
            return redirect("own_appeals")
    except Refused as refusal:
        status = 409 if request.method == "POST" else 200
        return render(request, "appeals/lodge.html", context | {"refusal": str(refusal)}, status=status)
    return render(request, "appeals/lodge.html", context, status=422 if form.is_bound else 200)


def _item_context(form_item: FormItem) -> dict[str, Any]:
    session = _session(form_item)
    return {
        "form_item": form_item,
        "session": session,
        "programme": session.programme_version.name(language()),
        "topic": topic_name(form_item.item.rulebook, form_item.item.topic, language()),
    }


def _session(form_item: FormItem) -> Any:
    return form_item.form.candidate.session


# ---- the register and the review


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def appeals(request: HttpRequest) -> HttpResponse:
    """The register: what is pending, until when, and whether the viewer may decide it."""
    programmes, chosen = names(language()), request.GET.get("programme")
    asked = RegisterFilter(
        state=request.GET.get("state", ""),
        programme=next((key for key in programmes if str(key) == chosen), None),
        overdue="overdue" in request.GET,
    )
    now = clock.now()
    page = Paginator(selectors.register(asked, now), PAGE).get_page(request.GET.get("page"))
    why_not = reviewers.why_not(person(request), list(page))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "page": page,
        "lines": [_line(appeal, now, why_not[appeal]) for appeal in page],
        "asked": asked,
        "states": Appeal.State.choices,
        "programmes": programmes,
        "query": query.urlencode(),
    }
    return render(request, "appeals/register.html", context)


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_http_methods(["GET", "HEAD", "POST"])
def appeal(request: HttpRequest, appeal_id: UUID) -> HttpResponse:
    """One appeal, without the candidate's name. Only those who may decide it see the item and the answer: nobody while
    another exam uses the case, and after the decision nobody to whom the bank is closed."""
    found = get_object_or_404(Appeal.objects.select_related(*selectors.CONTEXT, "reviewer"), pk=appeal_id)
    about(request, *_session(found.form_item).programme_version.rules.rulebooks)
    who = person(request)
    why_not = reviewers.why_not(who, [found])[found]
    context: dict[str, Any] = {
        "line": _line(found, clock.now(), why_not),
        "may_decide": reviewers.who_may(found),
    } | _item_context(found.form_item)
    if why_not:
        if request.method == "POST":
            context["error"] = why_not
        return render(request, "appeals/appeal.html", context, status=403 if request.method == "POST" else 200)
    if is_closed_to(who, found.form_item.item, judges=found.state == Appeal.State.LODGED):
        status = 409 if request.method == "POST" else 200
        return render(request, "appeals/appeal.html", context | {"kept": True}, status=status)
    form = DecideForm(request.POST or None, questions=_contested(found))
    error = ""
    if request.method == "POST" and form.is_valid():
        try:
            _decide(found, who, form.cleaned_data)
            messages.success(request, _("The appeal has been decided. The candidate is told by e-mail."))
            return redirect("appeal", found.pk)
        except Refused as refusal:
            error = str(refusal)
    context |= {"form": form, "error": error} | _review_context(found)
    return render(request, "appeals/appeal.html", context, status=409 if error else 422 if form.is_bound else 200)


def _decide(found: Appeal, who: User, data: dict[str, Any]) -> None:
    if data["decision"] == DecideForm.REJECTED:
        services.reject(found, who, data["reply"])
    elif data["decision"] == Appeal.Remedy.VOIDED:
        services.void(found, who, data["reply"])
    else:
        services.correct(found, who, data["reply"], data["questions"])


def _contested(found: Appeal) -> list[tuple[str, str]]:
    """The answers that cost points, as choices: the question and the answer given."""
    scenario = found.form_item.item.scenario
    kinds = {question.key: question.kind for question in scenario.questions}
    return [
        (
            key,
            f"{ask(key, scenario.situation, scenario.book, language())} "
            f"{show(key, kinds[key], given, scenario.book, language())}",
        )
        for key, given in services.contestable(found.mark).items()
    ]


def _review_context(found: Appeal) -> dict[str, Any]:
    item = found.form_item.item
    scenario, mark = item.scenario, found.mark
    book = scenario.book
    return {
        "rulebook": book_name(book.id, language()),
        "revised": (mark.edition, mark.engine) != (book.edition, book.game.version),
        "story": story(scenario, language(), version=item.version, ruling=mark.ruling),
        "feedback": feedback(scenario, mark, language(), version=item.version),
        "spread": selectors.spread(item, found),
        "item": item,
    }
