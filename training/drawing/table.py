"""The table of any game as the croupier sees it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils.translation import get_language

from rules_engine.ruling import After, Ruling
from rules_engine.situation import Situation
from training.drawing.cloths import CLOTHS, MOVES
from training.drawing.disputed import ends_offer
from training.drawing.drawing import Drawing
from training.drawing.scene import Pointing, Said, Scene


def table_view(
    situation: Situation,
    *,
    currency: str = "EUR",
    after: After | None = None,
    lit: Collection[str] = (),
    pointing: Pointing = "",
    asking: bool = False,
    said: Sequence[Said] = (),
    decided: Mapping[str, Any] | None = None,
) -> Drawing:
    """Lay out a situation in the reader's language; with `after`, as the ruling leaves it.

    `lit` names what a step of the reasoning turned on: places (`4`, `4a`), cards (`ponto.3`), the `bank`, and spots,
    which say that they are (`spot:17-20`). With `pointing="spot"` every spot of a layout is a target. `asking`:
    questions are still to be answered, and what would tell the answer is not drawn. `said` is put at the places of
    those who spoke; `decided` is what the ruling decided besides, by name.
    """
    language = get_language() or "en"
    return CLOTHS[situation.game](
        Scene(situation, currency, language, after, lit, pointing, asking, said, decided or {})
    )


def table_after(situation: Situation, ruling: Ruling, *, currency: str = "EUR") -> Drawing | None:
    """The table as the ruling ends it: cards, chips, bank and marks; None where it moves nothing."""
    moves = any(name in MOVES.get(situation.game, ()) for name in ruling.results)
    if ruling.after is None and not moves and not ends_offer(situation, ruling.results):
        return None
    return table_view(situation, currency=currency, after=ruling.after or After(), decided=ruling.results)
