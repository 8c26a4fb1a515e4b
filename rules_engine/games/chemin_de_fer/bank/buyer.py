"""A player who took over a hand will not deal: what he must do, what it costs him, and where the hand goes.

Portugal 88 (s1, s2); Sanremo 106 (s1, s2, s3).
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, between, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import (
    announce,
    check_another_seated,
    check_at_table,
    neighbours,
    next_seated,
    passed_hand,
)
from rules_engine.games.chemin_de_fer.books import BANK, PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.setting import pontos, seated_pontos
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation, Stake


class BuyerWontDeal(Incident, frozen=True, tag="buyer_wont_deal"):
    """The banker took the hand over from `passer` and, seeing the stakes, will not deal his first coup.

    `bids`: who wants to bid if it goes to auction again; by default the banker himself.
    """

    tells = ("minimum",)
    phrased = {"may_bid": "question.may_bid_again"}

    passer: Place
    acquired: Literal["level", "auction"]
    bids: Place | None = None

    def check(self, situation: Situation) -> None:
        check_at_table(situation, passer=self.passer, bids=self.bids)
        if self.passer == situation.banker:
            raise ImpossibleFacts("incident.passer", "he cannot have taken the hand over from himself")
        check_another_seated(situation, situation.banker)

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.buyer_wont_deal.{self.acquired}", {"passer": self.passer})]
        if self.bids:
            told.append(("incident.buyer_wont_deal.bids", {"bids": self.bids}))
        return told


@rule(BuyerWontDeal, *PT)
def buyer_wont_deal_pt(s: Situation, incident: BuyerWontDeal, r: Reasoning) -> None:
    if incident.acquired != "auction":
        raise NotRegulated("art. 88 speaks only of a hand awarded at auction")
    r.pivot("88 s1", "bank.buyer_deals_first")
    r.choice("allowed", "refused", critical=True)
    r.pivot("88 s2", "bank.refuser_and_passer_barred", refuser=s.banker, passer=incident.passer)
    barred = (incident.bids or s.banker) in (s.banker, incident.passer)
    if not barred:
        r.pivot("83", "bank.others_may_bid", player=incident.bids)
    r.choice("may_bid", "may_not_bid" if barred else "may_bid")
    announce(r, "bank_refused")


@rule(BuyerWontDeal, SANREMO)
def buyer_wont_deal_sanremo(s: Situation, incident: BuyerWontDeal, r: Reasoning) -> None:
    staked = sum(stake.amount for stake in s.stakes)
    enough = s.minimum * r.book.number("give_up_bought_hand_if_stakes_below_x_min")
    after = next_seated(s, s.banker)
    r.pivot("106 s1", "bank.buyer_deals_or_leaves")
    r.pivot(
        "106 s2", "bank.too_little_staked" if staked < enough else "bank.enough_staked", staked=staked, enough=enough
    )
    gives_up = staked < enough
    r.choice("allowed", "allowed" if gives_up else "refused", critical=True)
    r.choice("keeps_seat", "keeps" if gives_up else "loses")
    if gives_up:
        # Where he has no right to give it up, the text foresees no new offer.
        r.pivot("106 s3", "bank.offered_again", player=after)
        r.player("offer_first", after, tempting=[after, *neighbours(s, incident.passer)])


@case_table(
    "auction", variant("auction_buyer_refuses", {PT[0]: ("88 s1", "88 s2")}, staked=between(1, 20), acquired="auction")
)
def _wont_deal(
    draw: Draw, book: Rulebook, difficulty: int, staked: int, acquired: Literal["level", "auction"]
) -> Situation:
    """The stakes add up to a sum, in more pieces the harder it gets; `staked` is in units of the table."""
    facts = passed_hand(draw, book, difficulty, foreign=True)
    unit = facts["unit"]
    players = draw.sample(pontos(facts), min(1 + difficulty // 2, staked))
    each, more = divmod(staked, len(players)) if players else (0, 0)
    stakes = tuple(Stake(player, (each + (more if index == 0 else 0)) * unit) for index, player in enumerate(players))
    passer = draw.pick(seated_pontos(facts))
    others = [place for place in pontos(facts) if place != passer]
    bids = draw.pick((facts["banker"], passer, draw.pick(others), draw.pick(others))) if book.coded_as in PT else None
    incident = BuyerWontDeal(passer=passer, acquired=acquired, bids=bids)
    return Situation(**facts, stakes=stakes, incident=incident)


def _enough_units(book: Rulebook) -> int:
    """How many smallest stakes make the sum from which a buyer at Sanremo must deal."""
    table = book.table
    return table.limit(BANK).minimum // table.minimum * book.number("give_up_bought_hand_if_stakes_below_x_min")


@case("bank_offer", {SANREMO: ("106 s1", "106 s2")})
def buyer_refuses(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: far more than enough is staked. Harder: exactly enough."""
    enough = _enough_units(book)
    staked = enough if difficulty >= 3 and draw.chance(0.5) else enough + draw.number(1, 20)
    return _wont_deal(draw, book, difficulty, staked, draw.pick(("level", "auction")))


@case("bank_offer", {SANREMO: ("106 s2", "106 s3")})
def buyer_gives_up_a_thin_hand(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    enough = _enough_units(book)
    staked = enough - 1 if difficulty >= 3 and draw.chance(0.5) else draw.number(0, enough - 1)
    return _wont_deal(draw, book, difficulty, staked, draw.pick(("level", "auction")))
