"""Pages for the procedures of the house where a rulebook is silent."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from exams.house_office import rulings
from exams.house_office.reading_forms import ProcedureForm
from exams.house_office.reading_views import found_book
from rules_engine import Rulebook
from rules_engine.law import Reading
from rules_engine.narration import book_name
from training.house.models import HouseRuling
from training.house.readings import on_record, reasons, silence
from training.people import second_signature
from training.people.access import allow
from training.people.models import User
from training.people.request import language, person
from training.people.second_signature import Asked
from training.platform.errors import Unfit


@dataclass(frozen=True)
class Silent:
    """What a rulebook is silent about, the procedure of the house, and the form to adopt one."""

    silence: Reading
    left_open: str
    options: list[tuple[str, str]]
    ruling: HouseRuling | None
    former: list[tuple[HouseRuling, str]]
    form: ProcedureForm | None
    may_sign: bool
    why_not: str  # why this person cannot sign the pending procedure

    @property
    def told(self) -> str:
        return self.silence.told(self.ruling.choice if self.ruling else "")


@allow(*rulings.DECIDERS)
@require_safe
def house_procedures(request: HttpRequest, book_id: str) -> HttpResponse:
    """Everything that a rulebook leaves open, and what the house does."""
    return _page(request, found_book(book_id))


@allow(*rulings.DECIDERS)
@require_POST
def adopt_procedure(request: HttpRequest, book_id: str, kind: str) -> HttpResponse:
    book = found_book(book_id)
    if kind not in book.silences:
        raise Http404
    form = _form(book, kind, language(), request)
    if form.is_valid():
        try:
            found = rulings.adopt_procedure(by=person(request), rulebook=book.id, kind=kind, **form.cleaned_data)
        except Unfit as unfit:
            form.add_error(unfit.field, str(unfit))
        else:
            said = _(
                "Procedure %(number)d is adopted: practice follows it. Exams follow it once a second person signs."
            )
            messages.success(request, said % {"number": found.number})
            return redirect("house_procedures", book.id)
    return _page(request, book, {kind: form}, status=422)


def _form(book: Rulebook, kind: str, spoken: str, request: HttpRequest | None = None) -> ProcedureForm:
    data = request.POST if request else None
    return ProcedureForm(data, silence=silence(book, kind, spoken))


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
    refused = second_signature.refused(reader, [Asked(one.recorded_by_id, one.recorded_at) for one in kept])
    found = []
    for kind in book.silences:
        own = [ruling for ruling in kept if ruling.question == kind]
        ruling = next((one for one in own if one.withdrawn_at is None), None)
        waits = ruling if ruling and not ruling.signed_by_id else None
        why = refused.get(Asked(waits.recorded_by_id, waits.recorded_at)) if waits else None
        told, because = silence(book, kind, spoken), reasons(book, kind, spoken)
        found.append(
            Silent(
                silence=told,
                left_open=book.game.left_open(kind, spoken),
                options=[(text, because[option]) for option, text in told.others.items()],
                ruling=ruling,
                former=[(one, told.told(one.choice)) for one in own if one.withdrawn_at is not None],
                form=None if ruling else forms.get(kind) or _form(book, kind, spoken),
                may_sign=bool(waits and not why),
                why_not=second_signature.told(why, waits.recorded_by.name) if waits and why else "",
            )
        )
    return found
