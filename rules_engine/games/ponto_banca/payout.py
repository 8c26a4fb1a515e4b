"""Prizes when the coup is over: even money, the deduction, the tie, the pairs.

1995: 16, 17 s1, 17 s2, 18, 19. Macau: premios s1 to s6, deducoes.
"""

from fractions import Fraction
from math import floor
from typing import Any, ClassVar, Literal

from msgspec import structs

from rules_engine.authoring import ImpossibleFacts, Place, Reasoning, Rulebook, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import ALL, MACAU, articles, same
from rules_engine.games.ponto_banca.calls import Call
from rules_engine.games.ponto_banca.game import case, case_table, rule
from rules_engine.games.ponto_banca.outcome import (
    WHOLE,
    Played,
    compare_scores,
    deduction,
    explain_natural,
    gross,
    lay_out,
    prize,
    refuse_against_table,
)
from rules_engine.games.ponto_banca.setting import (
    by_place,
    cards,
    closed,
    ending,
    has_gap,
    most_each,
    most_on_tie,
    pair,
    table,
    unpaired,
    with_thirds,
)
from rules_engine.games.ponto_banca.table import (
    OTHER,
    PAIRS,
    SIDES,
    Bet,
    Chance,
    Incident,
    Side,
    Situation,
    is_pair,
    loses,
)

# How many third cards the coup has, by difficulty.
EXTRA = {1: (0,), 2: (0, 1, 2), 3: (0, 1, 2), 4: (1, 2), 5: (1, 2)}


class CoupOver(Incident, frozen=True, tag="coup_over"):
    """All the cards are on the table; the bets are to be paid and collected."""

    def check(self, situation: Situation) -> None:
        check_over(situation)
        if not situation.bets:
            raise ImpossibleFacts("bets", "nobody has bet")

    def sorts(self, situation: Situation) -> set[str]:
        """The chances that were bet on, and whether somebody has bets on two of them."""
        players = [bet.player for bet in situation.bets]
        several = {"several bets of one"} if len(set(players)) < len(players) else set()
        standing = {"standing"} if any(not player.isdigit() for player in players) else set()
        return {bet.on for bet in situation.bets} | several | standing


class BetTouched(Incident, frozen=True, tag="bet_touched"):
    """The coup is over; once the prizes are paid, a player wants his bet back or on another chance."""

    own: ClassVar = ("allowed",)

    player: Place
    wish: Literal["withdraw", "move"]

    def check(self, situation: Situation) -> None:
        check_over(situation)
        if [bet.on in SIDES for bet in situation.bets if bet.player == self.player] != [True]:
            raise ImpossibleFacts(
                "incident.player", "{player:player} must have one bet, on ponto or on the bank", player=self.player
            )

    def sorts(self, situation: Situation) -> set[str]:
        return {self.wish}


def check_over(situation: Situation) -> None:
    for fact, hand in (("ponto", situation.ponto), ("banker_cards", situation.banker_cards)):
        if not 2 <= len(hand) <= 3:
            raise ImpossibleFacts(fact, "a side ends with two or three cards")


@rule(CoupOver, *ALL)
def coup_over(s: Situation, incident: CoupOver, r: Reasoning) -> None:
    refuse_against_table(r.book, s.ponto, s.banker_cards)
    played = Played(s.ponto, s.banker_cards, s.next)
    explain_natural(r, played, pivot=False)
    compare_scores(r, played, pivot=True)
    if played.winner == "tie":
        stays = any(bet.on in SIDES for bet in s.bets)
        r.step(same(r.book, "17 s2", "premios s4"), "bets_stay", pivot=stays)
    _explain_sides(s, r, played)
    _explain_lost(s, r, played)
    _explain_pairs(s, r, played)
    r.choice("winner", played.winner, critical=True)
    for place in dict.fromkeys(bet.player for bet in s.bets):
        _decide_prize(r, place, [bet for bet in s.bets if bet.player == place], played)
    lay_out(s, r, played)


def _explain_sides(s: Situation, r: Reasoning, played: Played) -> None:
    winner = played.winner
    won = sum(bet.amount for bet in s.bets if bet.on == winner)
    if not won:
        return
    if winner == "tie":
        amount = sum(gross(r.book, bet) for bet in s.bets if bet.on == "tie")
        r.pivot(same(r.book, "17 s1", "premios s3"), "tie_pays", pays=r.book.param("payouts")["tie"], amount=amount)
        return
    r.pivot(same(r.book, "18", "premios s2"), "even_money", winner=winner)
    if winner == "banker":
        percent = r.book.number("deduction_percent")
        kept = deduction(r.book, won)
        r.pivot(same(r.book, "19", "deducoes"), "deduction", percent=percent, amount=kept)


def _explain_lost(s: Situation, r: Reasoning, played: Played) -> None:
    """The bets on a side or on the tie that the house takes."""
    for on in dict.fromkeys(bet.on for bet in s.bets if bet.on not in PAIRS):
        if loses(on, played.ponto, played.banker):
            cite = same(r.book, "17 s1", "premios s3") if on == "tie" else same(r.book, "16", "premios s1")
            r.step(cite, "bets_lost", on=on)


def _explain_pairs(s: Situation, r: Reasoning, played: Played) -> None:
    """premios s5 and s6; the texts of 1995 have no such bets."""
    for on, hand in zip(PAIRS, (played.ponto, played.banker), strict=True):
        if r.book.coded_as != MACAU or not any(bet.on == on for bet in s.bets):
            continue
        if is_pair(hand):
            r.pivot("premios s5", f"{on}", cards=hand[:2])
            r.pivot("premios s6", "pair_pays", pays=r.book.param("payouts")[on])
            if played.winner == "banker":
                deducted, percent = r.book.reads("PBPAR", "deducted"), r.book.number("deduction_percent")
                r.pivot("deducoes pairs", "pair_deducted" if deducted else "pair_whole", percent=percent)
        else:
            r.pivot("premios s5", f"no_{on}", cards=hand[:2])


def _decide_prize(r: Reasoning, place: str, bets: list[Bet], played: Played) -> None:
    won = sum(max(0, prize(r.book, bet, played)) for bet in bets)
    whole = sum(bet.amount for bet in bets)
    even = sum(bet.amount for bet in bets if bet.on == played.winner)
    if_won = sum(floor(bet.amount * Fraction(str(r.book.param("payouts")[bet.on]))) for bet in bets)
    deducted = (
        sum(bet.amount for bet in bets if bet.on in SIDES) * (WHOLE - r.book.number("deduction_percent")) // WHOLE
    )
    r.amount(f"prize.{place}", won, tempting=[even, if_won, deducted, won + whole, whole, 0], critical=True)


@rule(BetTouched, *ALL)
def bet_touched(s: Situation, incident: BetTouched, r: Reasoning) -> None:
    refuse_against_table(r.book, s.ponto, s.banker_cards)
    played = Played(s.ponto, s.banker_cards, s.next)
    mine = next(bet for bet in s.bets if bet.player == incident.player)
    lost = prize(r.book, mine, played) < 0
    explain_natural(r, played, pivot=False)
    compare_scores(r, played, pivot=lost)
    if played.winner == "tie":
        r.pivot(same(r.book, "17 s2", "premios s4"), "keep_or_change")
    elif not lost:
        r.pivot(same(r.book, "18", "premios s2"), "stake_is_his", winner=played.winner)
    else:
        r.step(same(r.book, "16", "premios s1"), "lost_stays", winner=played.winner)
    r.choice("winner", played.winner, critical=True)
    r.choice("allowed", "refused" if lost else "allowed", tempting=["allowed" if lost else "refused"])
    r.after(lying(ponto=played.ponto, banker=played.banker, shoe=played.left))


def _bets(
    draw: Draw, book: Rulebook, facts: dict[str, Any], difficulty: int, *, ons: tuple[Chance, ...]
) -> tuple[Bet, ...]:
    """A bet on each of these chances by different players; hard: a standing player adds to the bet of a seat, then
    somebody has a second bet."""
    minimum = facts["minimum"]
    places = draw.shuffled(facts["seats"])
    # On the tie, within the limit of every text: 20 s2, 11 d.
    tie, sides = most_on_tie(book, facts), most_each(facts, 15)
    bets = [
        Bet(
            str(places[index % len(places)]),
            on,
            minimum * draw.number(1, min(5, -(-tie // 2)) if on == "tie" else sides),
        )
        for index, on in enumerate(ons)
    ]
    gaps = [bet for bet in bets if has_gap(book, bet.player)]
    if difficulty >= 3 and gaps and draw.chance(0.4):
        beside = draw.pick(gaps)
        facts["standing"] = (f"{beside.player}a",)
        bets.append(Bet(facts["standing"][0], beside.on, minimum * draw.number(1, 3)))
    if difficulty >= 4:
        second: Chance = "ponto" if bets[0].on == "tie" else "tie"
        there = sum(bet.amount for bet in bets if bet.on == "tie") // minimum
        most = min(2, tie - there) if second == "tie" else 2
        if most > 0:
            bets.append(Bet(bets[0].player, second, minimum * draw.number(1, most)))
    if book.coded_as == MACAU:
        bets = _with_room_for_the_tie(book, bets)
    return by_place(bets)


def _with_room_for_the_tie(book: Rulebook, bets: list[Bet]) -> list[Bet]:
    """One side raised until the bets on the tie fit the difference between the sides, by either reading of limites
    s3."""
    totals = {on: sum(bet.amount for bet in bets if bet.on == on) for on in (*SIDES, "tie")}
    wanted = totals["tie"] * WHOLE // book.number("tie_percent_of_difference")
    lacking = wanted - abs(totals["ponto"] - totals["banker"])
    if lacking <= 0:
        return bets
    heavy = max(SIDES, key=totals.__getitem__)
    index = next(index for index, bet in enumerate(bets) if bet.on == heavy)
    raised = structs.replace(bets[index], amount=bets[index].amount + lacking)
    return [*bets[:index], raised, *bets[index + 1 :]]


@case_table(
    "payout",
    variant(
        "ponto_won",
        articles("16", "18", macau=("premios s1", "premios s2")),
        winner="ponto",
        ons=("ponto", "banker", "tie"),
    ),
    variant(
        "banker_won",
        articles("16", "18", "19", macau=("premios s1", "premios s2", "deducoes")),
        winner="banker",
        ons=("banker", "ponto", "tie"),
    ),
)
def _over(draw: Draw, book: Rulebook, difficulty: int, *, winner: str, ons: tuple[Chance, ...]) -> Situation:
    facts = table(draw, book, difficulty)
    others = draw.sample(ons[1:], 1 if difficulty == 1 else draw.number(1, len(ons) - 1))
    bets = _bets(draw, book, facts, difficulty, ons=(ons[0], *others))
    way = ending(draw, book, extra=EXTRA[difficulty], winner=winner)
    said = (Call("croupier", "closed"),)
    return Situation(**facts, bets=bets, calls=said, **cards(draw, way), incident=CoupOver())


@case("payout", articles("17 s1", "17 s2", macau=("premios s3", "premios s4")))
def tied(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    sides = draw.shuffled(SIDES)
    return _over(draw, book, difficulty, winner="tie", ons=("tie", *sides))


@case_table(
    "payout",
    variant("pair_hit", articles(macau=("premios s5", "premios s6")), hit=True),
    variant("pair_missed", articles(macau="premios s5"), hit=False),
    variant("pair_when_the_bank_wins", articles(macau="deducoes pairs"), hit=True, winners=("banker",)),
)
def _with_pair_bets(
    draw: Draw, book: Rulebook, difficulty: int, *, hit: bool, winners: tuple[str, ...] = ("ponto", "tie")
) -> Situation:
    """Bets on a pair and on the sides."""
    facts = table(draw, book, difficulty)
    side = draw.pick(SIDES)
    on: Chance = "ponto_pair" if side == "ponto" else "banker_pair"
    winner = draw.pick(winners) if hit else draw.pick(("ponto", "banker"))
    way = ending(draw, book, extra=EXTRA[difficulty], winner=winner, even=side if hit else None)
    hands = {
        name: pair(draw, points) if hit and name == side else unpaired(draw, points)
        for name, points in (("ponto", way.ponto), ("banker", way.banker))
    }
    others: tuple[Chance, ...] = ("ponto", "banker", "tie") if winner != "banker" else ("banker", "ponto", "tie")
    bets = _bets(draw, book, facts, difficulty, ons=(on, *others[:difficulty]))
    return Situation(
        **facts,
        bets=bets,
        calls=(Call("croupier", "closed"),),
        **with_thirds(draw, way, hands["ponto"], hands["banker"]),
        incident=CoupOver(),
    )


@case_table("payout", variant("touched_after_tie", articles("17 s2", macau="premios s4"), winner="tie", on=None))
def _touched(draw: Draw, book: Rulebook, difficulty: int, *, winner: str, on: Side | None) -> Situation:
    """A player whose bet is on this side, or on either, touches it after the coup."""
    facts = closed(draw, book, difficulty) | {"calls": ()}
    player = draw.pick([bet.player for bet in facts["bets"] if on is None or bet.on == on])
    way = ending(draw, book, extra=EXTRA[difficulty], winner=winner)
    wish: Literal["withdraw", "move"] = draw.pick(("withdraw", "move"))
    return Situation(**facts, **cards(draw, way), incident=BetTouched(player=player, wish=wish))


@case("payout", articles("16", macau="premios s1"))
def touched_when_lost(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    lost = draw.pick(SIDES)
    return _touched(draw, book, difficulty, winner=OTHER[lost], on=lost)


@case("payout", articles("18", macau="premios s2"))
def touched_when_won(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    won = draw.pick(SIDES)
    return _touched(draw, book, difficulty, winner=won, on=won)
