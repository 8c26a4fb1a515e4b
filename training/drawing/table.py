"""Draw the table of any game as the croupier sees it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils.translation import get_language

from rules_engine import Scenario, Table
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
    rulebook: str = "",
    table: Table | None = None,
    printed: bool = False,
) -> Drawing:
    """Draw a situation in the reader's language; the parameters are described at `Scene`.

    `lit` holds places (`4`, `4a`), cards (`ponto.3`), `bank`, and spots (`spot:17-20`).
    """
    language = get_language() or "en"
    return CLOTHS[situation.game](
        Scene(
            situation, currency, language, after, lit, pointing, asking, said, decided or {}, rulebook, table, printed
        )
    )


def ending(scenario: Scenario, ruling: Ruling, *, printed: bool = False) -> Drawing | None:
    """Draw the table of a scenario as the ruling leaves it; None if the ruling moves nothing."""
    return table_after(
        scenario.situation,
        ruling,
        currency=scenario.book.currency,
        rulebook=scenario.rulebook,
        table=scenario.table or None,
        printed=printed,
    )


def table_after(
    situation: Situation,
    ruling: Ruling,
    *,
    currency: str = "EUR",
    rulebook: str = "",
    table: Table | None = None,
    printed: bool = False,
) -> Drawing | None:
    """Draw the table as the ruling leaves it; None if the ruling moves nothing."""
    moves = any(name in MOVES.get(situation.game, ()) for name in ruling.results)
    if ruling.after is None and not moves and not ends_offer(situation, ruling.results):
        return None
    return table_view(
        situation,
        currency=currency,
        after=ruling.after or After(),
        decided=ruling.results,
        rulebook=rulebook,
        table=table,
        printed=printed,
    )
