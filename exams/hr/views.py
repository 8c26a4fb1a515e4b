"""The HR desk: people, one person, and who may deal on a date."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from exams import clock
from exams.certificates import issuance, services
from exams.certificates.lifecycle import Standing, standing
from exams.certificates.models import Certificate
from exams.hr import roster, selectors, staff
from exams.hr.columns import table
from exams.hr.export_files import csv_pieces, json_pieces
from exams.hr.forms import FilterForm, RecordForm, RosterForm
from exams.hr.models import Export
from exams.hr.selectors import Filters
from rules_engine import RULEBOOKS
from rules_engine.narration import book_name, books_by_game
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import language, person

PAGE = 50
SHOWN_OF_A_GAME = 300
TONES = {
    Standing.VALID: "good",
    Standing.NOT_YET: "accent",
    Standing.SUSPENDED: "warn",
    Standing.EXPIRED: "bad",
    Standing.WITHDRAWN: "bad",
    Standing.REPLACED: "",
}


def person_of(person_id: int) -> User:
    found = User.objects.select_related("staff_record").filter(pk=person_id).first()
    if found is None:
        raise Http404
    return found


def query_without_page(asked: QueryDict) -> str:
    kept = asked.copy()
    kept.pop("page", None)
    return kept.urlencode()


def names_of(books: Iterable[str]) -> list[str]:
    """What rulebooks are called; one that the engine no longer has is named as it was kept."""
    return [book_name(book, language()) if book in RULEBOOKS else book for book in books]


def told(certificate: Certificate, on: date) -> dict[str, Any]:
    """A certificate as the pages show it."""
    now = standing(certificate, on)
    days = (certificate.valid_until - on).days
    return {
        "certificate": certificate,
        "standing": now.label,
        "tone": TONES[now],
        "rulebooks": names_of(certificate.scope),
        "days": days if now == Standing.VALID and 0 <= days <= roster.LAPSING_DAYS else None,
    }


@allow(Role.HR)
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """People with what they may deal. The filters are the address: it can be kept and sent."""
    form = FilterForm(request.GET)
    filters = form.filters()
    page = Paginator(selectors.with_certificates(selectors.people(filters)), PAGE).get_page(request.GET.get("page"))
    today = clock.today()
    context = {
        "tab": "people",
        "form": form,
        "page": page,
        "query": query_without_page(request.GET),
        "filtered": filters != Filters(sort=filters.sort),
        "lines": [(who, [told(each, today) for each in who.certificates.all()]) for who in page],
        "waiting": issuance.waiting().count(),
        "today": today,
    }
    return render(request, "hr/desk.html", context)


@allow(Role.HR)
@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Exams passed that have not led to a certificate: what HR may issue."""
    page = Paginator(issuance.waiting(), PAGE).get_page(request.GET.get("page"))
    return render(request, "hr/waiting.html", {"tab": "waiting", "page": page})


@allow(Role.HR)
@require_safe
def one_person(request: HttpRequest, person_id: int) -> HttpResponse:
    who, today = person_of(person_id), clock.today()
    held = list(
        Certificate.objects.filter(holder=who).select_related("programme_version__programme").order_by("-granted_at")
    )
    acts = selectors.acts_of(held)
    lines = [
        told(each, today)
        | {
            "acts": [(act, names_of(act.scope_after)) for act in acts[each.pk]],
            "may": services.allowed_acts(each, person(request)),
        }
        for each in held
    ]
    context = {
        "tab": "people",
        "who": who,
        "record": getattr(who, "staff_record", None),
        "lines": lines,
        "passes": issuance.waiting().filter(sitting__candidate__person=who),
        "own": who.pk == person(request).pk,
        "today": today,
    }
    return render(request, "hr/person.html", context)


@allow(Role.HR)
@require_http_methods(["GET", "HEAD", "POST"])
def change_record(request: HttpRequest, person_id: int) -> HttpResponse:
    who = person_of(person_id)
    form = RecordForm(request.POST or None, person=who)
    if request.method == "POST" and form.is_valid():
        staff.change_record(who, person(request), **form.cleaned_data)
        messages.success(request, _("The record of %(name)s is changed.") % {"name": who.name})
        return redirect("hr_person", who.pk)
    context = {"tab": "people", "who": who, "form": form}
    return render(request, "hr/record.html", context, status=422 if request.method == "POST" else 200)


# ---- who may deal


def _asked(request: HttpRequest) -> tuple[RosterForm, date, str]:
    """The date and rulebook of the address; today and all where it names none or nonsense."""
    form = RosterForm({"on": clock.today().isoformat()} | request.GET.dict())
    form.is_valid()
    return form, form.cleaned_data.get("on") or clock.today(), form.cleaned_data.get("rulebook", "")


@allow(Role.HR)
@require_safe
def tonight(request: HttpRequest) -> HttpResponse:
    """By game, who may deal it on a date."""
    form, on, rulebook = _asked(request)
    context = {
        "tab": "tonight",
        "form": form,
        "on": on,
        "games": _by_game(roster.by_rulebook(roster.entries(on, rulebook))),
        "query": f"on={on.isoformat()}&rulebook={rulebook}",
        "lapsing_days": roster.LAPSING_DAYS,
        "past": on < clock.today(),
        "future": on > clock.today(),
    }
    return render(request, "hr/tonight.html", context, status=422 if form.errors else 200)


def _by_game(listed: dict[str, list[roster.Entry]]) -> list[dict[str, Any]]:
    """Every game with how many people may deal it, and who they are by rulebook."""
    return [
        {
            "name": game,
            "people": len({entry.person for book, _name in books for entry in listed[book]}),
            "rulebooks": [_rulebook(book, name, listed[book]) for book, name in books],
        }
        for game, books in books_by_game(language(), listed)
    ]


def _rulebook(book: str, name: str, listed: list[roster.Entry]) -> dict[str, Any]:
    return {
        "id": book,
        "name": name,
        "count": len(listed),
        "entries": listed[:SHOWN_OF_A_GAME],
        "more": max(0, len(listed) - SHOWN_OF_A_GAME),
    }


@allow(Role.HR)
@require_safe
def tonight_csv(request: HttpRequest) -> StreamingHttpResponse:
    _form, on, rulebook = _asked(request)
    return _download(csv_pieces(table(Export.What.ROSTER, Filters(rulebook=rulebook), on)), "csv", on)


@allow(Role.HR)
@require_safe
def tonight_json(request: HttpRequest) -> StreamingHttpResponse:
    _form, on, rulebook = _asked(request)
    return _download(json_pieces(table(Export.What.ROSTER, Filters(rulebook=rulebook), on)), "json", on)


def _download(pieces: Iterable[str | bytes], kind: str, on: date) -> StreamingHttpResponse:
    types = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
    headers = {"Content-Disposition": f'attachment; filename="may-deal-{on.isoformat()}.{kind}"'}
    return StreamingHttpResponse(pieces, content_type=types[kind], headers=headers)
