"""The table of any game as the croupier sees it."""

from collections.abc import Collection

from django.utils.translation import get_language

from rules_engine.ruling import After
from rules_engine.situation import Situation
from training.drawing.cloths import CLOTHS
from training.drawing.drawing import Drawing
from training.drawing.scene import Pointing, Scene


def table_view(
    situation: Situation,
    *,
    currency: str = "EUR",
    after: After | None = None,
    lit: Collection[str] = (),
    pointing: Pointing = "",
    asking: bool = False,
) -> Drawing:
    """Lay out a situation in the reader's language; with `after`, as the ruling leaves it.

    `lit` names what a step of the reasoning turned on: places (`4`, `4a`), cards (`ponto.3`), the `bank`, and spots,
    which say that they are (`spot:17-20`). With `pointing="spot"` every spot of a layout is a target. `asking`:
    questions are still to be answered, and what would tell the answer is not drawn.
    """
    language = get_language() or "en"
    return CLOTHS[situation.game](Scene(situation, currency, language, after, lit, pointing, asking))
