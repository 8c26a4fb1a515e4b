"""The black jack table as the dealer sees it: a half-moon, seat 1 at his left hand, the numbers running clockwise.

Every seat has a column: the player at the rim, the bets before him, his cards below them and the line for insurance.
The bank's cards lie before the dealer, what the shoe would give at his left, what is discarded at his right.
The value of a card that lies face down is left out of what is computed here, so it cannot reach the browser.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine.games.black_jack.table import BANK, Bet, Situation, parsed
from training.drawing.chips import lay, written
from training.drawing.cloths.black_jack_words import told
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import seat_of
from training.drawing.primitives import (
    CARD_HIGH,
    CARD_WIDE,
    Card,
    Croupier,
    Group,
    HalfMoon,
    Heap,
    Label,
    Part,
    Path,
    Person,
    Pile,
    Rect,
    Symbol,
    Thing,
)
from training.drawing.scene import Scene
from training.drawing.tokens import Token

RX, RY, EDGE = 440, 760, 330  # half the width, the height, and where the straight edge lies
SIDE = 352  # the outermost seats, from the middle
BETS, CARDS = 50, 108  # below the seat: bets, cards
FRAME = 36  # half the frame for bets
LINE_X, LINE_Y, LINE_END = 300, 302, 260  # the printed line for insurance: half its width, its height, where it ends
NARROWER = 0.62  # how the columns draw together there
DOWN, ROOM = 38, 196  # from card to card of a hand, and how far down it may reach
BESIDE, LEAST_BESIDE = 60, 34  # between two hands of a split, and between more of them
TOKEN_WIDE, TOKEN_HIGH = 58, 36
STEP = 36  # between cards in a row
FEW, CLOSE = 3, 30  # cards of a hand that lie side by side, and how far apart
BANK_TOP, LOWER_TOP = 112, 230
LOWER = {"next": -214, "loose": 214, "discard": 214}
LOWER_WIDE = 200
SHOE = (-414, 262, 72, 48)
DISCARD = (350, 268, 66, 42)
MARGIN, ABOVE, BELOW = 22, 66, 34
# Where those who stand at a seat are: outwards from it and up.
STANDING = ((42, -32), (0, -56), (42, -76), (0, -100), (42, -120), (0, -144), (42, -164), (0, -188), (42, -208))
WARNING = "warning_card"
Cards = Sequence[tuple[str, str]]  # each by its reference; one face down has no value


class Column(NamedTuple):
    """Where a seat is at the rim, and how far from the middle its bets and cards lie."""

    x: int
    y: int
    inner: int


def black_jack(scene: Scene) -> Drawing:
    situation: Situation = scene.situation
    heaps = _lying(scene)
    layers: dict[str, Sequence[Part]] = {
        "cloth": _printed(situation),
        "people": [Croupier(0, EDGE, _("Dealer")), *_people(scene), *_results(scene)],
        "cards": [
            Symbol("shoe", *SHOE),
            Symbol("discard", *DISCARD),
            *_hands(scene, {name: cards for name, cards in heaps.items() if name.startswith("seat")}),
            *_bank(scene, heaps),
            *_lower(scene, heaps),
        ],
        "chips": [*_bets(scene), *_insured(scene)],
    }
    top = min([EDGE - RY - ABOVE, *(part.y - ABOVE // 2 for part in layers["people"] if isinstance(part, Person))])
    window = f"{-RX - MARGIN} {top} {2 * (RX + MARGIN)} {EDGE + BELOW - top}"
    return Drawing(situation.game, [Sheet(window, layers)], told(scene, heaps))


def _lying(scene: Scene) -> Mapping[str, Cards]:
    """Every heap on the cloth."""
    situation: Situation = scene.situation
    if scene.after is not None and scene.after.heaps:
        ends = scene.heaps_after
        return {name: list(_named(name, cards)) for name, cards in ends.items()}
    return {
        name: [(ref, "" if ref in situation.hidden else card) for ref, card in _named(name, cards)]
        for name, cards in situation.heaps().items()
        if cards
    }


def _named(name: str, cards: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((f"{name}.{number}", card) for number, card in enumerate(cards, start=1))


# ---------- the cloth and who is there ----------


def _column(situation: Situation, seat: int) -> Column:
    step = 2 * SIDE / (situation.places - 1)
    x = round(step * (seat - 1) - SIDE)
    y = EDGE - round(_height(x))
    room = int(_half_width(y + BETS)) - FRAME - 12
    return Column(x, y, max(-room, min(room, x)))


def _height(x: float) -> float:
    """How far the rim is from the straight edge, so far from the middle."""
    return RY * sqrt(1 - (x / RX) ** 2)


def _half_width(y: float) -> float:
    return RX * sqrt(max(0, 1 - ((EDGE - y) / RY) ** 2))


def _printed(situation: Situation) -> list[Part]:
    """The cloth, the line for insurance with its name, and a frame for the bets of every seat that has not several."""
    parts: list[Part] = [
        HalfMoon("rail", RX + 12, RY + 12, cy=EDGE + 12),
        HalfMoon("cloth", RX, RY, cy=EDGE),
        Path("line", f"M{-LINE_X} {LINE_END}A{LINE_X} {LINE_Y} 0 0 1 {LINE_X} {LINE_END}"),
        Label("field-name", 0, -76, pgettext("cloth", "INSURANCE")),
    ]
    single = [_column(situation, seat) for seat in range(1, situation.places + 1) if not _several(situation, seat)]
    frames = [Rect("field-frame", at.inner - FRAME, at.y + BETS - 22, 2 * FRAME, 66, 8) for at in single]
    return [*parts, *frames]


def _several(situation: Situation, seat: int) -> bool:
    return situation.is_split(seat) or sum(bet.seat == seat for bet in situation.bets) > 1


def _people(scene: Scene) -> Iterator[Person]:
    situation: Situation = scene.situation
    for seat in range(1, situation.places + 1):
        column, place = _column(situation, seat), str(seat)
        yield Person(place, column.x, column.y, taken=seat in situation.seats, lit=place in scene.lit)
    for place in situation.standing:
        column = _column(situation, min(seat_of(place), situation.places))
        out, up = STANDING[ord(place[1]) - ord("a")]
        yield Person(place, column.x + (out if column.x > 0 else -out), column.y + up, lit=place in scene.lit)


def _results(scene: Scene) -> Iterator[Label]:
    """What the ruling pays to everybody or takes, in all, over the place."""
    sums: dict[str, int] = defaultdict(int)
    for payment in scene.after.payments if scene.after else ():
        sums[payment.payee] += payment.amount
        sums[payment.payer] -= payment.amount
    for place, amount in sums.items():
        if place[:1].isdigit() and amount:
            column = _column(scene.situation, min(seat_of(place), scene.situation.places))
            sign = "+" if amount > 0 else "\N{MINUS SIGN}"
            owner = "" if place.isdigit() else f"{place} "
            up = 34 if place.isdigit() else 56
            yield Label("prize", column.x, column.y - up, f"{owner}{sign}{written(abs(amount))}")


# ---------- cards ----------


def _hands(scene: Scene, hands: Mapping[str, Cards]) -> Iterator[Heap]:
    """The hands of a seat below its bets: few cards side by side, for suits matter; more of them, or those of a split,
    each a little lower than the one before."""
    seats: dict[int, list[str]] = defaultdict(list)
    for name in hands:
        seats[parsed(name)[0]].append(name)
    for seat, names in seats.items():
        column = _column(scene.situation, seat)
        if len(names) == 1 and len(hands[names[0]]) <= FEW:
            yield _side_by_side(scene, names[0], hands[names[0]], column)
        else:
            for left, name in zip(_lefts(column, len(names), column.y + CARDS), names, strict=True):
                yield _fan(scene, name, hands[name], left, column.y + CARDS)


def _side_by_side(scene: Scene, name: str, cards: Cards, column: Column) -> Heap:
    top, wide = column.y + CARDS, CARD_WIDE + CLOSE * (len(cards) - 1)
    edge = int(_half_width(top)) - 10
    left = max(-edge, min(edge - wide, column.inner - wide // 2))
    drawn = [_card(scene, ref, card, left + CLOSE * index, top) for index, (ref, card) in enumerate(cards)]
    return Heap(name, _doubled(scene, name, left + wide // 2, top), left, top, drawn)


def _doubled(scene: Scene, name: str, x: int, top: int) -> Label:
    """A mark over a hand that was doubled."""
    hand = scene.situation.names().get(name)
    return Label("heap-label", x, top - 4, "2×" if hand is not None and hand.doubled else "")


def _lefts(column: Column, count: int, top: int) -> list[int]:
    """Where the hands of a seat begin: round the middle of its column, and always on the cloth."""
    step = BESIDE if count <= 2 else LEAST_BESIDE
    wide = CARD_WIDE + step * (count - 1)
    edge = int(_half_width(top)) - 10
    left = max(-edge, min(edge - wide, column.inner - wide // 2))
    return [left + step * index for index in range(count)]


def _fan(scene: Scene, name: str, cards: Cards, x: int, y: int) -> Heap:
    step = min(DOWN, (ROOM - CARD_HIGH) // max(1, len(cards) - 1))
    drawn = [_card(scene, ref, card, x, y + step * index) for index, (ref, card) in enumerate(cards)]
    return Heap(name, _doubled(scene, name, x + CARD_WIDE // 2, y), x, y, drawn)


def _card(scene: Scene, ref: str, card: str, x: int, y: int, kind: str = "playing-card") -> Card:
    rank, suit = ("10" if card[0] == "T" else card[0], card[1]) if card else ("", "")
    return Card(ref, x, y, rank, suit, ref in scene.lit, kind)


def _row(scene: Scene, name: str, cards: Cards, middle: int, top: int, label: str, wide: int) -> Heap:
    """Cards side by side, the row centred."""
    step = min(STEP, (wide - CARD_WIDE) // max(1, len(cards) - 1))
    left = middle - (CARD_WIDE + step * (len(cards) - 1)) // 2
    kind = "playing-card in-shoe" if name == "next" else "playing-card"
    drawn = [_card(scene, ref, card, left + step * index, top, kind) for index, (ref, card) in enumerate(cards)]
    return Heap(name, Label("heap-label", middle, top - 9, label), left, top, drawn)


def _bank(scene: Scene, heaps: Mapping[str, Cards]) -> Iterator[Heap]:
    if BANK in heaps:
        yield _row(scene, BANK, heaps[BANK], 0, BANK_TOP, pgettext("cloth", "Bank"), 280)


def _lower(scene: Scene, heaps: Mapping[str, Cards]) -> Iterator[Heap]:
    names = {"next": _("Next in the shoe"), "loose": _("Out of the shoe"), "discard": _("Discard corner")}
    for name, label in names.items():
        if name in heaps:
            # What the ruling leaves out of the shoe makes room for the discard corner.
            middle = -LOWER[name] if name == "loose" and "discard" in heaps else LOWER[name]
            yield _row(scene, name, heaps[name], middle, LOWER_TOP, label, LOWER_WIDE)
    if scene.after is None and WARNING in scene.situation.incident.marks():
        thing = Thing("warning-card", -CARD_WIDE // 2, LOWER_TOP)
        yield Heap(WARNING, Label("heap-label", 0, LOWER_TOP - 9, _("Warning card")), thing.x, thing.y, [thing])


# ---------- chips ----------


def _bets(scene: Scene) -> Iterator[Part]:
    """One bet before a seat as chips; several, or those of a split, as plaques with their owners."""
    situation: Situation = scene.situation
    seats: dict[int, list[Bet]] = defaultdict(list)
    for bet in situation.bets:
        seats[bet.seat].append(bet)
    for seat, bets in seats.items():
        column = _column(situation, seat)
        if _several(situation, seat):
            yield from _plaques(scene, bets, column, len(situation.of_seat(seat)))
        else:
            yield _pile(scene, bets[0], column)


def _pile(scene: Scene, bet: Bet, column: Column) -> Pile:
    owner = "" if bet.player == str(bet.seat) else bet.player
    chips = lay(bet.amount, column.inner, column.y + BETS, rows=1, wide=96)
    lit = bet.player in scene.lit
    return Pile(bet.player, column.inner, chips, written(bet.amount), column.y + BETS + 36, owner, lit=lit)


def _plaques(scene: Scene, bets: Sequence[Bet], column: Column, hands: int) -> Iterator[Token]:
    """Over each hand of a split its own bets; of an undivided hand two on top of one another, then beside them."""
    rows: dict[int, int] = defaultdict(int)
    columns = hands if hands > 1 else -(-len(bets) // 2)
    lefts = _lefts(column, columns, column.y + BETS + TOKEN_HIGH)
    wide = TOKEN_WIDE if columns <= 2 else LEAST_BESIDE - 2
    for index, bet in enumerate(bets):
        place = bet.hand - 1 if hands > 1 else index // 2
        x, y = lefts[place] + CARD_WIDE // 2, column.y + BETS - 6 + rows[place] * (TOKEN_HIGH + 2)
        rows[place] += 1
        lit = bet.player in scene.lit
        yield Token(bet.player, x, y, wide, TOKEN_HIGH, 1, written(bet.amount), "soft", "token", lit)


def _insured(scene: Scene) -> Iterator[Group]:
    """Chips on the line for insurance, towards the bank from their seat; whose they are where it is not its holder."""
    situation: Situation = scene.situation
    rows: dict[int, int] = defaultdict(int)
    for bet in situation.bets:
        if not bet.insurance:
            continue
        x = round(_column(situation, bet.seat).x * NARROWER)
        y = LINE_END - round(LINE_Y * sqrt(1 - (x / LINE_X) ** 2)) + 56 * rows[bet.seat]
        rows[bet.seat] += 1
        owner = "" if bet.player == str(bet.seat) else f"{bet.player}: "
        total = Label("total close", x, y + 34, f"{owner}{written(bet.insurance)}")
        yield Group("insured", [*lay(bet.insurance, x, y, rows=1, wide=72), total])
