"""The game: its facts, rulebooks, topics and spots."""

from rules_engine.authoring import Game
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import BOOKS
from rules_engine.games.roulette.odds import odds
from rules_engine.games.roulette.table import Incident, Situation

GAME = Game(
    "roulette",
    version="1.7.0",
    situation=Situation,
    incident=Incident,
    books=BOOKS,
    topics=(
        *("numbers", "multiples", "payout", "bets", "spin", "paying"),
        *("null_spin", "wheel", "balls", "faults", "colour_chips", "procedures"),
    ),
    paid=("bet_prize", "prize", "late_prize", "knocked_prize", "pays"),
    ordinary={"seats": [1, 2, 3, 4, 5, 6], "minimum": 500},
    groups={
        "people": ("seats", "standing"),
        "said": ("calls",),
        "table": ("wheel", "number", "previous", "face_value"),
    },
    shares=("rules_engine.games.layout_bets",),
    spots=layout.SPOTS,
    # These are answered with spots of the layout: a number is its own spot, the others are keys such as `17-20`.
    pointing={
        **dict.fromkeys(("ball_back", "counts_on", "marker", "paid_spot", "put_back"), "spot"),
        **dict.fromkeys(("covers", "pay_order"), "spots"),
        "paid_order": "place",
    },
    odds=odds,
    # Where X 27 fixes the largest bet. A house may repeat it, and is told if it deviates.
    table_limits=tuple(layout.LIMITED),
    sprints={"payouts": (("pt-roleta-francesa", "multiples"), ("pt-roleta-francesa", "payout"))},
)
rule, case, case_table, domain = GAME.rule, GAME.case, GAME.case_table, GAME.domain
