"""What the stickman announces after a throw, and where the marker goes: VI 10.1 s3, VI 13.3 a."""

from typing import Any

from rules_engine.authoring import After, Draw, Reasoning, Rulebook, Utterance
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.game import case, domain, rule
from rules_engine.games.craps.layout import BOXES, LINE_ODDS, LINES
from rules_engine.games.craps.setting import BARS, picture, throw_of
from rules_engine.games.craps.settlement import OFF, Dice, explain_marker, point_after, verdict
from rules_engine.games.craps.table import Incident, Situation
from rules_engine.games.layout_bets.incidents import Decided

domain("marker", OFF, *map(str, BOXES))
LINE_ONLY = {*LINES, *LINE_ODDS}
# What each total can call for, what it is easily mistaken for, and how often totals come up in scenarios.
CAN_BE: dict[int, tuple[str, ...]] = {
    **dict.fromkeys((2, 12), ("line_loses", "line_barred", "point_on")),
    3: ("line_loses", "point_on"),
    7: ("line_wins", "seven_out"),
    11: ("line_wins", "point_on"),
    **dict.fromkeys(BOXES, ("point_set", "point_on", "line_wins")),
}
MISTAKEN = {3: ("line_barred",), 7: ("line_loses",), 11: ("line_loses",)}
OFTEN = (2, 2, 3, 3, *BOXES, 7, 7, 7, 7, 11, 11, 12, 12)


class ThrowToAnnounce(Decided, Incident, frozen=True, tag="throw_to_announce"):
    """The dice lie still, and the throw is valid."""

    def settled_later(self) -> bool:
        return True

    def sayable(self, situation: Situation) -> list[Utterance]:
        return said_of(situation)


@rule(ThrowToAnnounce, CRAPS)
def throw_to_announce(s: Situation, incident: ThrowToAnnounce, r: Reasoning) -> None:
    announce(s, r)
    explain_marker(r, s, pivot=True)
    after = str(point_after(r.book, s.point, s.total) or OFF)
    r.choice("marker", after)
    r.after(After(marks={"marker": after}))


def announce(s: Situation, r: Reasoning) -> None:
    """Decide the announcement: total, point, what the line wins or loses."""
    formula = said(s, r.book)
    r.pivot("VI 13.3 a", f"announce_{formula}", total=s.total)
    if any(bet.chance not in LINE_ONLY for bet in s.bets):
        r.pivot("VI 13.3 a-line", "announce_line")
    r.words(formula, tempting=s.likely("announcement"), key="announcement", **_slots(s, formula))


def said_of(s: Situation) -> list[Utterance]:
    """Three announcements of this total and three of another one: each is right at some moment of a series, or is a
    common mistake. As many of each, so that the list does not tell the total."""
    totals = (s.total, _another(s, [total for total in OFTEN if total != s.total]))
    return [one for total in totals for one in _of_total(s, total, (*CAN_BE[total], *MISTAKEN.get(total, ())))]


def said_or_void(s: Situation) -> list[Utterance]:
    """The void throw, and what can be announced of this total and of another one, six in all at most."""
    room = 5 - len(CAN_BE[s.total])
    totals = (s.total, _another(s, [total for total in OFTEN if total != s.total and len(CAN_BE[total]) <= room]))
    return [Utterance("void_throw"), *(one for total in totals for one in _of_total(s, total, CAN_BE[total]))]


def _another(s: Situation, totals: list[int]) -> int:
    """One of these totals, by facts that have nothing to do with the throw."""
    return totals[(sum(s.seats) + sum(bet.count for bet in s.bets)) % len(totals)]


def _of_total(s: Situation, total: int, formulas: tuple[str, ...]) -> list[Utterance]:
    """These announcements of a total, with the point where they name it."""
    made_up = [box for box in BOXES if box != total]
    point = s.point if s.point not in (None, total) else made_up[sum(s.seats) % len(made_up)]
    points = {"point_set": total, "point_on": point}
    found = []
    for formula in formulas:
        slots: dict[str, int | str] = {"total": total}
        if (at := points.get(formula)) is not None:
            slots["point"] = at
        found.append(Utterance(formula, slots))
    return found


def said(s: Situation, book: Rulebook) -> str:
    """Which announcement a throw calls for."""
    fate = verdict(book, "dont-pass", 0, dice=s.dice, point=s.point, bar=s.bar).fate
    after = point_after(book, s.point, s.total)
    if after is not None:
        return "point_set" if s.point is None else "point_on"
    if fate == "wins":
        return "line_loses" if s.point is None else "seven_out"
    return "line_barred" if fate == "void" else "line_wins"


def _slots(s: Situation, formula: str) -> dict[str, Any]:
    points = {"point_set": s.total, "point_on": s.point or s.total}
    return {"total": s.total} | ({"point": points[formula]} if formula in points else {})


def line_table(draw: Draw, book: Rulebook, difficulty: int, **known: Any) -> dict[str, Any]:
    """A table with bets on the line only; the shooter has one of them."""
    facts = picture(draw, book, difficulty, must=(("pass", 0),), among=LINES, bar=draw.pick(BARS), **known)
    return facts | {"shooter": draw.pick([bet for bet in facts["bets"] if bet.chance == "pass"]).player}


def line_throw(draw: Draw, point: int | None) -> Dice:
    """A throw such that each announcement that a total can call for is right about equally often."""
    other = draw.pick([box for box in BOXES if box != point])
    craps = draw.pick((2, 3, 12))
    first = (craps, craps, 7, 7, 11, other, other)
    return throw_of(draw, draw.pick(first if point is None else (point, point, 7, 7, 11, craps, craps, other, other)))


@case("announcing", {CRAPS: ("VI 13.3 a", "VI 10.1 s3")})
def first_throw_announced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = line_table(draw, book, difficulty, point=None)
    return Situation(**facts, dice=line_throw(draw, None), incident=ThrowToAnnounce())


@case("announcing", {CRAPS: ("VI 13.3 a", "VI 10.1 s2")})
def later_throw_announced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    point = draw.pick(BOXES)
    facts = line_table(draw, book, difficulty, point=point)
    return Situation(**facts, dice=line_throw(draw, point), incident=ThrowToAnnounce())
