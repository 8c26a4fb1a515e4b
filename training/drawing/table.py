"""The table of any game as the croupier sees it."""

from collections.abc import Callable, Collection
from typing import Any

from django.utils.translation import get_language

from rules_engine.ruling import After
from training.drawing.chemin_de_fer import chemin_de_fer_view
from training.drawing.parts import TableView
from training.drawing.ponto_banca import ponto_banca_view

CLOTHS: dict[str, Callable[..., TableView]] = {
    "chemin_de_fer": chemin_de_fer_view,
    "ponto_banca": ponto_banca_view,
}


def table_view(
    situation: Any, *, currency: str = "EUR", after: After | None = None, lit: Collection[str] = ()
) -> TableView:
    """Lay out a situation in the reader's language; with `after`, its cards as the ruling leaves them.

    `lit` names what a step of the reasoning turned on: places (`4`, `4a`), cards (`ponto.3`), the `bank`.
    """
    language = get_language() or "en"
    return CLOTHS[situation.game](situation, currency=currency, language=language, after=after, lit=lit)
