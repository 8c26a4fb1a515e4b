"""An auction of the bank opens, runs, or finds no bidder: the base, the raises, and who must take the unsold hand.

Portugal 80 s3, 82, 85 (s1, s2); Sanremo 99, 101 s1, 102.
"""

from typing import Any

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import (
    announce,
    check_another_seated,
    check_at_table,
    check_seated,
    neighbours,
    next_seated,
    passed_hand,
    tell_regular,
)
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.setting import pontos, seated_pontos
from rules_engine.games.chemin_de_fer.table import Call, Incident, Place, Situation, Sum


class AuctionOpens(Incident, frozen=True, tag="auction_opens"):
    """Nobody took the hand at level, and the passer does not go on with it.

    `base` and `step` are what the house has fixed, where the rulebook leaves them to the house.
    """

    tells = ("minimum",)

    base: Sum = 0
    step: Sum = 0

    def check(self, situation: Situation) -> None:
        _check_terms(self)

    def narration(self) -> list[Sentence]:
        return [*_terms(self), ("incident.auction_opens", {})]


class BidMade(Incident, frozen=True, tag="bid_made"):
    """The last call is a bid to accept or refuse; the bids before it are good. The terms are those of
    `AuctionOpens`."""

    tells = ("minimum",)

    base: Sum = 0
    step: Sum = 0

    def check(self, situation: Situation) -> None:
        _check_terms(self)
        if not situation.minimum:
            raise ImpossibleFacts("minimum", "an auction is held at a table with a minimum")
        if not situation.calls or situation.calls[-1].says != "bid":
            raise ImpossibleFacts("calls", "the last call must be the bid in question")
        for index, call in enumerate(situation.calls):
            if call.says == "bid" and call.amount is None:
                raise ImpossibleFacts(f"calls[{index}].amount", "a bid needs an amount")
            if call.says == "bid":
                check_at_table(situation, bidder=call.by)

    def narration(self) -> list[Sentence]:
        return [*_terms(self), ("incident.bid_made", {})]


def _check_terms(incident: AuctionOpens | BidMade) -> None:
    if bool(incident.base) != bool(incident.step):
        raise ImpossibleFacts("incident.step", "the house fixes both a base and a raise, or neither")


def _terms(incident: AuctionOpens | BidMade) -> list[Sentence]:
    told = {"base": incident.base, "step": incident.step}
    return [("incident.auction_terms", told)] if incident.base else []


class AuctionUnsold(Incident, frozen=True, tag="auction_unsold"):
    """Nobody bids. `refuses`: whoever must then take the hand will not."""

    tells = ("minimum",)

    phrased = {"bank_to": "question.bank_obliged", "keeps_seat": "question.keeps_seat_obliged"}

    regular: Place
    refuses: bool = False

    def check(self, situation: Situation) -> None:
        check_seated(situation, regular=self.regular)
        check_another_seated(situation, self.regular)
        check_another_seated(situation, situation.banker)

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [("incident.auction_unsold.start", {})]
        return [*told, (f"incident.auction_unsold.{'refuses' if self.refuses else 'takes'}", {})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        start, *rest = super().narrated(situation)
        return [start, tell_regular(situation, self.regular), *rest]


def bids_of(s: Situation) -> list[tuple[str, int]]:
    return [(call.by, call.amount or 0) for call in s.calls if call.says == "bid"]


def _fixed(incident: AuctionOpens | BidMade) -> tuple[int, int]:
    if not incident.base:
        raise NotRegulated("art. 82: the house must have fixed the base of the auction and its raises")
    return incident.base, incident.step


@rule(AuctionOpens, *PT)
def auction_opens_pt(s: Situation, incident: AuctionOpens, r: Reasoning) -> None:
    base, step = _fixed(incident)
    r.pivot("80 s3", "bank.goes_to_auction")
    r.pivot("82", "bank.opens_at_base", base=base, step=step)
    r.amount("auction_base", base, tempting=[s.bank, s.minimum, base + step], critical=True)
    announce(r, "auction_opens")


@rule(AuctionOpens, SANREMO)
def auction_opens_sanremo(s: Situation, incident: AuctionOpens, r: Reasoning) -> None:
    r.pivot("101 s1", "bank.goes_to_auction")
    r.pivot("102", "bank.opens_at_minimum", minimum=s.minimum)
    r.amount("auction_base", s.minimum, tempting=[s.bank, incident.base or s.bank, s.minimum * 2], critical=True)


@rule(BidMade, *PT)
def bid_made_pt(s: Situation, incident: BidMade, r: Reasoning) -> None:
    base, step = _fixed(incident)
    _judge_bid(s, r, "82", base=base, step=step)


@rule(BidMade, SANREMO)
def bid_made_sanremo(s: Situation, incident: BidMade, r: Reasoning) -> None:
    _judge_bid(s, r, "102", base=s.minimum, step=s.minimum)


def _judge_bid(s: Situation, r: Reasoning, cite: str, *, base: int, step: int) -> None:
    """A good bid is the base plus a whole number of raises; no sum is too high."""
    *before, (_, bid) = bids_of(s)
    least = before[-1][1] + step if before else base
    good = bid >= least and (bid - base) % step == 0
    sentence = "bank.good_bid" if good else "bank.low_bid" if bid < least else "bank.uneven_bid"
    r.pivot(cite, sentence, bid=bid, least=least, step=step)
    r.amount("least_bid", least, tempting=[s.bank, bid, least - step, base])
    r.choice("allowed", "allowed" if good else "refused")


@rule(AuctionUnsold, *PT)
def auction_unsold_pt(s: Situation, incident: AuctionUnsold, r: Reasoning) -> None:
    if not s.banker.isdigit():
        raise NotRegulated("art. 85 does not say who follows a standing banker in the turn")
    to = next_seated(s, s.banker)
    r.pivot("85 s1", "bank.unsold_to_next", player=to, minimum=s.minimum)
    _must_take(s, incident, r, to)
    _seat(incident, r, "85 s2", to)
    if incident.refuses:
        announce(r, "bank_refused")


@rule(AuctionUnsold, SANREMO)
def auction_unsold_sanremo(s: Situation, incident: AuctionUnsold, r: Reasoning) -> None:
    to = next_seated(s, incident.regular)
    r.pivot("99", "bank.unsold_to_right_of_initial", player=to, origin=incident.regular, minimum=s.minimum)
    _must_take(s, incident, r, to)
    _seat(incident, r, "99", to)


def _seat(incident: AuctionUnsold, r: Reasoning, cite: str, to: str) -> None:
    text = "bank.refusal_costs_seat" if incident.refuses else "bank.takes_keeps_seat"
    r.step(cite, text, player=to, pivot=incident.refuses)
    r.choice("keeps_seat", "loses" if incident.refuses else "keeps")


def _must_take(s: Situation, incident: AuctionUnsold, r: Reasoning, to: str) -> None:
    tempting = [*neighbours(s, s.banker), next_seated(s, incident.regular), "nobody"]
    r.player("bank_to", to, tempting=tempting, critical=True)
    r.amount("least_bank", s.minimum, tempting=[s.bank, s.minimum * 2, s.bank // 2])


def house_terms(draw: Draw, facts: dict[str, Any], book: Rulebook) -> dict[str, int]:
    """Portugal leaves base and raise to the house; Sanremo fixes both at the table's minimum."""
    if book.coded_as == SANREMO:
        return {}
    minimum: int = facts["minimum"]
    return {"base": minimum * draw.pick((1, 2)), "step": minimum // draw.pick((1, 2))}


def _before(facts: dict[str, Any]) -> tuple[Call, ...]:
    return (Call(facts["banker"], "pass_bank"), Call("croupier", "round_done"))


@case("auction", {PT[0]: ("80 s3", "82"), SANREMO: ("101 s1", "102")})
def auction_begins(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty, foreign=True)
    return Situation(**facts, calls=_before(facts), incident=AuctionOpens(**house_terms(draw, facts, book)))


@case("auction", {PT[0]: "82", SANREMO: "102"})
def bid_to_judge(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: the first bid. Harder: bids above the level that nobody took, and raises that are slightly wrong."""
    facts = passed_hand(draw, book, difficulty)
    terms = house_terms(draw, facts, book)
    base, step = terms.get("base", facts["minimum"]), terms.get("step", facts["minimum"])
    bidders = draw.shuffled(pontos(facts))[:4]
    good = draw.number(0, difficulty * 2)
    amounts = [base + step * index for index in range(good)]
    least = base + step * good
    wrong = [amount for amount in (least - step, least - step // 2, least + step // 2) if amount]
    amounts.append(least if draw.chance(0.4) else draw.pick(wrong[:1] if difficulty == 1 else wrong))
    bids = [Call(bidders[index % len(bidders)], "bid", amount) for index, amount in enumerate(amounts)]
    return Situation(
        **facts, calls=(*_before(facts), Call("croupier", "auction_opens"), *bids), incident=BidMade(**terms)
    )


@case_table(
    "auction",
    variant("nobody_bids", {PT[0]: "85 s1", SANREMO: "99"}, refuses=False),
    variant("nobody_bids_and_the_next_refuses", {PT[0]: "85 s2", SANREMO: "99"}, refuses=True),
)
def _unsold(draw: Draw, book: Rulebook, difficulty: int, *, refuses: bool) -> Situation:
    """Harder: the passer had taken the hand over himself, so that in Sanremo the turn counts from another seat."""
    facts = passed_hand(draw, book, difficulty, foreign=True)
    regular = draw.pick(seated_pontos(facts)) if difficulty >= 3 else facts["banker"]
    incident = AuctionUnsold(regular=regular, refuses=refuses)
    return Situation(**facts, calls=(*_before(facts), Call("croupier", "auction_opens")), incident=incident)
