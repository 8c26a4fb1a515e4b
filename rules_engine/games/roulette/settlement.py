"""What a bet wins or loses when a number comes out: X 18, 20 and 21. Every prize of both roulettes is computed here."""

from collections.abc import Iterable
from fractions import Fraction

from rules_engine.authoring import NotRegulated, Reasoning, Rulebook
from rules_engine.games.layout_bets import settlement
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import AMERICAN, BOOKS
from rules_engine.games.roulette.layout import Colour, named
from rules_engine.games.roulette.table import Bet, Situation

Outcome = settlement.Outcome[Bet]

# The clause that sets the prize of each group of chances.
PRIZE_CLAUSES = {
    "straight": "X 20 a-pleno",
    "split": "X 20 a-cavalo",
    "street": "X 20 a-rua",
    "corner": "X 20 a-quadro",
    "line": "X 20 a-linha",
    "dozen": "X 20 a-duzia",
    "column": "X 20 a-coluna",
    "dozens": "X 20 a-cav24",
    "columns": "X 20 a-cav24",
    "simple": "X 20 b",
}
INSIDE = ("straight", "split", "street", "corner", "line")
THIRDS = ("dozen", "column", "dozens", "columns")
SIMPLE = tuple(layout.SIMPLE)
HALVED = ("dozens", "columns")  # bets that win half the stake
COLOURED = ("red", "black")
HALF = 0.5


def group(chance: str) -> str:
    """The group of chances with the same price and limit: the six even chances are one group."""
    return "simple" if chance in layout.SIMPLE else chance


def times(book: Rulebook, chance: str) -> Fraction:
    """The prize as a multiple of the stake."""
    return Fraction(book.param("payouts")[group(chance)])


def times_name(book: Rulebook, chance: str) -> str:
    """A multiple as an answer names it: `35`, or `half`."""
    multiple = book.param("payouts")[group(chance)]
    return "half" if multiple == HALF else str(multiple)


def prize_of(book: Rulebook, chance: str, stake: int) -> int:
    """The prize of a winning stake, besides the stake itself."""
    # 0.5 is exact as a float, and floats are much faster than fractions.
    prize = book.param("payouts")[group(chance)] * stake
    if prize != int(prize):
        raise NotRegulated(
            "art. X 20 a) does not say how the prize on a stake of {stake:amount} is rounded", stake=stake
        )
    return int(prize)


def colour(book: Rulebook, number: int) -> Colour:
    """X 7 and X 8."""
    if not number:
        return "none"
    return "red" if number in book.param("red_numbers") else "black"


def wins(book: Rulebook, spot: str, number: int) -> bool:
    """Whether a spot wins with a number. The rulebook says which numbers are red and black."""
    if spot in COLOURED:
        return colour(book, number) == spot
    return number in layout.SPOTS[spot].covers


def prize(book: Rulebook, bet: Bet, number: int) -> int:
    """The prize of a bet besides its stake; the lost stake as a negative number."""
    return prize_of(book, bet.chance, bet.amount) if wins(book, bet.spot, number) else -bet.amount


def outcomes(book: Rulebook, bets: Iterable[Bet], number: int) -> list[Outcome]:
    return [Outcome(bet, prize(book, bet, number)) for bet in bets]


def winners(book: Rulebook, bets: Iterable[Bet], number: int) -> list[Bet]:
    return [bet for bet in bets if wins(book, bet.spot, number)]


def uncollected(situation: Situation) -> tuple[Bet, ...]:
    """The bets left once the losing bets are collected; both roulettes have the same colours."""
    return tuple(winners(BOOKS[0], situation.bets, situation.result()))


def explain(s: Situation, r: Reasoning, number: int, settled: list[Outcome]) -> None:
    """Cite the clauses that these bets and this number turn on."""
    if not number:
        explain_zero(s, r)
    elif any(bet.chance in COLOURED for bet in s.bets):
        explain_colour(s, r, number, pivot=False)
    won = [one for one in settled if one.prize > 0]
    if not won:
        r.step("X 22 s1", "nothing_won", number=number, pivot=bool(number))
        return
    for one in won:
        explain_prize(r, one)
    r.step("X 20 s0", "stakes_stay")


def explain_zero(s: Situation, r: Reasoning) -> None:
    french_rules(r, pivot=True)
    lost = any(bet.chance not in INSIDE for bet in s.bets)
    r.step("X 21", "zero_takes" if lost else "zero_spares", pivot=lost)


def explain_colour(s: Situation, r: Reasoning, number: int, *, pivot: bool) -> None:
    """Cite X 7 and X 8. They do not fit a wheel of the American order; there a recorded reading applies."""
    if not number:
        r.step("X 8", "zero_no_colour", number=number, pivot=pivot)
        return
    r.step("X 7", "number_colour", number=number, colour=colour(r.book, number), pivot=pivot)
    if s.wheel == "american" and r.book.coded_as == AMERICAN:
        r.step("IX 2 am-colours", "colours_kept", pivot=pivot)


def explain_prize(r: Reasoning, outcome: Outcome, *, pivot: bool = True) -> None:
    bet = outcome.bet
    r.step(
        PRIZE_CLAUSES[group(bet.chance)],
        "pays",
        by=bet.player,
        stake=bet.amount,
        times=times_name(r.book, bet.chance),
        prize=outcome.prize,
        pivot=pivot,
        **named(outcome.spot),
    )


def french_rules(r: Reasoning, *, pivot: bool = False) -> None:
    """IX 1: American roulette is played by the rules of the French."""
    if r.book.coded_as == AMERICAN:
        r.step("IX 1", "french_rules", pivot=pivot)


def settle(r: Reasoning, number: int, settled: Iterable[Outcome]) -> None:
    """Record how the table ends: the number marked, losing stakes collected, prizes paid."""
    settlement.settle(r, settled, {"marker": str(number)})
