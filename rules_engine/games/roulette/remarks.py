"""What is odd but possible about the facts at a roulette table, for the author."""

from collections.abc import Iterator

from rules_engine.authoring import Remark, Rulebook
from rules_engine.games.layout_bets.remarks import below_minimum
from rules_engine.games.roulette.game import GAME
from rules_engine.games.roulette.table import Situation


@GAME.remark
def about_bets(s: Situation, book: Rulebook) -> Iterator[Remark]:
    yield from below_minimum(s, s.minimum)
