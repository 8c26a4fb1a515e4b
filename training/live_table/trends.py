"""How a trainee's sessions developed from week to week: faults caught with a 95 % interval, false alarms, pace."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import sqrt
from statistics import NormalDist

from django.utils import timezone

from rules_engine.detection import Trials
from training.live_table.debrief import Eye, measured
from training.live_table.models import Session
from training.people.models import User

WEEKS = 12
WIDTH, HEIGHT = 480, 120  # of the chart
_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Week:
    """The tables of one week. `caught`, `low` and `high` in percent of the faults; none without a fault. `eye` only
    with enough faults."""

    begin: date
    tables: int
    trials: Trials
    caught: int | None
    low: int
    high: int
    eye: Eye | None
    an_hour: int


@dataclass(frozen=True)
class Mark:
    """A week on the chart: the best guess, and the band in which the truth may lie."""

    x: int
    y: int
    top: int
    bottom: int


@dataclass(frozen=True)
class Trends:
    weeks: list[Week]  # the newest first, without those in which nothing was dealt
    marks: list[Mark]
    first: date
    last: date
    width: int = WIDTH
    height: int = HEIGHT


def trends(trainee: User, now: datetime) -> Trends | None:
    """The last weeks; None before anything was dealt in two of them. One query."""
    this = _monday(timezone.localdate(now))
    first = this - timedelta(weeks=WEEKS - 1)
    names = ("ended_at", "hits", "misses", "false_alarms", "correct_rejections", "seconds")
    found = Session.objects.filter(trainee=trainee, ended_at__gte=now - timedelta(weeks=WEEKS)).values_list(*names)
    by_week: defaultdict[date, list[tuple[Trials, float]]] = defaultdict(list)
    for ended_at, *counts, seconds in found:
        begin = _monday(timezone.localdate(ended_at))
        if begin >= first:
            by_week[begin].append((Trials(*counts), seconds))
    if len(by_week) < 2:
        return None
    weeks = [_week(begin, dealt) for begin, dealt in sorted(by_week.items(), reverse=True)]
    return Trends(weeks, [_mark(one, first) for one in weeks if one.caught is not None], first, this)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _week(begin: date, dealt: list[tuple[Trials, float]]) -> Week:
    trials = sum((one for one, _seconds in dealt), Trials())
    seconds = sum(seconds for _trials, seconds in dealt)
    found = measured(trials)
    low, high = interval(trials.hits, trials.faults)
    return Week(
        begin=begin,
        tables=len(dealt),
        trials=trials,
        caught=round(100 * trials.hits / trials.faults) if trials.faults else None,
        low=round(100 * low),
        high=round(100 * high),
        eye=found[0] if found else None,
        an_hour=round((trials.faults + trials.others) * 3600 / seconds) if seconds else 0,
    )


def interval(count: int, of: int) -> tuple[float, float]:
    """In which a share lies with a probability of 95 % (Wilson 1927)."""
    if not of:
        return 0.0, 1.0
    share, square = count / of, _Z * _Z / of
    middle = (share + square / 2) / (1 + square)
    spread = _Z * sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def _mark(week: Week, first: date) -> Mark:
    step = WIDTH // WEEKS
    place = (week.begin - first).days // 7
    top, bottom = (HEIGHT - HEIGHT * percent // 100 for percent in (week.high, week.low))
    return Mark(place * step + step // 2, HEIGHT - HEIGHT * (week.caught or 0) // 100, top, bottom)
