"""A table laid out: sheets of layers, each of primitive parts, and the same table in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.utils.safestring import SafeString

from training.drawing.primitives import Part, render, walk

P = TypeVar("P")


@dataclass(frozen=True)
class Sheet:
    """One picture: the window on the plane, and its layers from the cloth upwards.

    `kind` tells the sheets of one table apart; the stylesheet shows the one that fits, upright on a phone, else lying.
    """

    view_box: str
    layers: Mapping[str, Sequence[Part]]
    kind: str = ""

    @property
    def svg(self) -> SafeString:
        # Every part escapes its own texts.
        return SafeString("".join([render(parts) for parts in self.layers.values()]))

    @property
    def role(self) -> str:
        """An image may not hold buttons."""
        return "group" if self.layers.get("pointing") else "img"

    def every(self, kind: type[P]) -> list[P]:
        """All parts of one kind, in the order of drawing."""
        return [part for parts in self.layers.values() for part in walk(parts) if isinstance(part, kind)]


@dataclass(frozen=True)
class Drawing:
    """What a page needs of a table: its sheets, and the sentences of a list that a screen reader can walk."""

    game: str
    sheets: Sequence[Sheet]
    words: Sequence[str]
