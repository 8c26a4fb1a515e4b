"""The game: its facts, rulebooks, topics and spots."""

from rules_engine.authoring import Game
from rules_engine.games.craps import layout
from rules_engine.games.craps.books import BOOKS
from rules_engine.games.craps.odds import odds
from rules_engine.games.craps.table import Incident, Situation

GAME = Game(
    "craps",
    version="1.7.0",
    situation=Situation,
    incident=Incident,
    books=BOOKS,
    topics=(
        *("line", "come", "odds", "numbers", "side_bets", "multiples", "series", "payout"),
        *("announcing", "void_throw", "shooter", "stakes", "dice", "procedures"),
    ),
    paid=("bet_prize", "prize", "pays"),
    ordinary={"seats": [1, 2, 3, 4, 5, 6], "minimum": 500},
    groups={"people": ("seats", "standing", "shooter"), "said": ("calls",), "table": ("point", "dice", "bar")},
    shares=("rules_engine.games.layout_bets",),
    spots=layout.SPOTS,
    # These are answered with spots of the layout, by keys such as `come.6`.
    pointing=dict.fromkeys(("lies_on", "paid_spot"), "spot"),
    odds=odds,
    table_limits=tuple(layout.LIMITS),
)
rule, case, case_table, domain = GAME.rule, GAME.case, GAME.case_table, GAME.domain
