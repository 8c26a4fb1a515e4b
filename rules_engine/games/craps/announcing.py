"""What the stickman announces after a throw, and where the marker goes: VI 10.1 s3, VI 13.3 a."""

from collections.abc import Sequence
from typing import Any

from rules_engine.authoring import After, Draw, Reasoning, Rulebook, Utterance, throws
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.game import case, domain, rule
from rules_engine.games.craps.layout import BOXES, LINE_ODDS, LINES
from rules_engine.games.craps.setting import BARS, picture, throw_of
from rules_engine.games.craps.settlement import OFF, explain_marker, point_after, verdict
from rules_engine.games.craps.table import DICE, Incident, Situation
from rules_engine.games.layout_bets.incidents import Decided

domain("marker", OFF, *map(str, BOXES))
LINE_ONLY = {*LINES, *LINE_ODDS}
SAID = ("line_wins", "line_loses", "line_barred", "point_set", "point_on", "seven_out")


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


def said_of(s: Situation, formulas: Sequence[str] = SAID) -> list[Utterance]:
    """What could be announced of the throw."""
    return [Utterance(one, _slots(s, one)) for one in formulas]


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


@case("announcing", {CRAPS: ("VI 13.3 a", "VI 10.1 s3")})
def first_throw_announced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: any total. Hard: more often totals for which the bar matters."""
    facts = line_table(draw, book, difficulty, point=None)
    hard = difficulty >= 4 and draw.chance(0.5)
    dice = throw_of(draw, draw.pick((2, 3, 11, 12) if hard else range(2, 13)))
    return Situation(**facts, dice=dice, incident=ThrowToAnnounce())


@case("announcing", {CRAPS: ("VI 13.3 a", "VI 10.1 s2")})
def later_throw_announced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    point = draw.pick(BOXES)
    facts = line_table(draw, book, difficulty, point=point)
    totals = [point, 7, 11, 2, 12, draw.pick([box for box in BOXES if box != point])]
    dice = throw_of(draw, draw.pick(totals)) if draw.chance(0.8) else draw.pick(throws(DICE))
    return Situation(**facts, dice=dice, incident=ThrowToAnnounce())
