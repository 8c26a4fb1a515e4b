"""The game of black jack."""

from rules_engine.authoring import Game
from rules_engine.games.black_jack.books import BOOKS
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.odds import odds
from rules_engine.games.black_jack.table import Incident, Situation

BET = "bet"  # the limits of all bets, as a table of a house has them
GAME = Game(
    "black_jack",
    version="1.8.0",
    situation=Situation,
    incident=Incident,
    books=BOOKS,
    topics=(
        *("hands", "payout", "naturals", "bank", "play", "bets", "seats"),
        *("double", "split", "insurance", "surrender", "faults", "shoe", "procedures"),
    ),
    paid=("his_prize", "prize", "paid_now", "paid_there", "insurance_prize"),
    ordinary={"seats": [1, 2, 3, 4, 5], "minimum": 1_000},
    draw=Draw,
    staff=("bank", "croupier", "inspector", "nobody"),
    groups={
        "people": ("seats", "standing"),
        "table": ("places", "packs"),
        "said": ("calls",),
        "cards": ("hands", "bank_cards", "loose", "next"),
    },
    odds=odds,
    table_limits=(BET,),
)
rule, case, case_table, domain = GAME.rule, GAME.case, GAME.case_table, GAME.domain
