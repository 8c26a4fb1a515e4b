"""Pages for the tables of the house."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.house_office import tables as acts
from exams.house_office.ruling_views import found_book
from exams.house_office.rulings import DECIDERS
from exams.house_office.table_forms import TableForm
from rules_engine import RULEBOOKS, Rulebook, Table
from rules_engine.narration import book_name, books_by_game, table_name
from rules_engine.words import money
from training.drawing.chip_designs import symbol
from training.drawing.chips import RADIUS, Chip, kit_of, printed
from training.house import tables
from training.house.models import HouseTable
from training.people.access import allow
from training.people.request import by_htmx, language, person
from training.platform.errors import Refused

DRAW = "draw"


@allow(*DECIDERS)
@require_safe
def house_tables(request: HttpRequest) -> HttpResponse:
    """The tables of the house by game and rulebook, with those that come with the rulebooks."""
    spoken = language()
    listed = tables.listed_by_book(RULEBOOKS)
    games = [
        (game, [(id, name, [_shown(one, id, listed[id]) for one in listed[id]]) for id, name in books])
        for game, books in books_by_game(spoken)
    ]
    return render(request, "house/tables.html", {"games": games, "symbols": _symbols(listed)})


@allow(*DECIDERS)
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest, book_id: str) -> HttpResponse:
    """Set up a table, starting from a copy of another one."""
    book, offered = found_book(request, book_id), tables.listed(book_id)
    wanted = request.GET.get("like", "")
    like = next((one.table for one in offered if one.key == wanted), book.usual_tables[0])
    first = not any(one.own for one in offered)
    form = TableForm(request.POST if request.method == "POST" else None, book=book, like=like, first=first)
    if request.method == "POST" and not _draws(request) and form.is_valid():
        alone = bool(form.cleaned_data.get("alone"))
        if _kept(form, by=person(request), rulebook=book.id, alone=alone):
            messages.success(request, _("The table is set up. Practice uses it from now on."))
            return redirect("house_tables")
    return _page(request, book, form)


@allow(*DECIDERS)
@require_http_methods(["GET", "HEAD", "POST"])
def house_table(request: HttpRequest, table_id: int) -> HttpResponse:
    """Change a table of the house."""
    row = HouseTable.objects.filter(pk=table_id, shipped=False).first()
    found = row and next((one for one in tables.listed(row.rulebook) if one.row == row), None)
    if row is None or not found or row.rulebook not in RULEBOOKS:
        raise Http404
    book = found_book(request, row.rulebook)
    form = TableForm(request.POST if request.method == "POST" else None, book=book, like=found.table, row=row)
    if (
        request.method == "POST"
        and not _draws(request)
        and form.is_valid()
        and _kept(form, by=person(request), table_id=row.pk, seen=_seen(form))
    ):
        messages.success(request, _("The table is changed. Cases and programmes keep the table they were made with."))
        return redirect("house_tables")
    return _page(request, book, form, row)


@allow(*DECIDERS)
@require_POST
def switch_table(request: HttpRequest, book_id: str) -> HttpResponse:
    """Take a table into use or out of it."""
    active = request.POST.get("active") == "yes"
    found = acts.switch(person(request), found_book(request, book_id).id, request.POST.get("key", ""), active=active)
    said = _("“%(table)s” is in use.") if active else _("“%(table)s” is not in use any more.")
    messages.success(request, said % {"table": table_name(found.table, language())})
    return redirect("house_tables")


@allow(*DECIDERS)
@require_POST
def move_table(request: HttpRequest, table_id: int) -> HttpResponse:
    acts.move_up(table_id, person(request))
    return redirect("house_tables")


def _draws(request: HttpRequest) -> bool:
    return request.POST.get("do") == DRAW


def _seen(form: TableForm) -> datetime:
    try:
        return datetime.fromisoformat(form.cleaned_data["seen"])
    except ValueError:
        raise Refused(_("Reload the page: the form does not say which table it belongs to.")) from None


def _kept(form: TableForm, *, table_id: int | None = None, **known: Any) -> bool:
    """Save the table; if that is refused, say so in the form."""
    try:
        if table_id is None:
            acts.add(settings=form.settings(), **known)
        else:
            acts.change(table_id, settings=form.settings(), **known)
    except acts.UnfitSettings as unfit:
        form.report(unfit.place, str(unfit))
    except Refused as refusal:
        form.add_error(None, str(refusal))
    else:
        return True
    return False


def _page(request: HttpRequest, book: Rulebook, form: TableForm, row: HouseTable | None = None) -> HttpResponse:
    posted = request.method == "POST"
    context = {
        "id": book.id,
        "book": book_name(book.id, language()),
        "form": form,
        "row": row,
        "chips": [_chip(value, design) for value, design in form.drawn()],
        "symbols": SafeString("".join(symbol(design) for design in sorted({one for _value, one in form.drawn()}))),
        "wrong": posted and not _draws(request),
    }
    if by_htmx(request) and _draws(request):
        return render(request, "house/table_chips.html", context)
    return render(request, "house/table.html", context, status=422 if posted and not _draws(request) else 200)


def _shown(one: tables.Offered, book_id: str, listed: list[tables.Offered]) -> dict[str, Any]:
    """A table in the list: what it is called, its least bet and its chips."""
    used = {each.key for each in tables.used(listed)}
    return {
        "key": one.key,
        "own": one.own,
        "row": one.row,
        "name": table_name(one.table, language()),
        "historical": one.table.historical,
        "active": one.active,
        "in_use": one.key in used,
        "minimum": money(one.table.minimum, one.table.currency, language()),
        "chips": _chips(one.table),
    }


def _chips(table: Table) -> list[SafeString]:
    """The chips of a table, the smallest first, each as SVG."""
    return [_chip(value, design) for value, design in sorted(kit_of(table).paint)]


def _chip(value: int, design: str) -> SafeString:
    return SafeString(Chip(design, 0, 0, RADIUS, printed(value)).svg())


def _symbols(listed: dict[str, list[tables.Offered]]) -> SafeString:
    """The symbols of all chips on the page, each once."""
    used = {design for offered in listed.values() for one in offered for _value, design in kit_of(one.table).paint}
    return SafeString("".join(map(symbol, sorted(used))))
