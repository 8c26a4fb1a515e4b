"""The exam bank: published scenarios that nobody practises, kept for exams.

Whether a scenario enters it is decided when it is published. It leaves it for practice once and for good: what anybody
may have practised is never put in the bank again.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext_lazy as _

import rules_engine
from training.library.models import Act, Version
from training.refusal import Refused


@dataclass(frozen=True)
class Exposure:
    """How many candidates have got a scenario, at how many it is put in no more exams, and whether one holds it now."""

    candidates: int = 0
    most: int = 0
    in_use: bool = False

    @property
    def spent(self) -> bool:
        return self.candidates >= self.most


Count = Callable[[Collection[UUID]], Mapping[UUID, Exposure]]
# Exams stand on the library and are not known here: they say at the start that they are to be asked.
_counts: list[Count] = []


def ask_for_exposure(count: Count) -> None:
    """Let somebody say how often items were put in exams, by their ids. For `AppConfig.ready`."""
    if count not in _counts:
        _counts.append(count)


def exposure(item_id: UUID) -> Exposure:
    return next((count([item_id])[item_id] for count in _counts), Exposure())


def verify_enters(version: Version) -> None:
    """Whether a version in review may be published for exams alone: nobody can have met it in practice."""
    if version.source == Version.Source.MISTAKE:
        raise Refused(_("A trainee has met these facts in practice, so they cannot be reserved for exams."))
    if Version.objects.filter(item=version.item_id, drills__isnull=False).exists():
        raise Refused(_("This scenario was practised, so it cannot be reserved for exams."))
    if Act.objects.filter(version__item=version.item_id, kind=Act.Kind.RELEASED).exists():
        raise Refused(_("This scenario was given to practice for good, so it cannot be reserved for exams."))
    if _in_practice(version):
        raise Refused(_("Practice has a scenario with the same facts, so it cannot be reserved for exams."))


def _in_practice(version: Version) -> bool:
    """Whether another item with the same facts is or was published for practice."""
    same_kind = Version.objects.filter(
        rulebook=version.rulebook, topic=version.topic, reserved=False, published_at__isnull=False
    ).exclude(item=version.item_id)
    facts = _facts(version.scenario_document)
    return any(_facts(stored) == facts for stored in same_kind.values_list("scenario_document", flat=True).iterator())


def _facts(stored: object) -> object:
    return rules_engine.present_format("scenario", stored)["situation"]


def verify_leaves(version: Version) -> None:
    """Whether a version may be in practice: no exam in use may hold its item."""
    if exposure(version.item_id).in_use:
        raise Refused(_("An exam that is not over holds this scenario. It can be given to practice after that."))
