"""Insurance against the bank's black jack: V 33, and 15 s3 for those who bet on somebody else's seat."""

from typing import Any, Literal

from rules_engine.authoring import (
    ImpossibleFacts,
    NotRegulated,
    Payment,
    Place,
    Reasoning,
    Rulebook,
    Seat,
    Sentence,
    Sum,
    Utterance,
    variant,
)
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case, case_table, domain, rule
from rules_engine.games.black_jack.hands import FIRST, is_black_jack, makes_black_jack
from rules_engine.games.black_jack.payout import insured
from rules_engine.games.black_jack.setting import PLAIN, beside, dealt, hidden, in_order, open_card, twice
from rules_engine.games.black_jack.settlement import insurance_of, payment, share
from rules_engine.games.black_jack.table import (
    Bet,
    Call,
    Hand,
    Incident,
    Situation,
    check_bank,
    check_played,
    check_player,
    lying,
)

When = Literal["first_cards", "uninvited", "invited", "second_turned"]
domain("offered", "yes", "no")


class InsuranceMoment(Incident, frozen=True, tag="insurance_moment"):
    """The second cards have been dealt; what does the dealer do next?"""

    def sayable(self) -> list[Utterance]:
        return [Utterance("insurance"), Utterance("more_cards")]

    def check(self, situation: Situation) -> None:
        check_played(situation)
        check_bank(situation)


class InsurancePlaced(Incident, frozen=True, tag="insurance_placed"):
    """A player puts chips on the insurance line for his bet on a seat.

    `when`: after the first cards only; after the second cards but before the dealer's invitation; on the invitation; or
    after the bank's second card is turned.
    """

    player: Place
    seat: Seat
    amount: Sum
    when: When = "invited"

    def check(self, situation: Situation) -> None:
        check_player(situation, self.player)
        check_bank(situation)
        if not self.amount:
            raise ImpossibleFacts("incident.amount", "insurance of nothing")
        if not _bet(situation, self.player, self.seat):
            raise ImpossibleFacts(
                "incident.seat", "{player:player} has no bet on seat {seat}", player=self.player, seat=self.seat
            )
        if (self.when == "first_cards") != (len(situation.bank_cards) == 1):
            raise ImpossibleFacts("incident.when", "it does not fit the bank's cards")

    def narration(self) -> list[Sentence]:
        whose = "own" if self.player == str(self.seat) else "beside"
        return [
            (f"incident.insurance_{self.when}", {}),
            (f"incident.insures_{whose}", {"player": self.player, "seat": self.seat, "amount": self.amount}),
        ]


class InsuranceDue(Incident, frozen=True, tag="insurance_due"):
    """The bank's second card is turned; the insurance line is settled first."""

    def check(self, situation: Situation) -> None:
        check_played(situation)
        if len(situation.bank_cards) != FIRST:
            raise ImpossibleFacts("bank_cards", "the bank must have its first two cards")
        if not any(bet.insurance for bet in situation.bets):
            raise ImpossibleFacts("bets", "nobody is insured")


def _bet(s: Situation, player: str, seat: int) -> Bet | None:
    return next((bet for bet in s.bets if bet.player == player and bet.seat == seat and bet.hand == 1), None)


@rule(InsuranceMoment, BJ)
def insurance_moment(s: Situation, incident: InsuranceMoment, r: Reasoning) -> None:
    r.pivot("33 s1", "invites" if s.open_ace else "no_ace_no_insurance", card=s.bank_cards[0])
    r.choice("offered", "yes" if s.open_ace else "no", critical=True)
    if s.open_ace:
        r.words("insurance", tempting=incident.sayable())
    elif any(not is_black_jack(s, hand, r.book) for hand in s.hands):
        r.step("18 s3", "asked_in_turn")
        r.words("more_cards", tempting=incident.sayable())
    r.after(lying(s))


@rule(InsurancePlaced, BJ)
def insurance_placed(s: Situation, incident: InsurancePlaced, r: Reasoning) -> None:
    bet = _bet(s, incident.player, incident.seat)
    if bet is None:
        raise ImpossibleFacts(
            "incident.seat", "{player:player} has no bet on seat {seat}", player=incident.player, seat=incident.seat
        )
    half = share(r.book, "insurance_share", bet.amount)
    most = half - bet.insurance
    holder, may = s.holder(incident.seat), True
    if not s.open_ace:
        r.pivot("33 s1", "no_ace_no_insurance", card=s.bank_cards[0])
        may = False
    elif incident.when == "uninvited":
        raise NotRegulated("art. 33 lets players insure when the dealer invites them, and he has not")
    elif incident.when != "invited":
        r.pivot("33 s1", "insurance_early" if incident.when == "first_cards" else "insurance_late")
        may = False
    elif holder not in (None, incident.player):
        own = _bet(s, str(holder), incident.seat)
        free = own is not None and bool(own.insurance)
        alone = r.book.reads("V15", "free")
        if free:
            r.pivot("15 s3", "free_to_insure", seat=incident.seat)
        else:
            r.pivot("15 s3-alone", "free_without_holder" if alone else "holder_is_not_insured", seat=incident.seat)
        may = free or alone
    if may:
        r.pivot("33 s1", "half_at_most", stake=bet.amount, amount=most)
    allowed = may and incident.amount <= most
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    wrong = [0, most, bet.amount, s.minimum, incident.amount]
    r.amount("largest_insurance", most if may else 0, tempting=wrong)
    r.after(lying(s))


@rule(InsuranceDue, BJ)
def insurance_due(s: Situation, incident: InsuranceDue, r: Reasoning) -> None:
    won = makes_black_jack(r.book, s.bank_cards)
    r.pivot("1 a", "bank_black_jack" if won else "bank_no_black_jack", cards=s.bank_cards)
    payments: list[Payment] = []
    for player in s.every("insurance_prize."):
        mine = [bet for bet in s.bets if bet.player == player and bet.insurance]
        staked = sum(bet.insurance for bet in mine)
        results = {bet.line: insurance_of(s, bet, r.book) for bet in mine}
        result = sum(results.values())
        r.pivot("33 s2", "insurance_wins" if won else "insurance_loses", by=player, amount=staked, prize=max(0, result))
        r.amount(
            f"insurance_prize.{player}", max(0, result), tempting=[0, staked, 2 * staked, 3 * staked, staked * 3 // 2]
        )
        payments += [payment(player, amount, line) for line, amount in results.items()]
    collected = 0 if won else sum(bet.insurance for bet in s.bets)
    r.amount(
        "collected", collected, tempting=[0, sum(bet.insurance for bet in s.bets), sum(bet.amount for bet in s.bets)]
    )
    r.after(lying(s, payments=tuple(payments)))


def _dealt(draw: Draw, book: Rulebook, difficulty: int, opened: str, *, least: int = 1) -> dict[str, Any]:
    """Every bet is twice a possible bet, so that half of it is possible too (V 14)."""
    facts = dealt(draw, book, difficulty, least=least)
    facts["bets"] = tuple(map(twice, facts["bets"]))
    bank = (draw.card(opened), draw.card())
    hands = tuple(Hand(seat=bet.seat, cards=draw.two(draw.pick(PLAIN))) for bet in facts["bets"])
    return facts | {"hands": hands, "bank_cards": bank, "hidden": hidden(bank)}


@case("insurance", {BJ: "33 s1"})
def shall_it_be_offered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """An ace about half the time; a ten, which may also make black jack, tempts."""
    opened = "A" if draw.chance(0.5) else open_card(draw, difficulty)
    return Situation(**_dealt(draw, book, difficulty, opened), incident=InsuranceMoment())


def _placed(draw: Draw, book: Rulebook, facts: dict[str, Any], bet: Bet, difficulty: int, **more: Any) -> Situation:
    """Well within the limit or well above it; harder: at the limit and just beyond."""
    half, step = share(book, "insurance_share", bet.amount), facts["minimum"]
    near = (half, half, half + step, half - step) if difficulty >= 3 else (half, step, bet.amount)
    amount = max(step, draw.pick(near))
    incident = InsurancePlaced(player=bet.player, seat=bet.seat, amount=amount, **more)
    return Situation(**facts, incident=incident)


@case("insurance", {BJ: "33 s1"})
def half_or_more(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _dealt(draw, book, difficulty, "A")
    return _placed(draw, book, facts, draw.pick(facts["bets"]), difficulty)


@case("insurance", {BJ: "33 s1"})
def insurance_out_of_place(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Against a ten, before the second cards, or after the bank has shown its hand."""
    wrong = draw.pick(("ten", "early", "late") if difficulty >= 2 else ("ten", "early"))
    facts = _dealt(draw, book, difficulty, "T" if wrong == "ten" else "A")
    when: When = "uninvited" if wrong == "ten" else "invited"
    if wrong == "early":
        when = "first_cards"
        facts["hands"] = tuple(Hand(seat=hand.seat, cards=hand.cards[:1]) for hand in facts["hands"])
        facts |= {"bank_cards": facts["bank_cards"][:1], "hidden": ()}
    elif wrong == "late":
        when = "second_turned"
        facts |= {"bank_cards": (facts["bank_cards"][0], draw.card("T")), "hidden": ()}
    bet = draw.pick(facts["bets"])
    amount = share(book, "insurance_share", bet.amount)
    return Situation(**facts, incident=InsurancePlaced(player=bet.player, seat=bet.seat, amount=amount, when=when))


@case_table(
    "insurance",
    variant("beside_an_insured_holder", {BJ: "15 s3"}, holder_insures=True),
    variant("beside_a_holder_who_is_not", {BJ: "15 s3-alone"}, holder_insures=False),
)
def _beside(draw: Draw, book: Rulebook, difficulty: int, *, holder_insures: bool) -> Situation:
    facts = _dealt(draw, book, difficulty, "A", least=2)
    seat = draw.pick(facts["seats"])
    added = twice(beside(draw, facts, seat))
    bets = [
        Bet(player=bet.player, seat=seat, amount=bet.amount, insurance=share(book, "insurance_share", bet.amount))
        if bet.seat == seat and holder_insures
        else bet
        for bet in facts["bets"]
    ]
    facts["bets"] = in_order([*bets, added])
    facts["calls"] = (Call(str(seat), "insures" if holder_insures else "no_insurance"),)
    return _placed(draw, book, facts, added, difficulty)


@case("insurance", {BJ: "33 s2"})
def insurance_settled(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """With black jack about half the time; harder: a nine under the ace, and several insured."""
    facts = _dealt(draw, book, difficulty, "A")
    second = "T" if draw.chance(0.5) else ("23456789" if difficulty < 3 else "9")
    bank = (facts["bank_cards"][0], draw.card(second))
    bets = insured(draw, book, facts["bets"], difficulty)
    return Situation(**facts | {"bank_cards": bank, "hidden": (), "bets": bets}, incident=InsuranceDue())
