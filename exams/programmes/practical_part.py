"""The practical part of a programme: a running table with hidden faults, on screen or real, and how it counts."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from rules_engine import Table

Points = Annotated[int, Meta(ge=0, le=100)]
# The parts that a practical exam is marked in; conduct only where examiners watch.
# The colon keeps them apart from the keys of sections.
PARTS = ("noticed", "ruled", "calls", "payments", "conduct")
NOTICED, RULED, CALLS, PAYMENTS, CONDUCT = (f"practice:{part}" for part in PARTS)


class FaultLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number of faults of one topic; `kinds` are those of it that could occur when this was written. Whoever misses a
    critical one has made a critical fault."""

    topic: str
    kinds: tuple[str, ...]
    count: Annotated[int, Meta(ge=1)]
    critical: bool = False


class Practical(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everybody deals the same number of coups at the same table and pace, with as many faults of each line."""

    held: Literal["screen", "table"]
    rulebook: str
    table: Table
    rung: Literal["quiet", "busy", "banker", "exam"] = "exam"
    coups: Annotated[int, Meta(ge=1)]
    # Seconds from one event to the next, on screen.
    pace: Annotated[int, Meta(ge=1)] = 3
    faults: tuple[FaultLine, ...]
    minutes: Annotated[int, Meta(ge=1)]
    pass_mark: Annotated[int, Meta(ge=0, le=100)]
    critical_allowed: Annotated[int, Meta(ge=0)] | None = 0
    # What each part is worth. A part with nothing to do in it does not count.
    noticed: Points = 40
    ruled: Points = 20
    calls: Points = 20
    payments: Points = 20
    conduct: Points = 0
    # Points lost for every time the game was stopped although nothing was wrong.
    false_alarm: Points = 2
    conduct_list: tuple[str, ...] = ()
    order: Literal["any", "theory_first", "practice_first"] = "any"
    # Both parts must be passed within so many days of each other.
    within_days: Annotated[int, Meta(ge=1)] = 180

    @property
    def count(self) -> int:
        """How many faults everybody meets."""
        return sum(line.count for line in self.faults)

    @property
    def weights(self) -> dict[str, int]:
        worth = {NOTICED: self.noticed, RULED: self.ruled, CALLS: self.calls, PAYMENTS: self.payments}
        return worth | ({CONDUCT: self.conduct} if self.held == "table" else {})
