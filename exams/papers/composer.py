"""Composes forms from a pool: each follows the blueprint, no two are the same, and all are equally hard."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from exams.papers.knowledge import Known
from exams.programmes.rules import Slot
from exams.records.models import Candidate, ExamItem
from rules_engine.draw import Draw
from training.platform import secret_seeds

# The largest allowed gap between the expected scores of two forms, as a share of the full score.
TOLERANCE = 0.02
DRAWS = 20  # sets of items tried per form before settling for an uneven or repeated one
SWAPS = 12
NEGLIGIBLE = 1e-9

Chosen = list[list[ExamItem]]  # by blueprint line


@dataclass(frozen=True)
class ComposedForm:
    """A form to be stored: its items in order, the expected score, and the seed it was drawn with."""

    candidate: Candidate
    seed: str
    items: tuple[ExamItem, ...]
    predicted: float


def expected_score(items: Sequence[ExamItem]) -> float:
    """The share of all points that a candidate is expected to get, from 0 to 1."""
    return sum(item.points * item.predicted for item in items) / sum(item.points for item in items)


def spread(forms: Sequence[ComposedForm]) -> float:
    """The gap between the expected scores of the easiest and the hardest form."""
    scores = [form.predicted for form in forms]
    return max(scores) - min(scores)


def all_differ(forms: Sequence[ComposedForm]) -> bool:
    return len({frozenset(item.pk for item in form.items) for form in forms}) == len(forms)


class Composer:
    """Composes the forms of one session, one after the other."""

    def __init__(
        self, slots: Sequence[Slot], pool: Sequence[Sequence[ExamItem]], room: Mapping[UUID, int] | None = None
    ) -> None:
        """`room` limits on how many more forms some items may be used."""
        self.slots = slots
        self.pool = pool
        self._room = dict(room or {})
        self._points = sum(slot.line.items * slot.line.points for slot in slots)
        self._target = sum(
            slot.line.items * slot.line.points * _mean(line) for slot, line in zip(slots, pool, strict=True)
        )
        self._used: set[frozenset[UUID]] = set()

    def compose(self, candidates: Sequence[Candidate], known: Mapping[int, Known]) -> Iterator[ComposedForm]:
        for candidate in candidates:
            yield self._form(candidate, known[candidate.person_id])

    def _form(self, candidate: Candidate, known: Known) -> ComposedForm:
        seed = secret_seeds.secret_seed()
        draw = Draw(seed)
        allowed = [[item for item in line if self._room.get(item.pk, 1) and not known.has(item)] for line in self.pool]
        best = (True, True, float("inf"))
        chosen: Chosen = []
        for _draw in range(DRAWS):
            tried = self._levelled(*self._drawn(allowed, draw))
            gap = abs(self._gap(tried)) / self._points
            rank = (gap > TOLERANCE / 2, _identity(tried) in self._used, gap)
            if rank < best:
                best, chosen = rank, tried
            if best[:2] == (False, False):
                break
        if not self._used:
            self._target += self._gap(chosen)  # every other form is matched to the first
        self._used.add(_identity(chosen))
        items = self._ordered(chosen, draw)
        for item in items:
            if item.pk in self._room:
                self._room[item.pk] -= 1
        return ComposedForm(candidate, seed, items, expected_score(items))

    def _drawn(self, allowed: Chosen, draw: Draw) -> tuple[Chosen, Chosen]:
        """Draws the number of items the blueprint asks for on each line; returns them and what is left."""
        mixed = [draw.shuffled(line) for line in allowed]
        counts = [slot.line.items for slot in self.slots]
        pairs = list(zip(mixed, counts, strict=True))
        return [line[:count] for line, count in pairs], [line[count:] for line, count in pairs]

    def _gap(self, chosen: Chosen) -> float:
        """By how many points the expected score exceeds the target."""
        return sum(item.points * item.predicted for line in chosen for item in line) - self._target

    def _levelled(self, chosen: Chosen, spare: Chosen) -> Chosen:
        """Swaps items within their line as long as that brings the form closer to the target difficulty."""
        gap = self._gap(chosen)
        for _swap in range(SWAPS):
            if abs(gap) / self._points <= TOLERANCE / 4:
                break
            moves = (
                (abs(gap + item.points * (other.predicted - item.predicted)), number, out, into)
                for number, line in enumerate(chosen)
                for out, item in enumerate(line)
                for into, other in enumerate(spare[number])
            )
            nearest, number, out, into = min(moves, default=(abs(gap), 0, 0, 0))
            if nearest >= abs(gap) - NEGLIGIBLE:
                break
            chosen[number][out], spare[number][into] = spare[number][into], chosen[number][out]
            gap = self._gap(chosen)
        return chosen

    def _ordered(self, chosen: Chosen, draw: Draw) -> tuple[ExamItem, ...]:
        """Sections in blueprint order, the items within each shuffled for this form."""
        sections: dict[str, list[ExamItem]] = {}
        for slot, line in zip(self.slots, chosen, strict=True):
            sections.setdefault(slot.section, []).extend(line)
        return tuple(item for items in sections.values() for item in draw.shuffled(items))


def _identity(chosen: Chosen) -> frozenset[UUID]:
    return frozenset(item.pk for line in chosen for item in line)


def _mean(line: Sequence[ExamItem]) -> float:
    return sum(item.predicted for item in line) / len(line)
