"""The cussec table as the dealer sees it: the apparatus with the dice, the board with chips in its zones, the players.

It is drawn twice, upright for a phone and lying for a desk; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext as _

from rules_engine.games.cussec import layout
from training.drawing import disputed
from training.drawing.bets import HOUSE, bet_results
from training.drawing.bubbles import beside_layout
from training.drawing.cloths.cussec import words
from training.drawing.cloths.cussec.frame import LYING, UPRIGHT, Frame, Point, middle
from training.drawing.cloths.cussec.words import printed, zone_name
from training.drawing.drawing import Drawing, Sheet
from training.drawing.free_space import Room, around
from training.drawing.geometry import Box
from training.drawing.people import SHOULDERS, Croupier, Person, beside
from training.drawing.primitives import DIE, Die, Ellipse, Group, Label, Part, Path, Rect
from training.drawing.scene import Scene
from training.drawing.tokens import Target, Token, outline, short

SEATS = 8
SIDE = 46  # the room for people beside the board
PRIZE_ROOM = 18  # above the places of the lying sheet
HEAD = 158  # above the upright board
PRINTED_DIE, GAP = 15, 2
# Where dice come to rest, from the middle of the disc, and how they lean.
SPREAD = ((-26, -36, -14), (32, -12, 20), (-14, 34, 8))
CLOSE = ((0, -31, 0), (-24, 17, 0), (24, 17, 0))
STACK = (8, 12)  # how far a die looks out from under another


@dataclass(frozen=True, slots=True)
class PrintedDie:
    """A face of a die, printed on the board."""

    x: int
    y: int
    face: int

    def svg(self) -> str:
        scale = f"{PRINTED_DIE / DIE:.3f}"
        die = Die(0, 0, self.face).svg()
        return f'<g class="printed-die" transform="translate({self.x} {self.y}) scale({scale})">{die}</g>'


def cussec(scene: Scene) -> Drawing:
    results, lit = bet_results(scene), _lit(scene)
    told = [*words.told(scene, results, lit, SEATS), *disputed.told(scene)]
    sheets = [_sheet(scene, frame, results, lit) for frame in (UPRIGHT, LYING)]
    return Drawing(scene.situation.game, sheets, told, scene, disputed.focus(scene))


def _lit(scene: Scene) -> tuple[str, ...]:
    """The zones that are lit up: in the end those that win, before it those that the dealer has lit."""
    if scene.after is not None:
        return tuple(scene.marks_after.get("lit", "").split())
    found: tuple[str, ...] = scene.situation.incident.lit()
    return found


def _sheet(scene: Scene, frame: Frame, results: dict[int, int], lit: tuple[str, ...]) -> Sheet:
    board = frame.board
    if frame.upright:
        left, top, right, bottom = -SIDE - 6, -HEAD, board.right + 9, board.bottom + 9
        at, croupier = Point(frame.radius + 6, top + frame.radius + 6), Point(board.right - 66, top + 24)
    else:
        # The corner at the left is left to the page, which tells there what happened.
        left, right = -9, board.right + 9
        top, bottom = -SIDE - PRIZE_ROOM - 2 * frame.radius - 20, board.bottom + 44
        at = Point(right - frame.radius - 70, top + frame.radius + 10)
        croupier = Point(board.right // 2, bottom - 19)
    layers: dict[str, Sequence[Part]] = {
        "cloth": [_rail(board), *_zones(frame, scene.language, lit)],
        "dice": [*_apparatus(frame, at, covered=scene.situation.covered()), *_dice(scene, frame, at)],
        "people": [Croupier(*croupier, _("Dealer")), *_people(scene, frame)],
        "chips": list(_chips(scene, frame, results)),
        "labels": list(_prizes(scene, frame)),
        "pointing": _targets(frame, scene.language) if scene.pointing == "spot" else [],
    }
    across = 2 * frame.radius + 12
    stands = [board, around(*at, across, across)]
    window, places = Box(left, top, right, bottom), _places(scene.situation, frame)
    layers["bubbles"] = beside_layout(scene, window, stands, places, ("croupier", croupier))
    return Sheet(f"{left} {top} {right - left} {bottom - top}", layers, "upright" if frame.upright else "lying")


# ---------- the board ----------


def _rail(board: Box) -> Rect:
    return Rect("felt", board.left - 6, board.top - 6, board.right - board.left + 12, board.bottom - board.top + 12, 10)


def _zones(frame: Frame, language: str, lit: tuple[str, ...]) -> Iterator[Part]:
    """Zones that are lit come after the others, whose edges would run over them."""
    for key in sorted(layout.SPOTS, key=lambda key: key in lit):
        box = frame.zones[key]
        kind = "field glowing" if key in lit else "field"
        yield Rect(kind, box.left, box.top, box.right - box.left, box.bottom - box.top, point=f"spot:{key}")
        yield from _print(frame, key, language)


@cache
def _print(frame: Frame, key: str, _language: str) -> list[Part]:
    spot, strip = layout.SPOTS[key], frame.print(key)
    faces = _printed_faces(spot.chance, spot.numbers)
    if not faces:
        x, _y = middle(strip)
        return [Label("field-print", x, strip.bottom - 4, printed(key))]
    step = PRINTED_DIE + GAP
    x, y = middle(strip)
    left, top = x - (step * len(faces) - GAP) // 2, y - PRINTED_DIE // 2 + 1
    return [PrintedDie(left + step * index, top, face) for index, face in enumerate(faces)]


def _printed_faces(chance: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
    times = {"single": 1, "pair": 1, "double": 2, "triple": 3}.get(chance, 0)
    return numbers * times


# ---------- the dice ----------


def _apparatus(frame: Frame, at: Point, *, covered: bool) -> Iterator[Part]:
    """The base with its lever, the disc, and the glass over it; covered, the black dome with its two catches."""
    x, y = at
    radius = frame.radius
    yield Rect("lever", x - 6, y + radius - 6, 12, 14, 5)
    yield Ellipse("stand", radius, radius, x, y)
    if not covered:
        yield Ellipse("disc", radius - 8, radius - 8, x, y)
        return
    yield Ellipse("dome", radius - 6, radius - 6, x, y)
    yield Ellipse("shine", radius // 4, radius // 7, x - radius // 3, y - radius // 2)
    for side in (-1, 1):
        yield Rect("catch", x + side * (radius - 5) - 5, y - 9, 10, 18, 3)


def _dice(scene: Scene, frame: Frame, at: Point) -> Iterator[Part]:
    faces, stacked = list(scene.situation.faces()), scene.situation.incident.stacked()
    places = CLOSE if frame.upright else SPREAD
    half = DIE // 2
    for index, face in enumerate(faces):
        dx, dy, turn = places[index] if len(faces) > 1 else (0, 0, 0)
        x, y = at.x + dx - half, at.y + dy - half
        under = stacked - 1 if index == 0 else 0
        for level in range(under, 0, -1):
            yield Die(x + STACK[0] * level, y + STACK[1] * level, turn=turn)
        yield Die(x, y, face, turn=turn)


# ---------- chips ----------


def _chips(scene: Scene, frame: Frame, results: dict[int, int]) -> Iterator[Part]:
    zones: dict[str, list[int]] = {}
    for index, bet in enumerate(scene.situation.bets):
        zones.setdefault(bet.spot, []).append(index)
    offer = disputed.offer(scene)
    if offer is not None and offer.spot:
        zones.setdefault(offer.spot, [])
    taken: list[Box] = []
    for key, indices in zones.items():
        count = len(indices) + (offer is not None and offer.spot == key)
        places, wide = frame.tokens(key, count), frame.wide(key, count)
        tokens = [
            _token(scene, frame, scene.situation.bets[index], place, wide, results.get(index))
            for index, place in zip(indices, places, strict=False)
        ]
        if offer is not None and offer.spot == key:
            tokens.append(disputed.offered_token(scene, offer, places[-1], (wide, frame.token[1])))
        taken += [around(*place, wide, frame.token[1]) for place in places]
        yield Group("spot", tokens, f"spot:{key}", f"spot:{key}" in scene.lit)
    if offer is not None and not offer.spot:
        yield from _held_out(scene, frame, offer, taken)


def _held_out(scene: Scene, frame: Frame, offer: disputed.Offer, taken: list[Box]) -> Iterator[Part]:
    """Chips to be ruled on, on the board before whoever holds them out."""
    x, y = _places(scene.situation, frame)[offer.player]
    room = Room(frame.board, [*taken, *map(frame.print, layout.SPOTS)])
    inwards = (20, y) if frame.upright else (x, 34)
    at = middle(room.near(*inwards, *frame.token))
    edge = f"0 {y}" if frame.upright else f"{x} 0"
    yield Path("tie", f"M{edge}L{at.x} {at.y}")
    yield disputed.offered_token(scene, offer, at, frame.token)


def _token(scene: Scene, frame: Frame, bet: Any, at: Point, wide: int, result: int | None) -> Token:
    """A bet; once it has won, what it earned is written where its worth was."""
    ended = "" if result is None else " lost" if result < 0 else " won"
    ended += " offered" if disputed.touched(scene, bet.player, bet.spot) else ""
    won = result is not None and result > 0
    return Token(
        place=bet.player,
        x=at.x,
        y=at.y,
        width=wide,
        height=frame.token[1],
        count=bet.count,
        worth=f"+{short(result, scene.language)}" if won and result else short(bet.value, scene.language),
        outline=outline(bet.value),
        kind=f"token{ended}",
        lit=bet.player in scene.lit,
        spot=bet.spot,
    )


# ---------- people ----------


def _people(scene: Scene, frame: Frame) -> Iterator[Person]:
    """Along the players' side; whoever stands behind a seat comes right after it."""
    situation = scene.situation
    for place, (x, y) in _places(situation, frame).items():
        taken = not place.isdigit() or int(place) in situation.seats
        percent = beside(place, upright=frame.upright)
        yield Person(place, x, y, taken=taken, lit=place in scene.lit, percent=percent)


def _places(situation: Any, frame: Frame) -> dict[str, Point]:
    board = frame.board
    seats = [str(seat) for seat in range(1, max([SEATS, *situation.seats]) + 1)]
    places = sorted([*seats, *situation.standing])
    step = (board.bottom if frame.upright else board.right) / len(places)
    out = SHOULDERS - SIDE - 6 if frame.upright else -SIDE // 2 - 6
    points = {place: round(step * (index + 0.5)) for index, place in enumerate(places)}
    return {place: Point(out, at) if frame.upright else Point(at, out) for place, at in points.items()}


def _prizes(scene: Scene, frame: Frame) -> Iterator[Label]:
    """What each player gets in all, at their place."""
    places = _places(scene.situation, frame)
    won: dict[str, int] = {}
    for payment in scene.after.payments if scene.after else ():
        if payment.payer == HOUSE:
            won[payment.payee] = won.get(payment.payee, 0) + payment.amount
    for place, amount in won.items():
        x, y = places[place]
        x = -SIDE // 2 - 6 if frame.upright else x
        text = f"+{short(amount, scene.language)}"
        wide = SIDE - 8 if frame.upright and len(text) > 3 else 0
        yield Label("prize", x, y + 32 if frame.upright else y - 22, text, wide=wide)


@cache
def _targets(frame: Frame, language: str) -> list[Part]:
    """Every zone; the same for every reader of a language."""
    return [
        Target(
            f"spot:{key}",
            zone_name(key, language),
            box.left,
            box.top,
            box.right - box.left,
            box.bottom - box.top,
            first=not index,
        )
        for index, (key, box) in enumerate((key, frame.zones[key]) for key in layout.SPOTS)
    ]
