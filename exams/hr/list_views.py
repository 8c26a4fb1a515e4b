"""Exports made in the background, once or regularly."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams import clock
from exams.hr import affected, exports, schedules
from exams.hr.forms import FilterForm, RosterForm
from exams.hr.models import Export, Schedule
from exams.hr.selectors import Filters
from training.people.access import allow
from training.people.models import Role
from training.people.request import by_htmx, person
from training.platform.errors import Refused
from training.platform.filters import unfit

SHOWN = 50
TYPES = {
    Export.Format.CSV: "text/csv; charset=utf-8",
    Export.Format.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Export.Format.JSON: "application/json",
    Export.Format.ZIP: "application/zip",
}


@allow(Role.HR)
@require_http_methods(["GET", "HEAD", "POST"])
def own_exports(request: HttpRequest) -> HttpResponse:
    """The user's exports. Posting requests a new one, once or regularly, with the filters of the page it came from."""
    refusal = ""
    if request.method == "POST":
        try:
            _ask(request)
            return redirect("hr_exports")
        except Refused as why:
            refusal = str(why)
    context = {
        "tab": "exports",
        "exports": exports.of(person(request))[:SHOWN],
        "schedules": [(each, _narrowed(each.filters)) for each in schedules.of(person(request))],
        "refusal": refusal,
        "now": timezone.now(),
    }
    return render(request, "hr/exports.html", context, status=422 if refusal else 200)


def _ask(request: HttpRequest) -> None:
    what, format, every = (request.POST.get(name, "") for name in ("what", "format", "every"))
    if what not in Export.What.values or format not in Export.Format.values:
        raise Refused(_("Choose what to export and in which format."))
    wanted = _wanted(what, request.POST.get("query", ""))
    if every in Schedule.Every.values:
        schedules.begin(person(request), what=what, format=format, filters=wanted["filters"], every=every)
        messages.success(request, _("You will get an e-mail whenever the file is ready."))
    else:
        exports.ask(person(request), what=what, format=format, **wanted)


def _narrowed(filters: dict[str, Any]) -> list[tuple[str, str]]:
    """The filters of a regular export in words."""
    fields = RosterForm().fields | FilterForm().fields
    given = [(name, value) for name, value in filters.items() if name != "sort"]
    return [(str(fields[name].label), _worded(fields[name], value)) for name, value in given if name in fields]


def _worded(field: Any, value: Any) -> str:
    """The form's label of a value; rulebooks are grouped by game."""
    choices = dict[Any, Any]()
    for key, label in getattr(field, "choices", ()):
        choices |= dict(label) if isinstance(label, list | tuple) else {key: label}
    return str(choices.get(value, value))


@allow(Role.HR)
@require_POST
def stop_schedule(request: HttpRequest, schedule_id: UUID) -> HttpResponse:
    schedules.stop(get_object_or_404(schedules.of(person(request)), pk=schedule_id), by=person(request))
    messages.success(request, _("The file will no longer be made."))
    return redirect("hr_exports")


def _wanted(what: str, query: str) -> dict[str, Any]:
    """The filters of the page. Raises Refused for an invalid one: the full list must not pass for a filtered one."""
    asked = QueryDict(query[:2000])
    if what != Export.What.ROSTER:
        listed = FilterForm(asked)
        _verify(listed)
        if what == Export.What.AFFECTED and listed.filters().rulebook not in affected.versions():
            raise Refused(_("Choose the new version first."))
        return {"filters": listed.filters()}
    form = RosterForm({"on": clock.today().isoformat()} | asked.dict())
    _verify(form)
    given = form.cleaned_data
    return {"filters": Filters(rulebook=given["rulebook"], shift=given["shift"]), "on": given["on"].isoformat()}


def _verify(form: FilterForm | RosterForm) -> None:
    if wrong := unfit(form):
        raise Refused(_("No file was made, because a filter matches nothing: %(filters)s.") % {"filters": wrong})


def _own(request: HttpRequest, export_id: UUID) -> Export:
    return get_object_or_404(exports.of(person(request)), pk=export_id)


@allow(Role.HR)
@require_safe
def export_state(request: HttpRequest, export_id: UUID) -> HttpResponse:
    """The progress of one export: a fragment that the page polls while it is being made."""
    export = _own(request, export_id)
    if not by_htmx(request):
        return redirect("hr_exports")
    return render(request, "hr/export.html", {"export": export, "now": timezone.now()})


@allow(Role.HR)
@require_POST
def cancel_export(request: HttpRequest, export_id: UUID) -> HttpResponse:
    if not exports.cancel(_own(request, export_id)):
        messages.warning(request, _("It had already finished."))
    return redirect("hr_exports")


@allow(Role.HR)
@require_safe
def export_file(request: HttpRequest, export_id: UUID) -> FileResponse:
    export = _own(request, export_id)
    path = exports.file_of(export)
    if path is None:
        raise Http404
    name = f"{export.what}-{timezone.localdate(export.asked_at).isoformat()}.{export.format}"
    return FileResponse(
        path.open("rb"), as_attachment=True, filename=name, content_type=TYPES[Export.Format(export.format)]
    )
