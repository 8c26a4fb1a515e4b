"""What a drawing is made of: marks for people, piles of chips, heaps of cards and what is printed on the cloth."""

from dataclasses import dataclass, field
from typing import Literal

from training.drawing.chips import Chip
from training.drawing.geometry import Oval

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Mark:
    """A place at the table: a seat, or a player standing behind one."""

    place: str
    x: int
    y: int
    taken: bool
    lit: bool
    banker: bool = False
    holder: bool = False
    line: str = ""


@dataclass(frozen=True)
class Pile:
    """Chips with their total written beside them, and whose they are where the seat does not say it.

    `owner_y` is where the owner is written when it does not fit beside the total.
    """

    place: str
    x: int
    chips: list[Chip]
    total: str
    total_y: int
    owner: str = ""
    owner_y: int | None = None
    chance: str = ""
    lit: bool = False


@dataclass(frozen=True)
class DrawnCard:
    """A card at its top left corner; face down it has neither rank nor suit."""

    ref: str
    x: int
    y: int
    rank: str
    suit: str
    lit: bool

    @property
    def hidden(self) -> bool:
        return not self.rank


@dataclass(frozen=True)
class Heap:
    """Cards that lie together, at their top left corner, under a label."""

    name: str
    label: str
    label_x: int
    anchor: Anchor
    x: int
    y: int
    cards: list[DrawnCard]


@dataclass(frozen=True)
class Field:
    """A field printed on the cloth: its name at a point, and its frame where it has one of its own."""

    chance: str
    label: str
    x: int
    y: int
    frame: tuple[int, int, int, int] | None = None


@dataclass(frozen=True)
class TableView:
    """A table laid out. `rings` are printed ovals; `words` tell the same table sentence by sentence."""

    game: str
    view_box: str
    cloth: Oval
    seats: list[Mark]
    standing: list[Mark]
    stakes: list[Pile]
    shoe: tuple[int, int]
    heaps: list[Heap]
    words: list[str]
    bank: Pile | None = None
    garage: str = ""
    rings: list[tuple[int, int]] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
