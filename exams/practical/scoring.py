"""What a candidate did at an exam table, counted: on screen from the stored acts, by the engine; in the room from what
the examiners settled."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from exams.practical import ticking
from exams.practical.models import ExamTable
from exams.practical.script import Scene
from exams.programmes.practical_part import CALLS, NOTICED, PAYMENTS, RULED, Practical
from rules_engine import encode, play
from training.live_table import planning, replaying

Share = tuple[Fraction, int]  # got, of


class Counted(Struct, frozen=True, kw_only=True):
    """Of each part how much was done, out of how much; missed faults that are critical; stops without a fault."""

    parts: dict[str, Share]
    critical_missed: int
    false_alarms: int


class NotReproduced(Exception):
    """The stored acts do not lead to the stored state."""


class Duties(Struct):
    """Duties kept, of how many, and everything that was done. Whoever tries everything keeps every duty, so what was
    done counts as the whole once it is more than what was due."""

    kept: int = 0
    of: int = 0
    done: int = 0

    def add(self, kept: int, of: int, done: int) -> None:
        self.kept, self.of, self.done = self.kept + kept, self.of + of, self.done + done

    def share(self, played: Fraction) -> Share:
        return self.kept * played, max(self.of, self.done)


def counted(table: ExamTable, part: Practical) -> Counted | None:
    """None at a real table whose examiners have not settled yet."""
    if table.in_room:
        settled = getattr(table, "settlement", None)
        return ticking.counted(scenes(table), settled.marked, part, table.book) if settled else None
    return _dealt(table, part)


def scenes(table: ExamTable) -> list[Scene]:
    return msgspec.convert(table.script, list[Scene])


# ---- on screen


def _dealt(table: ExamTable, part: Practical) -> Counted:
    """Count what was dealt. Coups and faults that were not reached before the end count as missed; every stop before
    anything was wrong is a false alarm."""
    planning.plan(table)  # nobody has, if the exam ended between two coups
    calls, payments = Duties(), Duties()
    state, last, alarms = play.begin(table.engine_setup)[0], None, 0
    for before, after in steps(table.engine_setup, table.acts.values_list("document", flat=True)):
        state = last = after
        alarms += before.stopped and (before.fault is None or before.at < before.fault)
        if (before.coup, before.at) != (after.coup, after.at) or after.over:
            _count(before, calls, payments)
    planning.plan(table)  # if it ended between two coups
    if last is not None and encode(state).decode() != table.state:
        raise NotReproduced(str(table.pk))
    calls.done = calls.kept + state.totals.needless
    played = Fraction(len(state.trials), part.coups)
    faults = len(state.placed) if state.over else part.count
    hits = [trial for trial in state.trials if trial.outcome == "hit"]
    ruled = sum((Fraction(one.points, one.of) for one in hits if one.named and one.of), Fraction(0))
    return Counted(
        parts={
            NOTICED: (Fraction(len(hits)), faults),
            RULED: (ruled, faults),
            CALLS: calls.share(played),
            PAYMENTS: payments.share(played),
        },
        critical_missed=_critical_missed(part, [trial.kind for trial in hits], state),
        false_alarms=alarms,
    )


def _critical_missed(part: Practical, noticed: list[str], state: play.State) -> int:
    """Critical faults that were met or planned and not noticed."""
    critical = {kind for line in part.faults if line.critical for kind in line.kinds}
    if state.over:
        return sum(trial.outcome == "miss" and trial.kind in critical for trial in state.trials)
    return max(0, sum(line.count for line in part.faults if line.critical) - sum(one in critical for one in noticed))


def steps(setup: play.Setup, documents: Iterable[Any]) -> Iterator[tuple[play.State, play.State]]:
    """Every act that reached the engine, as the states before and after it (`live_table.services` does the same)."""
    state, events = play.begin(setup)
    pending = len(events)
    for sent in documents:
        if sent["type"] == "halt":
            pending = 0
            continue
        done = play.decode_act(msgspec.json.encode(sent))
        if isinstance(done, play.CarryOn) and pending:
            pending -= 1
            continue
        before = replaying.stopped(state, done) if isinstance(done, play.Stop) else state
        rests = isinstance(done, play.CarryOn) and planning.ends_coup(before)
        state, events = play.act(before, play.Resume() if isinstance(done, play.Stop) else done)
        if isinstance(done, play.CarryOn | play.Stop):
            pending = max(0, pending + len(events) - (0 if rests else 1))
        yield before, state


def _count(state: play.State, calls: Duties, payments: Duties) -> None:
    """The duties of a moment that has ended, but for those that the text leaves open."""
    for number, duty in enumerate(state.moment.duties):
        if duty.payment is None and not duty.open:
            calls.add(number in state.kept, 1, 0)
    kept, owing = play.payments_kept(state)
    payments.add(kept, owing, len({(one.payer, one.payee, one.spot) for one in state.paid}))
