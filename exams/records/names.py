"""The name that a certificate prints: the name at entry, unless two people have changed it since.

Also lists who handled a name, so that somebody else compares it with an identity document.
"""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from exams.records.models import Candidate, NameCorrection
from training.people.models import AccountAct, User
from training.people.vouching import CONTROL


def printed(candidate: Candidate) -> str:
    """The name that a certificate for this candidate prints."""
    return printed_of([candidate])[candidate.pk]


def _printed(candidate: Candidate, changes: list[NameCorrection]) -> str:
    accepted = [change.name for change in changes if change.accepted]
    return accepted[-1] if accepted else candidate.name


def changes_of(candidates: Collection[Candidate]) -> dict[UUID, list[NameCorrection]]:
    """Maps each candidate to their name changes: those accepted since entry, oldest first, then any pending one. Runs a
    single query."""
    asked = NameCorrection.objects.filter(holder__in=[candidate.person_id for candidate in candidates])
    asked = asked.filter(Q(accepted=True) | Q(decided_at=None)).select_related("asked_by", "decided_by")
    found: dict[int, list[NameCorrection]] = {}
    for change in sorted(asked, key=_change_order):
        found.setdefault(change.holder_id, []).append(change)
    return {each.pk: [one for one in found.get(each.person_id, ()) if _applies_to(one, each)] for each in candidates}


def printed_of(candidates: Collection[Candidate]) -> dict[UUID, str]:
    """Maps each candidate to the printed name, with a single query."""
    changes = changes_of(candidates)
    return {candidate.pk: _printed(candidate, changes[candidate.pk]) for candidate in candidates}


def _change_order(change: NameCorrection) -> tuple[bool, datetime, int]:
    return change.decided_at is None, change.decided_at or change.asked_at, change.pk


def _applies_to(change: NameCorrection, candidate: Candidate) -> bool:
    return change.decided_at is None or change.decided_at >= candidate.entered_at


def covers(candidate: Candidate, *, compared: str, at: datetime) -> bool:
    """Whether the name an invigilator compared with a document is still valid: either it is the name to print, or two
    people changed it after the comparison."""
    changes = changes_of([candidate])[candidate.pk]
    later = any(change.decided_at and change.decided_at >= at for change in changes)
    return later or compared == _printed(candidate, changes)


def hands_on(person: User) -> list[tuple[User, datetime]]:
    """Everybody who created this account, took control of it, or requested or decided a change of its name, with the
    time of each act."""
    touched = AccountAct.objects.filter(account=person, kind__in=[AccountAct.Kind.ENTERED, *CONTROL], by__isnull=False)
    changes = NameCorrection.objects.filter(holder=person).select_related("asked_by", "decided_by").order_by("pk")
    found: list[tuple[User | None, datetime | None]] = [(act.by, act.at) for act in touched.select_related("by")]
    for change in changes:
        found += [(change.asked_by, change.asked_at), (change.decided_by, change.decided_at)]
    return [(by, at) for by, at in found if by is not None and at is not None]
