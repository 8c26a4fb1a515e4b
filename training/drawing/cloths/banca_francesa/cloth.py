"""The table of banca francesa as the staff see it: the players round it, the arena with the dice, chips on their spots.

It is drawn twice, with long legs for a phone and wide for a desktop; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Mapping, Sequence

from rules_engine.games.banca_francesa import GAME
from rules_engine.games.banca_francesa.layout import SPOTS
from rules_engine.spots import spot_name
from training.drawing import disputed, layouts
from training.drawing.cloths.banca_francesa import words
from training.drawing.cloths.banca_francesa.frame import BANDS, LINES, LYING, RINGS, UPRIGHT, Frame
from training.drawing.cloths.banca_francesa.print import names
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import Box, Point
from training.drawing.half_moon import Tray
from training.drawing.layouts import bet_results
from training.drawing.primitives import DIE, Die, Ellipse, Label, Part, Path, Rect, Symbol
from training.drawing.scene import Scene
from training.drawing.tokens import Area, short

STAFF_HIGH = 26
TAG_DIGIT = 8
RIM = 8  # the padded rim of the arena
HORN, CUP = (96, 72), 46
BESIDE = 0.4  # how far beside its place a second bet lies, as a part of the room of a place
Results = dict[tuple[str, str], int]  # what each bet earned or lost, by player and spot
# Where dice come to rest, from the middle of the arena, and how they are turned.
REST = ((-70, -34, -12), (-20, -8, 24), (28, -38, 8))


def banca_francesa(scene: Scene) -> Drawing:
    bets = scene.situation.bets
    results = {(bets[index].player, bets[index].spot): result for index, result in bet_results(scene).items()}
    told = [*words.told(scene, results), *disputed.told(scene)]
    sheets = [_sheet(scene, UPRIGHT, results), _sheet(scene, LYING, results)]
    return Drawing(scene.situation.game, sheets, told, scene, disputed.focus(scene))


def _sheet(scene: Scene, frame: Frame, results: Results) -> Sheet:
    places = layouts.places(scene)
    count, window = len(places), frame.window(len(places))
    seats = {place: frame.seat(index, count) for index, place in enumerate(places)}
    taken = {band: _taken(scene, frame, places, band) for band in BANDS}
    layers: dict[str, Sequence[Part]] = {
        "cloth": [*frame.table(count).top(), *_fields(scene, frame, count), *names(scene, frame, count, taken)],
        "staff": [*_arena(frame, count), *_staff(scene, frame, count), *_plaque(scene, frame, window)],
        "people": list(layouts.people(scene, seats, upright=frame.upright)),
        "chips": list(_chips(scene, frame, places, results)),
        "dice": list(_dice(scene, frame, count)),
        "labels": list(_prizes(scene, frame, seats)),
        "pointing": list(_targets(scene, frame, count)) if scene.pointing == "spot" else [],
    }
    return Sheet(window, layers, "upright" if frame.upright else "lying whole")


# ---------- the cloth ----------


def _fields(scene: Scene, frame: Frame, count: int) -> Iterator[Part]:
    """The bands and their lines; the band of the winning chance is lit once the ruling names it."""
    for spot in BANDS:
        yield layouts.spot_group(scene, spot, [Path(f"field {spot}", frame.field(spot, count))], "band")
    for line in LINES:
        yield layouts.spot_group(scene, line, [Path("bet-line", frame.line(frame.ring(line), count))], "band")
    chance = scene.marks_after.get("chance", "")
    if chance in BANDS:
        yield Path("field-out", frame.field(chance, count))


def _arena(frame: Frame, count: int) -> Iterator[Part]:
    """The arena with its padded rim, the cup, and the horn whose narrow end points into the arena."""
    box, leg = frame.arena_box(count), frame.legs(count)
    (x, y), rx, ry = box.middle, box.width // 2, box.height // 2
    yield Ellipse("arena-shadow", rx + 2, ry + 2, x, y + 5)
    yield Ellipse("arena-rim", rx, ry, x, y)
    yield Ellipse("arena-seam", rx - RIM // 2, ry - RIM // 2, x, y)
    yield Ellipse("arena", rx - RIM, ry - RIM, x, y)
    yield Symbol("dice-cup", frame.cup.x, frame.cup.y + leg, CUP, CUP, kind="dice-tool")
    yield Symbol("dice-horn", frame.horn.x, frame.horn.y + leg, *HORN, kind="dice-tool")


def _staff(scene: Scene, frame: Frame, count: int) -> Iterator[Part]:
    """The bank's chips, and the people who work at the table."""
    yield Tray(frame.below_legs(frame.tray, count), scene.kit)
    leg, wide = frame.legs(count), frame.staff_wide
    for (x, y), name in zip(frame.staff, words.staff_names(), strict=True):
        yield Rect("staff", x - wide // 2, y + leg - STAFF_HIGH // 2, wide, STAFF_HIGH, STAFF_HIGH // 2)
        yield Label("staff-name", x, y + leg + 5, name)


def _plaque(scene: Scene, frame: Frame, window: Box) -> Iterator[Part]:
    """What came out, once the ruling names it: the total and, where there is room, the chance."""
    chance, names = scene.marks_after.get("chance", ""), words.field_names()
    if chance not in names:
        return
    left, top, right, bottom = frame.plaque
    box = Box(window.left + left, window.top + top, window.left + right, window.top + bottom)
    size = box.height * 0.56
    x = box.middle.x if frame.upright else box.left + 38
    yield Rect.of("plaque", box, 10)
    yield Label("plaque-number", x, round(box.middle.y + 0.35 * size), str(sum(scene.situation.dice)), size=size)
    if not frame.upright:
        yield Label("staff-name", box.left + 68, box.middle.y + 5, names[chance], "start")


def _prizes(scene: Scene, frame: Frame, seats: Mapping[str, Point]) -> Iterator[Part]:
    """Each player's winnings, on a tag at their place."""
    won = layouts.winnings(scene)
    for place in (place for place in seats if place in won):
        text = f"+{short(won[place], scene.language)}"
        wide, edge = TAG_DIGIT * len(text) + 8, frame.half_wide - 2
        x, y = seats[place]
        x = max(-edge + wide // 2, min(edge - wide // 2, x))
        yield Rect("prize-tag", x - wide // 2, y - 36, wide, 18, 4)
        yield Label("prize-sum", x, y - 22, text)


# ---------- chips ----------


def _taken(scene: Scene, frame: Frame, places: Sequence[str], spot: str) -> list[tuple[float, float]]:
    """From where to where along a band there are chips with their badges."""
    lines = {"small": "small.line"}.get(spot, "big.line")
    at = [places.index(bet.player) for bet in words.lying(scene) if bet.spot in (spot, lines)]
    offer = disputed.offer(scene)
    also = [_beside(scene, places, offer)] if offer is not None and offer.spot == spot else []
    reach = frame.token[1] // 2 + 10
    far = [frame.along(index, len(places), frame.ring(spot)) for index in [*at, *also]]
    return [(one - reach, one + reach) for one in far]


def _chips(scene: Scene, frame: Frame, places: Sequence[str], results: Results) -> Iterator[Part]:
    """Each bet before its player on its band or line."""
    lying, offer, count = words.lying(scene), disputed.offer(scene), len(places)
    for key in SPOTS:
        tokens = []
        for bet in (bet for bet in lying if bet.spot == key):
            at = frame.at(places.index(bet.player), count, frame.ring(key))
            result = results.get((bet.player, key))
            tokens.append(layouts.bet_token(scene, bet, at, frame.token, result, partly=bet.halved, within=True))
        if offer is not None and offer.spot == key:
            at = frame.at(_beside(scene, places, offer), count, frame.ring(key))
            tokens.append(disputed.offered_token(scene, offer, at, frame.token, within=True))
        if tokens:
            yield layouts.spot_group(scene, key, tokens)
    if offer is not None and not offer.spot:
        at = frame.at(places.index(offer.player) + BESIDE, count, frame.edges[0] + 8)
        yield disputed.offered_token(scene, offer, at, frame.token, within=True)


def _beside(scene: Scene, places: Sequence[str], offer: disputed.Offer) -> float:
    """The place of an offer on its band: before its player, beside the bet he already has there."""
    again = any((bet.player, bet.spot) == (offer.player, offer.spot) for bet in words.lying(scene))
    return places.index(offer.player) + (BESIDE if again else 0)


# ---------- dice ----------


def _dice(scene: Scene, frame: Frame, count: int) -> Iterator[Part]:
    """The dice in the arena or wherever the throw took them. A die that is still moving shows no face."""
    situation, middle = scene.situation, frame.arena_box(count).middle
    shown = situation.dice if scene.after is not None else situation.incident.shown(situation.dice)
    faces = shown or ((0, 0, 0) if situation.incident.moving() else ())
    astray = situation.incident.astray()
    for index, face in enumerate(faces):
        happened = astray[index] if index < len(astray) else ""
        dx, dy, turn = REST[index]
        x, y = middle.x + dx, middle.y + dy
        if happened == "stacked":
            following = REST[(index + 1) % len(REST)]
            x, y, turn = middle.x + following[0] + 12, middle.y + following[1] - 14, following[2] + 30
        elif happened == "cocked":
            face, turn = 0, 45
        elif (away := _away(frame, count, happened)) is not None:
            x, y, face = away.x, away.y, 0
        yield Die(x, y, face, turn=turn if face or happened == "cocked" else turn * 3)


def _away(frame: Frame, count: int, happened: str) -> Point | None:
    """The place of a die outside the arena: on the cloth, beside the cup, or off the table."""
    arena, window = frame.arena_box(count), frame.window(count)
    if happened in ("floor", "off_table"):
        return Point(window.right - DIE - 12, window.top + 12)
    if happened == "out_of_arena":
        return (
            Point(arena.right + 20, arena.bottom - 70) if frame.upright else Point(arena.right + 100, arena.bottom + 20)
        )
    if happened in ("not_in_cup", "left_in_cup"):
        return Point(frame.cup.x + (0 if frame.upright else -DIE - 8), frame.cup.y + frame.legs(count) - 8)
    return None


# ---------- pointing ----------


def _targets(scene: Scene, frame: Frame, count: int) -> Iterator[Part]:
    """The bands and the lines all round the table."""
    for key in RINGS:
        name = spot_name(key, GAME.books[0], scene.language)
        yield Area(f"spot:{key}", name, frame.target(key, count), first=key == RINGS[0])
