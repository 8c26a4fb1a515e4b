"""Where everything has its place on a black jack table: a column for every seat, as wide as what lies in it needs."""

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

from rules_engine.games.black_jack.table import Situation
from training.drawing.cards import CARD_HIGH, CARD_WIDE

RX, RY = 212, 96  # half the width of the cloth, and how high it is bent
EMPTY, TAKEN, OF_HAND = 44, 58, 37  # the width of a column: of a seat without bets, with them, of each hand of a split
BETS, CARDS = 42, 78  # below the seat: the middle of the bets, and the cards
WIDEST = 436  # all columns
STEP, DOWN = 20, 42  # between cards of a hand side by side, and between its rows: rank and suit of all are seen
IN_ROW, WIDE_ROW = 2, 3  # cards of a hand side by side, and where its column is wide
OF_SPLIT = 1
TOKEN_WIDE, TOKEN_HIGH = 42, 34
LABEL, LINE = 15.5, 15
INSURANCE = 56  # the room for chips on the line


class Column(NamedTuple):
    """Where a seat is at the rim, and how wide the part of the cloth before it is."""

    x: int
    y: int
    wide: int


class Layout(NamedTuple):
    """The columns by seat, and how far down hands, the line for insurance, the bank's cards and the edge are."""

    columns: Mapping[int, Column]
    half: int
    line: int
    bank: int
    edge: int


def laid_out(situation: Situation) -> Layout:
    """Columns as wide as what lies in them needs; the rows below them as far down as the hands may reach."""
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
    """Where splits take much room, the columns that have little in them give way, so that all can still be read."""
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
    """How far down the hands of a seat may reach, with a card more than they have now."""
    hands = situation.of_seat(seat)
    abreast = across(column, len(hands))
    rows = max(-(-(len(hand.cards) + 1) // abreast) for hand in hands)
    return CARD_HIGH + DOWN * (rows - 1)
