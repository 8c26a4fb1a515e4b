"""A drawn table: sheets made of layers of parts, and the same table in words."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from django.utils.safestring import SafeString

from rules_engine import GAMES
from rules_engine.spots import in_order
from training.drawing import chip_designs, courts
from training.drawing.geometry import Box
from training.drawing.primitives import Part, render, walk
from training.drawing.scene import Scene

P = TypeVar("P")
USED = re.compile(r'href="#((?:chip|court)-[^"]+)"')


@dataclass(frozen=True)
class Sheet:
    """One picture: the visible part of the plane, and its layers from the cloth upwards.

    `kind` says which screen the sheet is for; the stylesheet shows an upright one on a phone, else a lying one.
    """

    window: Box
    layers: Mapping[str, Sequence[Part]]
    kind: str = ""

    @property
    def view_box(self) -> str:
        return f"{self.window.left} {self.window.top} {self.window.width} {self.window.height}"

    @cached_property
    def svg(self) -> SafeString:
        # Every part escapes its own text.
        return SafeString("".join([render(parts) for parts in self.layers.values()]))

    @property
    def role(self) -> str:
        """The ARIA role; an image must not contain buttons."""
        return "group" if self.layers.get("pointing") else "img"

    def every(self, kind: type[P]) -> list[P]:
        """All parts of one kind, in the order of drawing."""
        return [part for parts in self.layers.values() for part in walk(parts) if isinstance(part, kind)]


@dataclass(frozen=True)
class Drawing:
    """What a page shows of a table: its sheets, and a list of sentences for screen readers.

    `scene` supplies the payments by which the page moves chips; `focus` holds the ids of the parts that an enlarged
    table opens on. `turns` says whether the figures face the players unless they are turned to the reader.
    """

    game: str
    sheets: Sequence[Sheet]
    words: Sequence[str]
    scene: Scene | None = None
    focus: Sequence[str] = ()
    turns: bool = False

    @property
    def printed(self) -> bool:
        """Whether the figures are as on the cloth."""
        return self.turns and self.scene is not None and self.scene.printed

    @property
    def ended(self) -> bool:
        """Whether it is drawn as the ruling leaves it."""
        return self.scene is not None and self.scene.after is not None

    @property
    def symbols(self) -> SafeString:
        """The chips and court cards that the sheets use, each once."""
        used = {name for sheet in self.sheets for name in USED.findall(sheet.svg)}
        kits = {"chip": chip_designs.symbol, "court": courts.symbol}
        return SafeString("".join(kits[name.partition("-")[0]](name) for name in sorted(used)))

    @property
    def payments(self) -> str:
        """The payments in order as JSON: [payer, payee, amount, spot]; empty if there are none."""
        after = self.scene.after if self.scene else None
        payments = in_order(after.payments, GAMES[self.game].spots) if after else []
        made = [[one.payer, one.payee, one.amount, one.spot] for one in payments]
        return json.dumps(made) if made else ""
