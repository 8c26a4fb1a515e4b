"""Chips on a black jack table: bets in front of the seats, insurance on its line, and chips to be ruled on."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rules_engine.games.black_jack.table import Bet, Situation
from training.drawing import disputed
from training.drawing.chips import Pile, total_width, written
from training.drawing.cloths.black_jack.ending import Key, results
from training.drawing.cloths.black_jack.layout import BETS, LABEL, TOKEN_HIGH, Column, Layout
from training.drawing.free_space import Room, around
from training.drawing.geometry import SEAT_RADIUS
from training.drawing.piles import brief, pile, settled
from training.drawing.primitives import Part
from training.drawing.scene import Scene
from training.drawing.tokens import Token

RING = 4  # the room for the ring round chips to be ruled on
CROWD = 4  # with more bets than this, insurance is written in thousands

# Offsets around a place, the nearest first: a full table has little room left.
NEARBY = sorted(
    ((dx, dy) for dx in range(-160, 161, 8) for dy in range(-12, 161, 6)), key=lambda at: at[0] ** 2 + at[1] ** 2
)


def lay_chips(scene: Scene, layout: Layout, room: Room) -> list[Part]:
    return [*_bets(scene, layout, room), *_insured(scene, layout, room), *_offered(scene, layout, room)]


def several(situation: Situation, seat: int) -> bool:
    return situation.is_split(seat) or sum(bet.seat == seat for bet in situation.bets) > 1


def _bets(scene: Scene, layout: Layout, room: Room) -> Iterator[Part]:
    """A single bet at a seat as chips; several, or those of a split, as tokens with their owners."""
    situation: Situation = scene.situation
    ended = results(scene)
    seats: dict[int, list[Bet]] = defaultdict(list)
    for bet in situation.bets:
        seats[bet.seat].append(bet)
    for seat, bets in seats.items():
        column = layout.columns[seat]
        if several(situation, seat):
            yield from _plaques(scene, bets, column, layout.frame.token, room, ended)
        else:
            key = bets[0].player, bets[0].spot
            yield settled(_pile(scene, bets[0], column, room), ended.get(key, 0))


def _pile(scene: Scene, bet: Bet, column: Column, room: Room) -> Pile:
    owner = "" if bet.player == str(bet.seat) else bet.player
    points = [(column.x + dx, column.y + BETS + dy) for dx in (0, -4, 4, -8, 8, -14, 14) for dy in (-3, 0, -6, 4)]
    id, lit = f"stake:{bet.player}:{bet.spot}", bet.player in scene.lit
    total = brief(bet.amount) if total_width(f"+{written(bet.amount)}", owner) > column.wide - 2 else ""
    kind = "pile offered" if disputed.touched(scene, bet.player, str(bet.seat)) else "pile"
    return pile(room, points, bet.player, bet.amount, owner=owner, total=total, lit=lit, kind=kind, id=id, room_for="+")


def _plaques(
    scene: Scene, bets: Sequence[Bet], column: Column, widest: int, room: Room, ended: Mapping[Key, int]
) -> Iterator[Token]:
    """Each hand of a split has its bets above it; an undivided hand has them in columns of two."""
    hands = len(scene.situation.of_seat(bets[0].seat))
    rows: dict[int, int] = defaultdict(int)
    columns = hands if hands > 1 else -(-len(bets) // 2)
    step = (column.wide - 4) // columns
    wide = min(widest, step - 1)
    for index, bet in enumerate(bets):
        at = bet.hand - 1 if hands > 1 else index // 2
        x = column.x + step * at - step * (columns - 1) // 2
        y = column.y + SEAT_RADIUS + 2 + TOKEN_HIGH // 2 + rows[at] * (TOKEN_HIGH - 7)
        rows[at] += 1
        room.take(around(x, y, wide, TOKEN_HIGH))
        lit = bet.player in scene.lit
        result = ended.get((bet.player, bet.spot), 0)
        worth = f"+{brief(result)}" if result > 0 else brief(bet.amount)
        kind = "token won" if result > 0 else "token lost" if result else "token"
        yield Token(
            bet.player, x, y, wide, TOKEN_HIGH - 8, 1, worth, scene.kit.design(bet.amount), kind, lit, bet.spot,
            size=LABEL, amount=bet.amount, kit=scene.kit,
        )  # fmt: skip


def _offered(scene: Scene, layout: Layout, room: Room) -> Iterator[Part]:
    """Chips to be ruled on: beside the bets of their seat, or on the insurance line."""
    found = disputed.offer(scene)
    if found is None:
        return
    incident = scene.situation.incident
    column, insures = layout.columns[min(incident.seat, scene.situation.places)], hasattr(incident, "when")
    x, y = (
        (round(column.x * 0.92), layout.line(round(column.x * 0.92)) + 24)
        if insures
        else (column.x, column.y + BETS - 3)
    )
    points = [at for at in ((x + dx, y + dy) for dx, dy in NEARBY) if layout.on_felt(*at)]
    roomy = replace(room, taken=[box.grown(RING) for box in room.taken])
    kind = "pile" if scene.after is not None else "pile offered"
    made = pile(roomy, points, found.player, found.value, owner=found.player, kind=kind, id=found.id)
    room.taken += roomy.taken[len(room.taken) :]
    yield replace(made, point=found.id)


def _insured(scene: Scene, layout: Layout, room: Room) -> Iterator[Part]:
    """Chips on the insurance line, with their owner if that is not the player in the seat."""
    ended = results(scene)
    for bet in scene.situation.bets:
        if bet.insurance:
            x = round(layout.columns[bet.seat].x * 0.92)
            owner = "" if bet.player == str(bet.seat) else bet.player
            aside = sorted(range(-96, 97, 8), key=abs)
            points = [(x + dx, layout.line(x + dx) + 22 + dy) for dy in (0, 4) for dx in aside]
            id = f"insured:{bet.player}:{bet.line}"
            total = brief(bet.insurance) if len(scene.situation.bets) > CROWD else ""
            made = pile(
                room,
                points,
                bet.player,
                bet.insurance,
                owner=owner,
                total=total,
                kind="pile insured",
                id=id,
                room_for="+",
            )
            yield replace(settled(made, ended.get((bet.player, bet.line), 0)), point=id)
