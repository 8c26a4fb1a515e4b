"""Queries for the pages about appeals."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F, Q, QuerySet

from exams.appeals.models import Appeal
from exams.records.models import ExamItem, FormItem, Sitting
from exams.results.models import Mark
from training.people.models import User

CONTEXT = ("form_item__item__version", "form_item__form__candidate__session__programme_version__programme", "mark")


def own_appeals(person: User) -> QuerySet[Appeal]:
    return Appeal.objects.filter(appellant=person).select_related(*CONTEXT).order_by("-number")


def contested_sittings() -> QuerySet[Sitting]:
    """Sittings with a pending appeal, or with an item of an upheld appeal not carried out yet."""
    upheld = Appeal.objects.filter(state=Appeal.State.UPHELD, carried_out_at=None).values("form_item__item")
    items = FormItem.objects.filter(Q(appeal__state=Appeal.State.LODGED) | Q(item__in=upheld))
    return Sitting.objects.filter(candidate__in=items.values("form__candidate"))


def own_items(person: User) -> QuerySet[FormItem]:
    """The items of the person's own papers."""
    found = FormItem.objects.select_related("item__version", "form__candidate__session__programme_version__programme")
    return found.filter(form__candidate__person=person)


@dataclass(frozen=True)
class RegisterFilter:
    """The filters of the register."""

    state: str = ""
    programme: UUID | None = None
    overdue: bool = False


def register(asked: RegisterFilter, now: datetime) -> QuerySet[Appeal]:
    """All appeals: pending ones first, by urgency, then the latest."""
    found = Appeal.objects.select_related(*CONTEXT)
    if asked.state in Appeal.State.values:
        found = found.filter(state=asked.state)
    if asked.programme:
        found = found.filter(form_item__form__candidate__session__programme_version__programme=asked.programme)
    if asked.overdue:
        found = found.filter(state=Appeal.State.LODGED, decide_by__lt=now)
    undecided_first = F("decided_at").desc(nulls_first=True)
    return found.order_by(undecided_first, "decide_by", "-number")


@dataclass(frozen=True)
class Spread:
    """How many had an item, how many got full points, and how many other appeals contest it."""

    had: int
    full: int
    others: int


def spread(item: ExamItem, contested: Appeal) -> Spread:
    marks = Mark.objects.filter(
        form_item__item=item, in_force=True, form_item__form__candidate__sitting__annulled_at=None
    )
    others = Appeal.objects.filter(form_item__item=item).exclude(pk=contested.pk)
    return Spread(marks.count(), marks.filter(points=F("of")).count(), others.count())
