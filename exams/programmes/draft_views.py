"""The draft editor: all rules of a programme on one page, with rows to add and totals that update while typing."""

from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from exams.programmes import services
from exams.programmes.editor_form import Sheet, judged, new_sheet, sheet_of, typed
from exams.programmes.models import ProgrammeVersion
from exams.programmes.views import draft_of, found, programme_page, write
from training.people.request import by_htmx, language, person
from training.platform.errors import ChangedMeanwhile, Refused

ROW_ORDERS = ("add:", "remove:", "up:")


@write
@require_http_methods(["GET", "HEAD", "POST"])
def new_programme(request: HttpRequest) -> HttpResponse:
    return _edit(request, None)


@write
@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, programme_id: UUID) -> HttpResponse:
    """Edit the user's own draft; others read it, with the reason why they cannot edit."""
    history = found(request, programme_id)
    version = draft_of(history)
    if request.method != "POST":
        try:
            services.verify_change(version, person(request))
        except Refused as refusal:
            return programme_page(request, history, version, notice=str(refusal))
    return _edit(request, version)


def _edit(request: HttpRequest, version: ProgrammeVersion | None) -> HttpResponse:
    """`do` adds, removes or moves rows. Without it, the draft is saved or, for htmx, only the totals are computed."""
    if request.method != "POST":
        return _page(request, version, sheet_of(version) if version else new_sheet())
    order = request.POST.get("do", "")
    if not order and by_htmx(request):
        return render(request, "programmes/totals.html", {"sheet": typed(request.POST, "", version)})
    if order.startswith(ROW_ORDERS):
        return _page(request, version, typed(request.POST, order, version))
    sheet = judged(request.POST, version)
    if not sheet.is_valid():
        return _page(request, version, sheet, status=422)
    try:
        kept = _keep(request, version, sheet)
    except services.UnfitDraft as refusal:
        sheet.add_faults(refusal.faults)
        return _page(request, version, sheet, status=422)
    except Refused as refusal:
        sheet.form.add_error(None, str(refusal))
        return _page(request, version, sheet, status=409)
    messages.success(request, _("The draft is saved. A second person puts it in force."))
    return redirect("programme_version", kept.programme_id, kept.number)


def _keep(request: HttpRequest, version: ProgrammeVersion | None, sheet: Sheet) -> ProgrammeVersion:
    who, names, rules = person(request), sheet.names(), sheet.rules()
    if version is None:
        return services.create_programme(who, code=sheet.form.cleaned_data["code"], names=names, rules=rules)
    try:
        seen = datetime.fromisoformat(sheet.form.cleaned_data["seen"])
    except ValueError:
        raise ChangedMeanwhile(_("Reload the page: the form does not say which draft it belongs to.")) from None
    return services.change_draft(version, who, names=names, rules=rules, seen=seen)


def _page(request: HttpRequest, version: ProgrammeVersion | None, sheet: Sheet, *, status: int = 200) -> HttpResponse:
    context = {
        "version": version,
        "name": version.name(language()) if version else "",
        "sheet": sheet,
        "problems": sheet.problems(),
        "action": reverse("programme_draft", args=[version.programme_id]) if version else reverse("new_programme"),
    }
    # htmx requests replace the whole form.
    template = "programmes/sheet.html" if by_htmx(request) else "programmes/draft.html"
    return render(request, template, context, status=status)
