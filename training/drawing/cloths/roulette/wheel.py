"""The wheel: a ring of pockets in their order, clockwise from the top, with the ball in one of them."""

from functools import cache
from math import cos, radians, sin

from rules_engine.games.roulette import GAME, settlement, wheels
from training.drawing.primitives import Ellipse, Label, Part, Path

ORDERS = wheels.orders()
NUMBERED = 90  # the smallest radius at which numbers can be read
BALL, BOWL = 0.70, 0.60  # the ball track and the bowl, as parts of the radius
PRINT, TWO_DIGITS = 12, 14  # from the rim to the base of a number, and how wide one of two digits may be


def colour(number: int) -> str:
    """The colour of a number by law, the same in every rulebook of the game."""
    found = settlement.colour(GAME.books[0], number)
    return "zero" if found == "none" else found


def covered(x: int, y: int, radius: int) -> list[Part]:
    """A wheel that hides its pockets."""
    return [Ellipse("wheel-rim", radius + 4, radius + 4, x, y), Ellipse("wheel-bowl", radius, radius, x, y)]


def wheel(x: int, y: int, radius: int, *, order: tuple[int, ...], ball: int | None, zero: str = "zero") -> list[Part]:
    """Zero at the top in its colour `zero`, the other pockets clockwise in `order`, the ball in its pocket."""
    if ball is None:
        return _pockets(x, y, radius, order, zero)
    turned = (order.index(ball) - order.index(0)) % len(order)
    at = _round(x, y, radius * BALL, 360 / len(order) * turned)
    size = max(5, radius // 13)
    return [*_pockets(x, y, radius, order, zero), Ellipse("ball", size, size, round(at[0]), round(at[1]))]


@cache
def _pockets(x: int, y: int, radius: int, order: tuple[int, ...], zero: str) -> list[Part]:
    """Everything that stays the same from spin to spin."""
    first, step = order.index(0), 360 / len(order)
    turned = [order[(first + index) % len(order)] for index in range(len(order))]
    parts: list[Part] = [Ellipse("wheel-rim", radius + 4, radius + 4, x, y)]
    parts += [
        Path(f"pocket {colour(number) if number else zero}", _pocket(x, y, radius, step * index, step))
        for index, number in enumerate(turned)
    ]
    parts.append(Ellipse("wheel-bowl", round(radius * BOWL), round(radius * BOWL), x, y))
    for index, number in enumerate(turned if radius >= NUMBERED else ()):
        left, top = map(round, _round(x, y, radius - PRINT, step * index))
        wide = TWO_DIGITS if number > 9 else 0
        parts.append(Label("pocket-number", left, top, str(number), wide=wide, turn=round(step * index)))
    return parts


def _round(x: int, y: int, radius: float, degrees: float) -> tuple[float, float]:
    turn = radians(degrees)
    return x + radius * sin(turn), y - radius * cos(turn)


def _pocket(x: int, y: int, radius: int, middle: float, step: float) -> str:
    (x1, y1), (x2, y2) = (_round(x, y, radius, middle + side * step / 2) for side in (-1, 1))
    (x3, y3), (x4, y4) = (_round(x, y, radius * BOWL, middle + side * step / 2) for side in (1, -1))
    return f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}L{x3:.1f} {y3:.1f}L{x4:.1f} {y4:.1f}z"
