"""What chips look like: the colour of the edge, the spots on it, and a value or a sign on the inlay.

Values differ in lightness and in the number and grouping of spots, so that they can be told apart without colour.
Chips without a face value have a sign instead.
"""

from functools import lru_cache
from math import cos, pi, sin
from typing import NamedTuple

RADIUS = 20  # of a chip as a symbol
OUTER, INNER = 0.98 * RADIUS, 0.71 * RADIUS  # the ring of the spots


class Design(NamedTuple):
    """`groups` of spots round the edge; `spots` is one group in tenths: a spot, a gap, a spot, a gap."""

    base: str
    spot: str
    groups: int
    spots: tuple[float, ...]
    sign: str = ""  # a path in a box from -1 to 1


WIDE, EVEN, DOUBLE, THIN = (4.4, 5.6), (4.0, 6.0), (2.0, 1.4, 2.0, 4.6), (1.5, 1.2, 1.5, 5.8)
TRIPLE = (1.5, 0.9, 1.5, 0.9, 1.5, 3.7)
VALUES: dict[int, Design] = {
    1_000_000: Design("#d8a545", "#17151a", 9, EVEN),
    500_000: Design("#16264d", "#e9c987", 5, DOUBLE),
    100_000: Design("#b9bec4", "#7a1f2b", 5, WIDE),
    50_000: Design("#123d2c", "#f3c95a", 10, EVEN),
    25_000: Design("#d9668f", "#3b0d20", 4, TRIPLE),
    10_000: Design("#f2ede0", "#17151a", 8, (3.0, 7.0)),
    5_000: Design("#7c2d1f", "#f4d472", 6, THIN),
    2_500: Design("#2f8f86", "#fbf3e0", 5, WIDE),
    1_000: Design("#f0c63f", "#8f1d26", 12, (5.0, 5.0)),
    500: Design("#6a3390", "#f2c1e0", 3, TRIPLE),
    100: Design("#1d1b20", "#fbf3e0", 4, DOUBLE),
    50: Design("#e08a2b", "#3b2212", 4, THIN),
    25: Design("#1b7a4c", "#fbf3e0", 8, EVEN),
    10: Design("#2b62b0", "#f4d472", 6, EVEN),
    5: Design("#b3222d", "#fbf3e0", 4, WIDE),
    1: Design("#e7dcc4", "#7d8794", 4, (3.0, 7.0)),
}
# Values that only the tables of houses have.
MORE_VALUES: dict[int, Design] = {
    2_000: Design("#3f7fa6", "#17151a", 5, DOUBLE),
    200: Design("#8a6a4f", "#fbf3e0", 6, WIDE),
    20: Design("#4f8f3a", "#f4d472", 5, THIN),
    2: Design("#c9a3c4", "#4a2d0c", 5, (3.0, 7.0)),
}
COLOURS: dict[str, Design] = {
    "violet": Design("#7d4bb5", "#fbf3e0", 6, EVEN, "M0-.6.2-.2.6-.2.3.1.4.6 0 .3-.4.6-.3.1-.6-.2-.2-.2Z"),
    "blue": Design("#2a6bc0", "#fbf3e0", 4, (5.0, 5.0), "M0-.6.6 0 0 .6-.6 0Z"),
    "orange": Design("#e88a1f", "#4a2d0c", 4, DOUBLE, "M-.18-.6h.36v.42h.42v.36h-.42v.42h-.36v-.42h-.42v-.36h.42Z"),
    "pink": Design("#e77fa3", "#5c1430", 8, (3.4, 6.6), "M0-.58.56.44h-1.12Z"),
    "turquoise": Design("#3fc0b4", "#06423d", 3, TRIPLE, "M-.5-.5h1v1h-1Z"),
    "green": Design("#2c8a46", "#f4d472", 5, EVEN, "M0-.58a.58.58 0 1 0 .01 0Z"),
    "grey": Design("#8b9097", "#211c18", 12, EVEN, "M-.55-.45h1.1v.32h-1.1ZM-.55.13h1.1v.32h-1.1Z"),
    "beige": Design("#e6d5b0", "#7c2d1f", 7, (3.0, 7.0), "M-.6-.35 0-.02.6-.35V.12L0 .45-.6.12Z"),
}


def of_value(value: int) -> str:
    """The name of the design of a value: that of the largest chip that is not worth more."""
    return f"chip-{max((known for known in VALUES if known <= value), default=1)}"


def painted(value: int, colour: str, edge: str) -> str:
    """The name of the design of a chip of a house, with its own colours (`#rrggbb`) or the usual ones if empty."""
    known = VALUES | MORE_VALUES
    like = value if value in known else max((one for one in known if one <= value), default=1)
    usual = known[like]
    if not colour and not edge:
        return f"chip-{like}"
    base, spot = colour or usual.base, edge or usual.spot
    return f"chip-{like}-{base[1:]}-{spot[1:]}"


def of_colour(colour: str) -> str:
    return f"chip-{colour}"


@lru_cache(maxsize=1_000)
def design(name: str) -> Design:
    which, *paint = name.removeprefix("chip-").split("-")
    if not which.isdigit():
        return COLOURS[which]
    usual = (VALUES | MORE_VALUES)[int(which)]
    return usual._replace(base=f"#{paint[0]}", spot=f"#{paint[1]}") if paint else usual


@lru_cache(maxsize=1_000)  # houses choose their own colours
def symbol(name: str) -> str:
    """A chip from above without its inlay."""
    made = design(name)
    return (
        f'<g id="{name}"><circle r="{RADIUS}" fill="{made.base}" stroke="#000" stroke-opacity=".8" stroke-width="1.4"/>'
        f'<path d="{_spots(made)}" fill="{made.spot}"/></g>'
    )


def _spots(made: Design) -> str:
    tenth, path = 2 * pi / made.groups / 10, ""
    for group in range(made.groups):
        start = 10.0 * group
        for spot, gap in zip(made.spots[::2], made.spots[1::2], strict=True):
            path += _sector(start * tenth, (start + spot) * tenth)
            start += spot + gap
    return path


def _sector(start: float, end: float) -> str:
    def at(radius: float, angle: float) -> str:
        return f"{radius * cos(angle):.1f} {radius * sin(angle):.1f}"

    return (
        f"M{at(OUTER, start)}A{OUTER} {OUTER} 0 0 1 {at(OUTER, end)}"
        f"L{at(INNER, end)}A{INNER} {INNER} 0 0 0 {at(INNER, start)}Z"
    )
