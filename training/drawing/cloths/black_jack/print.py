"""What is printed on the black jack cloth: the boxes of the seats, and the insurance line with its print."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import atan2, degrees

from rules_engine.games.black_jack.table import Situation
from training.drawing import disputed
from training.drawing.arched import arched
from training.drawing.cloths.black_jack import words
from training.drawing.cloths.black_jack.chips import several
from training.drawing.cloths.black_jack.layout import BAND, BAND_HALF, BETS, TOKEN_HIGH, Layout
from training.drawing.free_space import Room, around
from training.drawing.geometry import SEAT_RADIUS
from training.drawing.primitives import Label, Part, Path, Rect
from training.drawing.scene import Scene
from training.drawing.texts import width

PRINT = 15.2  # the size of the print along the insurance line


def printed(scene: Scene, layout: Layout, room: Room) -> list[Part]:
    """The cloth, the insurance line with its name, and a ring at every seat that has at most one bet."""
    single = [
        layout.columns[seat] for seat in range(1, scene.situation.places + 1) if not several(scene.situation, seat)
    ]
    return [
        *layout.table.top(),
        Path("insurance", _band(layout)),
        *_names(scene, layout, room),
        *_pills(scene, layout),
        *(Rect("field-frame", at.x - 21, at.y + BETS - 25, 42, 42, 21) for at in single),
        *(Rect("field-frame inner", at.x - 18, at.y + BETS - 22, 36, 36, 18) for at in single),
    ]


def _pills(scene: Scene, layout: Layout) -> Iterator[Part]:
    """A longer box for every seat with several bets, cut between the hands of a split."""
    situation: Situation = scene.situation
    for seat, at in layout.columns.items():
        if not several(situation, seat):
            continue
        hands = len(situation.of_seat(seat))
        rows = max(Counter(bet.hand for bet in situation.bets if bet.seat == seat).values()) if hands > 1 else 2
        top, high = at.y + SEAT_RADIUS - 1, TOKEN_HIGH + (TOKEN_HIGH - 7) * (rows - 1)
        wide = at.wide - 2
        yield Rect("field-frame", at.x - wide // 2, top, wide, high, 16)
        cuts = [at.x - wide // 2 + wide * index // hands for index in range(1, hands)]
        yield Path("field-cut", "".join(f"M{x} {top}v{high}" for x in cuts))


def _band(layout: Layout) -> str:
    """The outline of the insurance line, which is as wide as the chips on it need."""
    across = range(-BAND_HALF, BAND_HALF + 1, 8)
    upper = [(x, layout.line(x)) for x in across]
    lower = [(round(x * 0.97), y + layout.band) for x, y in reversed(upper)]
    return "M" + "L".join(f"{x} {y}" for x, y in (*upper, *lower)) + "z"


def _names(scene: Scene, layout: Layout, room: Room) -> Iterator[Part]:
    """The print along the insurance line, where its chips leave room, and what a black jack pays below it."""
    base = layout.band // 2 + 5
    if layout.band == BAND and disputed.offer(scene) is None:
        yield arched("field-print", words.insurance_print(scene), PRINT, 0, lambda far: _along(layout, far, base))
    else:
        name = words.insurance_name()
        for x, down in product(sorted(range(-150, 151, 10), key=abs), (16, layout.band - 6)):
            box = around(x, layout.line(x) + down - 5, width(name, PRINT) + 8, 16)
            if room.free(box):
                room.take(box)
                yield Label("field-print", x, layout.line(x) + down, name, size=PRINT)
                break
    below = layout.band + 17
    yield arched("field-print gold", words.black_jack_print(scene), PRINT, 0, lambda far: _along(layout, far, below))


def _along(layout: Layout, far: float, down: int) -> tuple[float, float, float]:
    """A point so far below the upper edge of the insurance line, and how print there is turned."""
    x = round(far)
    rise = layout.line(x + 6) - layout.line(x - 6)
    return far, layout.line(x) + down, degrees(atan2(rise, 12))
