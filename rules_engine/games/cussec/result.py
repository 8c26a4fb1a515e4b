"""The result as the dealer announces it: the dice, their total, and small, big or triple. VII 5 s2, VII 5 s3."""

from functools import cache

from rules_engine.authoring import FACES, Reasoning, Throw, Utterance
from rules_engine.games.cussec.books import BOOKS
from rules_engine.games.cussec.settlement import side
from rules_engine.games.cussec.table import Situation


def announce(s: Situation, r: Reasoning, dice: Throw, *, pivot: bool = False) -> None:
    """Decide the announcement: the dice, their total and the side."""
    r.step("VII 5 s3", "upper_faces", pivot=pivot, dice=tuple(map(str, dice)), total=sum(dice))
    right = _said(dice, sum(dice), side(r.book, dice))
    r.words(right, tempting=s.likely("announcement"))


def results(dice: Throw) -> list[Utterance]:
    """The announcements of three throws, this one among them: in the others each die shows two or four more. That
    would leave 1-3-5 and 2-4-6 as they are; either is offered with the other.

    Each of them would give the same list, and each announcement agrees with itself, so only the dice tell which is
    right.
    """
    steps = (0, 1) if set(dice) in ({1, 3, 5}, {2, 4, 6}) else (0, 2, 4)
    turned = [tuple((face + step - 1) % len(FACES) + 1 for face in dice) for step in steps]
    return [_said(one, sum(one), side(BOOKS[0], one)) for one in turned]


@cache
def _spoken(named: str) -> str:
    return BOOKS[0].text(f"spoken.{named}", BOOKS[0].language)


def _said(dice: Throw, total: int, named: str) -> Utterance:
    low, middle, high = sorted(dice)
    slots: dict[str, int | str] = {"low": low, "middle": middle, "high": high, "total": total}
    return Utterance("result", slots | {"side": _spoken(named)})
