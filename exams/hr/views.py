"""The HR desk: people, one person, and who may deal on a date."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from exams import clock
from exams.accounts import closing, open_exams
from exams.certificates import issuance, services, unconfirmed_identity
from exams.certificates.lifecycle import Standing, standing
from exams.certificates.models import Certificate
from exams.hr import dossier, roster, selectors, staff
from exams.hr.columns import table
from exams.hr.export_files import csv_pieces, json_pieces
from exams.hr.forms import FilterForm, RecordForm, RosterForm
from exams.hr.models import Export
from exams.hr.selectors import Filters
from rules_engine import RULEBOOKS
from rules_engine.narration import book_name, books_by_game
from training.house.selectors import current as current_house
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import language, person
from training.platform.errors import Refused
from training.platform.filters import unfit

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
    return get_object_or_404(User.objects.select_related("staff_record"), pk=person_id)


def query_without_page(asked: QueryDict) -> str:
    kept = asked.copy()
    kept.pop("page", None)
    return kept.urlencode()


def names_of(books: Iterable[str]) -> list[str]:
    """The rulebooks' names; one the engine no longer has keeps its id."""
    return [book_name(book, language()) if book in RULEBOOKS else book for book in books]


def certificate_context(certificate: Certificate, on: date) -> dict[str, Any]:
    """A certificate as the pages show it."""
    now = standing(certificate, on)
    days = (certificate.valid_until - on).days
    return {
        "certificate": certificate,
        "valid": now in (Standing.VALID, Standing.NOT_YET),
        "standing": now.label,
        "tone": TONES[now],
        "rulebooks": names_of(certificate.scope),
        "days": days if now == Standing.VALID and 0 <= days <= roster.LAPSING_DAYS else None,
    }


@allow(Role.HR, readers=[Role.AUDITOR])
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """People with what they may deal. The filters are in the URL, so it can be bookmarked. An invalid filter shows
    nobody: the full list must not pass for a filtered one."""
    form = FilterForm(request.GET)
    filters = form.filters()
    found = selectors.people(filters) if form.is_valid() else User.objects.none()
    page = Paginator(selectors.with_certificates(found), PAGE).get_page(request.GET.get("page"))
    today = clock.today()
    context = {
        "tab": "people",
        "form": form,
        "page": page,
        "query": query_without_page(request.GET),
        "filtered": filters != Filters(sort=filters.sort),
        "unfit": unfit(form),
        "lines": [(who, [certificate_context(each, today) for each in who.certificates.all()]) for who in page],
        "waiting": issuance.waiting().count(),
        "today": today,
    }
    return render(request, "hr/desk.html", context, status=422 if form.errors else 200)


@allow(Role.HR, readers=[Role.AUDITOR])
@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Passed exams without a certificate, which HR may issue."""
    page = Paginator(issuance.waiting(), PAGE).get_page(request.GET.get("page"))
    asked = set(unconfirmed_identity.waiting().filter(result__in=list(page)).values_list("result_id", flat=True))
    rows = [(result, result.programme_version.name(language()), result.pk in asked) for result in page]
    return render(request, "hr/waiting.html", {"tab": "waiting", "page": page, "rows": rows})


@allow(Role.HR, readers=[Role.AUDITOR])
@require_safe
def one_person(request: HttpRequest, person_id: int) -> HttpResponse:
    who, today = person_of(person_id), clock.today()
    held = list(
        Certificate.objects.filter(holder=who).select_related("programme_version__programme").order_by("-granted_at")
    )
    acts = selectors.acts_of(held)
    lines = [
        certificate_context(each, today)
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
        "left": staff.gone(today).filter(pk=who.pk).exists(),
        "closures": closing.open_closures(who),
        "sits_until": open_exams.until(who),
        "lines": lines,
        "passes": [
            (result, result.programme_version.name(language()))
            for result in issuance.waiting().filter(sitting__candidate__person=who)
        ],
        "own": who.pk == person(request).pk,
        "today": today,
    }
    return render(request, "hr/person.html", context)


@allow(Role.HR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def person_dossier(request: HttpRequest, person_id: int) -> HttpResponse:
    """All records about a person, for an inspector."""
    who = person_of(person_id)
    headers = {"Content-Disposition": f'attachment; filename="dossier-{who.pk}.pdf"', "Cache-Control": "no-store"}
    return HttpResponse(dossier.dossier(who, by=person(request)), content_type="application/pdf", headers=headers)


@allow(Role.HR)
@require_http_methods(["GET", "HEAD", "POST"])
def change_record(request: HttpRequest, person_id: int) -> HttpResponse:
    who = person_of(person_id)
    try:
        staff.verify_change(who, person(request))
    except Refused as refusal:
        context = {"tab": "people", "who": who, "refusal": str(refusal)}
        return render(request, "hr/record.html", context, status=refusal.status)
    form = RecordForm(request.POST or None, person=who)
    if request.method == "POST" and form.is_valid():
        staff.change_record(who, person(request), **form.cleaned_data)
        messages.success(request, _("The record of %(name)s has been changed.") % {"name": who.name})
        return redirect("hr_person", who.pk)
    context = {"tab": "people", "who": who, "form": form}
    return render(request, "hr/record.html", context, status=422 if request.method == "POST" else 200)


# ---- who may deal


def _asked(request: HttpRequest) -> tuple[RosterForm, date, Filters]:
    """Date, rulebook and shift from the URL; today and all if missing or invalid."""
    form = RosterForm({"on": clock.today().isoformat()} | request.GET.dict())
    form.is_valid()
    given = form.cleaned_data
    return (
        form,
        given.get("on") or clock.today(),
        Filters(rulebook=given.get("rulebook", ""), shift=given.get("shift", "")),
    )


@allow(Role.HR, readers=[Role.AUDITOR])
@require_safe
def tonight(request: HttpRequest) -> HttpResponse:
    """By game: who may deal on a date, and who may not and why."""
    form, on, filters = _asked(request)
    book, shift = filters.rulebook, filters.shift
    may, may_not = (
        roster.by_rulebook(roster.entries(on, book, shift)),
        roster.by_rulebook(roster.barred(on, book, shift)),
    )
    books = {book} if book else {*may, *may_not, *roster.examined()}
    context = {
        "tab": "tonight",
        "form": form,
        "on": on,
        "shift": shift,
        "games": _by_game(books, may, may_not),
        "query": urlencode({"on": on.isoformat(), "rulebook": book, "shift": shift}),
        "house": current_house().name,
        "now": clock.now(),
        "lapsing_days": roster.LAPSING_DAYS,
        "soon": on + timedelta(days=roster.LAPSING_DAYS),
        "past": on < clock.today(),
        "future": on > clock.today(),
    }
    return render(request, "hr/tonight.html", context, status=422 if form.errors else 200)


def _by_game(
    wanted: Iterable[str], may: dict[str, list[roster.Entry]], may_not: dict[str, list[roster.Barred]]
) -> list[dict[str, Any]]:
    """Each game with how many people may deal it, and who may and may not by rulebook."""
    return [
        {
            "name": game,
            "people": len({entry.person for book, _name in books for entry in may.get(book, ())}),
            "rulebooks": [_rulebook(book, name, may.get(book, []), may_not.get(book, [])) for book, name in books],
        }
        for game, books in books_by_game(language(), wanted)
    ]


def _rulebook(book: str, name: str, may: list[roster.Entry], may_not: list[roster.Barred]) -> dict[str, Any]:
    return {
        "id": book,
        "name": name,
        "count": len(may),
        "entries": may[:SHOWN_OF_A_GAME],
        "more": max(0, len(may) - SHOWN_OF_A_GAME),
        "barred": [(each, _why(each)) for each in may_not[:SHOWN_OF_A_GAME]],
        "more_barred": max(0, len(may_not) - SHOWN_OF_A_GAME),
    }


WHY_NOT = {
    roster.Why.SUSPENDED: gettext_lazy("the certificate is suspended"),
    roster.Why.WITHDRAWN: gettext_lazy("the certificate was withdrawn"),
    roster.Why.REDUCED: gettext_lazy("it was removed from the certificate"),
    roster.Why.EXPIRED: gettext_lazy("the certificate ended on %(day)s"),
    roster.Why.NOT_YET: gettext_lazy("the certificate begins on %(day)s"),
    roster.Why.LEFT: gettext_lazy("no longer works here; last day %(day)s"),
    roster.Why.NOT_JOINED: gettext_lazy("starts work here on %(day)s"),
}


def _why(barred: roster.Barred) -> str:
    day = date_format(barred.day, "SHORT_DATE_FORMAT") if barred.day else ""
    return str(WHY_NOT[barred.why]) % {"day": day}


@allow(Role.HR, readers=[Role.AUDITOR])
@require_safe
def tonight_csv(request: HttpRequest) -> HttpResponseBase:
    form, on, filters = _asked(request)
    if form.errors:  # the full list must not pass for a filtered one
        return tonight(request)
    return _download(csv_pieces(table(Export.What.ROSTER, filters, on)), "csv", on)


@allow(Role.HR, readers=[Role.AUDITOR])
@require_safe
def tonight_json(request: HttpRequest) -> HttpResponseBase:
    form, on, filters = _asked(request)
    if form.errors:
        return tonight(request)
    return _download(json_pieces(table(Export.What.ROSTER, filters, on)), "json", on)


def _download(pieces: Iterable[str | bytes], kind: str, on: date) -> StreamingHttpResponse:
    types = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
    headers = {"Content-Disposition": f'attachment; filename="may-deal-{on.isoformat()}.{kind}"'}
    return StreamingHttpResponse(pieces, content_type=types[kind], headers=headers)
