"""How exams use the library's exam bank: how many candidates have seen each scenario, and which cases are in use."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from exams import clock
from exams.programmes.rules import Line
from exams.records.models import Candidate, ExamItem, FormItem, Session, Sitting
from rules_engine.likeness import near
from training.library import guarded_cases
from training.library.guarded_cases import Watches
from training.library.hooks import Exposure, Guarded
from training.library.models import Item, Version
from training.people.models import User

# How many candidates may see a bank scenario, over all exams; after that too many people know it.
MOST_EXPOSED = 20


def sessions_in_use(now: datetime) -> QuerySet[Session]:
    """Sessions whose cases a candidate has or may still get.

    What one candidate reads, another may still be asked: candidates who begin at the same time share items, and a case
    may replace one that somebody has met in practice. A session is over when every candidate has finished, or when
    entry has closed and nobody is working.
    """
    working = Exists(Sitting.objects.filter(candidate__session=OuterRef("pk"), closed_at=None))
    to_come = Exists(Candidate.objects.filter(session=OuterRef("pk"), sitting=None))
    return Session.objects.filter(working | Q(to_come, entry_closes_at__gt=now), state=Session.State.READY)


class InUse:
    """The cases of all sessions in use, whole pools included: a candidate may still get any of them."""

    def cases(self, rulebooks: Collection[str] = ()) -> Iterator[Guarded]:
        """Yields the cases of the given rulebooks, or of all."""
        held = ExamItem.objects.filter(session__in=sessions_in_use(clock.now()))
        if rulebooks:
            held = held.filter(rulebook__in=rulebooks)
        for pk, session, item in held.values_list("pk", "session_id", "version__item_id"):
            yield Guarded(_about(pk), session=session, item=item)

    def documents(self, cases: Collection[Guarded]) -> Iterator[tuple[str, Any]]:
        ids = [UUID(one.about.partition(":")[2]) for one in cases]
        for pk, document in ExamItem.objects.filter(pk__in=ids).values_list("pk", "scenario_document"):
            yield _about(pk), document


IN_USE = InUse()


def guarded_sources() -> list[InUse]:
    return [IN_USE]


def _about(item_id: UUID) -> str:
    return f"exam_item:{item_id}"


def is_any_in_use() -> bool:
    return ExamItem.objects.filter(session__in=sessions_in_use(clock.now())).exists()


def still_in_use(item_ids: Iterable[UUID]) -> set[UUID]:
    """Returns those exam items that a session in use also has, or that are too similar to one it has.

    Runs at most three queries.
    """
    live = list(IN_USE.cases())
    if not live:
        return set()
    put = [drawn for drawn, _case in guarded_cases.sketches(IN_USE, live)]
    wanted = {_about(pk): pk for pk in item_ids}
    own = guarded_cases.sketches(IN_USE, [Guarded(about) for about in wanted])
    return {wanted[case.about] for drawn, case in own if any(near(drawn, other) for other in put)}


def exposure(item_ids: Collection[UUID]) -> dict[UUID, Exposure]:
    """How many candidates have seen each library item, in any version, and whether an exam uses it now."""
    placed = FormItem.objects.filter(item__version__item__in=item_ids).values_list("item__version__item")
    counts = dict(placed.annotate(count=Count("form__candidate__person", distinct=True)))
    held = ExamItem.objects.filter(version__item__in=item_ids, session__in=sessions_in_use(clock.now()))
    in_use = set(held.values_list("version__item_id", flat=True))
    return {pk: Exposure(counts.get(pk, 0), MOST_EXPOSED, pk in in_use) for pk in item_ids}


def model_exposure(models: Collection[str]) -> dict[str, int]:
    """How many candidates have had an item of each model, over all exams."""
    placed = FormItem.objects.filter(item__model__in=models).values_list("item__model")
    return dict(placed.annotate(count=Count("form__candidate__person", distinct=True)))


def same_model(item: ExamItem) -> QuerySet[ExamItem]:
    """The other items of the same model, which may have the same mistake."""
    return ExamItem.objects.filter(model=item.model).exclude(Q(pk=item.pk) | Q(model=""))


def is_reserved(item: ExamItem) -> bool:
    """Whether the bank or another exam still protects the facts of an item, so its ruling is not shown to
    candidates."""
    return guarded_cases.is_guarded(item.scenario)


def is_closed_to(reader: User, item: ExamItem, watches: Watches | None = None, *, judges: bool) -> bool:
    """Whether the ruling on an item of a finished exam is hidden from this member of staff, because another exam uses
    the case or the bank reserves it. Somebody who still has to judge (`judges`) sees what the bank reserves."""
    scenario = item.scenario
    closed = guarded_cases.closed_to(reader, scenario, (watches or Watches()).of(scenario))
    return any(case.session for case in closed) or (bool(closed) and not judges)


def reserved_for(line: Line) -> QuerySet[Version]:
    """The bank's versions for a blueprint line."""
    return Version.objects.filter(
        state=Version.State.PUBLISHED,
        reserved=True,
        rulebook=line.rulebook,
        topic=line.topic,
        difficulty=line.difficulty,
    )


def still_available(versions: Collection[Version], placements: Collection[ExamItem]) -> bool:
    """Whether the bank still holds the versions drawn from it, none is used by another exam, and each may be shown to
    this many more candidates.

    Call it in the transaction that stores the forms: it locks the items, as the library does, so that meanwhile nothing
    is released for practice and no other session takes them.
    """
    ids = sorted({version.item_id for version in versions})
    list(Item.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
    kept = Version.objects.filter(pk__in=[version.pk for version in versions], reserved=True)
    if kept.filter(state=Version.State.PUBLISHED).count() != len(ids):
        return False
    added = [item.version.item_id for item in placements if item.version]
    shown = exposure(ids)
    return not any(found.in_use or found.candidates + added.count(pk) > found.most for pk, found in shown.items())
