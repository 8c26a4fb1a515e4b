"""The game: its facts, rulebooks, topics and spots."""

from rules_engine.authoring import Game
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.books import BOOKS
from rules_engine.games.cussec.odds import odds
from rules_engine.games.cussec.table import Incident, Situation

GAME = Game(
    "cussec",
    version="1.6.0",
    situation=Situation,
    incident=Incident,
    books=BOOKS,
    topics=("chances", "multiples", "payout", "coup", "null_coup", "bets", "dice", "procedures"),
    paid=("bet_prize", "prize", "pays", "late_prize", "zone_prize"),
    ordinary={"seats": [1, 2, 3, 4, 5, 6]},
    groups={"people": ("seats", "standing"), "said": ("calls",), "table": ("dice",)},
    shares=("rules_engine.games.layout_bets",),
    spots=layout.SPOTS,
    # Answered with zones of the board.
    pointing={"paid_spot": "spot", "wrong_zone": "spot"},
    odds=odds,
    table_limits=layout.CHANCES,
)
rule, case, case_table, domain = GAME.rule, GAME.case, GAME.case_table, GAME.domain
