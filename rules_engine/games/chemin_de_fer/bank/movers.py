"""A player who changed seats to get the bank sooner: until he has let it pass, he also comes last for a passed hand.

Portugal 92 s2 to s4; Sanremo 25 s2.
"""

from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.auction import AuctionEnds
from rules_engine.games.chemin_de_fer.bank.offer import HandOffered
from rules_engine.games.chemin_de_fer.bank.passing import PassesBank
from rules_engine.games.chemin_de_fer.bank.places import passed_hand
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case
from rules_engine.games.chemin_de_fer.setting import pontos, seated_pontos
from rules_engine.games.chemin_de_fer.table import Call, Situation


@case("bank_offer", {PT[0]: "92 s2", SANREMO: "25 s2"})
def mover_wants_passed_hand(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The player nearest to the passer's right moved ahead; another seat wants the hand too and, harder, standing
    players."""
    facts = passed_hand(draw, book, difficulty)
    near, *rest = seated_pontos(facts)
    wanting = [near, *draw.sample(rest, 1 + difficulty // 4), *draw.sample(facts["standing"], difficulty // 3)]
    said = (Call(facts["banker"], "pass_bank"), Call("croupier", "offer_level", facts["bank"]))
    takes = tuple(Call(player, "take") for player in draw.shuffled(wanting))
    incident = HandOffered(regular=facts["banker"], moved_ahead=(near,))
    return Situation(**facts, calls=(*said, *takes), incident=incident)


@case("bank_offer", {PT[0]: "92 s4", SANREMO: "25 s2"})
def hand_offered_round_a_mover(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The order of the offer. The Portuguese text does not rank the mover against standing players."""
    facts = passed_hand(draw, book, difficulty, standing=0 if book.coded_as in PT else None)
    mover = draw.pick(seated_pontos(facts)[:2])
    incident = PassesBank(regular=facts["banker"], coups=("won",), moved_ahead=(mover,))
    return Situation(**facts, wins=1, calls=(Call(facts["banker"], "pass_bank"),), incident=incident)


@case("auction", {PT[0]: "92 s3", SANREMO: "25 s2"})
def mover_bids_the_same(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He sits nearest and bids as much as another seat."""
    facts: dict[str, Any] = passed_hand(draw, book, difficulty)
    near, *rest = seated_pontos(facts)
    top = draw.shuffled([near, *draw.sample(rest, 1 + difficulty // 4)])
    lower = draw.sample([place for place in pontos(facts) if place not in top], difficulty // 3)
    bids = [Call(player, "bid", facts["minimum"]) for player in lower[:1]]
    bids += [Call(player, "bid", facts["minimum"] * 2) for player in top]
    calls = (Call(facts["banker"], "pass_bank"), Call("croupier", "auction_opens"), *bids)
    return Situation(**facts, calls=calls, incident=AuctionEnds(regular=facts["banker"], moved_ahead=(near,)))
