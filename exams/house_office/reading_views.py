"""Pages for how the house reads the open questions of a rulebook."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from exams.house_office import rulings
from exams.house_office.reading_forms import AdoptForm
from rules_engine import RULEBOOKS, Rulebook
from rules_engine.law import Reading
from rules_engine.narration import book_name, printed
from training.house.models import HouseRuling
from training.people import second_signature
from training.people.access import allow
from training.people.models import User
from training.people.request import language, person
from training.people.second_signature import Asked
from training.platform.errors import Unfit


@dataclass(frozen=True)
class Open:
    """An open question with its articles, the house's rulings on it, and the form to decide."""

    reading: Reading
    articles: list[tuple[str, str]]
    held: bool
    ruling: HouseRuling | None
    former: list[HouseRuling]
    form: AdoptForm | None
    may_sign: bool
    why_not: str  # why this person cannot sign the pending ruling

    @property
    def read_so(self) -> str:
        return self.reading.told(self.ruling.choice if self.ruling else "")


@allow(*rulings.DECIDERS)
@require_safe
def house_readings(request: HttpRequest, book_id: str) -> HttpResponse:
    """Every open question of a rulebook and how it is read."""
    return _page(request, found_book(book_id))


@allow(*rulings.DECIDERS)
@require_POST
def adopt_reading(request: HttpRequest, book_id: str, question: str) -> HttpResponse:
    book = found_book(book_id)
    if question not in book.open_questions:
        raise Http404
    form = AdoptForm(request.POST, reading=book.game.readings(language())[question])
    if form.is_valid():
        try:
            rulings.adopt(by=person(request), rulebook=book.id, question=question, **form.cleaned_data)
        except Unfit as unfit:
            form.add_error(unfit.field, str(unfit))
        else:
            messages.success(
                request, _("Recorded: practice follows it from now on. Exams follow it once a second person signs.")
            )
            return redirect("house_readings", book.id)
    return _page(request, book, {question: form}, status=422)


@allow(*rulings.DECIDERS)
@require_POST
def sign_reading(request: HttpRequest, ruling_id: int) -> HttpResponse:
    found = rulings.sign(ruling_id, person(request))
    messages.success(request, _("Signed: exams follow it from now on."))
    return redirect(_list_of(found), found.rulebook)


@allow(*rulings.DECIDERS)
@require_POST
def withdraw_reading(request: HttpRequest, ruling_id: int) -> HttpResponse:
    found = rulings.withdraw(ruling_id, person(request), request.POST.get("reason", ""))
    messages.success(request, _("Withdrawn. What was asked before keeps the reading it was asked under."))
    return redirect(_list_of(found), found.rulebook)


def _list_of(ruling: HouseRuling) -> str:
    return "house_procedures" if ruling.is_procedure else "house_readings"


def found_book(book_id: str) -> Rulebook:
    if book_id not in RULEBOOKS:
        raise Http404
    return RULEBOOKS[book_id]


def _page(
    request: HttpRequest, book: Rulebook, forms: dict[str, AdoptForm] | None = None, status: int = 200
) -> HttpResponse:
    spoken = language()
    context = {
        "id": book.id,
        "name": book_name(book.id, spoken),
        "open": _questions(book, spoken, person(request), forms or {}),
    }
    return render(request, "house/readings.html", context, status=status)


def _questions(book: Rulebook, spoken: str, reader: User, forms: dict[str, AdoptForm]) -> list[Open]:
    readings = book.game.readings(spoken)
    kept = HouseRuling.objects.filter(rulebook=book.id).select_related("recorded_by", "signed_by").order_by("-pk")
    refused = second_signature.refused(reader, [Asked(one.recorded_by_id, one.recorded_at) for one in kept])
    found = []
    for question in book.open_questions:
        rows = [row for row in book.law.clauses.values() if row.reading == question]
        own = [ruling for ruling in kept if ruling.question == question]
        ruling = next((one for one in own if one.withdrawn_at is None), None)
        reading, waits = readings[question], ruling if ruling and not ruling.signed_by_id else None
        why = refused.get(Asked(waits.recorded_by_id, waits.recorded_at)) if waits else None
        found.append(
            Open(
                reading=reading,
                articles=printed((row.cite for row in rows), book, spoken),
                held=any(row.hold for row in rows),
                ruling=ruling,
                former=[one for one in own if one.withdrawn_at is not None],
                form=None if ruling else forms.get(question) or AdoptForm(reading=reading),
                may_sign=bool(waits and not why),
                why_not=second_signature.told(why, waits.recorded_by.name) if waits and why else "",
            )
        )
    return found
