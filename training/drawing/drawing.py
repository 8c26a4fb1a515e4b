"""A table laid out: sheets of layers, each of primitive parts, and the same table in words."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.utils.safestring import SafeString

from rules_engine import GAMES
from rules_engine.spots import in_order
from training.drawing.primitives import Part, render, walk
from training.drawing.scene import Scene

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
    """What a page needs of a table: its sheets, and the sentences of a list that a screen reader can walk.

    With `scene` the payments go along, in the order in which they are made, for the page to move chips by; `focus`
    names what an enlarged table opens on, by the ids of parts.
    """

    game: str
    sheets: Sequence[Sheet]
    words: Sequence[str]
    scene: Scene | None = None
    focus: Sequence[str] = ()

    @property
    def payments(self) -> str:
        """From whom to whom how much, and on which spot, as data."""
        after = self.scene.after if self.scene else None
        payments = in_order(after.payments, GAMES[self.game].spots) if after else []
        made = [[one.payer, one.payee, one.amount, one.spot] for one in payments]
        return json.dumps(made) if made else ""
