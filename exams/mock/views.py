"""Pages for mock exams; not available during a real exam."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exams import clock
from exams.mock import selectors, services
from exams.mock.models import Mock, MockItem
from exams.programmes.selectors import in_force
from exams.sittings.selectors import rules_for_candidates
from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language, person
from training.platform.errors import Refused
from training.practice import presentation
from training.practice.answer_form import answer_from_form
from training.practice.figures import PRINTED_FROM, as_printed

SHOWN = 10


@allow(Role.TRAINEE)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def mocks(request: HttpRequest) -> HttpResponse:
    """What can be rehearsed and the person's earlier mock exams; posting starts one."""
    who, now, programmes = person(request), clock.now(), in_force()
    if request.method == "POST":
        version = next((one for one in programmes if str(one.programme_id) == request.POST.get("programme")), None)
        if version is None:
            messages.error(request, _("Choose a programme."))
            return redirect("mocks")
        try:
            return redirect("mock", services.start(who, version, now).pk)
        except Refused as reason:
            messages.error(request, str(reason))
            return redirect("mocks")
    spoken = language()
    own = [
        (mock, mock.programme_version.name(spoken), selectors.came_to(mock)) for mock in selectors.mocks(who)[:SHOWN]
    ]
    offered = [(one, one.name(spoken), one.rules, rules_for_candidates(one)) for one in programmes]
    under_way = next((one for one in own if one[0].closed_at is None), None)
    return render(request, "mock/mocks.html", {"programmes": offered, "own": own, "under_way": under_way})


@allow(Role.TRAINEE)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def mock(request: HttpRequest, mock_id: UUID) -> HttpResponse:
    """The overview while it is open, from which a post hands it in; afterwards the outcome."""
    found, now = _own(request, mock_id), clock.now()
    if services.close_if_due(found, now):
        return _over(request, found)
    if request.method == "POST":
        services.close(found, now)
        return redirect("mock", found.pk)
    strip = selectors.strip(found)
    if not any(one.answered for one in strip) and "overview" not in request.GET:
        return redirect("mock_item", found.pk, 1)
    empty = [one for one in strip if not one.answered]
    return render(request, "mock/overview.html", _context(found) | {"strip": strip, "empty": empty})


@allow(Role.TRAINEE)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def mock_item(request: HttpRequest, mock_id: UUID, position: int) -> HttpResponse:
    """One case with its questions; every button saves the answer first, and the script saves every change (`keep`)."""
    found = _own(request, mock_id)
    if services.close_if_due(found, clock.now()):
        return redirect("mock", found.pk)
    item = get_object_or_404(found.items, position=position)
    if request.method != "POST":
        return _item_page(request, found, item, item.answer.get("parts", {}), marked=item.marked)
    parts, _picked = answer_from_form(item.scenario, request.POST)
    marked = "marked" in request.POST
    try:
        services.save(found, position, parts, marked=marked, now=clock.now())
    except EngineError as error:
        shown = {"error": refusal(error, language())}
        return _item_page(request, found, item, parts, marked=marked, status=422, more=shown)
    except services.MockOver as over:
        messages.warning(request, str(over))
        return redirect("mock", found.pk)
    if "keep" in request.POST:
        return HttpResponse(status=204)
    go = request.POST.get("go", "")
    if go.isdecimal() and len(go) < 4 and found.items.filter(position=int(go)).exists():
        return redirect("mock_item", found.pk, int(go))
    return redirect(f"{request.path.rsplit('/', 2)[0]}/?overview")


def _item_page(
    request: HttpRequest,
    found: Mock,
    item: MockItem,
    given: dict[str, str],
    *,
    marked: bool,
    status: int = 200,
    more: dict[str, Any] | None = None,
) -> HttpResponse:
    spoken = language()
    asked = presentation.questions(item.scenario, spoken, given)
    strip = selectors.strip(found)
    context = _context(found) | {
        "item": item,
        "count": len(strip),
        "strip": strip,
        "marked": marked,
        "story": presentation.story(item.scenario, spoken, printed=as_printed(request, PRINTED_FROM)),
        "language": item.scenario.book.language,
        # As in an exam, without word lists to pick from.
        "questions": [replace(one, options=[]) if one.kind == "words" else one for one in asked],
        "before": item.position - 1,
        "after": item.position + 1 if item.position < len(strip) else 0,
    }
    return render(request, "mock/item.html", context | (more or {}), status=status)


def _over(request: HttpRequest, found: Mock) -> HttpResponse:
    context = {
        "mock": found,
        "name": found.programme_version.name(language()),
        "told": selectors.summarise(found, language()),
    }
    return render(request, "mock/over.html", context)


def _context(found: Mock) -> dict[str, Any]:
    left = max(0.0, (found.deadline_at - clock.now()).total_seconds())
    return {"mock": found, "name": found.programme_version.name(language()), "left": left}


def _own(request: HttpRequest, mock_id: UUID) -> Mock:
    own = Mock.objects.filter(person=person(request)).select_related("programme_version__programme", "person")
    found = get_object_or_404(own, pk=mock_id)
    about(request, *found.programme_version.rules.rulebooks)
    return found
