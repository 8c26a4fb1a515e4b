"""The page on which an auditor follows a certificate back to every act, person and reason."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from exams import clock
from exams.audit import words
from exams.certificates.models import Certificate
from exams.hr import selectors, trail
from exams.hr.views import certificate_context, names_of
from exams.invigilation.acts import identity_of
from exams.programmes import duties
from training.people.access import allow
from training.people.models import Role
from training.people.request import language, person

PAGE = 100


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def certificate_trail(request: HttpRequest, certificate_id: UUID) -> HttpResponse:
    try:
        found = trail.certificate(certificate_id)
    except Certificate.DoesNotExist:
        raise Http404 from None
    page = Paginator(trail.entries(found), PAGE).get_page(request.GET.get("page"))
    # As in the log, nobody reads of a result of their own before it is released.
    own = found.holder_id == person(request).pk
    behind = [result for result in trail.exams_behind(found) if result.released_at or not own]
    context = {
        "line": certificate_context(found, clock.today()),
        "programme": found.programme_version.name(language()),
        "acts": [(act, names_of(act.scope_after)) for act in selectors.acts_of([found])[found.pk]],
        "exams": [(result, identity_of(result.sitting_id)) for result in behind],
        "objections": trail.objections(found),
        "waived": [(one, duties.LIFTED[one.line].rule) for one in trail.waived(found) if one.line in duties.LIFTED],
        "own": own,
        "page": page,
        "rows": words.describe(page, person(request)),
    }
    return render(request, "hr/trail.html", context)
