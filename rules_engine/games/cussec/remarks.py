"""What is odd but possible about the facts at a cussec table, for the author."""

from collections.abc import Iterator

from rules_engine.authoring import Remark, Rulebook
from rules_engine.games.cussec.acts import NextAct
from rules_engine.games.cussec.game import GAME
from rules_engine.games.cussec.table import Situation

SHAKING = ("covered", "fastened", "pressed")


@GAME.remark
def about_bets(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Chips on the board before the panel has lit up, unless the coup before was void and the bets stay."""
    told = [call.says for call in s.calls]
    early = ("covers" in told or "presses" in told) and "lights" not in told
    shaking = isinstance(s.incident, NextAct) and s.incident.done in SHAKING
    if s.bets and (early or shaking) and "void" not in told:
        yield Remark("chips_before_light", "bets", cite="VII 4 s2")
