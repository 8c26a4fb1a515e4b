"""The roulette table as the croupier sees it: the wheel, the layout with chips on their spots, and who sits along it.

It is drawn twice, upright for a phone and lying for a desktop; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from django.utils.translation import gettext as _
from msgspec import structs

from rules_engine import rulebook
from rules_engine.games.roulette import GAME, layout
from training.drawing import disputed, layouts
from training.drawing.bubbles import beside_layout
from training.drawing.chip_designs import of_colour
from training.drawing.chips import Chip
from training.drawing.cloths.roulette import print, words
from training.drawing.cloths.roulette.chips import lay_astray, lay_bets, lay_offer, stray_ball
from training.drawing.cloths.roulette.frame import FRENCH_LYING, FRENCH_UPRIGHT, LYING, PRINTED, UPRIGHT, Frame
from training.drawing.cloths.roulette.wheel import ORDERS, covered, wheel
from training.drawing.cloths.roulette.words import colour_names
from training.drawing.drawing import Drawing, Sheet
from training.drawing.free_space import Room, around, inside
from training.drawing.geometry import Box, Point
from training.drawing.layouts import HOUSE, bet_results
from training.drawing.people import Croupier
from training.drawing.primitives import Label, Part, Rect, Symbol
from training.drawing.scene import Scene
from training.drawing.texts import width
from training.drawing.tokens import short

FRENCH_BOOKS = ("pt-roleta-francesa",)
PAD, OVERHANG = 8, 18  # cloth beyond the print, and beyond streets, where chips lie on the edge
UPRIGHT_RAIL = 28  # wide enough for the places
LYING_HEAD = 298  # above the lying cloth
ARC, ARC_RADIUS = 84, 236  # the part of a large wheel above the upright cloth
RADIUS = 128  # of the wheel beside the lying cloth
MARKER = (16, 25)
SIGN = 14  # the size of the print beside the wheel
HIDDEN = 20  # the area of chips that the marker may cover
COVERED = (480, 80)
BOARD_CHIP, BOARD_PRINT = 10, 13


def roulette(scene: Scene) -> Drawing:
    scene = _put_back(scene)
    results = bet_results(scene)
    told = words.told(scene, results)
    if _unseen(scene, "layout"):
        return Drawing(scene.situation.game, [_covered()], told)
    told += disputed.told(scene)
    upright, lying = _frames(scene)
    sheets = [_upright(scene, upright, results), _lying(scene, lying, results)]
    return Drawing(scene.situation.game, sheets, told, scene, _focus(scene), turns=True)


def _focus(scene: Scene) -> list[str]:
    """The disputed chips, else the winning number."""
    number = scene.situation.number
    return disputed.focus(scene) or ([f"spot:{number}"] if number is not None and scene.pointing != "spot" else [])


def _put_back(scene: Scene) -> Scene:
    """Add the bets that had come off the cloth and that the ruling pays on a spot."""
    situation = scene.situation
    lying = {(bet.player, bet.spot) for bet in situation.bets}
    paid = [one for one in (scene.after.payments if scene.after else ()) if one.spot and one.payee != HOUSE]
    put_on = [situation.incident.put_on(one) for one in paid if (one.payee, one.spot) not in lying]
    if not any(put_on):
        return scene
    return replace(scene, situation=structs.replace(situation, bets=(*situation.bets, *filter(None, put_on))))


# ---------- the two sheets ----------


def _frames(scene: Scene) -> tuple[Frame, Frame]:
    upright, lying = (FRENCH_UPRIGHT, FRENCH_LYING) if is_french(scene.rulebook) else (UPRIGHT, LYING)
    return (PRINTED[upright], PRINTED[lying]) if scene.printed else (upright, lying)


def is_french(book: str) -> bool:
    """Whether the text, or the one it amends, is that of the French roulette; a table without a text is American."""
    return bool(book) and rulebook(book).coded_as in FRENCH_BOOKS


def _upright(scene: Scene, frame: Frame, results: dict[int, int]) -> Sheet:
    """The wheel is an arc above the cloth, the places are on the rail at its left."""
    cloth = frame.cloth
    felt = Box(cloth.left - PAD, cloth.top - PAD, cloth.right + (PAD if frame.french else OVERHANG), cloth.bottom + PAD)
    window = Box(felt.left - UPRIGHT_RAIL, felt.top - ARC, felt.right + 10, felt.bottom + 10)
    middle, plate = window.middle.x, Point(window.right - 54, window.top + 16)
    wheel = _wheel(scene, middle, window.top + ARC_RADIUS - 6, ARC_RADIUS, turned=True)
    wood = Box(window.left, felt.top - 6, window.right, window.bottom)
    back = Rect.of("wheel-back", Box(window.left, window.top, window.right, felt.top + 20))
    head = [
        back,
        *wheel,
        Croupier(*plate, _("Croupier"), 96, 24),
        *_sign(scene, window.left + 6, window.top + 6, 56, 42),
    ]
    return _sheet(scene, frame, results, window=window, head=head, felt=felt, wood=wood, croupier=plate)


def _lying(scene: Scene, frame: Frame, results: dict[int, int]) -> Sheet:
    """The wheel stands at the zero. The left corner above the cloth is left to the page, for the story."""
    cloth = frame.cloth
    felt = Box(cloth.left - PAD, cloth.top - PAD, cloth.right + PAD, cloth.bottom + (PAD if frame.french else OVERHANG))
    window = Box(felt.left - 14, cloth.top - LYING_HEAD, felt.right + 14, felt.bottom + 34)
    plate = Point(window.middle.x, window.bottom - 18)
    left = window.right - 2 * RADIUS - 132
    head = [
        *_wheel(scene, window.right - RADIUS - 4, window.top + RADIUS + 6, RADIUS),
        Croupier(*plate, _("Croupier")),
        *_sign(scene, left, window.top + 10, 116, 84),
        *_previous(scene, left, window.top + 118, 120),
    ]
    wood = Box(felt.left - 14, felt.top - 14, felt.right + 14, felt.bottom + 14)
    return _sheet(scene, frame, results, window=window, head=head, felt=felt, wood=wood, croupier=plate)


def _sheet(
    scene: Scene,
    frame: Frame,
    results: dict[int, int],
    *,
    window: Box,
    head: list[Part],
    felt: Box,
    wood: Box,
    croupier: Point,
) -> Sheet:
    """The table on its `wood`, with what stands beside it: the `head` with the wheel."""
    places = _places(scene, frame, felt)
    names = print.names(frame, scene.language)
    figures = print.figures(frame)
    room = Room(felt, [box for box, _label in (*names, *figures)])
    marked = _marked(scene)
    out = [] if marked is None else print.highlight(frame, marked)
    chips = [
        *lay_bets(scene, frame, room, results, marked),
        *(lay_astray(scene, frame, room) or lay_offer(scene, frame, room, places)),
    ]
    marker = [*_marker(marked, frame, room, len(names) + len(figures)), *stray_ball(scene, frame, room)]
    table = [*layouts.table_top(felt, wood), *print.fields(frame), *out, *print.shapes(frame)]
    layers: dict[str, Sequence[Part]] = {
        **({"wheel": head, "cloth": table} if frame.upright else {"cloth": table, "wheel": head}),
        "numbers": [label for _box, label in (*names, *figures)],
        "people": list(layouts.people(scene, places, upright=frame.upright)),
        "chips": chips,
        "marks": marker,
        "labels": _labels(scene, frame, felt, places),
        "pointing": _targets(frame, scene.language) if scene.pointing == "spot" else [],
        "bubbles": beside_layout(scene, window, [felt, *_beside(frame, window)], places, ("croupier", croupier)),
    }
    kind = "upright" if frame.upright else "lying"
    return Sheet(window, layers, f"{kind} french" if frame.french else kind)


def _labels(scene: Scene, frame: Frame, felt: Box, places: Mapping[str, Point]) -> list[Part]:
    """The number of the spin before, the boards of the players, and the prizes."""
    if frame.upright:
        before = _previous(scene, frame.cloth.left + 4, frame.cloth.top + 22, -frame.players - 8)
        prizes = layouts.prizes(scene, places, dy=62, column=felt.left - UPRIGHT_RAIL // 2, room=UPRIGHT_RAIL - 2)
        return [*before, *_boards(scene, frame, places), *prizes]
    dy = -40 if scene.situation.colours else -18
    return [*_boards(scene, frame, places), *layouts.prizes(scene, places, dy=dy, column=None, room=UPRIGHT_RAIL - 2)]


def _beside(frame: Frame, window: Box) -> list[Box]:
    """The boxes of what stands beside the cloth."""
    if frame.upright:
        return [Box(window.left, window.top, window.right, window.top + ARC)]
    return [Box(window.right - 2 * RADIUS - 140, window.top, window.right, window.top + 2 * RADIUS + 10)]


def _covered() -> Sheet:
    """A strip of plain cloth, for questions that must be answered without seeing the table."""
    wide, high = COVERED
    label = Label("covered", wide // 2, high // 2 + 6, _("Covered until you have answered"))
    return Sheet(Box(0, 0, wide, high), {"cloth": [Rect("felt", 4, 4, wide - 8, high - 8, 10), label]})


# ---------- wheel, sign and board ----------


def _wheel(scene: Scene, x: int, y: int, radius: int, *, turned: bool = False) -> Iterator[Part]:
    """The wheel, `turned` until the ball is at the top if only that part can be seen."""
    if _unseen(scene, "wheel"):
        yield from covered(x, y, radius)
        return
    painted, ball = getattr(scene.situation.incident, "zero", None), _ball(scene)
    zero = painted if painted in colour_names() else "zero"
    top = ball if turned and ball is not None else 0
    yield from wheel(x, y, radius, order=ORDERS[scene.situation.wheel], ball=ball, zero=zero, top=top)


def _unseen(scene: Scene, thing: str) -> bool:
    """Whether this would give away the answer to the question."""
    return scene.asking and thing in scene.situation.incident.unseen


def _ball(scene: Scene) -> int | None:
    """The pocket the ball lies in, if any."""
    situation, marks = scene.situation, scene.marks_after
    back = marks.get("ball", marks.get("marker"))
    if back is not None:
        return int(back)
    found: int | None = situation.incident.lying() if situation.number is None else situation.number
    return found


def _sign(scene: Scene, x: int, y: int, wide: int, high: int) -> Iterator[Part]:
    """The sign beside the wheel with the winning number."""
    situation = scene.situation
    number = situation.number
    if number is not None:
        yield Rect("plaque", x, y, wide, high, 9)
        yield Label("plaque-number", x + wide // 2, y + round(0.78 * high), str(number), size=round(0.8 * high))


def _previous(scene: Scene, x: int, y: int, wide: int) -> Iterator[Label]:
    """The number before, in little room."""
    if scene.situation.previous is not None:
        text = _("Previous: %(number)s") % {"number": scene.situation.previous}
        yield Label("sign-text", x, y, text, "start", wide=wide if width(text, SIGN, bold=True) > wide else 0)


def _boards(scene: Scene, frame: Frame, places: Mapping[str, Point]) -> Iterator[Part]:
    """Each player's own chips beside their place, with what one is worth."""
    for own in scene.situation.colours:
        x, y = places[own.player]
        text = short(own.value, scene.language)
        if frame.upright:
            yield Chip(of_colour(own.colour), x, y + 24, BOARD_CHIP)
            room = UPRIGHT_RAIL - 2
            yield Label("board on-rail", x, y + 48, text, wide=room if width(text, SIGN, bold=True) > room else 0)
        else:
            yield Chip(of_colour(own.colour), x - 14, y - 27, BOARD_CHIP)
            yield Label("board", x - 1, y - 22, text, "start")


# ---------- people ----------


def _places(scene: Scene, frame: Frame, felt: Box) -> dict[str, Point]:
    """Along the players' side, from the wheel onwards."""
    if frame.upright:
        along = layouts.spread(scene, frame.long)
        return {place: Point(felt.left - UPRIGHT_RAIL // 2, round(at)) for place, at in along.items()}
    start = 2 * RADIUS - frame.zero - 20  # beside the wheel
    end = frame.foot if frame.french else 0  # beside the dozens
    along = layouts.spread(scene, frame.long - start - end, start)
    return {place: Point(-round(at), felt.top - 7) for place, at in along.items()}


# ---------- marks and targets ----------


def _marked(scene: Scene) -> int | None:
    """The number with the marker. None while the trainee has to point at a spot, as it would give away the answer."""
    if scene.after is not None:
        marker = scene.marks_after.get("marker", "")
        return int(marker) if marker.isdigit() else None
    situation = scene.situation
    number: int | None = situation.incident.marked_number() if situation.number is None else situation.number
    return None if scene.pointing == "spot" or not situation.incident.number_marked() else number


def _marker(marked: int | None, frame: Frame, room: Room, printed: int) -> Iterator[Part]:
    """The marker in a free corner of its number, unless chips lie there: those carry it themselves.

    With chips all round the number there is no room for it; its field is highlighted in any case.

    The first `printed` boxes of the room are print.
    """
    if marked is None:
        return
    cell = frame.cell(marked)
    if any(inside(box, cell) for box in room.taken[printed:]):
        return
    right, *others = frame.corners(marked)
    box = min((around(*point, *MARKER) for point in (*others, right)), key=room.covered)
    if room.covered(box) > HIDDEN:
        return
    yield Symbol("marker", box.left, box.top, *MARKER, kind="marker")


@cache
def _targets(frame: Frame, language: str) -> list[Part]:
    """Every spot; the lines come after the fields they run over."""
    keys = sorted(layout.spots(), key=lambda key: "-" in key)
    return layouts.targets(((key, frame.target(key)) for key in keys), GAME.books[0], language)
