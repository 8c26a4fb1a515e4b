"""The banker passes the hand: whether he may, what he takes back, and at what level and in which order it is offered.

Portugal 76 s3, 77 (s1, s2), 78, 79, 80 s1, 88 s1, 89 s1, 92 (s2, s4); Sanremo 25 s2, 87 s1, 88 (s1, s2), 105 (s1, s3),
106 s1.
"""

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, one_of, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import (
    TIE,
    Acquired,
    CoupResult,
    Coups,
    announce,
    check_another_seated,
    check_coups,
    check_movers,
    check_seated,
    movers_last,
    offer_origin,
    others,
    passed_hand,
    seated_first,
    standing_banker,
    tell_movers,
)
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.order import from_right, standing_by_house
from rules_engine.games.chemin_de_fer.table import Call, Incident, Place, Situation, Sum


def hand_so_far(acquired: Acquired, coups: Coups) -> list[Sentence]:
    """How the banker got the hand and what he has dealt."""
    told: list[Sentence] = [(f"incident.hand_had.{acquired}", {})]
    if len(coups) == 1:
        told.append(("incident.one_coup_dealt", {"last": coups[0]}))
    elif set(coups) == {"won"}:
        told.append(("incident.coups_all_won", {"count": len(coups)}))
    elif coups:
        told.append(("incident.coups_dealt", {"count": len(coups), "won": coups.count("won"), "last": coups[-1]}))
    else:
        told.append(("incident.no_coup_dealt", {}))
    return told


class AsksToPass(Incident, frozen=True, tag="asks_to_pass"):
    """The banker wants to pass the hand; may he? `coups` are those he has dealt in this hand, in order."""

    acquired: Acquired = "turn"
    coups: Coups = ()

    def check(self, situation: Situation) -> None:
        check_coups(situation, self.coups)

    def narration(self) -> list[Sentence]:
        return [*hand_so_far(self.acquired, self.coups), ("incident.asks_to_pass", {})]


class PassesBank(Incident, frozen=True, tag="passes_bank"):
    """The banker passes the hand, validly. `price` is the sum at which he had taken it over, if he had."""

    tells = ("garage",)

    regular: Place
    coups: Coups
    acquired: Acquired = "turn"
    price: Sum = 0
    moved_ahead: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        check_coups(situation, self.coups)
        check_seated(situation, regular=self.regular)
        check_movers(situation, self.moved_ahead)
        if not self.coups:
            raise ImpossibleFacts("incident.coups", "a hand is passed after a coup")
        if (self.acquired == "turn") != (self.regular == situation.banker):
            raise ImpossibleFacts("incident.regular", "a banker in his own turn is himself the regular holder")
        if (self.acquired == "turn") != (self.price == 0):
            raise ImpossibleFacts("incident.price", "only a hand that was taken over has a price")
        check_another_seated(situation, situation.banker)

    def narration(self) -> list[Sentence]:
        told = hand_so_far(self.acquired, self.coups)
        if self.acquired != "turn":
            told.append(("incident.taken_at", {"price": self.price, "regular": self.regular}))
        return [*told, *tell_movers(self.moved_ahead), ("incident.passes_bank", {})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        """A bank above its price without a coup won was raised by the banker."""
        told = super().narrated(situation)
        raised = bool(self.price) and not situation.wins and situation.bank > self.price
        return [*told[:-1], ("incident.raised_since", {}), told[-1]] if raised else told


@rule(AsksToPass, *PT)
def may_pass_pt(s: Situation, incident: AsksToPass, r: Reasoning) -> None:
    if not incident.coups:
        if incident.acquired != "auction":
            raise NotRegulated("art. 88 speaks only of a buyer who will not deal his first coup")
        r.pivot("88 s1", "bank.buyer_deals_first")
        r.choice("allowed", "refused", critical=True)
        return
    announce(r, "hand_abandoned")
    if incident.coups[-1] == "won":
        r.pivot("77 s1", "bank.may_pass_after_win")
    else:
        r.pivot("89 s1", "bank.tie_is_a_coup")
        r.pivot("76 s3", "bank.may_pass_after_tie")
    r.choice("allowed", "allowed", critical=True)


@rule(AsksToPass, SANREMO)
def may_pass_sanremo(s: Situation, incident: AsksToPass, r: Reasoning) -> None:
    bought = incident.acquired != "turn"
    if s.wins:
        r.pivot("87 s1", "bank.may_pass_after_win")
        allowed = "allowed"
    elif bought and not incident.coups:
        r.pivot("106 s1", "bank.buyer_deals_first")
        allowed = "refused"
    elif bought and len(incident.coups) > 1:
        raise NotRegulated("art. 105 lets a buyer pass after a tied first coup, and is silent on later ties")
    elif bought:
        r.pivot("105 s1", "bank.buyer_passes_after_tie")
        allowed = "allowed"
    else:
        r.pivot("87 s1", "bank.no_win_no_pass")
        allowed = "refused"
    r.choice("allowed", allowed, critical=True)


@rule(PassesBank, *PT)
def passes_bank_pt(s: Situation, incident: PassesBank, r: Reasoning) -> None:
    if incident.coups[-1] == "won":
        r.pivot("77 s1", "bank.may_pass_after_win")
        r.pivot("77 s2", _returned(s), bank=s.bank, garage=s.garage)
    else:
        r.pivot("89 s1", "bank.tie_is_a_coup")
        r.pivot("76 s3", _returned(s), bank=s.bank, garage=s.garage)
    r.amount("returned", s.bank + s.garage, tempting=_sums(s.bank, s.garage, s.bank - s.garage), critical=True)
    r.pivot("80 s1", "bank.level", level=s.bank)
    r.amount("level", s.bank, tempting=_sums(s.bank + s.garage, s.minimum, s.bank // 2, incident.price), critical=True)
    origin = offer_origin(s, incident.regular)
    right = standing_by_house(r, origin, seated_first(origin, others(s)))
    right = movers_last(r, right, incident.moved_ahead, cite="92 s2")
    if incident.moved_ahead and not right[-1].isdigit():
        raise NotRegulated(
            "art. 92 takes his priority from whoever moved ahead, and does not rank him among the standing"
        )
    for who in incident.moved_ahead:
        r.pivot("92 s4", "bank.mover_offered_last", who=who)
    if origin == s.banker:
        r.pivot("78", "bank.offered_seated_then_standing", origin=origin)
    else:
        r.step("78", "bank.offered_seated_then_standing", origin=origin)
        r.pivot("79", "bank.offered_from_regular", origin=origin)
    r.order("offer_order", right, tempting=_wrong_orders(s, right))
    # The shorter form is right here too (77), so it is not offered as a wrong answer.
    announce(r, "hand_abandoned")


@rule(PassesBank, SANREMO)
def passes_bank_sanremo(s: Situation, incident: PassesBank, r: Reasoning) -> None:
    if s.wins:
        r.pivot("87 s1", "bank.may_pass_after_win")
        level = s.bank
    elif incident.acquired != "turn" and len(incident.coups) == 1:
        r.pivot("105 s1", "bank.buyer_passes_after_tie")
        r.pivot("105 s3", "bank.level_is_price", price=incident.price)
        level = incident.price
    else:
        raise NotRegulated("arts. 87 and 105: this banker had no right to pass the hand")
    r.pivot("88 s1", "bank.palette_to_all_seated", level=level)
    r.amount("level", level, tempting=[s.bank, s.bank + s.garage, s.minimum, s.bank // 2], critical=True)
    origin = offer_origin(s, incident.regular)
    right = from_right(origin, filter(str.isdigit, others(s)))
    right = movers_last(r, right, incident.moved_ahead, cite="25 s2")
    r.pivot("88 s2", "bank.offered_from" if origin == s.banker else "bank.offered_from_initial", origin=origin)
    r.order("offer_order", right, tempting=_wrong_orders(s, right))


def _returned(s: Situation) -> str:
    return "bank.chips_returned" if s.garage else "bank.bank_returned"


def _sums(*sums: int) -> list[int]:
    return [amount for amount in sums if amount > 0]


def _wrong_orders(s: Situation, right: tuple[str, ...]) -> list[tuple[str, ...]]:
    """To the left, by seat number, from the standing banker's own right, or with standing players among the seated."""
    by_number = tuple(sorted(right))
    return [right[::-1], by_number, (*right[1:], right[0]), from_right(s.banker, right)]


def _passing(
    draw: Draw, book: Rulebook, difficulty: int, coups: Coups, *, acquired: Acquired = "turn", ask: bool = False
) -> Situation:
    facts = passed_hand(draw, book, difficulty, standing=min(2, difficulty // 2), foreign=ask)
    wins = coups.count("won")
    if ask:
        return Situation(**facts, wins=wins, incident=AsksToPass(acquired=acquired, coups=coups))
    garage = facts["unit"] * draw.number(1, 8) * 5 if wins >= 3 else 0
    said = (Call(facts["banker"], "pass_bank"),)
    incident = PassesBank(regular=facts["banker"], coups=coups)
    return Situation(**facts, wins=wins, garage=garage, calls=said, incident=incident)


def _coups(draw: Draw, difficulty: int, last: CoupResult) -> Coups:
    """The harder, the longer the hand, with ties in it; a garage needs three wins."""
    before: Coups = tuple("tie" if draw.chance(0.2) else "won" for _ in range(draw.number(0, 1 + difficulty)))
    return (*before, last)


@case("bank_offer", {PT[0]: ("77 s1", "77 s2", "78", "80 s1"), SANREMO: ("87 s1", "88 s1", "88 s2")})
def passed_after_win(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _passing(draw, book, difficulty, _coups(draw, difficulty, "won"))


@case("bank_offer", {PT[0]: ("76 s3", "89 s1", "80 s1")})
def passed_after_tie(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _passing(draw, book, difficulty, _coups(draw, difficulty, "tie"))


@case("bank_offer", {PT[0]: ("79", "80 s1"), SANREMO: ("88 s2", "87 s1")})
def standing_banker_passes(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, regular = standing_banker(draw, book, difficulty)
    coups = _coups(draw, difficulty, "won")
    incident = PassesBank(
        regular=regular, acquired="level", coups=coups, price=max(facts["minimum"], facts["bank"] // 2)
    )
    said = (Call(facts["banker"], "pass_bank"),)
    return Situation(**facts, wins=coups.count("won"), calls=said, incident=incident)


@case("bank_offer", {SANREMO: ("105 s1", "105 s3")})
def buyer_passes_after_tie(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: the buyer had raised the bank above what he had taken it at."""
    facts = passed_hand(draw, book, difficulty)
    sellers = [str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]]
    price = facts["bank"]
    if difficulty >= 2:
        facts["bank"] += facts["minimum"] * draw.number(1, 4)
    acquired: Acquired = draw.pick(("level", "auction"))
    incident = PassesBank(regular=draw.pick(sellers), acquired=acquired, coups=("tie",), price=price)
    return Situation(**facts, calls=(Call(facts["banker"], "pass_bank"),), incident=incident)


@case("bank_passing", {PT[0]: "77 s1", SANREMO: "87 s1"})
def asks_after_win(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _passing(draw, book, difficulty, _coups(draw, difficulty, "won"), ask=True)


@case("bank_passing", {PT[0]: ("76 s3", "89 s1"), SANREMO: "87 s1"})
def asks_after_ties_only(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _passing(draw, book, difficulty, (TIE,) * draw.number(1, 1 + difficulty // 3), ask=True)


case_table(
    "bank_passing",
    # He has just bought the hand at auction; harder, the stakes already lie there.
    variant("buyer_asks_at_once", {PT[0]: "88 s1"}, coups=(), acquired="auction", ask=True),
    variant(
        "buyer_asks_after_tie",
        {PT[0]: "89 s1", SANREMO: "105 s1"},
        coups=("tie",),
        acquired=one_of("level", "auction"),
        ask=True,
    ),
    variant("buyer_asks_before_dealing", {PT[0]: "88 s1", SANREMO: "106 s1"}, coups=(), acquired="auction", ask=True),
)(_passing)
