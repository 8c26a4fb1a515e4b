"""What the pages of readings and of procedures share: adopting, signing and withdrawing a ruling of the house."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exams.house_office import rulings
from rules_engine import RULEBOOKS, Rulebook
from training.house.models import HouseRuling
from training.people import second_signature
from training.people.access import allow
from training.people.models import User
from training.people.request import about, person
from training.people.second_signature import Asked
from training.platform.errors import Unfit


@dataclass(frozen=True)
class Held:
    """The rulings of the house on one question, and what the reader may do with the one in force."""

    ruling: HouseRuling | None = None
    former: list[HouseRuling] = field(default_factory=list)
    may_sign: bool = False
    why_not: str = ""  # why this reader cannot be the second person

    @property
    def choice(self) -> str:
        return self.ruling.choice if self.ruling else ""


def found_book(request: HttpRequest, book_id: str) -> Rulebook:
    if book_id not in RULEBOOKS:
        raise Http404
    about(request, book_id)
    return RULEBOOKS[book_id]


def held_by_question(rulings_of_house: Iterable[HouseRuling], reader: User) -> dict[str, Held]:
    """The rulings by question. Those given are the newest first."""
    by_question: dict[str, list[HouseRuling]] = {}
    for ruling in rulings_of_house:
        by_question.setdefault(ruling.question, []).append(ruling)
    in_force = {key: one for key, own in by_question.items() for one in own if one.withdrawn_at is None}
    waiting = {key: first for key, one in in_force.items() if (first := one.first_signature)}
    refused = second_signature.refused(reader, [Asked(first.by, first.at) for first in waiting.values()])
    found = {}
    for key, own in by_question.items():
        first = waiting.get(key)
        why = refused.get(Asked(first.by, first.at)) if first else None
        found[key] = Held(
            ruling=in_force.get(key),
            former=[one for one in own if one.withdrawn_at is not None],
            may_sign=bool(first and not why),
            why_not=second_signature.told(why, first.name) if first and why else "",
        )
    return found


def adopted(
    request: HttpRequest,
    form: forms.Form,
    adopt: Callable[[], HouseRuling],
    said: Callable[[HouseRuling], str],
) -> HttpResponse | None:
    """Adopt what the form says and go back to the list, or None if the form has errors to show."""
    if not form.is_valid():
        return None
    try:
        found = adopt()
    except Unfit as unfit:
        form.add_error(unfit.field, str(unfit))
        return None
    return _done(request, found, said(found))


@allow(*rulings.DECIDERS)
@require_POST
def sign_reading(request: HttpRequest, ruling_id: int) -> HttpResponse:
    found = rulings.sign(ruling_id, person(request))
    return _done(request, found, _("Signed: exams follow it from now on."))


@allow(*rulings.DECIDERS)
@require_POST
def withdraw_reading(request: HttpRequest, ruling_id: int) -> HttpResponse:
    found = rulings.withdraw(ruling_id, person(request), request.POST.get("reason", ""))
    waits = _("You have signed the withdrawal. It stays in force until a second person signs it too.")
    return _done(request, found, waits if found.withdrawal_waits else _withdrawn())


@allow(*rulings.DECIDERS)
@require_POST
def sign_withdrawal(request: HttpRequest, ruling_id: int) -> HttpResponse:
    return _done(request, rulings.sign_withdrawal(ruling_id, person(request)), _withdrawn())


@allow(*rulings.DECIDERS)
@require_POST
def keep_reading(request: HttpRequest, ruling_id: int) -> HttpResponse:
    return _done(request, rulings.keep(ruling_id, person(request)), _("It stays in force."))


def _withdrawn() -> str:
    return _("Withdrawn. What was asked before keeps the reading it was asked under.")


def _done(request: HttpRequest, found: HouseRuling, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect("house_procedures" if found.is_procedure else "house_readings", found.rulebook)
