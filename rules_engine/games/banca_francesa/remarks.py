"""What is odd but possible about the facts at a banca francesa table, for the author."""

from collections.abc import Iterator

from rules_engine.authoring import Remark, Rulebook
from rules_engine.games.banca_francesa.game import GAME
from rules_engine.games.banca_francesa.table import Situation
from rules_engine.games.layout_bets.remarks import below_minimum


@GAME.remark
def about_bets(s: Situation, book: Rulebook) -> Iterator[Remark]:
    yield from below_minimum(s, s.minimum)
