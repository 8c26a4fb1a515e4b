"""Moving the running counts forward, and counting everything again from the marks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection, models, transaction

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
    topic = {"trainee": counted.trainee.pk, "rulebook": counted.rulebook, "topic": counted.topic}
    add(TopicTally, [topic], base, latest={"last_at": counted.at})
    add(DayTally, [{"trainee": counted.trainee.pk, "day": counted.day}], base)
    add(RuleTally, [{"rulebook": counted.rulebook, "cite": cite} for cite in sorted(set(counted.cites))], base)
    add(ItemTally, [{"item": counted.item}], base | _sums(counted.share, ability))
    add(WrongAnswer, list(_wrong(counted)), {"times": 1})


def _wrong(counted: Counted) -> Iterator[dict[str, Any]]:
    for part in sorted(counted.mark.parts, key=lambda part: part.key):
        if not part.correct:
            given = str(part.given if part.given is not None else "")[:LONGEST_GIVEN].strip().lower()
            yield {"item": counted.item, "question": part.key, "given": given}


def ability_before(trainee: User) -> float | None:
    """The part of all points that a trainee has got so far; nothing is known of a newcomer."""
    with (
        connection.cursor() as cursor
    ):  # asked for every mark: the ORM takes longer to write it than the database to sum
        cursor.execute("SELECT sum(points), sum(of) FROM figures_topictally WHERE trainee_id = %s", [trainee.pk])
        points, of = cursor.fetchone()
    return points / of if of else None


def _sums(share: float, ability: float | None) -> dict[str, float | int]:
    """What the correlation needs. A newcomer's first answer says nothing about how the item goes with ability."""
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


def add(
    model: type[models.Model],
    keys: Sequence[Mapping[str, Any]],
    amounts: Mapping[str, float | int],
    *,
    latest: Mapping[str, Any] | None = None,
) -> None:
    """Add amounts to the row of every key, making the row where there is none; right also when two do it at once.

    One statement for all rows: the ORM would need two and a savepoint for each, and takes most of the time of a mark.
    """
    if not keys:
        return
    shared = {**amounts, **(latest or {})}
    fields = [model._meta.get_field(name) for name in (*keys[0], *shared)]
    values = [
        field.get_db_prep_save(value, connection)  # type: ignore[union-attr]
        for key in keys
        for field, value in zip(fields, (*key.values(), *shared.values()), strict=True)
    ]
    with connection.cursor() as cursor:
        cursor.execute(_statement(model, tuple(keys[0]), tuple(amounts), tuple(latest or ()), len(keys)), values)


@cache
def _statement(
    model: type[models.Model], key: tuple[str, ...], amounts: tuple[str, ...], latest: tuple[str, ...], rows: int
) -> str:
    def column(name: str) -> str:
        return connection.ops.quote_name(str(model._meta.get_field(name).column))  # type: ignore[union-attr]

    table = connection.ops.quote_name(model._meta.db_table)
    names = [column(name) for name in (*key, *amounts, *latest)]
    row = f"({', '.join(['%s'] * len(names))})"
    steps = [f"{column(name)} = {table}.{column(name)} + excluded.{column(name)}" for name in amounts]
    steps += [f"{column(name)} = excluded.{column(name)}" for name in latest]
    return (
        f"INSERT INTO {table} ({', '.join(names)}) VALUES {', '.join([row] * rows)} "  # noqa: S608 (names of our own models)
        f"ON CONFLICT ({', '.join(map(column, key))}) DO UPDATE SET {', '.join(steps)}"
    )


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
