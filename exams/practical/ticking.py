"""The list that an examiner ticks at a real table, and what the ticks come to. Nothing ticked means not done."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from exams.practical.script import Scene
from exams.programmes.practical_part import CALLS, CONDUCT, NOTICED, PAYMENTS, RULED, Practical
from rules_engine import Rulebook, play

if TYPE_CHECKING:
    from exams.practical.scoring import Counted

ALARMS = "alarms"
MOST_ALARMS = 99


class Box(Struct, frozen=True, kw_only=True):
    """Something to tick, in one part of the marking. `scene` is its moment, `at` the duty or question in it."""

    key: str
    part: str
    scene: int = -1
    at: int = -1
    most: int = 1


def boxes(scenes: Sequence[Scene], part: Practical, book: Rulebook) -> list[Box]:
    """Everything that can be ticked, in the order in which it happens."""
    found: list[Box] = []
    for number, scene in enumerate(scenes):
        found += _fault(number, scene, book)
        found += [
            Box(key=f"{number}.{at}", part=PAYMENTS if duty.payment else CALLS, scene=number, at=at)
            for at, duty in enumerate(scene.duties)
            if not duty.open
        ]
    found.append(Box(key=ALARMS, part=NOTICED, most=MOST_ALARMS))
    return found + [Box(key=f"conduct.{at}", part=CONDUCT, at=at) for at in range(len(part.conduct_list))]


def _fault(number: int, scene: Scene, book: Rulebook) -> Iterator[Box]:
    if not scene.kind:
        return
    yield Box(key=f"{number}.seen", part=NOTICED, scene=number)
    for at, _question in enumerate(play.questions_asked(book, scene.kind, scene.facts)):
        yield Box(key=f"{number}.q{at}", part=RULED, scene=number, at=at)


def counted(scenes: Sequence[Scene], values: Mapping[str, int], part: Practical, book: Rulebook) -> "Counted":
    from exams.practical.scoring import Counted

    listed = boxes(scenes, part, book)
    parts = {}
    for name in (CALLS, PAYMENTS, CONDUCT):
        own = [box for box in listed if box.part == name]
        parts[name] = (Fraction(sum(bool(values.get(box.key)) for box in own)), len(own))
    faults = [number for number, scene in enumerate(scenes) if scene.kind]
    seen = [number for number in faults if values.get(f"{number}.seen")]
    parts[NOTICED] = (Fraction(len(seen)), len(faults))
    ruled = Fraction(0)
    for number in seen:
        own = [box for box in listed if box.part == RULED and box.scene == number]
        ruled += Fraction(sum(bool(values.get(box.key)) for box in own), len(own)) if own else 1
    parts[RULED] = (ruled, len(faults))
    critical = {kind for line in part.faults if line.critical for kind in line.kinds}
    return Counted(
        parts=parts,
        critical_missed=sum(scenes[number].kind in critical for number in faults if number not in seen),
        false_alarms=min(MOST_ALARMS, values.get(ALARMS, 0)),
    )
