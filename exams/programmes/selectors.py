"""Queries for programmes."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from exams.programmes.models import Examiner, Programme, ProgrammeVersion
from training.classes.selectors import found_people
from training.people.models import Role, User
from training.platform.folded_text import alphabetical, sort_key

State = ProgrammeVersion.State


@dataclass(frozen=True)
class History:
    """A programme with all its versions, newest first."""

    programme: Programme
    versions: list[ProgrammeVersion]

    @property
    def in_force(self) -> ProgrammeVersion | None:
        return self._first(State.PUBLISHED)

    @property
    def draft(self) -> ProgrammeVersion | None:
        return self._first(State.DRAFT)

    @property
    def latest(self) -> ProgrammeVersion:
        """The version that names the programme: the one in force, or the newest."""
        return self.in_force or self.versions[0]

    def _first(self, state: str) -> ProgrammeVersion | None:
        return next((version for version in self.versions if version.state == state), None)


def programmes(*, with_drafts: bool) -> list[History]:
    """All programmes by code, in two queries. Without drafts, only those in force."""
    found = Programme.objects.prefetch_related(Prefetch("versions", _versions(with_drafts=with_drafts)))
    histories = [_history(programme) for programme in found.order_by("code")]
    return [history for history in histories if history.versions]


def names(language: str) -> dict[UUID, str]:
    """The name of every programme by id, sorted by name."""
    found = {each.programme.pk: each.latest.name(language) for each in programmes(with_drafts=True)}
    return dict(sorted(found.items(), key=lambda pair: sort_key(pair[1])))


def programme(programme_id: UUID, *, with_drafts: bool) -> History:
    """One programme. Raises Programme.DoesNotExist if no version of it may be seen."""
    versions = Prefetch("versions", _versions(with_drafts=with_drafts))
    found = _history(Programme.objects.prefetch_related(versions).get(pk=programme_id))
    if not found.versions:
        raise Programme.DoesNotExist
    return found


def _versions(*, with_drafts: bool) -> QuerySet[ProgrammeVersion]:
    found = ProgrammeVersion.objects.select_related("author", "published_by", "programme").order_by("-number")
    return found if with_drafts else found.filter(state=State.PUBLISHED)


def _history(programme: Programme) -> History:
    return History(programme, list(programme.versions.all()))


def in_force() -> list[ProgrammeVersion]:
    """The versions in force, by the programme's code."""
    held = ProgrammeVersion.objects.filter(state=State.PUBLISHED).select_related("programme")
    return list(held.order_by("programme__code"))


def examiners(programme: Programme) -> list[Examiner]:
    return list(
        programme.examiners.select_related("person", "appointed_by").order_by(alphabetical("person__name"), "pk")
    )


def found_examiners(words: str, programme: Programme) -> list[User]:
    """Instructors found by name or email who are not appointed yet."""
    appointed = set(programme.examiners.values_list("person", flat=True))
    return [person for person in found_people(words, Role.INSTRUCTOR) if person.pk not in appointed]


def examining(rulebook: str, topics: Collection[str], language: str) -> list[str]:
    """The names of the programmes in force whose blueprint has one of these topics."""
    return [
        version.name(language)
        for version in in_force()
        if any(slot.line.rulebook == rulebook and slot.line.topic in topics for slot in version.rules.slots)
    ]
