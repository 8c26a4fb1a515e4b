"""What a bet wins or loses when the dice are seen: VII 7 to 10. Every prize of the game is computed here."""

from collections.abc import Iterable
from functools import cache

from rules_engine.authoring import Reasoning, Rulebook, Throw, alike
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.layout import Chance, Spot, named
from rules_engine.games.cussec.table import Bet, Situation
from rules_engine.games.layout_bets import settlement
from rules_engine.games.layout_bets.settlement import whole

Outcome = settlement.Outcome[Bet]
EVEN: tuple[Chance, ...] = ("small", "big")
# The clause that says when each chance wins.
WINS: dict[str, str] = {chance: f"VII 7 {letter}" for chance, letter in zip(layout.CHANCES, "abcdefgh", strict=True)}
ENDS = min(layout.TOTALS) + max(layout.TOTALS)  # two totals that pay the same add up to this


def prize_clause(spot: str) -> str:
    place = layout.SPOTS[spot]
    if place.chance == "total":
        total = place.numbers[0]
        return f"VII 8 h-{min(total, ENDS - total)}"
    return f"VII 8 {WINS[place.chance][-1]}"


def matching(spot: Spot, dice: Throw) -> int:
    """How many dice show the number of a zone."""
    return dice.count(spot.numbers[0])


def times(book: Rulebook, spot: str, dice: Throw) -> int:
    """The prize as a multiple of the stake; 0 if the zone does not win."""
    return _times(book, spot, tuple(sorted(dice)))


@cache
def _times(book: Rulebook, spot: str, dice: Throw) -> int:
    place = layout.SPOTS[spot]
    chance = place.chance
    if chance in EVEN:
        least, largest = book.param(chance)
        won = least <= sum(dice) <= largest and not triple(book, dice)
    elif chance == "triples":
        won = triple(book, dice)
    elif chance == "pair":
        won = set(place.numbers) <= set(dice)
    elif chance == "triple":
        won = matching(place, dice) == book.number("dice")
    else:
        shown = sum(dice) if chance == "total" else matching(place, dice)
        if chance == "total" and shown != place.numbers[0]:
            return 0
        return whole(book.param(f"{chance}_payouts").get(str(shown), 0))
    return whole(book.param("payouts")[chance]) if won else 0


def triple(book: Rulebook, dice: Throw) -> bool:
    return alike(dice) == book.number("dice")


def side(book: Rulebook, dice: Throw) -> str:
    """The even chance that wins, or `triple`: with three dice alike neither wins (VII 9)."""
    return next((chance for chance in EVEN if times(book, chance, dice)), "triple")


@cache
def _winning(book: Rulebook, dice: Throw) -> tuple[str, ...]:
    return tuple(key for key in layout.SPOTS if _times(book, key, dice))


def winning(book: Rulebook, dice: Throw) -> tuple[str, ...]:
    """The zones that win, in printed order."""
    return _winning(book, tuple(sorted(dice)))


def prize(book: Rulebook, bet: Bet, dice: Throw) -> int:
    """The prize of a bet besides its stake; the lost stake as a negative number."""
    return (times(book, bet.spot, dice) or -1) * bet.amount


def outcomes(book: Rulebook, bets: Iterable[Bet], dice: Throw) -> list[Outcome]:
    return [Outcome(bet, prize(book, bet, dice)) for bet in bets]


def explain(s: Situation, r: Reasoning, dice: Throw, settled: list[Outcome]) -> None:
    """Cite the clauses that these bets and these dice turn on."""
    won = [one for one in settled if one.prize > 0]
    if triple(r.book, dice) and any(bet.chance in EVEN for bet in s.bets):
        r.pivot("VII 9", "triple_takes", face=dice[0])
    for one in won:
        explain_prize(r, one, dice)
    if won:
        r.step("VII 10", "stakes_stay")
    else:
        for spot in dict.fromkeys(one.spot for one in settled):
            explain_loss(r, spot, dice)


def explain_prize(r: Reasoning, one: Outcome, dice: Throw, *, pivot: bool = True) -> None:
    r.step(
        prize_clause(one.spot),
        "pays",
        by=one.bet.player,
        stake=one.bet.amount,
        times=times(r.book, one.spot, dice),
        prize=one.prize,
        pivot=pivot,
        **named(one.spot),
    )


def explain_loss(r: Reasoning, spot: str, dice: Throw, *, pivot: bool = True) -> None:
    """Cite why a zone does not win."""
    chance = layout.SPOTS[spot].chance
    if chance in EVEN and triple(r.book, dice):
        r.step("VII 9", "triple_takes", face=dice[0], pivot=pivot)
    else:
        r.step(WINS[chance], f"no_{chance}", total=sum(dice), pivot=pivot, **named(spot))


def settle(r: Reasoning, dice: Throw, settled: Iterable[Outcome]) -> None:
    """Record how the table ends: winning zones lit up, losing stakes collected, prizes paid."""
    settlement.settle(r, settled, {"lit": " ".join(winning(r.book, dice))})
