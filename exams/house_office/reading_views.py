"""Pages for how the house reads the open questions of a rulebook."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from exams.house_office import rulings
from exams.house_office.reading_forms import AdoptForm
from exams.house_office.ruling_views import Held, adopted, found_book, held_by_question
from rules_engine import Rulebook
from rules_engine.law import Reading
from rules_engine.narration import book_name, printed
from training.house.models import HouseRuling
from training.house.readings import on_record
from training.people.access import allow
from training.people.models import User
from training.people.request import language, person


@dataclass(frozen=True)
class Open:
    """An open question with its articles, the house's rulings on it, and the form to decide."""

    reading: Reading
    articles: list[tuple[str, str]]
    on_hold: bool
    held: Held
    form: AdoptForm | None

    @property
    def read_so(self) -> str:
        return self.reading.told(self.held.choice)


@allow(*rulings.DECIDERS)
@require_safe
def house_readings(request: HttpRequest, book_id: str) -> HttpResponse:
    """Every open question of a rulebook and how it is read."""
    return _page(request, found_book(request, book_id))


@allow(*rulings.DECIDERS)
@require_POST
def adopt_reading(request: HttpRequest, book_id: str, question: str) -> HttpResponse:
    book = found_book(request, book_id)
    if question not in book.open_questions:
        raise Http404
    form = AdoptForm(request.POST, reading=book.game.readings(language())[question])
    done = adopted(
        request,
        form,
        lambda: rulings.adopt(by=person(request), rulebook=book.id, question=question, **form.cleaned_data),
        lambda _found: _("Recorded: practice follows it from now on. Exams follow it once a second person signs."),
    )
    return done or _page(request, book, {question: form}, status=422)


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
    kept = on_record(HouseRuling.objects.filter(rulebook=book.id, number__isnull=True)).order_by("-pk")
    by_question = held_by_question(kept, reader)
    found = []
    for question in book.open_questions:
        rows = [row for row in book.law.clauses.values() if row.reading == question]
        held, reading = by_question.get(question, Held()), readings[question]
        found.append(
            Open(
                reading=reading,
                articles=printed((row.cite for row in rows), book, spoken),
                on_hold=any(row.hold for row in rows),
                held=held,
                form=None if held.ruling else forms.get(question) or AdoptForm(reading=reading),
            )
        )
    return found
