"""The game of chemin de fer."""

from rules_engine.authoring import Game
from rules_engine.games.baccarat.cards import SCORES
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import KEYS, POINTING, declare
from rules_engine.games.chemin_de_fer.books import BANK, BOOKS, PT, SPAIN
from rules_engine.games.chemin_de_fer.table import Incident, Situation

GAME = Game(
    "chemin_de_fer",
    version="1.13.0",
    situation=Situation,
    incident=Incident,
    books=BOOKS,
    languages=("en", "pt", "it", "es"),
    # First reading and playing a coup, then stakes and payments, who gets the cards and the bank, and faults; then the
    # shoe and the seats, which a newcomer does not handle at first; last what the house decides.
    topics=(
        *("card_values", "third_card", "ponto_draw", "announcements", "stakes", "payment", "bank_capital"),
        *("cards_to", "banco_priority", "banco_table", "suivi"),
        *("auction", "bank_passing", "bank_offer", "partners", "advice"),
        *("ponto_faults", "draw_faults", "deal_faults", "croupier_faults", "discard_faults"),
        *("shoe", "last_coup", "seating", "standing_players"),
        "procedures",
    ),
    paid=("stake_paid", "returned"),
    ordinary={"seats": [1, 2, 3, 4, 5, 6], "banker": "1", "bank": 1000, "minimum": 100, "unit": 10},
    draw=Draw,
    staff=("banker", "croupier", "inspector", "nobody"),
    scores=SCORES,
    groups={
        "people": ("seats", "standing", "banker", "holder", "claim", "by_table", "foreigners", "foreign_language"),
        "said": ("calls",),
        "cards": ("ponto", "banker_cards", "loose", "next"),
    },
    shares=("rules_engine.games.baccarat",),
    pointing=POINTING,
    keys=KEYS,
    guided_coup="player_bank",
    banker_is_player=True,
    sprints={"scores": ((PT[0], "card_values"),), "third_card": ((PT[0], "third_card"),)},
    states_bank=("bank_of", "states_bank"),
    table_limits=(BANK,),
)
# Only Sanremo keeps an unseen card for the next coup, or leaves one in the shoe that is not quite out. Spain prints no
# table, so nothing tells its banker to draw, and of a faulty coup it says only whether it is restored or annulled.
declare(
    GAME,
    unknown={
        "fate": dict.fromkeys((*PT, SPAIN), ("next_coup", "shoe")),
        "winner": {SPAIN: ("nobody",)},
        "coup": {SPAIN: ("stands",)},
        "banker_draw": {SPAIN: ("must_draw",)},
    },
)
rule, case, case_table, domain = GAME.rule, GAME.case, GAME.case_table, GAME.domain
