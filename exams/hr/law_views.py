"""The list of certificate holders affected by a new version of the law."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from exams.hr import affected
from exams.hr.selectors import Filters
from exams.hr.views import PAGE, names_of
from rules_engine.narration import book_name
from rules_engine.versions import former
from training.people.access import allow
from training.people.models import Role
from training.people.request import language


@allow(Role.HR, readers=[Role.AUDITOR])
@require_safe
def affected_holders(request: HttpRequest) -> HttpResponse:
    """Holders of valid certificates on an earlier version, with whether they passed an exam on the new one."""
    versions = affected.versions()
    asked = request.GET.get("version", "")
    new = versions.get(asked) or next(iter(versions.values()), None)
    context: dict[str, Any] = {
        "tab": "law",
        "choices": [(id, book_name(id, language())) for id in versions],
        "chosen": new.id if new else "",
    }
    if new is not None:
        found, old = affected.holders(new, Filters()), former(new)
        page = Paginator(found, PAGE).get_page(request.GET.get("page"))
        context |= {
            "page": page,
            "query": urlencode({"version": new.id}),
            "filters": urlencode({"rulebook": new.id}),
            "rows": [(each, names_of(each.scope), affected.day(each.passed_at)) for each in page],
            "left": found.filter(passed_at=None).count(),
            "old": old.id if old else "",
            "since": new.law.enacted.in_force,
            "name": book_name(new.id, language()),
        }
    return render(request, "hr/law.html", context, status=404 if asked and asked not in versions else 200)
