"""What a session comes to: its coups, its totals, and what it shows about the memory of rules."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from fsrs import Rating
from msgspec import structs

from rules_engine import Rulebook, play
from rules_engine.errors import EngineError
from training.live_table.models import Session
from training.mastery import services as mastery


def close(session: Session, state: play.State, now: datetime) -> None:
    """End a session. The caller saves it, in its transaction."""
    counted = play.trials_of(state)
    session.ended_at = now
    session.halted_at = None
    session.complete = state.over
    session.pending = []
    session.hits, session.misses = counted.hits, counted.misses
    session.false_alarms, session.correct_rejections = counted.false_alarms, counted.correct_rejections
    session.totals = structs.asdict(state.totals)
    session.coups = [_coup(session, trial) for trial in state.trials]
    for trial in state.trials:
        if trial.kind:
            _remember(session, trial, now)


def _coup(session: Session, trial: play.Trial) -> dict[str, object]:
    """A finished coup for the debrief."""
    return {
        "coup": trial.coup,
        "outcome": trial.outcome,
        "kind": trial.kind,
        "cite": next(iter(turned_on(session.book, trial.facts)), "") if trial.kind else "",
        "named": trial.named,
        "points": trial.points,
        "of": trial.of,
        "complained": trial.complained,
        "void": bool(trial.void),
        "article": _article(session.book, trial),
        "reaction": session.reactions.get(str(trial.coup)),
        "reckoning": session.reckoning.get(str(trial.coup), [0, 0, 0]),
    }


def _article(book: Rulebook, trial: play.Trial) -> str:
    """The clause that a fault turned on; for one that a player complained of, the clause that lets him; for one that
    made a throw void, the clause that says so."""
    if not trial.kind:
        return ""
    if trial.complained:
        return play.flow_of(book).incidents.complaint(book, trial.kind)
    if trial.void:
        return trial.void
    return next(iter(turned_on(book, trial.facts)), "")


def _remember(session: Session, trial: play.Trial, now: datetime) -> None:
    """Rate the rules that a fault turned on, as the mark of a drill does."""
    ratings = dict.fromkeys(turned_on(session.book, trial.facts), _rating(trial))
    mastery.learn(session.trainee, session.rulebook, ratings, at=now)


def _rating(trial: play.Trial) -> Rating:
    if trial.outcome != "hit" or not trial.named:
        return Rating.Again if trial.outcome == "miss" else Rating.Hard
    return Rating.Good if trial.points == trial.of else Rating.Hard


def turned_on(book: Rulebook, facts: Mapping[str, Any] | None) -> tuple[str, ...]:
    """The clauses that the ruling on a fault turns on."""
    try:
        return tuple(book.rule(book.read(facts)).pivots)
    except EngineError:
        return ()
