"""A trainee's plan for the day: fixed when the day begins, so that its length does not change while they practise.

A missed rule comes back once at the end. If the study plan changes, the rest of the day is planned again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.utils import timezone

from training.mastery.memory import Rule
from training.mastery.selectors import day_of
from training.people.models import User
from training.practice.models import Attempt, DayPlan, Drill

if TYPE_CHECKING:
    from training.practice.next_drill import Study, Today


class Answered(NamedTuple):
    """A scheduled drill answered today. `missed` is False while it has no mark."""

    drill_id: UUID
    rule: Rule
    missed: bool


@dataclass(frozen=True)
class Progress:
    """How far the trainee is with the day.

    `returning`: missed rules that come back. `extra`: answers beyond the plan.
    """

    total: int
    done: int
    returning: tuple[Rule, ...]
    left: tuple[Rule, ...]
    extra: int
    positions: dict[UUID, int]
    changed: str
    ended: bool

    @property
    def back(self) -> int:
        return len(self.returning)

    @property
    def complete(self) -> bool:
        return self.total > 0 and not self.left

    def at(self, drill: Drill) -> int:
        """The position of a drill in the day's plan, from 1; 0 if it is not part of it."""
        if drill.pk in self.positions:
            return self.positions[drill.pk]
        return self.done + 1 if Rule(drill.rulebook, drill.aim) in self.left else 0


def walk(planned: Sequence[Rule], answered: Iterable[Answered], changed: str = "", ended: bool = False) -> Progress:
    """Compare a plan with what was answered. Pure function."""
    left, back = Counter(planned), list[Rule]()
    done, extra, positions = 0, 0, dict[UUID, int]()
    for drill_id, rule, missed in answered:
        if not left[rule]:
            extra += 1
            continue
        left[rule] -= 1
        done += 1
        positions[drill_id] = done
        if missed and rule not in back:
            back.append(rule)
            left[rule] += 1
    waiting = [rule for rule in dict.fromkeys([*(rule for rule in planned if rule not in back), *back]) if left[rule]]
    return Progress(len(planned) + len(back), done, tuple(back), tuple(waiting), extra, positions, changed, ended)


# ---- the stored plan


def plan_of(trainee: User, now: datetime) -> DayPlan | None:
    return DayPlan.objects.filter(trainee=trainee, day=day_of(trainee, now)).first()


def fits(plan: DayPlan, study: Study) -> bool:
    return (plan.minutes, tuple(plan.rulebooks)) == (study.minutes, study.rulebooks)


def fix(trainee: User, study: Study, today: Today, now: datetime, first: Drill | None = None) -> DayPlan:
    """Store the plan of the day. `first` is a drill left open: it comes first and does not make the plan longer."""
    rules = list(today.agenda.today)
    if first:
        carried = Rule(first.rulebook, first.aim)
        rules = [carried, *(rule for rule in rules if rule != carried)][: max(1, len(rules))]
    plan, _created = DayPlan.objects.get_or_create(
        trainee=trainee, day=day_of(trainee, now), defaults=_facts(study, rules) | {"made_at": timezone.now()}
    )
    return plan


def change(plan: DayPlan, study: Study, today: Today) -> DayPlan:
    """Plan the rest of the day again for a new study plan, and mark the day as changed. Done rules stay."""
    done = [answered.rule for answered in _answered(plan)]
    kept = [rule for rule in rules_of(plan) if rule in done]
    for name, value in _facts(study, [*kept, *(rule for rule in today.agenda.today if rule not in kept)]).items():
        setattr(plan, name, value)
    plan.changed, plan.ended_at = DayPlan.Changed.STUDY, None
    plan.save()
    return plan


def replace_practised(plan: DayPlan, practised: Collection[Rule], instead: Iterable[Rule]) -> None:
    """Put the next rules in place of planned ones that another case of the day has already exercised, so that the day
    keeps its length. Missed rules that come back stay."""
    planned, found = rules_of(plan), progress(plan)
    covered = {rule for rule in found.left if rule in practised and rule not in found.returning}
    if not covered:
        return
    others = iter([rule for rule in instead if rule not in planned and rule not in practised])
    kept = [next(others, None) if rule in covered else rule for rule in planned]
    plan.rules = [[rule.rulebook, rule.cite] for rule in kept if rule]
    plan.save(update_fields=["rules"])


def rules_of(plan: DayPlan) -> list[Rule]:
    return [Rule(book, cite) for book, cite in plan.rules]


def progress(plan: DayPlan) -> Progress:
    return walk(rules_of(plan), _answered(plan), plan.changed, plan.ended_at is not None)


def finish(trainee: User, now: datetime) -> bool:
    """Whether the day has just been completed. True only once: afterwards the trainee may go on."""
    plan = plan_of(trainee, now)
    if plan is None or plan.ended_at or not progress(plan).complete:
        return False
    return bool(DayPlan.objects.filter(pk=plan.pk, ended_at=None).update(ended_at=timezone.now()))


def _facts(study: Study, rules: Iterable[Rule]) -> dict[str, object]:
    return {
        "minutes": study.minutes,
        "rulebooks": list(study.rulebooks),
        "rules": [[rule.rulebook, rule.cite] for rule in rules],
    }


def _answered(plan: DayPlan) -> list[Answered]:
    # A story counts once, with its first moment.
    since = Attempt.objects.filter(
        trainee=plan.trainee_id, submitted_at__gte=plan.made_at, drill__mode=Drill.Mode.SCHEDULED, drill__before=None
    )
    columns = ("drill_id", "drill__rulebook", "drill__aim", "mark__critical_missed")
    rows = since.order_by("submitted_at", "pk").values_list(*columns)
    return [Answered(drill_id, Rule(book, cite), bool(missed)) for drill_id, book, cite, missed in rows]


def head_of(drill: Drill, now: datetime) -> dict[str, Any]:
    """Template context with the progress of the day, for a scheduled drill; empty for any other."""
    plan = plan_of(drill.trainee, now) if drill.mode == Drill.Mode.SCHEDULED else None
    if plan is None:
        return {}
    found, first = progress(plan), drill
    while first.before is not None:
        first = first.before
    return {"day": found, "position": found.at(first)}
