"""Black jack on the first two cards: paid at once, waiting for the bank, or taken at even money. V 21, 34."""

from typing import Any, Literal

from rules_engine.authoring import After, ImpossibleFacts, Payment, Place, Reasoning, Rulebook, Sentence
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case, domain, rule
from rules_engine.games.black_jack.hands import FIGURES, FIRST, TEN, is_black_jack
from rules_engine.games.black_jack.setting import PLAIN, beside, dealt, hidden, in_order, open_card
from rules_engine.games.black_jack.settlement import payment, times
from rules_engine.games.black_jack.table import ACE, Hand, Incident, Situation, check_bank, check_played, lying

domain("now", "paid", "waits", "asked")
DANGER = (ACE, TEN, *FIGURES)


class SecondsDealt(Incident, frozen=True, tag="seconds_dealt"):
    """Everybody has two cards and the bank its open card; nobody has been asked yet."""

    def check(self, situation: Situation) -> None:
        _check_two(situation)


class EvenMoneyAsked(Incident, frozen=True, tag="even_money_asked"):
    """A player wants even money now. `when`: while the bank's second card is face down, or after it is turned."""

    player: Place
    when: Literal["face_down", "turned"]

    def check(self, situation: Situation) -> None:
        _check_two(situation)
        check_bank(situation, FIRST)
        if ("bank.2" in situation.hidden) != (self.when == "face_down"):
            raise ImpossibleFacts("incident.when", "it does not fit how the bank's card lies")
        if not any(bet.player == self.player and str(bet.seat) == self.player for bet in situation.bets):
            raise ImpossibleFacts("incident.player", "{player:player} has no bet on his seat", player=self.player)

    def narration(self) -> list[Sentence]:
        return [(f"incident.even_money_{self.when}", {"player": self.player})]


def _check_two(situation: Situation) -> None:
    check_played(situation)
    check_bank(situation)
    for index, hand in enumerate(situation.hands):
        if len(hand.cards) != FIRST or hand.doubled or situation.is_split(hand.seat):
            raise ImpossibleFacts(f"hands[{index}].cards", "every hand must have its first two cards")


@rule(SecondsDealt, BJ)
def seconds_dealt(s: Situation, incident: SecondsDealt, r: Reasoning) -> None:
    danger = s.bank_cards[0][0] in DANGER
    paid: list[Payment] = []
    found: dict[str, str] = {}
    for name, hand in s.names().items():
        natural = is_black_jack(s, hand, r.book)
        found[name] = "asked" if not natural else "waits" if danger else "paid"
        if natural:
            r.step("1 a", "is_black_jack", **s.named(name))
        if found[name] == "paid":
            paid += [payment(bet.player, times(r.book, "black_jack", bet.amount), bet.spot) for bet in s.on(name)]
    if "asked" in found.values():
        r.step("18 s3", "asked_in_turn")
    if danger:
        r.pivot("21 s3", "bank_may_have_it", card=s.bank_cards[0])
    else:
        r.pivot("21 s3", "paid_at_once", card=s.bank_cards[0])
        r.step("21 s1", "three_to_two", pivot=bool(paid))
    over = [name for name, act in found.items() if act == "paid"]
    for name, act in found.items():
        r.choice(f"now.{name}", act)
    for player in s.every("paid_now."):
        whole = sum(bet.amount for bet in s.bets if bet.player == player)
        due = sum(one.amount for one in paid if one.payee == player)
        r.amount(f"paid_now.{player}", due, tempting=[0, whole, 3 * whole // 2, 5 * whole // 2, 2 * whole])
    r.after(_collected(s, over, paid))


def _collected(s: Situation, over: list[str], paid: list[Payment]) -> After:
    """V 21 s3: the cards of a hand that was paid are collected."""
    cards = tuple(card for name in over for card in s.heap(name))
    return lying(s, dict.fromkeys(over, ()), discard=cards, payments=tuple(paid))


@rule(EvenMoneyAsked, BJ)
def even_money_asked(s: Situation, incident: EvenMoneyAsked, r: Reasoning) -> None:
    name = f"seat{incident.player}"
    natural = is_black_jack(s, s.names()[name], r.book)
    bet = next(bet for bet in s.on(name) if bet.player == incident.player)
    reasons = {
        "no_black_jack": not natural,
        "no_open_ace": not s.open_ace,
        "second_card_known": incident.when == "turned",
    }
    barred = [text for text, holds in reasons.items() if holds]
    for text in barred or ["even_money"]:
        r.pivot("34", text, **s.named(name))
    if natural and not s.open_ace and s.bank_cards[0][0] in DANGER and incident.when == "face_down":
        r.pivot("21 s3", "bank_may_have_it", card=s.bank_cards[0])
    others = tuple(sorted(one.player for one in s.on(name) if one is not bet))
    if others and not barred:
        text = "bound_by_holder" if len(others) > 1 else "bound_by_holder_one"
        r.pivot("15 s2", text, others=others, seat=bet.seat)
    r.choice("allowed", "refused" if barred else "allowed", critical=True)
    own, whole = bet.amount, sum(one.amount for one in s.on(name))
    paid = [payment(one.player, times(r.book, "even_money", one.amount), one.spot) for one in s.on(name)]
    due = 0 if barred else sum(one.amount for one in paid)
    wrong = [0, whole, own, times(r.book, "black_jack", own), 2 * whole, own // 2]
    r.amount("paid_there", due, tempting=wrong)
    r.after(lying(s) if barred else _collected(s, [name], paid))


def _seconds(
    draw: Draw, book: Rulebook, difficulty: int, opened: str, *, naturals: int, least: int = 1
) -> dict[str, Any]:
    facts = dealt(draw, book, difficulty, least=max(least, naturals))
    seats = [bet.seat for bet in facts["bets"]]
    lucky = draw.sample(seats, naturals)
    hands = tuple(
        Hand(seat=seat, cards=draw.black_jack() if seat in lucky else draw.two(draw.pick(PLAIN))) for seat in seats
    )
    bank = (draw.card(opened), draw.card())
    if difficulty >= 4:
        facts["bets"] = in_order([*facts["bets"], beside(draw, facts, draw.pick(lucky or seats))])
    return facts | {"hands": hands, "bank_cards": bank, "hidden": hidden(bank)}


@case("naturals", {BJ: ("21 s3", "21 s1")})
def paid_or_not(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Black jack against any open card; harder: several of them, and a nine, with which the bank cannot have one."""
    opened = draw.pick(("A", "T")) if draw.chance(0.3) else draw.pick("23456789" if difficulty < 3 else "899")
    naturals = draw.number(2, 3) if difficulty >= 3 else 1
    return Situation(**_seconds(draw, book, difficulty, opened, naturals=naturals), incident=SecondsDealt())


@case("naturals", {BJ: "21 s3"})
def perhaps_none(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """There may be no black jack at all among the hands, although some make 21."""
    facts = _seconds(
        draw, book, difficulty, open_card(draw, difficulty), naturals=draw.number(0, 2 if difficulty >= 3 else 1)
    )
    return Situation(**facts, incident=SecondsDealt())


def _even(draw: Draw, book: Rulebook, difficulty: int, opened: str, *, natural: bool, turned: bool) -> Situation:
    """Harder: somebody else has bet on the seat too."""
    facts = _seconds(draw, book, min(difficulty, 3), opened, naturals=1 if natural else 0, least=2)
    lucky = [hand.seat for hand in facts["hands"] if natural == (sorted(_ranks(hand)) == ["A", "T"])]
    seat = draw.pick(lucky)
    if difficulty >= 4:
        facts["bets"] = in_order([*facts["bets"], beside(draw, facts, seat)])
    if turned:
        facts["hidden"] = ()
        if draw.chance(0.5):
            facts["bank_cards"] = (facts["bank_cards"][0], draw.card("T"))
    return Situation(**facts, incident=EvenMoneyAsked(player=str(seat), when="turned" if turned else "face_down"))


def _ranks(hand: Hand) -> list[str]:
    return ["T" if card[0] in FIGURES else card[0] for card in hand.cards]


@case("naturals", {BJ: "34"})
def even_money_in_time(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _even(draw, book, difficulty, "A", natural=True, turned=False)


@case("naturals", {BJ: "34"})
def even_money_refused(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Against a ten, without black jack, or after the bank's hand is known. Harder: two reasons at once."""
    ways = [("T", True, False), ("A", False, False), ("A", True, True)]
    if difficulty >= 4:
        ways += [("T", False, False), ("T", True, True)]
    opened, natural, turned = draw.pick(ways)
    return _even(draw, book, difficulty, opened, natural=natural, turned=turned)
