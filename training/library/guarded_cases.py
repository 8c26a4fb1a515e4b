"""Which facts are guarded: those of a case that an exam uses now, or that the exam bank keeps for one.

Code that is about to show a ruling, an answer or a comparison asks here first, for any reader. Facts count as
the same if they differ only in what hardly matters (`rules_engine.likeness`), under any rulebook of the game.

A case that somebody sits or may still sit is closed to all. A case that only the bank keeps stays open to those who
know its ruling already: those who wrote or reviewed it, or may review it now. It is closed to everybody else.
"""

from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

import rules_engine
from rules_engine import Ruling, Scenario, Situation
from rules_engine.errors import EngineError
from rules_engine.likeness import Sketch, near, sketch
from training.library import authors, guarded_requests, hooks
from training.library.hooks import Guarded, Source
from training.library.models import Act, Version
from training.library.moments import moments
from training.people.models import User
from training.platform.engine_json import as_stored
from training.platform.errors import Refused, passes

State = Version.State
MOST_SKETCHES = 20_000


class TooClose(Refused):
    """The facts are those of a guarded case, or nearly."""

    code = "kept_for_exams"

    def __init__(self) -> None:
        super().__init__(
            _(
                "These facts are too close to a case that an exam is using or that is kept for one. "
                "Their ruling is not shown. The exam office sees that it was asked for."
            )
        )


# Each case is sketched once in each process. None: the engine no longer reads its facts.
_sketches: dict[tuple[str, str], Sketch | None] = {}


class Watch:
    """What is guarded in one game at this moment: read once, then asked about any number of facts."""

    def __init__(self, rulebook: str) -> None:
        books = same_game(rulebook)
        self._drawn: list[tuple[Sketch, Guarded]] = []
        self._known: dict[int, set[UUID]] = {}
        for source in (Bank(), *hooks.guarded_sources()):
            self._drawn += sketches(source, list(source.cases(books)))

    def near(self, scenario: Scenario) -> list[Guarded]:
        """The guarded cases that these facts match or nearly match; those of an exam in use come first."""
        return self.near_facts(scenario.rulebook, scenario.situation)

    def near_facts(self, rulebook: str, situation: Situation) -> list[Guarded]:
        if not self._drawn:
            return []
        sent = sketch(rulebook, as_stored(situation))
        found = [case for drawn, case in self._drawn if near(sent, drawn)]
        return sorted(found, key=lambda case: case.session is None)

    def known_to(self, reader: User) -> set[UUID]:
        """The guarded scenarios whose ruling a person knows; looked up once."""
        if reader.pk not in self._known:
            items = {case.item for _drawn, case in self._drawn if case.item}
            self._known[reader.pk] = known_to(reader, items)
        return self._known[reader.pk]


def sketches(source: Source, cases: list[Guarded]) -> list[tuple[Sketch, Guarded]]:
    """Each case with its sketch. Leaves out cases whose facts the engine no longer reads: it cannot rule on them."""
    unknown = [case for case in cases if (case.about, case.stamp) not in _sketches]
    if len(_sketches) + len(unknown) > MOST_SKETCHES:
        _sketches.clear()
        unknown = cases
    stored = dict(source.documents(unknown)) if unknown else {}
    for case in unknown:
        _sketches[case.about, case.stamp] = _sketched(stored[case.about]) if case.about in stored else None
    return [(drawn, case) for case in cases if (drawn := _sketches.get((case.about, case.stamp)))]


def _sketched(document: Any) -> Sketch | None:
    try:
        read = rules_engine.present_format("scenario", document)
        return sketch(read["rulebook"], read["situation"])
    except EngineError:
        return None


def same_game(rulebook: str) -> list[str]:
    """All rulebooks of a rulebook's game. Feedback shows how the others rule on the same facts, so somebody who
    meets them under one has met them under all."""
    return [book.id for book in rules_engine.rulebook(rulebook).game.books]


# ---- the bank


def of_the_bank() -> QuerySet[Version]:
    """Versions that are or were reserved for exams, of scenarios that were never given to practice."""
    practised = Version.objects.filter(item=OuterRef("item"), reserved=False, published_at__isnull=False)
    return Version.objects.filter(~Exists(practised), reserved=True)


class Bank:
    """What the library keeps for exams: reserved versions in any state, and new drafts of them."""

    def cases(self, rulebooks: Collection[str]) -> Iterator[Guarded]:
        kept = of_the_bank().filter(rulebook__in=rulebooks)
        written = Version.objects.filter(
            state__in=[State.DRAFT, State.IN_REVIEW], item__in=kept.values("item"), rulebook__in=rulebooks
        )
        rows = kept.union(written).values_list("pk", "changed_at", "item_id")
        for pk, changed_at, item in rows:
            yield Guarded(f"version:{pk}", changed_at.isoformat(), item=item)

    def documents(self, cases: Collection[Guarded]) -> Iterator[tuple[str, Any]]:
        ids = [int(one.about.partition(":")[2]) for one in cases]
        for pk, document in Version.objects.filter(pk__in=ids).values_list("pk", "scenario_document"):
            yield f"version:{pk}", document


# ---- asking


def is_guarded(scenario: Scenario) -> bool:
    """Whether nobody may practise these facts now."""
    return bool(Watch(scenario.rulebook).near(scenario))


def closed_to(reader: User | None, scenario: Scenario, watch: Watch | None = None) -> list[Guarded]:
    """The guarded cases that keep this person from the ruling on these facts; empty if they may see it. Without a
    reader, nobody's knowledge counts."""
    watch = watch or Watch(scenario.rulebook)
    found = watch.near(scenario)
    if not found or found[0].session or reader is None:
        return found
    return [case for case in found if case.item not in watch.known_to(reader)]


def verify_open(reader: User, *scenarios: Scenario) -> None:
    """Raise TooClose if this person may not see the ruling on one of these, and note that they asked."""
    watches = Watches()
    for scenario in scenarios:
        if found := closed_to(reader, scenario, watches.of(scenario)):
            guarded_requests.note(found[0], scenario)
            raise TooClose


def ruling_for(reader: User, scenario: Scenario, ruled: Ruling | None = None, *, noted: bool = True) -> Ruling | None:
    """The ruling on these facts: `ruled`, or else the engine's. None if this person may not see it; then it is noted
    that they asked, unless `noted` is False because they did nothing to ask."""
    if found := closed_to(reader, scenario):
        if noted:
            guarded_requests.note(found[0], scenario)
        return None
    return ruled or scenario.solve()


def kept_back() -> str:
    """What a page says in place of a ruling that it may not show."""
    return str(TooClose())


def known_to(reader: User, items: Collection[UUID]) -> set[UUID]:
    """Those of these scenarios whose ruling a person knows: they wrote what was published, reviewed it, or may review
    it now. Starting a new draft of somebody else's scenario does not count, since anybody can do that."""
    wrote = Q(author=reader) | Q(published_by=reader) | Q(co_authorships__person=reader) | Q(origins__person=reader)
    mine = Version.objects.filter(wrote, item__in=items, published_at__isnull=False)
    judged = Act.objects.filter(version__item__in=items, actor=reader, kind__in=[Act.Kind.RETURNED, Act.Kind.PUBLISHED])
    known = {*mine.values_list("item_id", flat=True), *judged.values_list("version__item_id", flat=True)}
    in_review = Version.objects.filter(item__in=set(items) - known, state=State.IN_REVIEW)
    return known | {version.item_id for version in in_review if passes(authors.verify_reviews, version, reader)}


def _closed_unread(version: Version, reader: User | None) -> bool:
    """`Watches.close` for what the engine no longer reads: there is a stored ruling, and an exam may still use it."""
    if not version.reserved:
        return False
    cases = (case for source in hooks.guarded_sources() for case in source.cases(same_game(version.rulebook)))
    if reader is None or any(case.item == version.item_id for case in cases):
        return True
    return version.item_id not in known_to(reader, {version.item_id})


class Watches:
    """One watch for each game, to check many facts. Does not record who asked."""

    def __init__(self) -> None:
        self._of: dict[str, Watch] = {}

    def of(self, scenario: Scenario) -> Watch:
        game = scenario.book.game.id
        return self._of.get(game) or self._of.setdefault(game, Watch(scenario.rulebook))

    def close(self, version: Version, reader: User | None) -> bool:
        """Whether a person may not see the ruling on some moment of a version. A version that the engine no longer
        reads has no ruling to show."""
        try:
            told = [moment.scenario for moment in moments(version)]
        except EngineError:
            return _closed_unread(version, reader)
        return any(closed_to(reader, scenario, self.of(scenario)) for scenario in told)
