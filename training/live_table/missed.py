"""Which faults a class misses, counted by kind."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta

from rules_engine import rulebook
from rules_engine.narration import book_name, cited
from training.classes.models import TrainingClass
from training.classes.selectors import trainees_of
from training.library.incident_search import title
from training.live_table.models import Session

DAYS = 90


@dataclass(frozen=True)
class Missed:
    """A kind of fault at the tables of a class: how often it occurred and how often nobody stopped the game."""

    rulebook: str
    book_name: str
    title: str
    cite: str
    cited: str
    met: int
    missed: int

    @property
    def percent(self) -> int:
        return self.missed * 100 // self.met


def missed(room: TrainingClass, now: datetime, language: str) -> list[Missed]:
    """The faults that the trainees of a class met in the last months, weakest first. One query."""
    counts: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    cites: dict[tuple[str, str], str] = {}
    found = Session.objects.filter(
        trainee__in=trainees_of(room).values("pk"), rulebook__in=room.books, ended_at__gt=now - timedelta(days=DAYS)
    )
    for book, coups in found.values_list("rulebook", "coups").iterator():
        for one in coups:
            if one["kind"]:
                counts[book, one["kind"]][0] += 1
                counts[book, one["kind"]][1] += one["outcome"] == "miss"
                cites.setdefault((book, one["kind"]), one.get("cite", ""))
    lines = [_line(*key, cites[key], (met, missed), language) for key, (met, missed) in counts.items()]
    return sorted(lines, key=lambda one: (-one.missed / one.met, -one.met, one.title))


def _line(book_id: str, kind: str, cite: str, counts: tuple[int, int], language: str) -> Missed:
    book = rulebook(book_id)
    shown = cited(cite, book, language) if cite else ""
    return Missed(book_id, book_name(book_id, language), title(book, kind, language), cite, shown, *counts)
