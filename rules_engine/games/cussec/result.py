"""The result as the dealer announces it: the dice, their total, and small, big or triple. VII 5 s2, VII 5 s3."""

from functools import cache

from rules_engine.equipment.dice import Throw
from rules_engine.games.cussec.settlement import side
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning, Utterance


def announce(r: Reasoning, dice: Throw, *, pivot: bool = False) -> None:
    low, middle, high = sorted(dice)
    total, named = sum(dice), side(r.book, dice)
    r.step("VII 5 s3", "upper_faces", pivot=pivot, dice=tuple(map(str, dice)), total=total)
    others = [name for name in ("small", "big", "triple") if name != named]
    misread = (low, middle, high % 6 + 1)
    wrong = [
        *(_said(r, dice, total, name) for name in others),
        _said(r, dice, total + 1, named),
        _said(r, misread, sum(misread), side(r.book, misread)),
    ]
    r.words("result", tempting=wrong, low=low, middle=middle, high=high, total=total, side=_spoken(r.book, named))


@cache
def _spoken(book: Rulebook, named: str) -> str:
    return book.text(f"spoken.{named}", book.language)


def _said(r: Reasoning, dice: Throw, total: int, named: str) -> Utterance:
    low, middle, high = sorted(dice)
    slots: dict[str, int | str] = {"low": low, "middle": middle, "high": high, "total": total}
    return Utterance("result", slots | {"side": _spoken(r.book, named)})
