"""Figures from the running counts: of items, and of the days of a trainee."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from math import sqrt
from typing import NamedTuple

from django.db.models import ExpressionWrapper, F, FloatField, Q, QuerySet
from django.db.models.functions import NullIf

from training.figures.models import DayTally, ItemTally, WrongAnswer
from training.people.models import User

ENOUGH = 30  # fewer answers say more about chance than about the item
SHOWN_WRONG = 3
LEAST_DISCRIMINATION = 0.1  # below that an item does not separate good candidates from weak ones


class TalliedDay(NamedTuple):
    """What a trainee did on one day."""

    day: date
    answers: int = 0
    points: int = 0
    of: int = 0
    seconds: int = 0


def last_tallies(trainee: User, last: date, count: int) -> list[TalliedDay]:
    """The last days with answers, up to `last`, newest first."""
    found = DayTally.objects.filter(trainee=trainee, day__lte=last).order_by("-day")
    return [TalliedDay(*row) for row in found.values_list(*TalliedDay._fields)[:count]]


@dataclass(frozen=True)
class ItemFigures:
    """The figures of an item. `facility` and `discrimination` are None if there are too few answers."""

    item: str
    answers: int
    facility: float | None
    discrimination: float | None
    mean_seconds: float
    wrong: list[WrongAnswer]

    @property
    def tells_little(self) -> bool:
        return self.discrimination is not None and self.discrimination < LEAST_DISCRIMINATION


def items(*, rulebook: str = "", versions: Iterable[str] = (), sort: str = "-answers") -> QuerySet[ItemTally]:
    """The items sorted by `answers`, `facility` or `time`, with a minus for descending.

    `versions` are the keys of the versions of the rulebook, since their keys do not contain it.
    """
    found = ItemTally.objects.annotate(
        facility=ExpressionWrapper(F("points") * 1.0 / NullIf(F("of"), 0), output_field=FloatField()),
        time=ExpressionWrapper(F("seconds") * 1.0 / NullIf(F("answers"), 0), output_field=FloatField()),
    )
    if rulebook:
        found = found.filter(Q(item__startswith=f"{rulebook}/") | Q(item__in=list(versions)))
    return found.order_by(sort, "item")


def figures_of(tallies: list[ItemTally]) -> list[ItemFigures]:
    """The figures of these items, with one query for the wrong answers."""
    wrong: defaultdict[str, list[WrongAnswer]] = defaultdict(list)
    answers = WrongAnswer.objects.filter(item__in=[tally.item for tally in tallies]).order_by("item", "-times")
    for answer in answers:
        if len(wrong[answer.item]) < SHOWN_WRONG:
            wrong[answer.item].append(answer)
    return [
        ItemFigures(
            item=tally.item,
            answers=tally.answers,
            facility=tally.points / tally.of if tally.of and tally.answers >= ENOUGH else None,
            discrimination=discrimination(tally) if tally.compared >= ENOUGH else None,
            mean_seconds=tally.seconds / tally.answers if tally.answers else 0,
            wrong=wrong[tally.item],
        )
        for tally in tallies
    ]


def discrimination(tally: ItemTally) -> float | None:
    """The correlation of the item's share of points with the trainees' earlier results; None if nothing varies."""
    n = tally.compared
    spread_share = n * tally.share_squares - tally.share_sum**2
    spread_ability = n * tally.ability_squares - tally.ability_sum**2
    if n < 2 or spread_share <= 1e-12 or spread_ability <= 1e-12:
        return None
    return (n * tally.product_sum - tally.share_sum * tally.ability_sum) / sqrt(spread_share * spread_ability)
