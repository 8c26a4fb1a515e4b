"""What the stickman announces after a throw, and where the marker goes: VI 10.1 s3, VI 13.3 a."""

from typing import Any
from zlib import crc32

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
# The totals of a first throw, by what becomes of the line, and those of a later throw that decide nothing. Each occurs
# here as often as in scenarios.
NATURALS, CRAPPED = (7, 7, 11), (2, 3, 12)
UNDECIDED = (2, 3, 12, 11, *BOXES, *BOXES)


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
    """Two announcements of this total and two of each of two others, one for each way that a throw at this moment
    can end. So the list reveals neither, and mentions no point if there is none."""
    return [one for total in _totals(s) for one in _of_total(s, total)]


def said_or_void(s: Situation) -> list[Utterance]:
    """The void throw, and the same announcements but one mistaken one: six in all."""
    found = [_of_total(s, total) for total in _totals(s)]
    found[_chosen(s) // 100 % len(found)].pop()
    return [Utterance("void_throw"), *(one for of_total in found for one in of_total)]


def _chosen(s: Situation) -> int:
    """A number that depends on the table but not on the throw."""
    return crc32(repr((s.seats, s.bets)).encode())


def _ends(point: int | None) -> list[tuple[int, ...]]:
    """The totals of a throw with this point before it, by how it ends."""
    if point is None:
        return [NATURALS, CRAPPED, BOXES]
    return [(point,), (7,), tuple(total for total in UNDECIDED if total != point)]


def _totals(s: Situation) -> list[int]:
    """A total for each way that the throw can end: this one, and two by facts that have nothing to do with it."""
    return [s.total if s.total in totals else totals[_chosen(s) % len(totals)] for totals in _ends(s.point)]


def _of_total(s: Situation, total: int) -> list[Utterance]:
    """What is announced of a total at this moment of the series, and what is easily mistaken for it."""
    slots: dict[str, int | str] = {"total": total}
    return [
        Utterance(formula, slots | ({"point": point} if point else {})) for formula, point in _likely(s.point, total)
    ]


def _likely(point: int | None, total: int) -> tuple[tuple[str, int], ...]:
    """Two formulas and the points they name. With a point, the second is mostly that of a first throw."""
    if point is None:
        if total in BOXES:
            return ("point_set", total), ("line_loses", 0)
        if total in CRAPPED:
            return ("line_loses", 0), ("line_barred", 0)
        return ("line_wins", 0), ("seven_out" if total == 7 else "line_loses", 0)
    if total == 7:
        return ("seven_out", 0), ("line_loses", 0)
    first = "point_set" if total in BOXES else "line_loses" if total in CRAPPED else "line_wins"
    right = ("line_wins", 0) if total == point else ("point_on", point)
    return right, (first, total if first == "point_set" else 0)


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
    """A throw such that each way it can end comes up equally often."""
    return throw_of(draw, draw.pick(draw.pick(_ends(point))))


@case("announcing", {CRAPS: ("VI 13.3 a", "VI 10.1 s3")})
def first_throw_announced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = line_table(draw, book, difficulty, point=None)
    return Situation(**facts, dice=line_throw(draw, None), incident=ThrowToAnnounce())


@case("announcing", {CRAPS: ("VI 13.3 a", "VI 10.1 s2")})
def later_throw_announced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    point = draw.pick(BOXES)
    facts = line_table(draw, book, difficulty, point=point)
    return Situation(**facts, dice=line_throw(draw, point), incident=ThrowToAnnounce())
