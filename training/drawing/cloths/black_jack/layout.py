"""Where everything lies on a black jack table: a column for every seat, as wide as its contents need."""

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

from rules_engine.games.black_jack.table import Situation
from training.drawing.cards import CARD_HIGH, CARD_WIDE

RX, RY = 212, 96  # half the width of the cloth, and the height of its bend
EMPTY, TAKEN, OF_HAND = 44, 58, 37  # the width of a column: of a seat without bets, with bets, of each hand of a split
BETS, CARDS = 42, 78  # below the seat: the middle of the bets, and the cards
WIDEST = 436  # all columns together
STEP, DOWN = 20, 42  # the step between cards of a hand, and between its rows, so that rank and suit of all can be seen
IN_ROW, WIDE_ROW = 2, 3  # cards of a hand side by side in a narrow and in a wide column
OF_SPLIT = 1
TOKEN_WIDE, TOKEN_HIGH = 42, 34
LABEL, LINE = 15.5, 15
INSURANCE = 56  # the room for chips on the insurance line


class Column(NamedTuple):
    """Where a seat is at the rim, and the width of the cloth in front of it."""

    x: int
    y: int
    wide: int


class Layout(NamedTuple):
    """The columns by seat, half the width, and the y of the insurance line, the bank's cards and the edge."""

    columns: Mapping[int, Column]
    half: int
    line: int
    bank: int
    edge: int


def laid_out(situation: Situation) -> Layout:
    """Make the columns as wide as their contents need, and put the rows below as far down as hands may reach."""
    seats = range(1, situation.places + 1)
    wides = _narrowed({seat: _wide(situation, seat) for seat in seats})
    spare = max(0, 2 * RX - 16 - sum(wides.values())) // situation.places
    half = max(RX, sum(wides.values()) // 2 + 8)
    columns, left = {}, -(sum(wides.values()) + spare * situation.places) // 2
    for seat in seats:
        wide = wides[seat] + spare
        x = left + wide // 2
        columns[seat] = Column(x, -round(RY * sqrt(max(0.0, 1 - (x / (half + 6)) ** 2))), wide)
        left += wide
    deepest = max(
        (columns[hand.seat].y + CARDS + _depth(situation, columns[hand.seat], hand.seat) for hand in situation.hands),
        default=20,
    )
    line = max(40, deepest + 10)
    insured = any(bet.insurance for bet in situation.bets)
    bank = line + (INSURANCE if insured else 4) + 2 * LINE + 6
    return Layout(columns, half, line, bank, bank + CARD_HIGH + 8)


def _narrowed(wides: dict[int, int]) -> dict[int, int]:
    """Narrow the columns without a split when splits need much room."""
    over = sum(wides.values()) - WIDEST
    ordinary = [seat for seat, wide in wides.items() if wide <= TAKEN]
    cut = min(12, -(-over // max(1, len(ordinary)))) if over > 0 else 0
    return {seat: wide - cut if seat in ordinary else wide for seat, wide in wides.items()}


def _wide(situation: Situation, seat: int) -> int:
    bets = sum(bet.seat == seat for bet in situation.bets)
    hands = len(situation.of_seat(seat))
    if hands > 1:
        return max(TAKEN, hands * OF_HAND + 6)
    if bets > 1:
        return max(TAKEN, -(-bets // 2) * TOKEN_WIDE + 4)
    return TAKEN if bets or hands else EMPTY


def across(column: Column, hands: int) -> int:
    """How many cards of a hand lie side by side."""
    if hands > 1:
        return OF_SPLIT
    return WIDE_ROW if column.wide >= CARD_WIDE + 2 * STEP + 4 else IN_ROW


def _depth(situation: Situation, column: Column, seat: int) -> int:
    """How far down the hands of a seat may reach with one more card each."""
    hands = situation.of_seat(seat)
    abreast = across(column, len(hands))
    rows = max(-(-(len(hand.cards) + 1) // abreast) for hand in hands)
    return CARD_HIGH + DOWN * (rows - 1)
