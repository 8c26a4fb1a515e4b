"""What a rulebook leaves open: what the house does, or that the floor manager decides."""

from dataclasses import dataclass

from rules_engine import Rulebook
from rules_engine.law import Reading
from training.house.models import HouseRuling
from training.house.readings import in_force, on_record, silence


@dataclass(frozen=True)
class Silence:
    """An incident that a rulebook does not decide, and the procedure of the house, if it has one."""

    kind: str
    reading: Reading
    left_open: str
    house: HouseRuling | None

    @property
    def told(self) -> str:
        return self.reading.told(self.house.choice if self.house else "")


def silences(book: Rulebook, language: str) -> list[Silence]:
    """Everything that a rulebook leaves open, in one query."""
    if not book.silences:
        return []
    held = {one.question: one for one in on_record(in_force(book.id).filter(number__isnull=False))}
    return [
        Silence(kind, silence(book, kind, language), book.game.left_open(kind, language), held.get(kind))
        for kind in book.silences
    ]
