"""Where everything lies on a black jack table: a column for every seat, as wide as its contents need.

The insurance line runs parallel to the rail, below the longest hand. Below it lie the bank's cards, then in one row
what is at the dealer's hands: the shoe and the next cards at his left, his chips, the discards at his right.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from rules_engine.games.black_jack.table import Situation
from training.drawing.cards import CARD_HIGH, CARD_WIDE
from training.drawing.geometry import Box, Point
from training.drawing.half_moon import Table

RX, RY = 214, 160  # half the width of the cloth, and how high it is above the middle of the table
BEND, RAIL = 2, 12  # where the bend of the rail ends, and the width of the rail
CORNER = Point(26, 26)
EMPTY, TAKEN, OF_HAND = 44, 58, 37  # the width of a column: of a seat without bets, with bets, of each hand of a split
BETS, CARDS = 42, 78  # below the seat: the middle of the bets, and the cards
WIDEST = 436  # all columns together
STEP, DOWN = 20, 42  # the step between cards of a hand, and between its rows, so that rank and suit of all can be seen
IN_ROW, WIDE_ROW = 2, 3  # cards of a hand side by side in a narrow and in a wide column
OF_SPLIT = 1
TOKEN_WIDE, TOKEN_HIGH = 42, 34
LABEL, LINE = 15.5, 15
TRAY = 24  # the height of the bank's chips
INSURANCE, BAND = 54, 26  # the width of the insurance line with chips on it and without
BAND_HALF = 172  # half its length
SIDE_REACH = 164  # how far out the cards beside the dealer lie
BANK_PRINT = 23  # the room for the print between the insurance line and the bank's cards


class Column(NamedTuple):
    """Where a seat is at the rim, and the width of the cloth in front of it."""

    x: int
    y: int
    wide: int


class Layout(NamedTuple):
    """The columns by seat, half the width, how far below the rail the insurance line runs and how wide it is, and the
    y of the bank's cards, of the cards beside the dealer, and of the edge."""

    columns: Mapping[int, Column]
    half: int
    reach: int
    band: int
    bank: int
    side: int
    edge: int

    @property
    def table(self) -> Table:
        return _table(self.half, self.edge + RAIL)

    def line(self, x: int) -> int:
        """The y of the upper edge of the insurance line."""
        return _rim(self.half, self.edge + RAIL, x) + self.reach


@lru_cache(4096)
def _rim(half: int, bottom: int, x: int) -> int:
    return _table(half, bottom).rim(x)


@lru_cache(64)
def _table(half: int, bottom: int) -> Table:
    return Table(Box(-half - RAIL, -RY - RAIL // 2, half + RAIL, bottom), BEND, CORNER, RAIL)


def laid_out(situation: Situation) -> Layout:
    """Make the columns as wide as their contents need, and put the rows below as far down as hands may reach."""
    seats = range(1, situation.places + 1)
    wides = _narrowed({seat: _wide(situation, seat) for seat in seats})
    spare = max(0, 2 * RX - 28 - sum(wides.values())) // situation.places
    half = max(RX, sum(wides.values()) // 2 + 14)
    table = _table(half, RY)
    columns, left = {}, -(sum(wides.values()) + spare * situation.places) // 2
    for seat in seats:
        wide = wides[seat] + spare
        x = left + wide // 2
        columns[seat] = Column(x, table.rim(x), wide)
        left += wide
    deepest = max((CARDS + _depth(situation, columns[hand.seat], hand.seat) for hand in situation.hands), default=110)
    band = INSURANCE if any(bet.insurance for bet in situation.bets) else BAND
    reach = max(110, deepest) + 10
    bank = table.rim(0) + reach + band + BANK_PRINT + LINE + 4
    beside = max(table.rim(SIDE_REACH) + reach + band + 2 * LINE, bank + 16)
    return Layout(columns, half, reach, band, bank, beside, max(beside + CARD_HIGH, bank + CARD_HIGH + TRAY + 14) + 8)


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
