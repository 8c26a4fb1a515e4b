"""The result as the dealer announces it: the dice, their total, and small, big or triple. VII 5 s2, VII 5 s3."""

from functools import cache

from rules_engine.authoring import Reasoning, Throw, Utterance
from rules_engine.games.cussec.books import BOOKS
from rules_engine.games.cussec.settlement import side
from rules_engine.games.cussec.table import Situation

SIDES = ("small", "big", "triple")


def announce(s: Situation, r: Reasoning, dice: Throw, *, pivot: bool = False) -> None:
    """Decide the announcement: the dice, their total and the side."""
    r.step("VII 5 s3", "upper_faces", pivot=pivot, dice=tuple(map(str, dice)), total=sum(dice))
    right = _said(dice, sum(dice), side(r.book, dice))
    r.words("result", tempting=s.likely("announcement"), **right.slots)


def results(dice: Throw, *, misread: bool = False) -> list[Utterance]:
    """The announcement of a throw with every side; if `misread`, also with a total that is one point off."""
    total = sum(dice)
    off = total + 1 if total % 2 else total - 1
    return [_said(dice, one, name) for one in (total, off)[: 1 + misread] for name in SIDES]


@cache
def _spoken(named: str) -> str:
    return BOOKS[0].text(f"spoken.{named}", BOOKS[0].language)


def _said(dice: Throw, total: int, named: str) -> Utterance:
    low, middle, high = sorted(dice)
    slots: dict[str, int | str] = {"low": low, "middle": middle, "high": high, "total": total}
    return Utterance("result", slots | {"side": _spoken(named)})
