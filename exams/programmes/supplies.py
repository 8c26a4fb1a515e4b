"""How many different cases each line of a blueprint has, and for how many candidates that is enough.

Counted by a worker when a draft is saved, up to what a large session needs, and stored with the version.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

import rules_engine
from exams.programmes.likeness import Collection
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Line, Rules
from exams.programmes.validation import Kind
from rules_engine import Adopted, Table
from training.house import tables
from training.house.readings import article_for, examined
from training.platform.broker import send_on_commit

# Counting stops at cases for this many candidates.
MOST = 40
# A line is exhausted when so many seeds in a row give nothing new.
PATIENCE = 120


@dataclass(frozen=True)
class Room:
    """The narrowest line, and for how many candidates at different times its cases are enough."""

    line: Line
    candidates: int


def kind_of(line: Line) -> Kind:
    return (line.rulebook, line.topic, line.difficulty, line.article)


def room_for(version: ProgrammeVersion) -> Room | None:
    """The narrowest line; None if the supplies are not counted yet, or enough for any number of candidates."""
    rooms = [room for room in rooms_of(version) if room.candidates < MOST]
    return min(rooms, key=lambda room: room.candidates, default=None)


def rooms_of(version: ProgrammeVersion) -> list[Room]:
    """For how many candidates the cases of each line are enough; MOST may stand for more. Empty if not counted yet."""
    lines = version.rules.lines
    if len(version.supplies) != len(lines):
        return []
    wanted = _wanted(version.rules)
    return [Room(line, found // wanted[kind_of(line)]) for line, found in zip(lines, version.supplies, strict=True)]


def _wanted(rules: Rules) -> Counter[Kind]:
    """How many cases of each kind one candidate gets. Lines of the same kind draw from the same cases."""
    wanted: Counter[Kind] = Counter()
    for line in rules.lines:
        wanted[kind_of(line)] += line.items
    return wanted


def count_soon(version: ProgrammeVersion) -> None:
    """Have a worker count the supplies of a version just stored."""
    from exams.programmes import tasks

    send_on_commit(tasks.count_supplies, version.pk)


def count(version_id: int) -> None:
    """Count and store the supplies, unless the version was discarded or changed meanwhile."""
    version = ProgrammeVersion.objects.filter(pk=version_id).first()
    if version is None:
        return
    rules = version.rules
    wanted = _wanted(rules)
    found = {kind: supply(kind, items * MOST, rules.tables_of(kind[0])) for kind, items in wanted.items()}
    counted = [found[kind_of(line)] for line in rules.lines]
    ProgrammeVersion.objects.filter(pk=version_id, changed_at=version.changed_at).update(supplies=counted)


def supply(kind: Kind, needed: int, at: tuple[Table, ...]) -> int:
    """How many cases of a kind, no two alike, the engine makes at these tables, up to `needed`."""
    return _supply(kind, needed, tuple(sorted(examined(kind[0]).items(), key=itemgetter(0))), at)


@cache
def _supply(kind: Kind, needed: int, readings: tuple[tuple[str, Adopted], ...], at: tuple[Table, ...]) -> int:
    book, topic, difficulty, article = kind
    found, dry, seed, adopted, apart = 0, 0, 0, dict(readings), Collection()
    while found < needed and dry < PATIENCE:
        own, seed = f"supply {seed}", seed + 1
        about = article or article_for(book, topic, adopted, own)
        made = rules_engine.generate(
            book, topic, own, difficulty, article=about, table=tables.pick(at, own), readings=adopted
        )
        fit = (not article or article in made.solve().pivots) and rules_engine.exam_fit(made)
        new = fit and apart.add(made)
        found, dry = found + new, 0 if new else dry + 1
    return found
