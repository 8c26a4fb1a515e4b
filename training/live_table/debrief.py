"""The debrief of a session: what was caught and missed, how well faults are noticed, calls, money and pace."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, median
from typing import Any

from rules_engine.citations import citation
from rules_engine.detection import LEAST_FAULTS, Detection, Estimate, Trials, detection
from rules_engine.words import money
from training.library.incident_search import title
from training.live_table.models import Session

NORMAL = NormalDist()
HOUR = 3600


@dataclass(frozen=True)
class Told:
    """A finished coup. `act` is the number of the act with which it can be looked at, `undone` how many duties
    were, `money` what was paid wrongly in it, with its sign."""

    coup: int
    outcome: str
    title: str
    kind: str
    named: bool
    points: int
    of: int
    complained: bool
    reaction: float | None
    act: int
    undone: int
    money: str
    article: str
    void: bool


@dataclass(frozen=True)
class Eye:
    """How well faults are told apart: of 100 pairs of coups, with and without a fault, so many are told apart."""

    value: int
    low: int
    high: int


@dataclass(frozen=True)
class Hand:
    """Whether the dealer stops too often (`stops`) or lets things pass (`passes`); `chance`: it may be luck. Percent
    along a line from one to the other."""

    leans: str
    chance: bool
    value: int
    low: int
    high: int


@dataclass(frozen=True)
class Debrief:
    faults: int
    coups: list[Told]
    reactions: list[float]
    middle: float | None
    totals: Mapping[str, int]
    duties: int
    overpaid: str
    underpaid: str
    an_hour: int
    pace: int
    minutes: int

    @property
    def missed(self) -> list[Told]:
        return [one for one in self.coups if one.outcome == "miss"]


def debrief(session: Session, language: str) -> Debrief:
    book, totals = session.book, session.totals
    acts = _looked_at(session)
    reactions = sorted(one["reaction"] for one in session.coups if one["reaction"] is not None)
    played = len(session.coups)
    return Debrief(
        faults=session.hits + session.misses,
        coups=[_told(session, one, acts, language) for one in session.coups],
        reactions=reactions,
        middle=median(reactions) if reactions else None,
        totals=totals,
        duties=totals["kept"] + totals["missed"],
        overpaid=money(totals["overpaid"], book.currency, language),
        underpaid=money(totals["underpaid"], book.currency, language),
        an_hour=round(played * HOUR / session.seconds) if session.seconds else 0,
        pace=book.table.pace,
        minutes=round(session.seconds / 60),
    )


def _told(session: Session, one: Mapping[str, Any], acts: Mapping[int, int], language: str) -> Told:
    named = title(session.book, one["kind"], language) if one["kind"] else ""
    facts = {name: one[name] for name in ("coup", "outcome", "kind", "named", "points", "of", "complained", "reaction")}
    undone, over, under = one.get("reckoning", (0, 0, 0))
    currency = session.book.currency
    wrong = [f"{sign}{money(sum, currency, language)}" for sign, sum in (("+", over), ("−", under)) if sum]
    return Told(
        **facts,
        title=named,
        act=acts[one["coup"]],
        undone=undone,
        money=" ".join(wrong),
        article=citation(one.get("article", "")),
        void=one.get("void", False),
    )


def _looked_at(session: Session) -> dict[int, int]:
    """By coup: the last act of it, or the one that stopped it."""
    found: dict[int, int] = {}
    coup, stopped = 0, set[int]()
    for number, document, events in session.acts.values_list("number", "document", "events"):
        coup = next((event["amount"] for event in events if event["what"] == "coup"), coup)
        if coup not in stopped:
            found[coup] = number
        if document.get("type") == "halt":
            stopped.add(coup)
    return found


def measured(trials: Trials) -> tuple[Eye, Hand, Detection] | None:
    """Sensitivity and bias in words and figures; None below the least number of faults."""
    found = detection(trials)
    if found is None:
        return None
    return Eye(*map(_pairs, _figures(found.sensitivity))), _hand(found.bias), found


def still_needed(trials: Trials) -> int:
    """How many more faults it takes before the figures are shown."""
    return max(0, LEAST_FAULTS - trials.faults)


def _figures(found: Estimate) -> tuple[float, float, float]:
    return found.value, found.low, found.high


def _pairs(sensitivity: float) -> int:
    return round(100 * NORMAL.cdf(sensitivity / sqrt(2)))


def _hand(bias: Estimate) -> Hand:
    value, low, high = (round(100 * NORMAL.cdf(one)) for one in _figures(bias))
    return Hand("passes" if bias.value > 0 else "stops", bias.low <= 0 <= bias.high, value, low, high)
