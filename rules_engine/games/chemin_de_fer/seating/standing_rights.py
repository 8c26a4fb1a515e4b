"""What a standing player may get: the cards, the bank, a passed hand. These cases reuse those of other rules.

Portugal 49, 55, 56, 60, 78, 83, 84 s2, 91; Sanremo 42 s3, 47 s2, 88 s2, 96, 101 s3, 115.
"""

from rules_engine import situation
from rules_engine.authoring import Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank import auction, offer, turn
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims import banco_cases, largest_stake_cases, other_right, with_table
from rules_engine.games.chemin_de_fer.game import case
from rules_engine.games.chemin_de_fer.setting import with_bystanders


@case("standing_players", {PT[0]: "60", SANREMO: "51 s1"})
def standing_stake_is_larger(draw: Draw, book: Rulebook, difficulty: int) -> situation.Situation:
    return with_bystanders(draw, largest_stake_cases.largest_seated(draw, book, max(2, difficulty)))


@case("standing_players", {PT[0]: "49", SANREMO: ("42 s3", "115 s1")})
def standing_players_ask(draw: Draw, book: Rulebook, difficulty: int) -> situation.Situation:
    make = other_right.standing_banco_among_stakes if difficulty <= 2 else banco_cases.only_standing
    return with_bystanders(draw, make(draw, book, difficulty))


@case("standing_players", {PT[0]: ("56 s1", "56 s2"), SANREMO: ("47 s2", "42 s2")})
def standing_player_displaced(draw: Draw, book: Rulebook, difficulty: int) -> situation.Situation:
    return with_bystanders(draw, with_table.seated_displaces(draw, book, difficulty))


@case("standing_players", {PT[0]: "56 s3", SANREMO: "115 s2"})
def standing_player_alone(draw: Draw, book: Rulebook, difficulty: int) -> situation.Situation:
    """In Portugal he was displaced and answers; in Sanremo he is the only ponto."""
    make = largest_stake_cases.standing_sole_ponto if book.coded_as == SANREMO else with_table.displaced_goes_alone
    return with_bystanders(draw, make(draw, book, difficulty))


@case("standing_players", {PT[0]: "78", SANREMO: "96 s1"})
def standing_player_wants_the_hand(draw: Draw, book: Rulebook, difficulty: int) -> situation.Situation:
    return offer.standing_want_it(draw, book, difficulty)


@case("standing_players", {PT[0]: "83", SANREMO: "101 s3"})
def standing_player_bids(draw: Draw, book: Rulebook, difficulty: int) -> situation.Situation:
    return auction.seated_and_standing_bid_the_same(draw, book, difficulty)


@case("standing_players", {PT[0]: ("91 s1", "91 s2")})
def standing_banker_loses(draw: Draw, book: Rulebook, difficulty: int) -> situation.Situation:
    return with_bystanders(draw, turn.standing_taker_loses(draw, book, difficulty))


@case("standing_players", {PT[0]: "32 s1"})
def standing_banker_goes_on(draw: Draw, book: Rulebook, difficulty: int) -> situation.Situation:
    return with_bystanders(draw, turn.standing_taker_does_not_lose(draw, book, difficulty))
