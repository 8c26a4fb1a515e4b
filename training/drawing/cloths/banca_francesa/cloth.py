"""The table of banca francesa as the staff see it: the players round it, the arena with the dice, chips on their spots.

It is drawn twice, with long legs for a phone and wide for a desk; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from rules_engine.games.banca_francesa.layout import SPOTS
from training.drawing import disputed
from training.drawing.cloths.banca_francesa import words
from training.drawing.cloths.banca_francesa.frame import LYING, RINGS, SEATS, UPRIGHT, Frame, Point
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import Box
from training.drawing.people import Person
from training.drawing.primitives import DIE, Die, Group, Label, Part, Path, Rect
from training.drawing.scene import Scene
from training.drawing.tokens import Area, Target, Token, outline, short

HOUSE = "house"
STANDING_PERCENT = 58
STAFF_WIDE, STAFF_HIGH = 118, 30
TAG_DIGIT = 8
Results = dict[tuple[str, str], int]
# Where dice come to rest in the arena, from its middle, and how they lean.
REST = ((-74, -34, -12), (-20, -8, 24), (32, -38, 8))


def banca_francesa(scene: Scene) -> Drawing:
    results = bet_results(scene)
    told = [*words.told(scene, results, SEATS), *disputed.told(scene)]
    sheets = [_sheet(scene, UPRIGHT, results), _sheet(scene, LYING, results)]
    return Drawing(scene.situation.game, sheets, told, scene, disputed.focus(scene))


def bet_results(scene: Scene) -> Results:
    """What each bet earned or lost, by player and spot."""
    found: Results = {}
    for payment in scene.after.payments if scene.after else ():
        won = payment.payer == HOUSE
        found[payment.payee if won else payment.payer, payment.spot] = payment.amount if won else -payment.amount
    return found


def _sheet(scene: Scene, frame: Frame, results: Results) -> Sheet:
    places = _places(scene.situation)
    count, window = len(places), frame.window(len(places))
    layers: dict[str, Sequence[Part]] = {
        "cloth": [*_felt(frame, count), *_fields(scene, frame, count), *_out(scene, frame, count)],
        "staff": [*_staff(frame, count), *_chute(frame, count)],
        "people": list(_people(scene, frame, places)),
        "chips": list(_chips(scene, frame, places, results)),
        "dice": list(_dice(scene, frame, count)),
        "labels": list(_prizes(frame, places, results, scene.language)),
        "pointing": list(_targets(scene, frame, count)) if scene.pointing == "spot" else [],
    }
    size = f"{window.left} {window.top} {window.right - window.left} {window.bottom - window.top}"
    return Sheet(size, layers, "upright" if frame.upright else "lying whole")


def _places(situation: Any) -> list[str]:
    """Every seat, taken or not, each followed by those who stand behind it."""
    seats = [str(seat) for seat in range(1, max([SEATS, *situation.seats]) + 1)]
    return sorted([*seats, *situation.standing])


# ---------- the cloth ----------


def _felt(frame: Frame, count: int) -> Iterator[Part]:
    rim, leg = frame.outer + frame.step // 2, frame.legs(count)
    foot = leg + frame.aces.bottom + 8
    yield Path(
        "felt",
        f"M{-rim - 26} {foot}V{leg + 24}L{-rim} {leg}V0A{rim} {rim} 0 0 1 {rim} 0V{leg}L{rim + 26} {leg + 24}V{foot}z",
    )


def _fields(scene: Scene, frame: Frame, count: int) -> Iterator[Part]:
    for spot in ("small", "big"):
        yield _group(scene, spot, Path(f"field {spot}", frame.field(spot, count)))
    for line in ("small.line", "big.line"):
        yield _group(scene, line, Path("bet-line", frame.line(frame.ring(line), count)))
    yield _group(scene, "aces", _rect("field aces", frame.aces_box(count)))
    names, leg = words.field_names(), frame.legs(count)
    for side in (-1, 1):
        yield Label("field-print", side * frame.ring("small"), leg + 17, names["small"])
        yield Label("field-print", side * frame.ring("big"), leg + 32, names["big"])
    aces = frame.aces_box(count)
    yield Label("field-print", (aces.left + aces.right) // 2, aces.top + 17, names["aces"])
    arena = frame.arena_box(count)
    yield Rect("surround", arena.left, arena.top, arena.right - arena.left, arena.bottom - arena.top, 46)


def _group(scene: Scene, spot: str, part: Part) -> Group:
    return Group("band", [part], f"spot:{spot}", f"spot:{spot}" in scene.lit)


def _rect(kind: str, box: Box) -> Rect:
    return Rect(kind, box.left, box.top, box.right - box.left, box.bottom - box.top, 6)


def _out(scene: Scene, frame: Frame, count: int) -> Iterator[Part]:
    """The field of the chance that is out, once the ruling says so."""
    chance = scene.marks_after.get("chance", "")
    if chance == "aces":
        yield _rect("field-out", frame.aces_box(count))
    elif chance in RINGS:
        yield Path("field-out", frame.field(chance, count))


# ---------- who is there ----------


def _staff(frame: Frame, count: int) -> Iterator[Part]:
    leg = frame.legs(count)
    for (x, y), name in zip(frame.staff, words.staff_names(), strict=True):
        yield Rect("staff", x - STAFF_WIDE // 2, y + leg - STAFF_HIGH // 2, STAFF_WIDE, STAFF_HIGH, 15)
        yield Label("staff-name", x, y + leg + 6, name)


def _chute(frame: Frame, count: int) -> Iterator[Part]:
    """The chute, from the thrower to the arena."""
    arena, leg = frame.arena_box(count), frame.legs(count)
    x, y = frame.staff[1].x, frame.staff[1].y + leg - STAFF_HIGH // 2
    if frame.upright:
        yield Path("chute", f"M{x - 14} {y}L{arena.left + 8} {arena.bottom - 32}l20 18L{x + 8} {y}z")
    else:
        yield Path("chute", f"M{x - 12} {y}L{x - 17} {arena.bottom - 12}h34L{x + 12} {y}z")


def _people(scene: Scene, frame: Frame, places: Sequence[str]) -> Iterator[Person]:
    situation = scene.situation
    for index, place in enumerate(places):
        x, y = frame.seat(index, len(places))
        taken = not place.isdigit() or int(place) in situation.seats
        percent = frame.seat_percent if place.isdigit() else STANDING_PERCENT
        yield Person(place, x, y, taken=taken, lit=place in scene.lit, percent=percent)


def _prizes(frame: Frame, places: Sequence[str], results: Results, language: str) -> Iterator[Part]:
    """What each player gets in all, on a tag at their place."""
    for index, place in enumerate(places):
        won = sum(result for (player, _spot), result in results.items() if player == place and result > 0)
        if won:
            text = f"+{short(won, language)}"
            wide, edge = TAG_DIGIT * len(text) + 8, frame.half_wide - 2
            x, y = frame.seat(index, len(places))
            x = max(-edge + wide // 2, min(edge - wide // 2, x))
            yield Rect("prize-tag", x - wide // 2, y - 36, wide, 18, 4)
            yield Label("prize-sum", x, y - 22, text)


# ---------- chips ----------


def _chips(scene: Scene, frame: Frame, places: Sequence[str], results: Results) -> Iterator[Part]:
    """Every bet before its player, on the band or line where it lies; bets on aces in their field."""
    lying, offer = words.lying(scene), disputed.offer(scene)
    more = offer is not None and offer.spot == "aces"
    aces = iter(frame.aces_places(sum(bet.spot == "aces" for bet in lying) + more, len(places)))
    for key in SPOTS:
        tokens = []
        for bet in (bet for bet in lying if bet.spot == key):
            index = places.index(bet.player)
            point = next(aces) if key == "aces" else frame.at(index, len(places), frame.ring(key))
            tokens.append(_token(scene, frame, bet, point, results.get((bet.player, key))))
        if offer is not None and offer.spot == key:
            at = next(aces) if key == "aces" else _beside(scene, frame, places, offer)
            tokens.append(disputed.offered_token(scene, offer, at, frame.token))
        if tokens:
            yield Group("spot", tokens, f"spot:{key}", f"spot:{key}" in scene.lit)
    if offer is not None and not offer.spot:
        at = frame.at(places.index(offer.player), len(places), (frame.outer + frame.people) / 2 - 14)
        yield disputed.offered_token(scene, offer, at, frame.token)


def _beside(scene: Scene, frame: Frame, places: Sequence[str], offer: disputed.Offer) -> Point:
    """On its band before its player; beside what he has there already."""
    index, ring = places.index(offer.player), frame.ring(offer.spot)
    again = any((bet.player, bet.spot) == (offer.player, offer.spot) for bet in words.lying(scene))
    return frame.at(index + (0.45 if again else 0), len(places), ring)


def _token(scene: Scene, frame: Frame, bet: Any, point: Point, result: int | None) -> Token:
    """A bet; once it has won, what it earned is written where its worth was, and of a line what is collected."""
    wide, high = frame.token
    worth = short(bet.value, scene.language)
    if result is not None and (result > 0 or bet.halved):
        worth = f"{'+' if result > 0 else '−'}{short(abs(result), scene.language)}"
    ended = "" if result is None else " won" if result > 0 else " lost"
    ended += " offered" if disputed.touched(scene, bet.player, bet.spot) else ""
    return Token(
        place=bet.player,
        x=point.x,
        y=point.y,
        width=wide,
        height=high,
        count=bet.count,
        worth=worth,
        outline=outline(bet.value),
        kind=f"token{ended}",
        lit=bet.player in scene.lit,
        spot=bet.spot,
    )


# ---------- dice ----------


def _dice(scene: Scene, frame: Frame, count: int) -> Iterator[Part]:
    """The dice where they are: in the arena, or wherever the throw took them. Nobody reads one that still moves."""
    situation, box = scene.situation, frame.arena_box(count)
    middle = Point((box.left + box.right) // 2, (box.top + box.bottom) // 2)
    faces = situation.dice or ((0, 0, 0) if situation.incident.moving() else ())
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
    """Outside the arena: on the cloth, beside the cup, or off the table."""
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
    """Every spot: the bands and lines all round the table, and the field of aces."""
    box = frame.aces_box(count)
    name = words.spot_name("aces", scene.language)
    yield Target("spot:aces", name, box.left, box.top, box.right - box.left, box.bottom - box.top, first=True)
    for key in RINGS:
        yield Area(f"spot:{key}", words.spot_name(key, scene.language), frame.target(key, count))
