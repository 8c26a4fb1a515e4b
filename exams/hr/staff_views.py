"""The importer's staff list: sent, checked and applied in the background."""

from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.certificates import name_correction
from exams.hr import staff_files, staff_import
from exams.hr.forms import StaffFileForm
from exams.hr.models import StaffImport
from exams.hr.staff_files import FIELD_NAMES, MAX_BYTES
from training.people.access import allow
from training.people.models import Role
from training.people.request import by_htmx, person
from training.platform.errors import Refused
from training.platform.spreadsheet_output import csv_lines

WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@allow(Role.HR)
@require_http_methods(["GET", "HEAD", "POST"])
def import_staff(request: HttpRequest) -> HttpResponse:
    """The user's list and how far it is, which the page polls; posting sends another list."""
    if request.method == "POST":
        return _upload(request)
    job = staff_import.of(person(request))
    if by_htmx(request):
        return render(request, "hr/staff_import.html", _state(job))
    return _page(request, job)


def _upload(request: HttpRequest) -> HttpResponse:
    form = StaffFileForm(request.POST, request.FILES)
    if form.is_valid():
        upload = form.cleaned_data["file"]
        try:
            staff_import.upload(person(request), upload.name, upload.read(MAX_BYTES + 1))
        except Refused as refusal:
            form.add_error("file", str(refusal))
        else:
            return redirect("hr_staff")
    return _page(request, staff_import.of(person(request)), form=form, status=422)


def _page(request: HttpRequest, job: StaffImport | None, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {"tab": "staff", "form": StaffFileForm()} | _state(job) | more
    return render(request, "hr/staff.html", context, status=status)


def _state(job: StaffImport | None) -> dict[str, Any]:
    if job is None:
        return {"job": None}
    plan = staff_import.preview_of(job)
    changed = [
        (name, [(FIELD_NAMES[field], before, after) for field, before, after in fields])
        for name, fields in plan.to_change
    ]
    state = {"job": job, "plan": plan, "change": changed, "errors": staff_import.errors_of(job)}
    return state | {"names": _names_waiting(job) if job.finished_at else ""}


def _names_waiting(job: StaffImport) -> str:
    """How many names that the importer asked for wait, in words; empty if none."""
    count = name_correction.waiting().filter(asked_by=job.importer_id).count()
    told = ngettext(
        "%(count)d new name waits for a second person.", "%(count)d new names wait for a second person.", count
    )
    return told % {"count": count} if count else ""


@allow(Role.HR)
@require_safe
def staff_template(request: HttpRequest) -> HttpResponse:
    headers = {"Content-Disposition": 'attachment; filename="staff-list.xlsx"'}
    return HttpResponse(staff_files.template(), content_type=WORKBOOK, headers=headers)


@allow(Role.HR)
@require_safe
def staff_changes(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """Everything that the checked list would change, as a file."""
    job = staff_import.of(person(request))
    if job is None or job.state != StaffImport.State.CHECKED:
        messages.warning(request, _("No list is waiting to be confirmed."))
        return redirect("hr_staff")
    headers = {"Content-Disposition": 'attachment; filename="staff-list-changes.csv"', "Cache-Control": "no-store"}
    lines = csv_lines(_changes(job))
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


def _changes(job: StaffImport) -> Iterator[list[str]]:
    yield [_("Row"), _("Name"), _("E-mail"), _("Field"), _("Before"), _("After")]
    for planned in staff_import.changes(job):
        for row in planned.enter:
            for name in (name for name in FIELD_NAMES if getattr(row, name)):
                yield [str(row.number), row.name, row.email, str(FIELD_NAMES[name]), "", _text(getattr(row, name))]
        for change in planned.change:
            who = [change.person.name, change.person.email]
            for name, (before, after) in change.fields.items():
                yield ["", *who, str(FIELD_NAMES[name]), _text(before), _text(after)]
        for new in planned.names:
            yield ["", new.person.name, new.person.email, str(FIELD_NAMES["name"]), new.person.name, new.name]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


@allow(Role.HR)
@require_POST
def confirm_staff(request: HttpRequest) -> HttpResponse:
    try:
        staff_import.confirm(person(request))
    except Refused as refusal:
        messages.warning(request, str(refusal))
    return redirect("hr_staff")


@allow(Role.HR)
@require_POST
def stop_staff(request: HttpRequest) -> HttpResponse:
    if not staff_import.stop(person(request)):
        messages.warning(request, _("It had already finished."))
    return redirect("hr_staff")
