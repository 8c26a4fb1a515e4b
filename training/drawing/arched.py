"""Print that follows a curve: every letter is placed and turned by itself."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from math import cos, radians, sin

# How far each letter of the printed cloths reaches, as a part of the font size.
_ADVANCE = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZÁÉÍÓÇÃ 0123456789·–",
        (
            0.91, 0.80, 0.83, 0.87, 0.80, 0.77, 0.91, 0.95, 0.49, 0.65, 0.92, 0.75, 1.12, 0.92, 0.87, 0.75, 0.87, 0.86,
            0.71, 0.79, 0.89, 0.91, 1.24, 0.90, 0.84, 0.78, 0.91, 0.80, 0.49, 0.87, 0.83, 0.91, 0.30, 0.64, 0.56, 0.64,
            0.57, 0.60, 0.58, 0.61, 0.56, 0.59, 0.61, 0.26, 0.72,
        ),
        strict=True,
    )
)  # fmt: skip
_OTHER = 0.9
TRACK = 0.1  # the space between letters
Spot = tuple[float, float, float]  # x, y and how a letter there is turned, in degrees


@dataclass(frozen=True, slots=True)
class Arched:
    """Letters along a curve, each from its own point on the base line."""

    kind: str
    text: str
    size: float
    spots: tuple[Spot, ...]

    def svg(self) -> str:
        x, y, turn = (" ".join(f"{spot[axis]:.1f}" for spot in self.spots) for axis in range(3))
        return (
            f'<text class="{self.kind}" text-anchor="start" font-size="{self.size:g}" x="{x}" y="{y}" rotate="{turn}">'
            f"{escape(self.text)}</text>"
        )


def length(text: str, size: float) -> float:
    """How long a text is along its curve."""
    return sum(_ADVANCE.get(letter, _OTHER) + TRACK for letter in text) * size


def arched(kind: str, text: str, size: float, middle: float, curve: Callable[[float], Spot]) -> Arched:
    """The text with its middle so far along a curve, which gives the point and the turn at every distance."""
    at = middle - length(text, size) / 2
    spots = []
    for letter in text:
        glyph = _ADVANCE.get(letter, _OTHER) * size
        wide = glyph + TRACK * size
        x, y, turn = curve(at + wide / 2)
        # A letter is turned about the start of its base line, while its middle belongs on the curve.
        back = glyph / 2
        spots.append((x - back * cos(radians(turn)), y - back * sin(radians(turn)), turn))
        at += wide
    return Arched(kind, text, size, tuple(spots))
