"""What to draw: the facts at a table, how the ruling ends it, and how the reader sees it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from rules_engine import Table
from rules_engine.equipment.cards import Card
from rules_engine.ruling import After
from rules_engine.words import money
from training.drawing.chips import Kit, kit_of

Pointing = Literal["", "spot"]
IN_SHOE = "shoe"


class Said(NamedTuple):
    """Words spoken at the table: the number of the call in the log, the speaker's place, and the words."""

    number: int
    by: str
    words: str


@dataclass(frozen=True)
class Scene:
    """A situation for one reader.

    With `after` it is drawn as the ruling leaves it; `decided` holds the other decisions of the ruling by name. `lit`
    names what to highlight, `said` holds what was spoken. `pointing` adds targets over the spots of a layout.
    `asking` means that questions are open: whatever would give away an answer is not drawn. `rulebook` chooses among
    the cloths of a game, `table` supplies the chips. `printed` leaves figures as they are on the cloth, where they face
    the players; otherwise they are turned to the reader.
    """

    situation: Any  # each cloth knows the type of its game
    currency: str
    language: str
    after: After | None = None
    lit: Collection[str] = ()
    pointing: Pointing = ""
    asking: bool = False
    said: Sequence[Said] = ()
    decided: Mapping[str, Any] = field(default_factory=dict)
    rulebook: str = ""
    table: Table | None = None
    printed: bool = False

    @property
    def kit(self) -> Kit:
        """The chips of the table."""
        return kit_of(self.table)

    def seats(self, usual: int) -> int:
        """How many seats to draw: those of the house's table, else the usual number; at least up to the last one
        taken."""
        known, taken = self.table.seats if self.table else 0, tuple[int, ...](self.situation.seats)
        return max([known or usual, *taken])

    def money(self, amount: int) -> str:
        return money(amount, self.currency, self.language)

    @property
    def heaps_after(self) -> dict[str, tuple[Card, ...]]:
        """The cards on the cloth after the ruling, by heap; empty if it moves none."""
        heaps = self.after.heaps if self.after else {}
        return {name: cards for name, cards in heaps.items() if name != IN_SHOE}

    @property
    def marks_after(self) -> dict[str, str]:
        """The marks that the ruling leaves on the cloth, and where."""
        return self.after.marks if self.after else {}

    @property
    def results(self) -> dict[str, int]:
        """What each player, the bank and the house gain or lose by the ruling in total."""
        sums: dict[str, int] = {}
        for payment in self.after.payments if self.after else ():
            sums[payment.payee] = sums.get(payment.payee, 0) + payment.amount
            sums[payment.payer] = sums.get(payment.payer, 0) - payment.amount
        return sums
