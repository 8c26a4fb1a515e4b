"""The wrong rule (`rules_engine.misconceptions`) that best explains what a trainee answered lately.

It is not stored but worked out from the answers when a page shows it. What one answer says never changes, so each
process caches it.
"""

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock

from django.utils import timezone

from rules_engine import rulebook
from rules_engine.errors import EngineError
from rules_engine.grading import answer_from
from rules_engine.misconceptions import Evidence, Misconception, diagnosed, evidence, misconception
from rules_engine.narration import cited
from rules_engine.words import FALLBACK
from training.practice.models import Attempt, Drill

RECENT, DAYS = 10, 60  # answers of a trainee in a rulebook, and how old they may be
MOST_KEPT = 20_000

_lock = Lock()
_known: "OrderedDict[int, Evidence]" = OrderedDict()


@dataclass(frozen=True)
class WrongRule:
    """A wrong rule with the clause it breaks, in the reader's language."""

    rulebook: str
    id: str
    said: str
    cite: str
    shown: str


def told(book_id: str, one: Misconception, language: str) -> WrongRule:
    return WrongRule(
        book_id,
        one.id,
        one.said.get(language, one.said[FALLBACK]),
        one.cite,
        cited(one.cite, rulebook(book_id), language),
    )


def held_by(trainees: Collection[int], books: Collection[str]) -> dict[int, list[tuple[str, str]]]:
    """By trainee id: rulebook and id of each wrong rule that explains their recent answers. Two queries."""
    recent: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    graded = Attempt.objects.filter(
        trainee__in=trainees,
        drill__rulebook__in=books,
        state=Attempt.State.GRADED,
        held=False,
        submitted_at__gte=timezone.now() - timedelta(days=DAYS),
    ).exclude(drill__mode=Drill.Mode.PLACEMENT)
    for pk, trainee, book in graded.order_by("-submitted_at").values_list("pk", "trainee", "drill__rulebook"):
        if len(recent[trainee, book]) < RECENT:
            recent[trainee, book].append(pk)
    weighed = _evidence({pk for listed in recent.values() for pk in listed})
    found: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for (trainee, book), listed in recent.items():
        if id := diagnosed([weighed[pk] for pk in listed if pk in weighed]):
            found[trainee].append((book, id))
    return dict(found)


def counted(trainees: Collection[int], books: Collection[str], language: str) -> list[tuple[int, WrongRule]]:
    """How many of these trainees hold each wrong rule, the most frequent first."""
    counts = Counter(one for held in held_by(trainees, books).values() for one in held)
    listed = [(count, misconception(*which), which[0]) for which, count in counts.most_common()]
    return [(count, told(book, one, language)) for count, one, book in listed if one]


def noticed(drill: Drill, attempt: Attempt, language: str) -> WrongRule | None:
    """The wrong rule that this answer and those before it show; None if this answer does not show it."""
    for book, id in held_by([drill.trainee_id], [drill.rulebook]).get(drill.trainee_id, []):
        own = _evidence({attempt.pk}).get(attempt.pk)
        one = misconception(book, id)
        if one and own and id in own.explained:
            return told(book, one, language)
    return None


def _evidence(attempts: Collection[int]) -> dict[int, Evidence]:
    """What each of these answers says. One query for those not remembered."""
    with _lock:
        found = {pk: _known[pk] for pk in attempts if pk in _known}
    missing = [pk for pk in attempts if pk not in found]
    for attempt in Attempt.objects.filter(pk__in=missing).select_related("drill") if missing else ():
        try:
            found[attempt.pk] = evidence(attempt.drill.scenario, answer_from(attempt.answer))
        except EngineError:
            continue  # a stored case that this release no longer reads
    with _lock:
        for pk in missing:
            if pk in found:
                _known[pk] = found[pk]
        while len(_known) > MOST_KEPT:
            _known.popitem(last=False)
    return found
