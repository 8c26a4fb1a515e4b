"""What is printed on the black jack cloth: the boxes of the seats, and the insurance line with its print."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import atan2, degrees

from rules_engine.games.black_jack.table import Situation
from training.drawing import disputed
from training.drawing.arched import Arched, arched
from training.drawing.cloths.black_jack import words
from training.drawing.cloths.black_jack.chips import several
from training.drawing.cloths.black_jack.layout import BAND, BETS, TOKEN_HIGH, Layout
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
    half = layout.frame.line
    upper = [(x, layout.edge_of_line(x)) for x in range(-half, half + 1, 4)]
    lower = [(x * 0.97, y + layout.band) for x, y in reversed(upper)]
    return "M" + "L".join(f"{x:g} {y:.1f}" for x, y in (*upper, *lower)) + "z"


def _names(scene: Scene, layout: Layout, room: Room) -> Iterator[Part]:
    """The print along the insurance line, where its chips leave room, and what a black jack pays below it."""
    base = layout.band // 2 + 5
    along = arched("field-print", words.insurance_print(scene), PRINT, 0, lambda far: _along(layout, far, base))
    if layout.band == BAND and disputed.offer(scene) is None and _free(room, along):
        yield along
    else:
        yield from _beside_chips(layout, room)
    below = layout.band + 17
    gold = arched("field-print gold", words.black_jack_print(scene), PRINT, 0, lambda far: _along(layout, far, below))
    if _free(room, gold):
        yield gold


def _beside_chips(layout: Layout, room: Room) -> Iterator[Label]:
    """The name of the insurance line, where there is room for it."""
    name = words.insurance_name()
    for x, down in product(sorted(range(-150, 151, 10), key=abs), (16, layout.band - 6)):
        box = around(x, layout.line(x) + down - 5, width(name, PRINT) + 8, 16)
        if room.free(box):
            room.take(box)
            yield Label("field-print", x, layout.line(x) + down, name, size=PRINT)
            return


def _free(room: Room, print: Arched) -> bool:
    """Whether nothing lies where the letters are printed."""
    letter = round(PRINT)
    return room.free(
        *(around(round(x) + letter // 2, round(y) - letter // 3, letter, letter) for x, y, _ in print.spots)
    )


def _along(layout: Layout, far: float, down: int) -> tuple[float, float, float]:
    """A point so far below the upper edge of the insurance line, and how print there is turned."""
    rise = layout.edge_of_line(far + 6) - layout.edge_of_line(far - 6)
    return far, layout.edge_of_line(far) + down, degrees(atan2(rise, 12))
