"""Pages for the procedures of the house where a rulebook is silent."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from exams.house_office import rulings
from exams.house_office.reading_forms import ProcedureForm
from exams.house_office.ruling_views import Held, adopted, found_book, held_by_question
from rules_engine import Rulebook
from rules_engine.law import Reading
from rules_engine.narration import book_name
from training.house.models import HouseRuling
from training.house.readings import on_record, reasons, short_options, silence
from training.people.access import allow
from training.people.models import User
from training.people.request import language, person


@dataclass(frozen=True)
class Silent:
    """What a rulebook is silent about, the procedure of the house, and the form to adopt one.

    `options` are the decisions in a few words, each with its reason; the form has them in full.
    """

    silence: Reading
    left_open: str
    options: list[tuple[str, str]]
    held: Held
    form: ProcedureForm | None

    @property
    def told(self) -> str:
        return self.silence.told(self.held.choice)

    @property
    def former(self) -> list[tuple[HouseRuling, str]]:
        return [(one, self.silence.told(one.choice)) for one in self.held.former]


@allow(*rulings.DECIDERS)
@require_safe
def house_procedures(request: HttpRequest, book_id: str) -> HttpResponse:
    """Everything that a rulebook leaves open, and what the house does."""
    return _page(request, found_book(request, book_id))


@allow(*rulings.DECIDERS)
@require_POST
def adopt_procedure(request: HttpRequest, book_id: str, kind: str) -> HttpResponse:
    book = found_book(request, book_id)
    if kind not in book.silences:
        raise Http404
    form = ProcedureForm(request.POST, silence=silence(book, kind, language()))
    said = _("Procedure %(number)d is adopted: practice follows it. Exams follow it once a second person signs.")
    done = adopted(
        request,
        form,
        lambda: rulings.adopt_procedure(by=person(request), rulebook=book.id, kind=kind, **form.cleaned_data),
        lambda found: said % {"number": found.number},
    )
    return done or _page(request, book, {kind: form}, status=422)


def _page(
    request: HttpRequest, book: Rulebook, forms: dict[str, ProcedureForm] | None = None, status: int = 200
) -> HttpResponse:
    spoken = language()
    context = {
        "id": book.id,
        "name": book_name(book.id, spoken),
        "silences": _silences(book, spoken, person(request), forms or {}),
    }
    return render(request, "house/procedures.html", context, status=status)


def _silences(book: Rulebook, spoken: str, reader: User, forms: dict[str, ProcedureForm]) -> list[Silent]:
    kept = on_record(HouseRuling.objects.filter(rulebook=book.id, number__isnull=False)).order_by("-pk")
    by_question = held_by_question(kept, reader)
    found = []
    for kind in book.silences:
        told, because, held = silence(book, kind, spoken), reasons(book, kind, spoken), by_question.get(kind, Held())
        found.append(
            Silent(
                silence=told,
                left_open=book.game.left_open(kind, spoken),
                options=[(short, because[option]) for option, short in short_options(book, kind, spoken).items()],
                held=held,
                form=None if held.ruling else forms.get(kind) or ProcedureForm(silence=told),
            )
        )
    return found
