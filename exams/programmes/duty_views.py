"""The separation of duties as a table: what is in force, what the house has waived, and why."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from exams.programmes import duties
from exams.programmes.models import Relaxation
from training.people.access import allow
from training.people.models import Role
from training.people.request import person
from training.platform.errors import Refused, why_not


@allow(Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_http_methods(["GET", "HEAD", "POST"])
def duties_page(request: HttpRequest) -> HttpResponse:
    """Staff and auditors read the table; two administrators together can waive a rule."""
    if request.method != "POST":
        return _page(request)
    try:
        done = _act(request)
    except Refused as refusal:
        return _page(request, error=str(refusal), status=refusal.status)
    messages.success(request, done)
    return redirect("duties")


def _act(request: HttpRequest) -> str:
    by = person(request)
    if "ask" in request.POST:
        duties.ask(request.POST["ask"], by=by, reason=request.POST.get("reason", ""))
        return _("Requested. It takes effect when a second person confirms it.")
    key = request.POST.get("sign") or request.POST.get("end", "")
    found = Relaxation.objects.filter(line=key, ended_at=None).first()
    if found is None:
        raise Http404
    if "sign" in request.POST:
        duties.sign(found, by=by)
        return _("The rule is waived, and that is recorded.")
    duties.end(found, by=by)
    return _("The rule is in force.")


def _page(request: HttpRequest, *, status: int = 200, error: str = "") -> HttpResponse:
    who = person(request)
    rows = [(row, why_not(duties.verify_sign, row.relaxation, who) if row.relaxation else "") for row in duties.table()]
    context = {
        "rows": rows,
        "administers": Role.ADMINISTRATOR in who.roles,
        "error": error,
        "asked": request.POST.get("ask", ""),
        "typed": request.POST.get("reason", ""),
        "longest": duties.LONGEST,
    }
    return render(request, "programmes/duties.html", context, status=status)
