"""The end of an auction of the bank: whose bid wins, with equal bids, partners, and players who may not bid.

Portugal 83, 84 (s1, s2), 86, 87 (s1, s2, s3, open), 88 s2, 89 s2, 90, 92 s3; Sanremo 25 s2, 82 (s1, s4), 84 s2, 95 s1,
101 (s1, s2, s3), 104.
"""

from typing import Any

from msgspec import Struct

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, Utterance
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.association import least_seated, tell_kept_partner, too_few_seated
from rules_engine.games.chemin_de_fer.bank.bidding import bids_of
from rules_engine.games.chemin_de_fer.bank.places import (
    CoupResult,
    check_at_table,
    check_movers,
    check_seated,
    movers_last,
    offer_origin,
    passed_hand,
    seated_first,
    tell_movers,
    tell_regular,
)
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.order import by_house, standing_by_house
from rules_engine.games.chemin_de_fer.setting import pontos, seated_pontos
from rules_engine.games.chemin_de_fer.table import Call, Incident, Place, Situation


class AuctionEnds(Incident, frozen=True, tag="auction_ends"):
    """The bids among the calls are all there were; equal bids were made at the same moment.

    The hand was passed after a coup won or tied (`after`); if `first_coup`, it was the first since the passer bought it
    at auction. `partner` shared the passer's bank. `joint` are pairs who bid together through one of them. `refuser`
    had won an auction of this same hand and would not deal.
    """

    tells = ("minimum",)

    regular: Place
    after: CoupResult = "won"
    first_coup: bool = False
    partner: Place | None = None
    joint: tuple[tuple[Place, Place], ...] = ()
    refuser: Place | None = None
    moved_ahead: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        check_seated(situation, regular=self.regular)
        check_movers(situation, self.moved_ahead)
        check_at_table(situation, partner=self.partner, refuser=self.refuser)
        if not bids_of(situation):
            raise ImpossibleFacts("calls", "an auction that ends with a buyer has a bid")
        for bidder, _ in bids_of(situation):
            check_at_table(situation, bidder=bidder)
        for pair in self.joint:
            check_at_table(situation, joint=pair[0])
            check_at_table(situation, joint=pair[1])

    def partner_fact(self) -> str:
        return "partner" if self.partner else ""

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.auction_ends.{self.after}", {})]
        if self.first_coup:
            told.append(("incident.auction_ends.first_coup", {}))
        if self.partner:
            told.append(("incident.auction_ends.partner", {"partner": self.partner}))
        if self.refuser:
            told.append(("incident.auction_ends.refuser", {"refuser": self.refuser}))
        told += [("incident.auction_ends.joint", {"first": pair[0], "second": pair[1]}) for pair in self.joint]
        return [*told, *tell_movers(self.moved_ahead), ("incident.auction_ends.over", {})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        """Adds whose turn it was and, where two bid the same, that they did so at once."""
        amounts = [amount for _, amount in bids_of(situation)]
        equal = len(set(amounts)) < len(amounts)
        passed, *rest = super().narrated(situation)
        whose = tell_regular(situation, self.regular)
        return [passed, whose, *rest, *([("incident.auction_ends.equal", {})] if equal else [])]


class _Bid(Struct, frozen=True):
    """A bid by one player, or by two through `holder`, the one of them who would hold the bank."""

    holder: str
    amount: int
    partner: str | None = None

    @property
    def bidders(self) -> tuple[str, ...]:
        return (self.holder,) if self.partner is None else (self.holder, self.partner)


def _bids(s: Situation, incident: AuctionEnds, r: Reasoning, origin: str) -> list[_Bid]:
    found = []
    for bidder, amount in bids_of(s):
        pair = next((pair for pair in incident.joint if bidder in pair), None)
        holder, *other = standing_by_house(r, origin, seated_first(origin, pair or (bidder,)))
        found.append(_Bid(holder, amount, other[0] if other else None))
    return found


def _outbid_by_partners(r: Reasoning, good: list[_Bid]) -> list[_Bid]:
    """Where partners bid more than whoever bids alone, 87 can be read in two ways (Q9)."""
    single = [bid for bid in good if bid.partner is None]
    if not single or max(bid.amount for bid in good) == max(bid.amount for bid in single):
        return good
    any_price = r.book.reads("Q9", "any_price")
    r.pivot("87 open", "bank.single_at_any_price" if any_price else "bank.single_outbid")
    return single if any_price else good


@rule(AuctionEnds, *PT)
def auction_ends_pt(s: Situation, incident: AuctionEnds, r: Reasoning) -> None:
    bids = _bids(s, incident, r, s.banker)
    good = [bid for bid in bids if not any(_barred_pt(s, incident, r, player) for player in bid.bidders)]
    good = _outbid_by_partners(r, good)
    top = _highest(good, cite="85")
    single = [bid for bid in top if bid.partner is None]
    if single and len(single) < len(top):
        r.pivot("87 s3", "bank.single_before_joint", amount=top[0].amount)
        top = single
    winner = _between_equals_pt(s, incident, r, top)
    if winner.partner is not None:
        r.pivot("87 s1", "bank.joint_allowed", first=winner.holder, second=winner.partner)
        r.pivot("87 s2", "bank.joint_holder", player=winner.holder)
    _award(s, r, winner, bids)
    wrong = [*dict.fromkeys(bid.amount for bid in bids), s.bank, s.bank + winner.amount]
    said = r.book.say(Utterance("bank_awarded", {"amount": winner.amount}))
    r.step(r.book.formula("bank_awarded").cite, "bank.announced_as", words=said)
    r.words(
        "bank_awarded", amount=winner.amount, tempting=[Utterance("bank_awarded", {"amount": sum}) for sum in wrong]
    )


def _barred_pt(s: Situation, incident: AuctionEnds, r: Reasoning, player: str) -> bool:
    passer = player == s.banker
    if incident.refuser and (passer or player == incident.refuser):
        r.pivot("88 s2", "bank.barred_after_refusal", player=player)
        return True
    if player == incident.partner and incident.after == "tie":
        raise NotRegulated("arts. 86 and 89 bar the partner only when the hand was passed after a win")
    if not passer and player != incident.partner:
        return False
    if incident.after == "tie":
        r.pivot("89 s2", "bank.barred_after_tie", player=player)
        return True
    r.pivot("86", "bank.barred_passer" if passer else "bank.barred_partner", player=player)
    if passer and incident.first_coup:
        r.pivot("90", "bank.barred_first_coup", player=player)
    return True


def _between_equals_pt(s: Situation, incident: AuctionEnds, r: Reasoning, top: list[_Bid]) -> _Bid:
    if len(top) == 1:
        r.pivot("83", "bank.highest_bid", amount=top[0].amount, player=top[0].holder)
        return top[0]
    seated = [bid for bid in top if bid.holder.isdigit()]
    if seated and len(seated) < len(top):
        r.pivot("83", "bank.equal_seated_first", amount=top[0].amount)
    tied = [*(seated or top)]
    order = seated_first(s.banker, [bid.holder for bid in top])
    order = order if seated else by_house(r, s.banker, order)
    movers = [place for place in order if place in incident.moved_ahead]
    if movers and r.book.reads("PT92", "auction"):
        r.pivot("92 s3", "bank.mover_keeps_place", player=movers[0])
    else:
        order = movers_last(r, order, incident.moved_ahead, cite="92 s3")
    tied.sort(key=lambda bid: order.index(bid.holder))
    if len(tied) > 1:
        r.pivot("84 s1" if seated else "84 s2", "bank.equal_nearest", origin=s.banker, player=tied[0].holder)
    return tied[0]


@rule(AuctionEnds, SANREMO)
def auction_ends_sanremo(s: Situation, incident: AuctionEnds, r: Reasoning) -> None:
    if incident.refuser:
        raise NotRegulated("art. 106 makes a buyer who will not deal leave his seat; it foresees no second auction")
    tell_kept_partner(s, r)
    origin = offer_origin(s, incident.regular)
    bids = _bids(s, incident, r, origin)
    good = []
    for bid in bids:
        if bid.partner is not None:
            r.pivot("104", "bank.no_joint_bids", first=bid.holder, second=bid.partner)
            r.step("95 s1", "bank.no_joint_purchase")
            if too_few_seated(s, r.book):
                r.pivot("82 s1", "bank.too_few_seated", seated=len(s.seats))
        elif bid.holder in (s.banker, incident.partner):
            r.pivot("101 s1", "bank.auction_for_others", player=bid.holder)
            r.pivot("84 s2", "bank.not_own_bank", player=bid.holder)
        else:
            good.append(bid)
    top = _highest(good, cite="99")
    if len(top) > 1:
        order = movers_last(r, seated_first(origin, [bid.holder for bid in top]), incident.moved_ahead, cite="25 s2")
        top.sort(key=lambda bid: order.index(bid.holder))
    if len(top) == 1:
        r.pivot("101 s2", "bank.highest_bid", amount=top[0].amount, player=top[0].holder)
    else:
        r.pivot("101 s3", "bank.equal_by_hand", origin=origin, player=top[0].holder)
    _award(s, r, top[0], bids)


def _highest(good: list[_Bid], *, cite: str) -> list[_Bid]:
    if not good:
        raise NotRegulated("{cite:cited}: no good bid is left, and the hand counts as unsold", cite=cite)
    most = max(bid.amount for bid in good)
    return [bid for bid in good if bid.amount == most]


def _award(s: Situation, r: Reasoning, winner: _Bid, bids: list[_Bid]) -> None:
    r.player("bank_to", winner.holder, tempting=[player for bid in bids for player in bid.bidders], critical=True)
    wrong = [max(bid.amount for bid in bids), s.bank, s.minimum, *(bid.amount for bid in bids)]
    r.amount("bank_amount", winner.amount, tempting=wrong, critical=True)


def _auction(
    draw: Draw, difficulty: int, top: list[str], *, facts: dict[str, Any], silent: str = "", **incident: Any
) -> Situation:
    """The others raise one step at a time; then all of `top` bid the next sum. `silent` never bids."""
    minimum = facts["minimum"]
    rest = [place for place in pontos(facts) if place not in (*top, silent)]
    count = draw.number(1, 1 + difficulty) if len(rest) > 1 else 1
    amounts = [minimum * (index + 1) for index in range(count)]
    bids = [Call(rest[index % len(rest)], "bid", amount) for index, amount in enumerate(amounts)]
    bids += [Call(player, "bid", minimum * (count + 1)) for player in top]
    calls = (Call(facts["banker"], "pass_bank"), Call("croupier", "auction_opens"), *bids)
    regular = incident.pop("regular", facts["banker"])
    return Situation(**facts, calls=calls, incident=AuctionEnds(regular=regular, **incident))


@case("auction", {PT[0]: "83", SANREMO: "101 s2"})
def highest_bid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """It may well be a standing player's."""
    facts = passed_hand(draw, book, difficulty, standing=max(1, difficulty // 2), foreign=True)
    return _auction(draw, difficulty, [draw.pick((*pontos(facts), *facts["standing"]))], facts=facts)


@case("auction", {PT[0]: "83", SANREMO: "101 s3"})
def seated_and_standing_bid_the_same(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty, standing=max(1, difficulty // 2), foreign=True)
    seated = draw.sample(seated_pontos(facts), 1 + difficulty // 4)
    top = draw.shuffled([*seated, draw.pick(facts["standing"])])
    return _auction(draw, difficulty, top, facts=facts)


@case("auction", {PT[0]: "84 s1", SANREMO: "101 s3"})
def seated_bid_the_same(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty, foreign=True)
    return _auction(draw, difficulty, draw.sample(seated_pontos(facts), 2 + difficulty // 4), facts=facts)


@case("auction", {PT[0]: "84 s2", SANREMO: "101 s3"})
def standing_bid_the_same(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty, standing=3 + difficulty // 2, foreign=True)
    return _auction(draw, difficulty, draw.sample(facts["standing"], 2 + difficulty // 4), facts=facts)


@case("partners", {PT[0]: ("87 s1", "87 s2", "87 open"), SANREMO: "104"})
def partners_bid_highest(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty, standing=difficulty // 2, foreign=True, seated=least_seated(book))
    first, second = draw.sample(pontos(facts), 2)
    return _auction(draw, difficulty, [first], facts=facts, silent=second, joint=((first, second),))


@case("partners", {PT[0]: "87 s3", SANREMO: "104"})
def partners_and_a_single_player(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The pair is seated; whoever bids the same alone may be standing."""
    facts = passed_hand(
        draw, book, difficulty, standing=max(1, difficulty // 2), foreign=True, seated=least_seated(book)
    )
    first, second, third = draw.sample(seated_pontos(facts), 3)
    alone = draw.pick((third, *facts["standing"])) if difficulty >= 2 else third
    bids = [Call(player, "bid", facts["minimum"] * 2) for player in draw.shuffled([first, alone])]
    calls = (Call(facts["banker"], "pass_bank"), Call("croupier", "auction_opens"), *bids)
    incident = AuctionEnds(regular=facts["banker"], joint=((first, second),))
    return Situation(**facts, calls=calls, incident=incident)


@case("auction", {PT[0]: "86", SANREMO: ("84 s2", "101 s1")})
def passer_bids(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty, foreign=True)
    return _auction(draw, difficulty, [facts["banker"]], facts=facts)


@case("partners", {PT[0]: "86", SANREMO: ("84 s2", "101 s1")})
def partner_of_the_passer_bids(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, max(2, difficulty), foreign=True, seated=least_seated(book))
    partner = draw.pick(pontos(facts))
    return _auction(draw, difficulty, [partner], facts=facts, partner=partner)


@case("auction", {PT[0]: "88 s2"})
def refuser_bids_again(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty, foreign=True)
    refuser = draw.pick(seated_pontos(facts))
    top = draw.pick((refuser, facts["banker"])) if difficulty >= 3 else refuser
    return _auction(draw, difficulty, [top], facts=facts, silent=refuser, refuser=refuser)


@case("auction", {PT[0]: ("90", "86")})
def buyer_passes_at_once_and_bids(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty, foreign=True) | {"wins": 1}
    regular = draw.pick(seated_pontos(facts))
    return _auction(draw, difficulty, [facts["banker"]], facts=facts, first_coup=True, regular=regular)
