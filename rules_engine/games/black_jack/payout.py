"""The end of a coup: what every hand and every player is paid. V 20, 21 s1, 21 s2, 23 to 25, 28 s2, 32, 33 s2."""

from typing import Any, ClassVar, Literal

from rules_engine.authoring import ImpossibleFacts, Place, Reasoning, Rulebook, variant
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import VALUED, Draw, Ranks
from rules_engine.games.black_jack.game import case, case_table, domain, rule
from rules_engine.games.black_jack.hands import explain_bank, makes_black_jack, points
from rules_engine.games.black_jack.setting import (
    DEALT,
    OVER,
    STANDS,
    beside,
    in_chips,
    in_order,
    own_bets,
    possible,
    table,
    total_for,
)
from rules_engine.games.black_jack.settlement import (
    RESULTS,
    Outcome,
    Result,
    explain_hand,
    outcomes,
    paid,
    payments,
    result_of,
    share,
    taken,
)
from rules_engine.games.black_jack.table import Bet, Hand, Incident, Situation, check_bank, check_played, lying

Wish = Literal["take", "change", "leave"]
domain("result", *RESULTS)
domain("his_result", *RESULTS)


class CoupOver(Incident, frozen=True, tag="coup_over"):
    """The bank has finished its hand; the bets are to be paid and collected. Special prizes have been paid already."""

    ends_coup: ClassVar = True

    def check(self, situation: Situation) -> None:
        _check_over(situation)


class BetTouched(Incident, frozen=True, tag="bet_touched"):
    """The bank has finished its hand. Before anything is paid or collected, a player wants his bet back or changed."""

    player: Place
    wish: Wish

    def check(self, situation: Situation) -> None:
        _check_over(situation)
        if [bet.player for bet in situation.bets].count(self.player) != 1:
            raise ImpossibleFacts("incident.player", "{player:player} must have one bet", player=self.player)


def _check_over(situation: Situation) -> None:
    check_played(situation)
    check_bank(situation, 2)
    if situation.hidden:
        raise ImpossibleFacts("hidden", "at the end all cards must lie open")


def check_made(s: Situation, r: Reasoning) -> None:
    if points(r.book, s.bank_cards) < r.book.number("bank_stands_from"):
        raise ImpossibleFacts("bank_cards", "the bank has not drawn what it must")


@rule(CoupOver, BJ)
def coup_over(s: Situation, incident: CoupOver, r: Reasoning) -> None:
    check_made(s, r)
    explain_bank(r, s.bank_cards)
    results = {name: explain_hand(s, r, name, hand) for name, hand in s.names().items()}
    settled = outcomes(s, r.book)
    _explain_bets(s, r, settled)
    for name, result in results.items():
        r.choice(f"result.{name}", result, critical=True)
    for player in s.every("prize."):
        mine = [one for one in settled if one.bet.player == player]
        r.amount(f"prize.{player}", paid(mine), tempting=_wrong(r.book, mine), critical=True)
    r.amount("collected", taken(settled), tempting=[paid(settled), sum(one.bet.amount for one in settled), 0])
    r.outcome(paid=paid(settled))
    r.after(lying(s, payments=payments(settled)))


def _wrong(book: Rulebook, mine: list[Outcome]) -> list[int]:
    """Sums that a hasty dealer pays: with the stake, even money for black jack, 3 to 2 for any 21, a bet forgotten."""
    whole = sum(one.bet.amount for one in mine)
    return [paid(mine) + whole, whole, 3 * whole // 2, 0, 2 * whole]


def _explain_bets(s: Situation, r: Reasoning, settled: list[Outcome]) -> None:
    for one in settled:
        if one.bet.insurance:
            won = makes_black_jack(r.book, s.bank_cards)
            text = "insurance_wins" if won else "insurance_loses"
            r.pivot("33 s2", text, by=one.bet.player, amount=one.bet.insurance, prize=max(0, one.insurance))
    for seat in sorted({bet.seat for bet in s.bets if s.has_several(bet.seat)}):
        _explain_split(s, r, seat)
    winners = tuple(sorted({one.bet.player for one in settled if one.result in ("black_jack", "wins")}))
    if winners:
        r.step("25", "stake_and_prize", winners=winners)


def _explain_split(s: Situation, r: Reasoning, seat: int) -> None:
    """V 28: whether those who bet beside the holder are on the first hand only, or on both."""
    there = [bet for bet in s.bets if bet.seat == seat and bet.player != s.holder(seat)]
    for player in sorted({bet.player for bet in there}):
        both = sum(bet.player == player for bet in there) > 1
        r.step("28 s1" if both else "28 s2", "on_both" if both else "on_first", by=player, seat=seat, pivot=True)


@rule(BetTouched, BJ)
def bet_touched(s: Situation, incident: BetTouched, r: Reasoning) -> None:
    check_made(s, r)
    explain_bank(r, s.bank_cards)
    settled = outcomes(s, r.book)
    mine = next(one for one in settled if one.bet.player == incident.player)
    for name, hand in s.names().items():
        if mine.bet in s.on(name):
            explain_hand(s, r, name, hand)
    if mine.result == "push":
        r.pivot("24", "free_after_push", by=incident.player)
    elif mine.result != "loses":
        r.pivot("25", "stake_is_his", by=incident.player)
    else:
        r.step("23 s2", "stake_is_lost", by=incident.player)
    r.choice("his_result", mine.result, critical=True)
    r.choice("allowed", "refused" if mine.result == "loses" else "allowed")
    r.amount("his_prize", paid([mine]), tempting=_wrong(r.book, [mine]))
    r.after(lying(s))


def _bank(draw: Draw, *, ends: tuple[int, ...], with_black_jack: bool) -> tuple[str, ...]:
    """A bank's hand. If a player has black jack, the open card is an ace or a ten, because otherwise it was paid
    already."""
    return draw.bank(draw.pick(ends), opened="AT" if with_black_jack else VALUED)


def _hand(draw: Draw, seat: int, result: Result, bank: int, difficulty: int) -> Hand:
    if result == "black_jack":
        return Hand(seat=seat, cards=draw.black_jack())
    total = total_for(draw, result, bank)
    return Hand(seat=seat, cards=draw.hand(total, (2,) if difficulty == 1 else (2, 3) if difficulty < 4 else (2, 3, 4)))


def picture(draw: Draw, book: Rulebook, difficulty: int, *, first: Result, ends: tuple[int, ...]) -> dict[str, Any]:
    """Hands against a finished bank: one ends as wanted, the others at random."""
    facts = table(draw, book, difficulty, least=DEALT[difficulty])
    seats = sorted(draw.sample(facts["seats"], DEALT[difficulty]))
    more = ("black_jack",) if difficulty >= 3 and draw.chance(0.4) else ()
    with_black_jack = first == "black_jack" or bool(more)
    bank = _bank(draw, ends=ends, with_black_jack=with_black_jack)
    made = points(book, bank)
    results: list[Result] = [first, *more][: len(seats)]
    results += [draw.pick(possible(made)) for _ in range(len(seats) - len(results))]
    hands = [
        _hand(draw, seat, result, made, difficulty) for seat, result in zip(seats, draw.shuffled(results), strict=True)
    ]
    bets = own_bets(draw, facts, seats)
    if difficulty >= 3:
        bets.append(beside(draw, facts, draw.pick(seats)))
    return facts | {"hands": tuple(hands), "bets": in_order(bets), "bank_cards": bank}


@case_table(
    "payout",
    variant("nearer_wins", {BJ: "23 s1"}, first="wins", ends=tuple(STANDS[:-1])),
    variant("bank_goes_over", {BJ: "23 s1"}, first="wins", ends=tuple(OVER)),
    variant("further_loses", {BJ: "23 s2"}, first="loses", ends=tuple(STANDS)),
    variant("equal_totals", {BJ: "24"}, first="push", ends=tuple(STANDS)),
    variant("black_jack_paid", {BJ: "21 s1"}, first="black_jack", ends=(*STANDS, *OVER)),
)
def _over(draw: Draw, book: Rulebook, difficulty: int, *, first: Result, ends: tuple[int, ...]) -> Situation:
    return Situation(**picture(draw, book, difficulty, first=first, ends=ends), incident=CoupOver())


@case("payout", {BJ: ("20 s1", "21 s2")})
def bank_has_black_jack(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A 21 loses to it and black jack does not; harder: some hands are insured."""
    facts = picture(draw, book, difficulty, first="loses", ends=(21,))
    bank = facts["bank_cards"] = draw.black_jack()
    seat = draw.pick(facts["hands"]).seat
    cards = draw.black_jack() if draw.chance(0.5) else draw.hand(21, (3,))
    facts["hands"] = tuple(Hand(seat=seat, cards=cards) if hand.seat == seat else hand for hand in facts["hands"])
    if difficulty >= 3 and bank[0][0] == "A":
        facts["bets"] = insured(draw, book, facts["bets"], difficulty)
    return Situation(**facts, incident=CoupOver())


def insured(draw: Draw, book: Rulebook, bets: tuple[Bet, ...], difficulty: int) -> tuple[Bet, ...]:
    """Some of the bets with chips on the insurance line, up to half the bet; nobody without the holder."""
    own = [bet for bet in bets if bet.player == str(bet.seat)]
    chosen = draw.sample(own, draw.number(1, max(1, len(bets) - 1, len(own) - 1))) if len(own) > 1 else own
    seats = {bet.seat for bet in chosen}
    found = []
    for bet in bets:
        half = share(book, "insurance_share", bet.amount)
        amount = half if difficulty <= 3 or draw.chance(0.5) else in_chips(book, half // 2) or half
        found.append(_with(bet, amount) if bet.seat in seats and (bet in chosen or draw.chance(0.5)) else bet)
    return tuple(found)


def _with(bet: Bet, insurance: int) -> Bet:
    return Bet(player=bet.player, seat=bet.seat, hand=bet.hand, amount=bet.amount, insurance=insurance)


@case("payout", {BJ: "33 s2"})
def insurance_in_the_picture(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The bank's open card was an ace, and it made black jack or not."""
    facts = picture(draw, book, difficulty, first="loses", ends=tuple(STANDS[1:]))
    if draw.chance(0.5):
        facts["bank_cards"] = (draw.card("A"), draw.card("T"))
    else:
        facts["bank_cards"] = draw.bank(points(book, facts["bank_cards"]), opened="A")
    return Situation(**facts | {"bets": insured(draw, book, facts["bets"], difficulty)}, incident=CoupOver())


def _split_hands(draw: Draw, seat: int) -> list[Hand]:
    """A pair of eights or tens, played as two hands; one of the tens may have received an ace."""
    tens = (("T", "A"), ("T", draw.pick("789T")))
    eights = (("8", "T"), ("8", "3", draw.pick("67T")))
    chosen: tuple[Ranks, ...] = tens if draw.chance(0.4) else eights
    return [Hand(seat=seat, cards=draw.cards(ranks)) for ranks in draw.shuffled(chosen)]


@case("payout", {BJ: ("28 s1", "28 s2", "20 s2")})
def split_in_the_picture(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A seat has split; whoever bet beside its holder is on both hands, or only on the first."""
    facts = picture(draw, book, max(1, difficulty - 1), first="wins", ends=tuple(STANDS[:-1]))
    if len(facts["seats"]) < 2:
        facts["seats"] = tuple(sorted({*facts["seats"], facts["seats"][0] % 6 + 1}))
    seat = draw.pick(facts["hands"]).seat
    stake = next(bet.amount for bet in facts["bets"] if bet.seat == seat and bet.player == str(seat))
    others = [bet for bet in facts["bets"] if bet.seat != seat]
    own = [Bet(player=str(seat), seat=seat, hand=number, amount=stake) for number in (1, 2)]
    added = beside(draw, facts, seat)
    both = [Bet(player=added.player, seat=seat, hand=2, amount=added.amount)] if draw.chance(0.5) else []
    hands = [hand for hand in facts["hands"] if hand.seat != seat] + _split_hands(draw, seat)
    facts["hands"] = tuple(sorted(hands, key=lambda hand: hand.seat))
    return Situation(**facts | {"bets": in_order([*others, *own, added, *both])}, incident=CoupOver())


@case_table(
    "payout",
    variant("touched_after_push", {BJ: "24"}, first="push"),
    variant("touched_when_won", {BJ: "25"}, first="wins"),
    variant("touched_with_black_jack", {BJ: "25"}, first="black_jack"),
    variant("touched_when_lost", {BJ: "23 s2"}, first="loses"),
)
def _touched(draw: Draw, book: Rulebook, difficulty: int, first: Result) -> Situation:
    ends = tuple(STANDS[1:-1]) if first != "black_jack" else tuple(OVER)
    facts = picture(draw, book, difficulty, first=first, ends=ends)
    once = [bet for bet in facts["bets"] if [other.player for other in facts["bets"]].count(bet.player) == 1]
    made = Situation(**facts, incident=CoupOver())
    wanted = [bet for bet in once if _ends(made, book, bet) == first]
    wish: Wish = draw.pick(("take", "change", "leave"))
    return Situation(**facts, incident=BetTouched(player=draw.pick(wanted or once).player, wish=wish))


def _ends(s: Situation, book: Rulebook, bet: Bet) -> Result:
    return next(result_of(s, hand, book) for name, hand in s.names().items() if bet in s.on(name))
