"""Whether the ponto has a third card: two questions, never under one name.

`ponto_draw` asks what his score obliges him to. `ponto_third` asks what comes of the words that were said, whatever his
score would have left him (Sanremo 13 s4, 137).
"""

from typing import Literal

from rules_engine.authoring import Reasoning
from rules_engine.games.chemin_de_fer.game import domain
from rules_engine.games.chemin_de_fer.third_card import CELLS

PontoKey = Literal["ponto_draw", "ponto_third"]

domain("ponto_third", "takes", "none")


def decide_third(r: Reasoning, key: PontoKey, *, takes: bool) -> None:
    has, has_not = (CELLS["T"], CELLS["F"]) if key == "ponto_draw" else ("takes", "none")
    r.choice(key, has if takes else has_not, critical=True)
