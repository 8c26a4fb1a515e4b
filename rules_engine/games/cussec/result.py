"""The result as the dealer announces it: the dice, their total, and small, big or triple. VII 5 s2, VII 5 s3."""

from collections.abc import Sequence
from functools import cache

from rules_engine.authoring import Reasoning, Rulebook, Throw, Utterance
from rules_engine.games.cussec.settlement import side


def announce(r: Reasoning, dice: Throw, *, pivot: bool = False, also: Sequence[Utterance] = ()) -> None:
    """Decide the announcement: the dice, their total and the side. `also` are more wrong answers."""
    r.step("VII 5 s3", "upper_faces", pivot=pivot, dice=tuple(map(str, dice)), total=sum(dice))
    low, middle, high = sorted(dice)
    wrong = results(r, dice)[1:]
    spoken = _spoken(r.book, side(r.book, dice))
    tempting = [*also, *wrong[: len(wrong) - len(also)]]
    r.words("result", tempting=tempting, low=low, middle=middle, high=high, total=sum(dice), side=spoken)


def results(r: Reasoning, dice: Throw) -> list[Utterance]:
    """The announcement of a throw, followed by likely misreadings."""
    low, middle, high = sorted(dice)
    total, named = sum(dice), side(r.book, dice)
    others = [name for name in ("small", "big", "triple") if name != named]
    misread = (low, middle, high % 6 + 1)
    return [
        _said(r, dice, total, named),
        *(_said(r, dice, total, name) for name in others),
        _said(r, dice, total + 1, named),
        _said(r, misread, sum(misread), side(r.book, misread)),
    ]


@cache
def _spoken(book: Rulebook, named: str) -> str:
    return book.text(f"spoken.{named}", book.language)


def _said(r: Reasoning, dice: Throw, total: int, named: str) -> Utterance:
    low, middle, high = sorted(dice)
    slots: dict[str, int | str] = {"low": low, "middle": middle, "high": high, "total": total}
    return Utterance("result", slots | {"side": _spoken(r.book, named)})
