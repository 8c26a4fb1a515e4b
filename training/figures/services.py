"""Moving the running counts forward, and counting everything again from the marks."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import IntegrityError, models, transaction
from django.db.models import F, Sum

from rules_engine import Mark
from training.figures.models import DayTally, ItemTally, RuleTally, TopicTally, WrongAnswer
from training.people.models import User

LONGEST_GIVEN = 300


@dataclass(frozen=True)
class Counted:
    """One mark, as far as counting goes. `item` names the library version or the kind of generated scenario."""

    trainee: User
    rulebook: str
    topic: str
    item: str
    cites: tuple[str, ...]
    mark: Mark
    seconds: int
    at: datetime

    @property
    def share(self) -> float:
        return self.mark.points / self.mark.of if self.mark.of else 0.0

    @property
    def day(self) -> date:
        """The day on the trainee's own calendar."""
        return self.at.astimezone(ZoneInfo(self.trainee.time_zone)).date()


def count(counted: Counted) -> None:
    """Count one mark, inside the transaction that gives it. Called once for each mark.

    Rows that many trainees share come last and in a fixed order, so that two workers never wait for one another.
    """
    ability = ability_before(counted.trainee)
    base: dict[str, float | int] = {
        "answers": 1,
        "perfect": int(counted.mark.perfect),
        "points": counted.mark.points,
        "of": counted.mark.of,
        "seconds": counted.seconds,
    }
    topic = {"trainee": counted.trainee, "rulebook": counted.rulebook, "topic": counted.topic}
    add(TopicTally, topic, base, latest={"last_at": counted.at})
    add(DayTally, {"trainee": counted.trainee, "day": counted.day}, base)
    for cite in sorted(set(counted.cites)):
        add(RuleTally, {"rulebook": counted.rulebook, "cite": cite}, base)
    add(ItemTally, {"item": counted.item}, base | _sums(counted.share, ability))
    for part in sorted(counted.mark.parts, key=lambda part: part.key):
        if not part.correct:
            given = str(part.given if part.given is not None else "")[:LONGEST_GIVEN].strip().lower()
            add(WrongAnswer, {"item": counted.item, "question": part.key, "given": given}, {"times": 1})


def ability_before(trainee: User) -> float | None:
    """The part of all points that a trainee has got so far; nothing is known of a newcomer."""
    sums = TopicTally.objects.filter(trainee=trainee).aggregate(points=Sum("points"), of=Sum("of"))
    return sums["points"] / sums["of"] if sums["of"] else None


def _sums(share: float, ability: float | None) -> dict[str, float | int]:
    """What the correlation needs. A newcomer's first answer says nothing about how the item goes with ability."""
    if ability is None:
        return {}
    return {
        "compared": 1,
        "share_sum": share,
        "share_squares": share * share,
        "ability_sum": ability,
        "ability_squares": ability * ability,
        "product_sum": share * ability,
    }


def add(
    model: type[models.Model],
    key: dict[str, Any],
    amounts: Mapping[str, float | int],
    *,
    latest: dict[str, Any] | None = None,
) -> None:
    """Add amounts to the row of a key, making the row where there is none; right also when two do it at once."""
    rows = model._default_manager.filter(**key)
    step = {name: F(name) + amount for name, amount in amounts.items()} | (latest or {})
    if rows.update(**step):
        return
    try:
        with transaction.atomic():
            model._default_manager.create(**key, **amounts, **(latest or {}))
    except IntegrityError:
        rows.update(**step)


@transaction.atomic
def recount(marks: Callable[[], Iterator[Counted]]) -> int:
    """Throw the counts away and count every mark again, oldest first."""
    for model in (TopicTally, DayTally, RuleTally, ItemTally, WrongAnswer):
        model._default_manager.all().delete()
    done = 0
    for counted in marks():
        count(counted)
        done += 1
    return done
