"""Chips on a ponto e banca table: in the cell of their seat, several side by side, and the names beside them.

A cell whose chips leave no room for its name does without; the other cells of the band carry it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, degrees, radians, sin

from training.drawing import disputed
from training.drawing.chips import written
from training.drawing.cloths.ponto_banca.bets import Bets
from training.drawing.cloths.ponto_banca.layout import BANDS, PAIR_NAME, PAIR_ROOM, PAIRS, Frame, Seats
from training.drawing.geometry import Point, seat_of
from training.drawing.half_moon import words_in
from training.drawing.primitives import Group, Label, Part
from training.drawing.scene import Scene
from training.drawing.texts import width
from training.drawing.tokens import Token, short

GAP = 3  # between a name and the chips beside it
LEAST_SQUEEZE = 0.62  # a name that would be narrower is left out
ROOMY = 25  # the least distance between stakes in one cell
FREE = "edge"  # where chips lie that are put down on no chance of this cloth


@dataclass(frozen=True)
class Stake:
    """Chips of one player on one chance; `offered` if the ruling has yet to accept them."""

    player: str
    chance: str
    amount: int
    result: int = 0
    offered: bool = False


@dataclass(frozen=True)
class Cell:
    """A cell of the cloth with the chips in it, and where the name of the chance goes."""

    stakes: Sequence[Stake]
    spots: Sequence[Point]
    token: tuple[int, int]
    name: Label | None


def stakes_of(scene: Scene, bets: Bets, results: Bets) -> list[Stake]:
    found = [Stake(*key, amount, results.get(key, 0)) for key, amount in bets.items()]
    offer = disputed.offer(scene)
    if offer is None:
        return found
    chance = offer.spot if offer.spot in (*BANDS, *PAIRS) else FREE
    return [*found, Stake(offer.player, chance, offer.value, offered=True)]


def cells(seats: Seats, stakes: Sequence[Stake], names: Mapping[str, str], won: set[str]) -> list[Cell]:
    """Every cell of the bands, and the two halves of the band of the pairs."""
    lying: dict[tuple[str, int], list[Stake]] = defaultdict(list)
    for stake in stakes:
        seat = 0 if stake.chance in PAIRS else min(seat_of(stake.player), seats.count)
        lying[stake.chance, seat].append(stake)
    found = [
        _cell(seats, chance, seat, names[chance], lying[chance, seat], chance in won)
        for chance in BANDS
        for seat in range(1, seats.count + 1)
    ]
    pairs = [
        _half(seats.frame, chance, names[chance], lying[chance, 0], chance in won)
        for chance in names
        if chance in PAIRS
    ]
    return [*found, *pairs, *(_at_edge(seats, one) for one in stakes if one.chance == FREE)]


def _cell(seats: Seats, chance: str, seat: int, name: str, stakes: Sequence[Stake], won: bool) -> Cell:
    """One stake lies beside the name or, where a band is wide and its cells are narrow, below it."""
    frame, band, angle = seats.frame, seats.frame.band(chance), seats.angle(seat)
    moon, size = frame.moon, frame.print_of(chance)
    kind = "field-print won" if won else "field-print"
    room = moon.along(sum(band) / 2, angle - seats.step / 2, angle + seats.step / 2) - 4
    wide, high = frame.token[0], min(frame.token[1], round(moon.across(*band, angle)) - 1)
    print_wide = width(name, size)
    if not stakes:
        squeezed = 0 if print_wide <= room else int(room)
        fits = squeezed == 0 or squeezed >= LEAST_SQUEEZE * print_wide
        label = words_in(moon, band, angle, name, size, kind=kind, wide=squeezed) if fits else None
        return Cell((), (), (wide, high), label)
    if len(stakes) > 1:
        return Cell(stakes, _side_by_side(seats, band, angle, len(stakes), room), (wide, high), None)
    middle, along = sum(band) / 2, _extent((wide, high), moon.lean(angle))
    if room < print_wide + along + GAP:
        return Cell(stakes, [moon.at(middle, angle)], (wide, high), None)
    degree = seats.step / (room + 4)
    left, right = angle - degree * (along + GAP) / 2, angle + degree * (print_wide + GAP) / 2
    label = words_in(moon, band, left, name, size, kind=kind)
    return Cell(stakes, [moon.at(middle, right)], (wide, high), label)


def _extent(token: tuple[int, int], lean: int) -> float:
    """How far chips, which are never turned, reach along a band that leans so much."""
    turn = radians(lean)
    return token[0] * abs(cos(turn)) + token[1] * abs(sin(turn))


def _side_by_side(seats: Seats, band: tuple[float, float], angle: float, count: int, room: float) -> list[Point]:
    """Where several stakes in one cell lie; in a narrow cell every other one is further in."""
    outer, inner = band
    apart = max(ROOMY, min(room / count, seats.frame.token[0]))
    zigzag = (outer - inner) * 0.2 if apart * count > room + 4 else 0
    turn = seats.step * apart / (room + 4)
    return [
        seats.frame.moon.at(
            (outer + inner) / 2 + (-zigzag if index % 2 else zigzag), angle + turn * (index - (count - 1) / 2)
        )
        for index in range(count)
    ]


def _half(frame: Frame, chance: str, name: str, stakes: Sequence[Stake], won: bool) -> Cell:
    """Half the band of the pairs, its name at the foot and its chips towards the middle."""
    side = -1 if chance == PAIRS[0] else 1
    band = frame.band(chance)
    kind = "field-print won" if won else "field-print"
    token = degrees(frame.token[0] / (frame.moon.rx * sum(band) / 2))  # its width as an angle
    near = 0.7 * token
    step = min(1.2 * token, (PAIR_ROOM - near) / max(1, len(stakes) - 1))
    spots = [frame.moon.at(sum(band) / 2, side * (near + step * index)) for index in range(len(stakes))]
    label = words_in(frame.moon, band, side * PAIR_NAME, name, frame.print_of(chance), kind=kind)
    return Cell(stakes, spots, frame.token, label)


def _at_edge(seats: Seats, stake: Stake) -> Cell:
    """Chips that are on no chance yet, between the rail and the bands."""
    frame, seat = seats.frame, min(seat_of(stake.player), seats.count)
    at = frame.moon.at(1.0, seats.angle(seat + (0 if stake.player.isdigit() else 0.5)))
    return Cell((stake,), (at,), frame.token, None)


def groups(scene: Scene, frame: Frame, lying: Sequence[Cell]) -> Iterator[Part]:
    """The chips of each chance together, so that they are pointed at together; offered ones last."""
    found: dict[str, list[Part]] = defaultdict(list)
    offered: list[Part] = []
    for cell in lying:
        for stake, at in zip(cell.stakes, cell.spots, strict=True):
            token = _token(scene, frame, stake, at, cell)
            (offered if stake.offered else found[stake.chance]).append(token)
    for chance, tokens in found.items():
        yield Group("spot", tokens, f"spot:{chance}", f"spot:{chance}" in scene.lit)
    yield from offered


def _sum(amount: int, scene: Scene, frame: Frame) -> str:
    """An amount in full if there is room for it."""
    full = written(amount)
    return full if width(full, frame.sum) <= frame.token[0] else short(amount, scene.language)


def _token(scene: Scene, frame: Frame, stake: Stake, at: Point, cell: Cell) -> Token:
    sign = "+" if stake.result > 0 else "\N{MINUS SIGN}" if stake.result < 0 else ""
    worth = sign + _sum(abs(stake.result) or stake.amount, scene, frame)
    ended = " won" if stake.result > 0 else " lost" if stake.result < 0 else ""
    touched = (stake.offered and scene.after is None) or disputed.touched(scene, stake.player, stake.chance)
    alone = stake.player.isdigit() and len(cell.stakes) == 1 and stake.chance not in PAIRS
    id = f"offer:{stake.player}" if stake.offered else ""
    return Token(
        stake.player, *at, *cell.token, 1, worth, scene.kit.design(stake.amount),
        f"token{ended}{' offered' if touched else ''}", stake.player in scene.lit,
        "" if stake.chance == FREE else stake.chance, id, own=alone, size=frame.sum, amount=stake.amount, kit=scene.kit,
    )  # fmt: skip
