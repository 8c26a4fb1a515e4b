"""The wheel: a ring of numbers over their pockets, clockwise in their order, with the ball in one of them."""

from functools import cache
from math import cos, radians, sin

from rules_engine.games.roulette import GAME, settlement, wheels
from training.drawing.primitives import Ellipse, Label, Part, Path

ORDERS = wheels.orders()
# From the middle outwards, as parts of the radius.
BOWL, POCKETS, PRINT, NUMBERS, RING = 0.6, 0.765, 0.812, 0.93, 0.943
BALL = 0.685
ARMS = 4


def colour(number: int) -> str:
    """The colour of a number by law, the same in every rulebook of the game."""
    found = settlement.colour(GAME.books[0], number)
    return "zero" if found == "none" else found


def covered(x: int, y: int, radius: int) -> list[Part]:
    """A wheel that hides its pockets."""
    return [Ellipse("wheel-rim", radius, radius, x, y), Ellipse("wheel-bowl", *_size(radius, RING), x, y)]


def wheel(
    x: int, y: int, radius: int, *, order: tuple[int, ...], ball: int | None, zero: str = "zero", top: int = 0
) -> list[Part]:
    """The number `top` at the top, the others clockwise in `order`, the zero in its colour, the ball in its pocket."""
    parts = _still(x, y, radius, order, zero, top)
    if ball is None:
        return parts
    turned = (order.index(ball) - order.index(top)) % len(order)
    left, down = map(round, _round(x, y, radius * BALL, 360 / len(order) * turned))
    size = max(5, round(radius * 0.052))
    return [
        *parts,
        Ellipse("ball-shade", size + 1, size + 1, left + 1, down + 2),
        Ellipse("ball", size, size, left, down),
    ]


@cache
def _still(x: int, y: int, radius: int, order: tuple[int, ...], zero: str, top: int) -> list[Part]:
    """Everything that stays the same from spin to spin."""
    first, step = order.index(top), 360 / len(order)
    turned = [order[(first + index) % len(order)] for index in range(len(order))]
    kinds = [colour(number) if number else zero for number in turned]
    parts: list[Part] = [
        Ellipse("wheel-rim", radius, radius, x, y),
        Ellipse("wheel-shine", *_size(radius, 0.985), x, y),
        Ellipse("wheel-ring", *_size(radius, RING), x, y),
    ]
    for index, kind in enumerate(kinds):
        parts.append(Path(f"pocket {kind}", _sector(x, y, radius, NUMBERS, POCKETS, step * index, step)))
        parts.append(Path(f"pit {kind}", _sector(x, y, radius, POCKETS, BOWL, step * index, step)))
    size = "large" if radius > 150 else "small"
    for index, number in enumerate(turned):
        left, down = map(round, _round(x, y, radius * PRINT, step * index))
        parts.append(Label(f"pocket-number {size}", left, down, str(number), turn=round(step * index)))
    return [*parts, *_cone(x, y, radius)]


def _cone(x: int, y: int, radius: int) -> list[Part]:
    """The turret in the middle with its arms."""
    arms = ""
    for index in range(ARMS):
        left, top = _round(x, y, 0.3 * radius, 20 + 90 * index)
        arms += f"M{x} {y}L{left:.1f} {top:.1f}"
    return [
        Ellipse("wheel-bowl", *_size(radius, BOWL), x, y),
        Ellipse("wheel-groove", *_size(radius, 0.44), x, y),
        Path("wheel-arm", arms),
        Ellipse("wheel-hub", *_size(radius, 0.11), x, y),
        Ellipse("wheel-tip", *_size(radius, 0.05), x, y),
    ]


def _size(radius: int, part: float) -> tuple[int, int]:
    return round(radius * part), round(radius * part)


def _round(x: int, y: int, radius: float, degrees: float) -> tuple[float, float]:
    turn = radians(degrees)
    return x + radius * sin(turn), y - radius * cos(turn)


def _sector(x: int, y: int, radius: int, outer: float, inner: float, middle: float, step: float) -> str:
    far, near = radius * outer, radius * inner
    (x1, y1), (x2, y2) = (_round(x, y, far, middle + side * step / 2) for side in (-1, 1))
    (x3, y3), (x4, y4) = (_round(x, y, near, middle + side * step / 2) for side in (1, -1))
    return (
        f"M{x1:.1f} {y1:.1f}A{far:.0f} {far:.0f} 0 0 1 {x2:.1f} {y2:.1f}"
        f"L{x3:.1f} {y3:.1f}A{near:.0f} {near:.0f} 0 0 0 {x4:.1f} {y4:.1f}z"
    )
