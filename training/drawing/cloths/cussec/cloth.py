"""The cussec table as the dealer sees it: the apparatus with the dice, the board with chips in its zones, the players.

It is drawn twice, upright for a phone and lying for a desktop; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from django.utils.translation import gettext as _

from rules_engine.games.cussec import GAME, layout
from training.drawing import disputed, layouts
from training.drawing.bubbles import beside_layout
from training.drawing.cloths.cussec import words
from training.drawing.cloths.cussec.frame import LYING, UPRIGHT, Frame
from training.drawing.cloths.cussec.print import zones
from training.drawing.drawing import Drawing, Sheet
from training.drawing.free_space import Room, around
from training.drawing.geometry import Box, Point
from training.drawing.layouts import bet_results
from training.drawing.people import Croupier
from training.drawing.primitives import DIE, Die, Ellipse, Part, Rect
from training.drawing.scene import Scene

PRIZE_ROOM = 18  # above the places of the lying sheet
HEAD = 166  # above the upright board
RAIL = 28  # the width of the rail with the places on the upright sheet
# Where dice come to rest, from the middle of the disc, and how they are turned.
SPREAD = ((-26, -36, -14), (32, -12, 20), (-14, 34, 8))
CLOSE = ((0, -31, 0), (-24, 17, 0), (24, 17, 0))
TILT = 45  # how a die is turned that does not lie flat
STACK = (8, 12)  # how far a die sticks out from under another


def cussec(scene: Scene) -> Drawing:
    results, lit = bet_results(scene), _lit(scene)
    told = [*words.told(scene, results, lit), *disputed.told(scene)]
    sheets = [_sheet(scene, frame, results, lit) for frame in (UPRIGHT, LYING)]
    return Drawing(scene.situation.game, sheets, told, scene, disputed.focus(scene))


def _lit(scene: Scene) -> tuple[str, ...]:
    """The zones that are lit: the winning ones after the ruling, before it those the dealer has lit."""
    if scene.after is not None:
        return tuple(scene.marks_after.get("lit", "").split())
    found: tuple[str, ...] = scene.situation.incident.lit()
    return found


def _sheet(scene: Scene, frame: Frame, results: dict[int, int], lit: tuple[str, ...]) -> Sheet:
    board, places = frame.board, _places(scene, frame)
    felt = Box(board.left - 8, board.top - 8, board.right + 8, board.bottom + 8)
    if frame.upright:
        left, top, right, bottom = felt.left - RAIL, -HEAD, felt.right + 8, felt.bottom + 8
        wood = Box(left, felt.top - 8, right, bottom)
        at, croupier = Point(frame.radius + 6, top + frame.radius + 6), Point(board.right - 66, top + 24)
    else:
        # The left corner above the board is left to the page, which tells the story there.
        left, right = -22, board.right + 22
        top, bottom = -PRIZE_ROOM - 30 - 2 * frame.radius - 16, board.bottom + 36
        wood = Box(left, felt.top - 14, right, felt.bottom + 14)
        at = Point(right - frame.radius - 70, top + frame.radius + 8)
        croupier = Point(board.right // 2, bottom - 19)
    column, dy = (felt.left - RAIL // 2, 28) if frame.upright else (None, -18)
    layers: dict[str, Sequence[Part]] = {
        "cloth": [*layouts.table_top(felt, wood, 12), *zones(frame, scene.language, lit, odds=not scene.asking)],
        "dice": [*_apparatus(frame, at, covered=scene.situation.covered()), *_dice(scene, frame, at)],
        "people": [Croupier(*croupier, _("Dealer")), *layouts.people(scene, places, upright=frame.upright)],
        "chips": list(_chips(scene, frame, results)),
        "labels": list(layouts.prizes(scene, places, dy=dy, column=column, room=RAIL - 2)),
        "pointing": _targets(frame, scene.language) if scene.pointing == "spot" else [],
    }
    across = 2 * frame.radius + 12
    stands = [board, around(*at, across, across)]
    window = Box(left, top, right, bottom)
    layers["bubbles"] = beside_layout(scene, window, stands, places, ("croupier", croupier))
    return Sheet(window, layers, "upright" if frame.upright else "lying")


# ---------- the dice ----------


def _apparatus(frame: Frame, at: Point, *, covered: bool) -> Iterator[Part]:
    """The base with its lever, and the disc or, when covered, the black dome with its two catches."""
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
    tilted = scene.situation.incident.tilted()
    if tilted and len(faces) < len(SPREAD):
        faces.append(0)  # nobody can say which face is up
    places = CLOSE if frame.upright else SPREAD
    half = DIE // 2
    for index, face in enumerate(faces):
        dx, dy, turn = places[index] if len(faces) > 1 else (0, 0, 0)
        x, y = at.x + dx - half, at.y + dy - half
        under = stacked - 1 if index == 0 else 0
        for level in range(under, 0, -1):
            yield Die(x + STACK[0] * level, y + STACK[1] * level, turn=turn)
        yield Die(x, y, face, turn=TILT if tilted and index == len(faces) - 1 else turn)


# ---------- chips ----------


def _chips(scene: Scene, frame: Frame, results: dict[int, int]) -> Iterator[Part]:
    lying: dict[str, list[int]] = {}
    for index, bet in enumerate(scene.situation.bets):
        lying.setdefault(bet.spot, []).append(index)
    offer = disputed.offer(scene)
    beside = offer is not None and not frame.holds(offer.spot, len(lying.get(offer.spot, ())) + 1)
    if offer is not None and not beside:
        lying.setdefault(offer.spot, [])
    taken: list[Box] = []
    for key, indices in lying.items():
        offered = offer if offer is not None and offer.spot == key and not beside else None
        count = len(indices) + (offered is not None)
        places, size = frame.tokens(key, count), frame.size(key, count)
        tokens = [
            layouts.bet_token(scene, scene.situation.bets[index], place, size, results.get(index), within=True)
            for index, place in zip(indices, places, strict=False)
        ]
        if offered is not None:
            tokens.append(disputed.offered_token(scene, offered, places[-1], size, within=True))
        taken += [around(*place, *size) for place in places]
        yield layouts.spot_group(scene, key, tokens)
    if offer is not None and beside:
        yield from _beside(scene, frame, offer, taken)


def _beside(scene: Scene, frame: Frame, offer: disputed.Offer, taken: list[Box]) -> Iterator[Part]:
    """Chips to be ruled on, on free cloth: near their zone if it is full, in front of the player if they have none."""
    room = Room(frame.board, [*taken, *map(frame.print, layout.SPOTS)])
    if offer.spot:
        tied = wanted = frame.spot(offer.spot)
    else:
        x, y = _places(scene, frame)[offer.player]
        tied, wanted = (Point(0, y), Point(20, y)) if frame.upright else (Point(x, 0), Point(x, 34))
    at = room.near(*wanted, *frame.token).middle
    yield layouts.tie(tied, at)
    yield disputed.offered_token(scene, offer, at, frame.token, within=bool(offer.spot))


# ---------- people ----------


def _places(scene: Scene, frame: Frame) -> dict[str, Point]:
    board = frame.board
    along = layouts.spread(scene, board.bottom if frame.upright else board.right)
    out = -8 - RAIL // 2 if frame.upright else -15
    return {place: Point(out, round(at)) if frame.upright else Point(round(at), out) for place, at in along.items()}


@cache
def _targets(frame: Frame, language: str) -> list[Part]:
    return layouts.targets(((key, frame.zones[key]) for key in layout.SPOTS), GAME.books[0], language)
