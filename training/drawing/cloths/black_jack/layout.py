"""Where everything lies on a black jack table: a column for every seat, as wide as its contents need.

There are two sheets, an upright one for a phone and a wider one for a desk.

The insurance line runs parallel to the rail, below the longest hand. Below it lie the bank's cards, then in one row
what is at the dealer's hands: the shoe and the next cards at his left, his chips, the discards at his right.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rules_engine.games.black_jack.table import Situation
from training.drawing.cards import CARD_HIGH, CARD_WIDE
from training.drawing.geometry import Box, Point
from training.drawing.half_moon import Table

BEND, RAIL = 2, 12  # where the bend of the rail ends, and the width of the rail
CORNER = Point(26, 26)
BEND_OF = (0.58, 0.56)  # nearly an ellipse
EMPTY, TAKEN = 44, 58  # the width of a column: of a seat without bets, and with bets
BETS, CARDS = 42, 78  # below the seat: the middle of the bets, and the cards
STEP, DOWN = 20, 42  # the step between cards of a hand, and between its rows, so that rank and suit of all can be seen
IN_ROW, WIDE_ROW = 2, 3  # cards of a hand side by side in a narrow and in a wide column
TOKEN_HIGH = 34
LABEL, LINE = 15.5, 15
TRAY = 24  # the height of the bank's chips
INSURANCE, BAND = 54, 26  # the width of the insurance line with chips on it and without
CHIP = 24  # from the middle of chips to the rail
BANK_PRINT = 23  # the room for the print between the insurance line and the bank's cards


@dataclass(frozen=True)
class Frame:
    """The measures of one sheet: half the width of the cloth and how high it is above the middle of the table; the
    width of each hand of a split, and how many of its cards lie side by side; the width of a bet that shares a box;
    half the length of the insurance line; how far out the cards beside the dealer lie; and half the width of his chips.
    """

    kind: str
    half: int
    rise: int
    of_hand: int
    split_row: int
    token: int
    line: int
    aside: int
    tray: int

    @property
    def widest(self) -> int:
        """All columns together, before they are narrowed."""
        return 2 * self.half + 8


UPRIGHT = Frame("upright", 214, 160, of_hand=37, split_row=1, token=42, line=172, aside=112, tray=54)
LYING = Frame("lying whole", 262, 236, of_hand=58, split_row=2, token=66, line=206, aside=142, tray=76)


class Column(NamedTuple):
    """Where a seat is at the rim, and the width of the cloth in front of it."""

    x: int
    y: int
    wide: int


class Layout(NamedTuple):
    """The columns by seat, half the width, how far below the rail the insurance line runs and how wide it is, and the
    y of the bank's cards, of the cards beside the dealer, and of the edge."""

    frame: Frame
    columns: Mapping[int, Column]
    half: int
    reach: int
    band: int
    bank: int
    side: int
    edge: int

    @property
    def table(self) -> Table:
        return _table(self.frame, self.half, self.edge + RAIL)

    def line(self, x: int) -> int:
        """The y of the upper edge of the insurance line."""
        return round(self.edge_of_line(x))

    def on_felt(self, x: int, y: int) -> bool:
        """Whether chips at this point are clear of the rail."""
        return abs(x) < self.half - CHIP and y > max(self.table.rim(x - CHIP), self.table.rim(x + CHIP)) + CHIP

    def edge_of_line(self, x: float) -> float:
        return self.table.rim(x) + self.reach


@lru_cache(64)
def _table(frame: Frame, half: int, bottom: int) -> Table:
    box = Box(-half - RAIL, -frame.rise - RAIL // 2, half + RAIL, bottom)
    return Table(box, BEND, CORNER, RAIL, BEND_OF)


def laid_out(situation: Situation, frame: Frame) -> Layout:
    """Make the columns as wide as their contents need, and put the rows below as far down as hands may reach."""
    seats = range(1, situation.places + 1)
    wides = _narrowed({seat: _wide(situation, seat, frame) for seat in seats}, frame.widest)
    spare = max(0, 2 * frame.half - 28 - sum(wides.values())) // situation.places
    half = max(frame.half, sum(wides.values()) // 2 + 14)
    table = _table(frame, half, frame.rise)
    columns, left = {}, -(sum(wides.values()) + spare * situation.places) // 2
    for seat in seats:
        wide = wides[seat] + spare
        x = left + wide // 2
        columns[seat] = Column(x, round(table.rim(x)), wide)
        left += wide
    depths = (CARDS + _depth(situation, columns[hand.seat], hand.seat, frame) for hand in situation.hands)
    deepest = max(depths, default=110)
    band = INSURANCE if any(bet.insurance for bet in situation.bets) else BAND
    reach = max(110, deepest) + 10
    bank = round(table.rim(0)) + reach + band + BANK_PRINT + LINE + 4
    beside = max(round(table.rim(frame.aside + 52)) + reach + band + 2 * LINE, bank + 16)
    edge = max(beside + CARD_HIGH, bank + CARD_HIGH + TRAY + 14) + 8
    return Layout(frame, columns, half, reach, band, bank, beside, edge)


def _narrowed(wides: dict[int, int], widest: int) -> dict[int, int]:
    """Narrow the columns without a split when splits need much room."""
    over = sum(wides.values()) - widest
    ordinary = [seat for seat, wide in wides.items() if wide <= TAKEN]
    cut = min(12, -(-over // max(1, len(ordinary)))) if over > 0 else 0
    return {seat: wide - cut if seat in ordinary else wide for seat, wide in wides.items()}


def _wide(situation: Situation, seat: int, frame: Frame) -> int:
    bets = sum(bet.seat == seat for bet in situation.bets)
    hands = len(situation.of_seat(seat))
    if hands > 1:
        return max(TAKEN, hands * frame.of_hand + 6)
    if bets > 1:
        return max(TAKEN, -(-bets // 2) * frame.token + 4)
    return TAKEN if bets or hands else EMPTY


def across(column: Column, hands: int, frame: Frame) -> int:
    """How many cards of a hand lie side by side."""
    if hands > 1:
        return frame.split_row
    return WIDE_ROW if column.wide >= CARD_WIDE + 2 * STEP + 4 else IN_ROW


def _depth(situation: Situation, column: Column, seat: int, frame: Frame) -> int:
    """How far down the hands of a seat may reach with one more card each."""
    hands = situation.of_seat(seat)
    abreast = across(column, len(hands), frame)
    rows = max(-(-(len(hand.cards) + 1) // abreast) for hand in hands)
    return CARD_HIGH + DOWN * (rows - 1)
