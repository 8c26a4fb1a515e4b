"""The bets of each clause: the chance, the phase, and what a throw may do to it. Generators use them."""

from typing import Any

from msgspec import Struct

from rules_engine.authoring import Draw, Rulebook
from rules_engine.games.craps import layout
from rules_engine.games.craps.layout import BOXES, Chance
from rules_engine.games.craps.setting import BARS, SIDE_FAMILY, Crowd, picture, throws_for
from rules_engine.games.craps.settlement import Fate
from rules_engine.games.craps.table import Bar

Fates = tuple[Fate, ...]
DECIDED: Fates = ("wins", "loses")
ALL: Fates = ("wins", "loses", "stays")


class Family(Struct, frozen=True, kw_only=True):
    """Bets that one clause decides. `series`: whether there is a point. `fates` are all drawn equally often.

    `numbers` are the numbers the bet may lie on. `beside` are the other bets up to level 3, together with `then` at
    level 3; above that, all bets are possible.
    """

    name: str
    topic: str
    chance: Chance
    cites: tuple[str, ...]
    series: bool | None = None
    numbers: tuple[int, ...] = (0,)
    bar: Bar | None = None
    fates: Fates = ALL
    beside: tuple[Chance, ...] = ()
    then: tuple[Chance, ...] = ()


LINE_BESIDE: tuple[Chance, ...] = ("pass", "dont-pass")
LINE_THEN: tuple[Chance, ...] = ("pass-odds", "dont-pass-odds", "field")
COME_BESIDE: tuple[Chance, ...] = ("come", "dont-come", "pass")
# Bets that every throw decides: otherwise most bets of the third level would just stay.
COME_THEN: tuple[Chance, ...] = ("field", "under", "over", "craps")
ODDS_BESIDE: tuple[Chance, ...] = ("pass-odds", "come-odds", "pass", "come")
NUMBERS_BESIDE: tuple[Chance, ...] = ("to-win", "to-lose", "pass")


def _line() -> list[Family]:
    line: dict[str, Any] = {"topic": "line", "beside": LINE_BESIDE, "then": LINE_THEN}
    barred: dict[str, Any] = line | {"chance": "dont-pass", "series": False, "fates": (*DECIDED, "void")}
    return [
        Family(name="pass_first", chance="pass", cites=("VI 10.1 s1",), series=False, fates=DECIDED, **line),
        Family(name="pass_point", chance="pass", cites=("VI 10.1 s2",), series=True, **line),
        Family(name="point_set", chance="pass", cites=("VI 10.1 s3",), series=False, fates=("stays",), **line),
        Family(name="dont_pass_sixes", cites=("VI 10.2 s1",), bar="sixes", **barred),
        Family(name="dont_pass_aces", cites=("VI 10.2 s2",), bar="aces", **barred),
        Family(name="dont_pass_point", chance="dont-pass", cites=("VI 10.2 s3",), series=True, **line),
    ]


def _come() -> list[Family]:
    come: dict[str, Any] = {"topic": "come", "beside": COME_BESIDE, "then": COME_THEN}
    moving: Fates = (*DECIDED, "moves")
    return [
        Family(name="come_next", chance="come", cites=("VI 10.3 s2",), series=True, fates=moving, **come),
        Family(name="come_moved", chance="come", cites=("VI 10.3 s3",), numbers=BOXES, **come),
        Family(
            name="dont_come_next",
            chance="dont-come",
            cites=("VI 10.4 s1", "VI 10.4 s3"),
            series=True,
            fates=moving,
            **come,
        ),
        Family(
            name="dont_come_bar", chance="dont-come", cites=("VI 10.4 s1-bar",), series=True, fates=("void",), **come
        ),
        Family(name="dont_come_moved", chance="dont-come", cites=("VI 10.4 s2",), numbers=BOXES, **come),
    ]


def _odds() -> list[Family]:
    odds: dict[str, Any] = {"topic": "odds", "beside": ODDS_BESIDE}
    taken, against = ("VI 11.1 s2", "VI 11.1 s3"), ("VI 11.1 s2-dont",)
    return [
        Family(name="pass_odds", chance="pass-odds", cites=taken, series=True, **odds),
        Family(name="come_odds", chance="come-odds", cites=taken, numbers=BOXES, **odds),
        Family(name="dont_pass_odds", chance="dont-pass-odds", cites=against, series=True, **odds),
        Family(name="dont_come_odds", chance="dont-come-odds", cites=against, numbers=BOXES, **odds),
    ]


def _numbers() -> list[Family]:
    numbers: dict[str, Any] = {"topic": "numbers", "numbers": BOXES, "beside": NUMBERS_BESIDE}
    return [
        # A seven, which decides every such bet, comes up more often.
        Family(name="to_win", chance="to-win", cites=("VI 12 1",), fates=("loses", *ALL), **numbers),
        Family(name="to_lose", chance="to-lose", cites=("VI 12 2",), fates=("wins", *ALL), **numbers),
    ]


def _side_bets() -> list[Family]:
    side: dict[str, Any] = {"topic": "side_bets", "beside": SIDE_FAMILY}
    totals = {2: "VI 11.5", 3: "VI 11.6", 7: "VI 11.4", 11: "VI 11.7", 12: "VI 11.8"}
    return [
        Family(name="big_6", chance="big", numbers=(6,), cites=("VI 10.5",), **side),
        Family(name="big_8", chance="big", numbers=(8,), cites=("VI 10.6",), **side),
        Family(name="under", chance="under", cites=("VI 10.7",), fates=DECIDED, **side),
        Family(name="over", chance="over", cites=("VI 10.8",), fates=DECIDED, **side),
        Family(name="craps", chance="craps", cites=("VI 11.2",), fates=DECIDED, **side),
        Family(name="hard_outer", chance="hard", numbers=(4, 10), cites=("VI 11.3 s1",), fates=("wins",), **side),
        Family(name="hard_inner", chance="hard", numbers=(6, 8), cites=("VI 11.3 s2",), fates=("wins",), **side),
        Family(
            name="hard_lost",
            chance="hard",
            numbers=layout.PRINTED["hard"],
            cites=("VI 11.3 s3",),
            fates=("loses", "stays"),
            **side,
        ),
        *(
            Family(name=f"total_{total}", chance="total", numbers=(total,), cites=(cite,), fates=DECIDED, **side)
            for total, cite in totals.items()
        ),
        Family(name="field_won", chance="field", cites=("VI 13.1 s1",), fates=("wins",), **side),
        Family(name="field_lost", chance="field", cites=("VI 13.1 s2",), fates=("loses",), **side),
    ]


FAMILIES = (*_line(), *_come(), *_odds(), *_numbers(), *_side_bets())


def thrown(
    draw: Draw, book: Rulebook, difficulty: int, family: Family, *, crowd: Crowd | None = None, fates: Fates = ()
) -> dict[str, Any]:
    """A table with a bet of the family and others, after a throw that gives the bet one of the fates."""
    number = draw.pick(family.numbers)
    series = draw.chance(0.7) if family.series is None else family.series
    moved = family.chance in (*layout.COMES, *layout.COME_ODDS) and number
    point = draw.pick([box for box in BOXES if not moved or box != number]) if series else None
    bar = family.bar or (draw.pick(BARS) if difficulty >= 2 else "sixes")
    found: tuple[Any, ...] = ()
    while not found:  # every family has a throw for each fate, but not for each number and fate
        fate = draw.pick(fates or family.fates)
        found = throws_for(book, family.chance, number, point, bar, (fate,))
    # Draw the total first: otherwise seven, with its six combinations, would come up too often.
    total = draw.pick(sorted({sum(one) for one in found}))
    dice = draw.pick([one for one in found if sum(one) == total])
    beside = {1: family.beside, 2: family.beside, 3: (*family.beside, *family.then)}.get(difficulty, ())
    must = ((family.chance, number),)
    facts = picture(draw, book, difficulty, must=must, among=beside, crowd=crowd, bar=bar, point=point)
    return facts | {"dice": dice}
