"""The table of banca francesa as the staff see it: the players round it, the arena with the dice, chips on their spots.

It is drawn twice, with long legs for a phone and wide for a desktop; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Mapping, Sequence

from rules_engine.games.banca_francesa import GAME
from rules_engine.games.banca_francesa.layout import SPOTS
from rules_engine.spots import spot_name
from training.drawing import disputed, layouts
from training.drawing.cloths.banca_francesa import words
from training.drawing.cloths.banca_francesa.frame import LYING, RINGS, UPRIGHT, Frame
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import Point
from training.drawing.layouts import bet_results
from training.drawing.primitives import DIE, Die, Label, Part, Path, Rect
from training.drawing.scene import Scene
from training.drawing.tokens import Area, short

STAFF_WIDE, STAFF_HIGH = 118, 30
TAG_DIGIT = 8
SEAT = 20  # half the width of the rail where people sit
Results = dict[tuple[str, str], int]  # what each bet earned or lost, by player and spot
# Where dice come to rest, from the middle of the arena, and how they are turned.
REST = ((-74, -34, -12), (-20, -8, 24), (32, -38, 8))


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
    layers: dict[str, Sequence[Part]] = {
        "cloth": [*_felt(frame, count), *_fields(scene, frame, count), *_out(scene, frame, count)],
        "staff": [*_staff(frame, count), *_chute(frame, count)],
        "people": list(layouts.people(scene, seats, upright=frame.upright)),
        "chips": list(_chips(scene, frame, places, results)),
        "dice": list(_dice(scene, frame, count)),
        "labels": list(_prizes(scene, frame, seats)),
        "pointing": list(_targets(scene, frame, count)) if scene.pointing == "spot" else [],
    }
    return Sheet(window, layers, "upright" if frame.upright else "lying whole")


# ---------- the cloth ----------


def _felt(frame: Frame, count: int) -> Iterator[Part]:
    """The cloth with its wooden rail, on which the players have their places."""
    rim = frame.outer + frame.step // 2
    for kind, by in (("rail", frame.people - rim + SEAT), ("rail-shine", frame.people - rim + SEAT - 4)):
        yield Path(kind, frame.outline(rim + by, count, by // 2))
    yield from (Path(kind, frame.outline(rim, count)) for kind in ("felt", "nap", "cloth-light"))


def _fields(scene: Scene, frame: Frame, count: int) -> Iterator[Part]:
    for spot in ("small", "big"):
        yield layouts.spot_group(scene, spot, [Path(f"field {spot}", frame.field(spot, count))], "band")
    for line in ("small.line", "big.line"):
        yield layouts.spot_group(scene, line, [Path("bet-line", frame.line(frame.ring(line), count))], "band")
    yield layouts.spot_group(scene, "aces", [Rect.of("field aces", frame.aces_box(count), 6)], "band")
    names, leg = words.field_names(), frame.legs(count)
    for side in (-1, 1):
        yield Label("field-print", side * frame.ring("small"), leg + 17, names["small"])
        yield Label("field-print", side * frame.ring("big"), leg + 32, names["big"])
    aces = frame.aces_box(count)
    yield Label("field-print", aces.middle.x, aces.top + 17, names["aces"])
    yield Rect.of("surround", frame.arena_box(count), 46)


def _out(scene: Scene, frame: Frame, count: int) -> Iterator[Part]:
    """Highlight the field of the winning chance, once the ruling names it."""
    chance = scene.marks_after.get("chance", "")
    if chance == "aces":
        yield Rect.of("field-out", frame.aces_box(count), 6)
    elif chance in RINGS:
        yield Path("field-out", frame.field(chance, count))


# ---------- who is there ----------


def _staff(frame: Frame, count: int) -> Iterator[Part]:
    leg = frame.legs(count)
    for (x, y), name in zip(frame.staff, words.staff_names(), strict=True):
        yield Rect("staff", x - STAFF_WIDE // 2, y + leg - STAFF_HIGH // 2, STAFF_WIDE, STAFF_HIGH, 15)
        yield Label("staff-name", x, y + leg + 6, name)


def _chute(frame: Frame, count: int) -> Iterator[Part]:
    """The chute from the thrower to the arena."""
    arena, leg = frame.arena_box(count), frame.legs(count)
    x, y = frame.staff[1].x, frame.staff[1].y + leg - STAFF_HIGH // 2
    if frame.upright:
        yield Path("chute", f"M{x - 14} {y}L{arena.left + 8} {arena.bottom - 32}l20 18L{x + 8} {y}z")
    else:
        yield Path("chute", f"M{x - 12} {y}L{x - 17} {arena.bottom - 12}h34L{x + 12} {y}z")


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


def _chips(scene: Scene, frame: Frame, places: Sequence[str], results: Results) -> Iterator[Part]:
    """Each bet before its player on its band or line; bets on aces in their field."""
    lying, offer = words.lying(scene), disputed.offer(scene)
    more = offer is not None and offer.spot == "aces"
    aces = iter(frame.aces_places(sum(bet.spot == "aces" for bet in lying) + more, len(places)))
    for key in SPOTS:
        tokens = []
        for bet in lying:
            if bet.spot == key:
                place = places.index(bet.player)
                point = next(aces) if key == "aces" else frame.at(place, len(places), frame.ring(key))
                result = results.get((bet.player, key))
                tokens.append(layouts.bet_token(scene, bet, point, frame.token, result, partly=bet.halved))
        if offer is not None and offer.spot == key:
            at = next(aces) if key == "aces" else _beside(scene, frame, places, offer)
            tokens.append(disputed.offered_token(scene, offer, at, frame.token))
        if tokens:
            yield layouts.spot_group(scene, key, tokens)
    if offer is not None and not offer.spot:
        at = frame.at(places.index(offer.player), len(places), (frame.outer + frame.people) / 2 - 14)
        yield disputed.offered_token(scene, offer, at, frame.token)


def _beside(scene: Scene, frame: Frame, places: Sequence[str], offer: disputed.Offer) -> Point:
    """On its band before its player, beside the bet he already has there."""
    index, ring = places.index(offer.player), frame.ring(offer.spot)
    again = any((bet.player, bet.spot) == (offer.player, offer.spot) for bet in words.lying(scene))
    return frame.at(index + (0.45 if again else 0), len(places), ring)


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
    thrower = frame.staff[1]
    low = thrower.y + frame.legs(count) - STAFF_HIGH // 2 - DIE - 2
    if happened in ("floor", "off_table"):
        return Point(window.right - DIE - 14, window.bottom - DIE - 14 if not frame.upright else window.top + 14)
    if happened == "out_of_arena":
        return Point(-DIE // 2, arena.top - DIE - 4) if frame.upright else Point(arena.right + 60, arena.bottom + 42)
    if happened in ("not_in_cup", "left_in_cup"):
        return Point(thrower.x - DIE - 14, low)
    return None


# ---------- pointing ----------


def _targets(scene: Scene, frame: Frame, count: int) -> Iterator[Part]:
    """The field of aces, and the bands and lines all round the table."""
    book = GAME.books[0]
    yield from layouts.targets([("aces", frame.aces_box(count))], book, scene.language)
    for key in RINGS:
        yield Area(f"spot:{key}", spot_name(key, book, scene.language), frame.target(key, count))
