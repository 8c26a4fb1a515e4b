"""The game of ponto e banca (punto banco)."""

from rules_engine.authoring import Game
from rules_engine.games.baccarat.cards import SCORES
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import BOUND_KEYS, POINTING, declare
from rules_engine.games.ponto_banca.books import BOOKS, MACAU
from rules_engine.games.ponto_banca.earlier import without_prefix
from rules_engine.games.ponto_banca.odds import odds
from rules_engine.games.ponto_banca.table import Incident, Situation

GAME = Game(
    "ponto_banca",
    version="1.10.0",
    situation=Situation,
    incident=Incident,
    books=BOOKS,
    topics=("drawing", "payout", "limits", "handling", "lapses", "shoe", "seating", "procedures"),
    paid=("prize", "bet_prize"),
    ordinary={"seats": [1, 2, 3, 4, 5, 6, 7], "minimum": 20},
    draw=Draw,
    staff=("banker", "croupier", "inspector", "nobody"),
    scores=SCORES,
    groups={"people": ("seats", "standing"), "said": ("calls",), "cards": ("ponto", "banker_cards", "loose", "next")},
    shares=("rules_engine.games.baccarat",),
    pointing=POINTING,
    keys={"banker_draw": BOUND_KEYS, "ponto_draw": BOUND_KEYS},
    upgrades={1: without_prefix},
    odds=odds,
    guided_coup="house_bank",
    # The law fixes the maximum of each chance, or the house proposes a largest difference between the sides.
    table_limits=("ponto", "banker", "tie", "difference"),
)
# The later text knows neither a coup that is void nor a card that is burned.
declare(GAME, bound=True, unknown={"winner": {MACAU: ("nobody",)}, "fate": {MACAU: ("burned",)}})
rule, case, case_table, domain = GAME.rule, GAME.case, GAME.case_table, GAME.domain
