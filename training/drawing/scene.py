"""What is to be drawn: the facts at a table, how the ruling ends it, and how the reader wants to see it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from rules_engine.equipment.cards import Card
from rules_engine.ruling import After
from rules_engine.words import money

Pointing = Literal["", "spot"]
IN_SHOE = "shoe"


class Said(NamedTuple):
    """Words that somebody at the table spoke: the number of the call, the place, and the words."""

    number: int
    by: str
    words: str


@dataclass(frozen=True)
class Scene:
    """A situation for one reader. With `after`, as the ruling leaves it, with what else it decided by name; `lit` names
    what a step turned on, `said` what was spoken last at each place.

    `pointing` asks for targets over what has no mark of its own to be pointed at: the spots of a layout. `asking`:
    questions are still to be answered, and what would tell the answer is not drawn.
    """

    situation: Any  # of the game whose cloth draws it
    currency: str
    language: str
    after: After | None = None
    lit: Collection[str] = ()
    pointing: Pointing = ""
    asking: bool = False
    said: Sequence[Said] = ()
    decided: Mapping[str, Any] = field(default_factory=dict)

    def money(self, amount: int) -> str:
        return money(amount, self.currency, self.language)

    @property
    def heaps_after(self) -> dict[str, tuple[Card, ...]]:
        """Where the ruling puts the cards that lie on the cloth, by heap; empty where it moves none."""
        heaps = self.after.heaps if self.after else {}
        return {name: cards for name, cards in heaps.items() if name != IN_SHOE}

    @property
    def marks_after(self) -> dict[str, str]:
        """What the ruling leaves standing on the cloth, and where."""
        return self.after.marks if self.after else {}

    @property
    def results(self) -> dict[str, int]:
        """What the ruling gives to everybody or takes, in all."""
        sums: dict[str, int] = {}
        for payment in self.after.payments if self.after else ():
            sums[payment.payee] = sums.get(payment.payee, 0) + payment.amount
            sums[payment.payer] = sums.get(payment.payer, 0) - payment.amount
        return sums
