"""Updates the running counts after a mark, and rebuilds them from all marks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models, transaction

from rules_engine import Mark
from training.figures.models import DayTally, ItemTally, RuleTally, TopicTally, WrongAnswer
from training.people.models import User
from training.platform.statements import Rows, Statement, column, insert, run

LONGEST_GIVEN = 300


@dataclass(frozen=True)
class Counted:
    """What is counted of one mark. `item` is the key of the library version or the kind of generated scenario.

    What is no `practice`, such as a placement test, takes nothing from the minutes of its day.
    """

    trainee: User
    rulebook: str
    topic: str
    item: str
    cites: tuple[str, ...]
    mark: Mark
    seconds: int
    at: datetime
    practice: bool = True

    @property
    def share(self) -> float:
        return self.mark.points / self.mark.of if self.mark.of else 0.0

    @property
    def day(self) -> date:
        """The day on the trainee's own calendar."""
        return self.at.astimezone(ZoneInfo(self.trainee.time_zone)).date()


def count(counted: Counted) -> None:
    """Count one mark. Called once for each mark, in its transaction."""
    run(counts(counted, run([asking(counted.trainee)])))


def counts(counted: Counted, found: Rows) -> list[Statement]:
    """The statements that count one mark. `found` are the rows of `asking`.

    Rows that trainees share come last and in a fixed order, so that two workers cannot deadlock.
    """
    ability = _ability(found)
    base: dict[str, float | int] = {
        "answers": 1,
        "perfect": int(counted.mark.perfect),
        "points": counted.mark.points,
        "of": counted.mark.of,
        "seconds": counted.seconds,
    }
    topic = {"trainee": counted.trainee.pk, "rulebook": counted.rulebook, "topic": counted.topic}
    rules = [{"rulebook": counted.rulebook, "cite": cite} for cite in sorted(set(counted.cites))]
    wrong = list(_wrong(counted))
    return [
        added(TopicTally, [topic], base, latest={"last_at": counted.at}),
        *([added(DayTally, [{"trainee": counted.trainee.pk, "day": counted.day}], base)] if counted.practice else []),
        *([added(RuleTally, rules, base)] if rules else []),
        added(ItemTally, [{"item": counted.item}], base | _sums(counted.share, ability)),
        *([added(WrongAnswer, wrong, {"times": 1})] if wrong else []),
    ]


def _wrong(counted: Counted) -> Iterator[dict[str, Any]]:
    for part in sorted(counted.mark.parts, key=lambda part: part.key):
        if not part.correct:
            given = str(part.given if part.given is not None else "")[:LONGEST_GIVEN].strip().lower()
            yield {"item": counted.item, "question": part.key, "given": given}


def asking(trainee: User) -> Statement:
    """The statement that reads a trainee's points so far."""
    return Statement("SELECT sum(points), sum(of) FROM figures_topictally WHERE trainee_id = %s", [trainee.pk])


def _ability(found: Rows) -> float | None:
    """A trainee's share of all points so far; None without any answers."""
    ((points, of),) = found
    return points / of if of else None


def _sums(share: float, ability: float | None) -> dict[str, float | int]:
    """The sums for the correlation. Without a known ability the answer does not count."""
    known = ability is not None
    compared, ability = (share, ability) if ability is not None else (0.0, 0.0)
    return {
        "compared": int(known),
        "share_sum": compared,
        "share_squares": compared * compared,
        "ability_sum": ability,
        "ability_squares": ability * ability,
        "product_sum": compared * ability,
    }


def added(
    model: type[models.Model],
    keys: Sequence[Mapping[str, Any]],
    amounts: Mapping[str, float | int],
    *,
    latest: Mapping[str, Any] | None = None,
) -> Statement:
    """A statement that adds amounts to the row of every key, or creates it; safe against concurrent writers."""
    shared = {**amounts, **(latest or {})}
    then = _adding(model, tuple(keys[0]), tuple(amounts), tuple(latest or ()))
    return insert(model, [{**key, **shared} for key in keys], then)


@cache
def _adding(model: type[models.Model], key: tuple[str, ...], amounts: tuple[str, ...], latest: tuple[str, ...]) -> str:
    table = model._meta.db_table
    named = {name: column(model, name) for name in (*key, *amounts, *latest)}
    steps = [f"{named[name]} = {table}.{named[name]} + excluded.{named[name]}" for name in amounts]
    steps += [f"{named[name]} = excluded.{named[name]}" for name in latest]
    return f"ON CONFLICT ({', '.join(named[name] for name in key)}) DO UPDATE SET {', '.join(steps)}"


@transaction.atomic
def recount(marks: Callable[[], Iterator[Counted]]) -> int:
    """Delete the counts and count every mark again, the oldest first. Returns how many."""
    for model in (TopicTally, DayTally, RuleTally, ItemTally, WrongAnswer):
        model._default_manager.all().delete()
    done = 0
    for counted in marks():
        count(counted)
        done += 1
    return done
