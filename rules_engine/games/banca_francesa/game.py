"""The game: its facts, rulebooks, topics and spots."""

from rules_engine.authoring import Game
from rules_engine.games.banca_francesa import layout
from rules_engine.games.banca_francesa.books import BOOKS
from rules_engine.games.banca_francesa.odds import odds
from rules_engine.games.banca_francesa.table import Incident, Situation

GAME = Game(
    "banca_francesa",
    version="1.5.0",
    situation=Situation,
    incident=Incident,
    books=BOOKS,
    topics=("reading", "payout", "bets", "paying", "throw", "touched", "null_throw", "dice", "suspicion", "procedures"),
    paid=("bet_prize", "prize", "pays", "late_prize"),
    ordinary={"seats": [1, 2, 3, 4, 5, 6], "minimum": 500},
    groups={"people": ("seats", "standing"), "said": ("calls",), "table": ("dice",)},
    shares=("rules_engine.games.layout_bets",),
    spots=layout.SPOTS,
    pointing={"put_where": "spot", "collect_order": "place"},
    odds=odds,
    table_limits=layout.CHANCES,
)
rule, case, case_table, domain = GAME.rule, GAME.case, GAME.case_table, GAME.domain
domain("chance", *layout.CHANCES, "none")
domain("may_serve", "yes", "no")
