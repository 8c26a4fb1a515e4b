"""Pages for regrades: start one, watch it, review the differences, publish or discard."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.programmes import selectors as programmes
from exams.regrading import selectors, services
from exams.regrading.differences import differences
from exams.regrading.forms import StartForm
from exams.regrading.models import Regrade
from rules_engine import GAMES
from training.people.access import allow
from training.people.models import Role
from training.people.request import by_htmx, language, person
from training.platform.errors import Refused

PAGE = 25
State = Regrade.State


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_http_methods(["GET", "HEAD", "POST"])
def regrades(request: HttpRequest) -> HttpResponse:
    """All regrades, and a form to start one."""
    form = StartForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = services.start(
                    person(request),
                    form.cleaned_data["programme"],
                    form.cleaned_data["reason"],
                    rules=form.cleaned_data["rules"],
                )
                return redirect("regrade", made.pk)
            except Refused as refusal:
                form.add_error(None, str(refusal))
                status = 409
    page = Paginator(selectors.regrades(), PAGE).get_page(request.GET.get("page"))
    names = programmes.names(language())
    rows = [(regrade, names[regrade.programme_id]) for regrade in page]
    return render(request, "regrading/regrades.html", {"form": form, "page": page, "rows": rows}, status=status)


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def regrade(request: HttpRequest, regrade_id: UUID) -> HttpResponse:
    """Progress, then the differences; htmx gets that part alone."""
    found = _regrade(regrade_id)
    template = "regrading/body.html" if by_htmx(request) else "regrading/regrade.html"
    return render(request, template, _context(request, found))


@allow(Role.ADMINISTRATOR)
@require_POST
def publish(request: HttpRequest, regrade_id: UUID) -> HttpResponse:
    found = _regrade(regrade_id)
    if "sure" not in request.POST:
        return _again(request, found, _("Tick that you have looked at the differences."), status=422)
    try:
        services.publish(found, person(request))
    except Refused as refusal:
        return _again(request, found, str(refusal), status=refusal.status)
    return redirect("regrade", found.pk)


@allow(Role.ADMINISTRATOR)
@require_POST
def discard(request: HttpRequest, regrade_id: UUID) -> HttpResponse:
    found = _regrade(regrade_id)
    try:
        services.discard(found, person(request))
    except Refused as refusal:
        return _again(request, found, str(refusal), status=refusal.status)
    messages.success(request, _("Discarded. Everything stays as it was."))
    return redirect("regrades")


def _again(request: HttpRequest, found: Regrade, error: str, *, status: int) -> HttpResponse:
    return render(request, "regrading/regrade.html", _context(request, found) | {"error": error}, status=status)


def _context(request: HttpRequest, found: Regrade) -> dict[str, Any]:
    name = programmes.names(language())[found.programme_id]
    context: dict[str, Any] = {"regrade": found, "programme": name, "totals": selectors.totals(found)}
    context["engine"] = _engine_versions(found.engine)
    if found.state in (State.READY, State.PUBLISHED):
        show = request.GET.get("show", "")
        show = show if show in selectors.SHOWN else ""
        page = Paginator(selectors.differences(found, show), PAGE).get_page(request.GET.get("page"))
        context |= {
            "show": show,
            "page": page,
            "query": f"show={show}" if show else "",
            "differences": differences(list(page), language()),
        }
    return context


def _engine_versions(engine: str) -> str:
    """The game versions used, with the games' names."""
    games = (one.partition(" ") for one in engine.split(", ") if one)
    # Old regrades have one version for all games, and a game may have been removed.
    return ", ".join(
        f"{GAMES[name].name(language())} {version}" if name in GAMES else f"{name} {version}".strip()
        for name, _space, version in games
    )


def _regrade(regrade_id: UUID) -> Regrade:
    found = Regrade.objects.select_related("programme", "rules", "started_by", "settled_by")
    return get_object_or_404(found, pk=regrade_id)
