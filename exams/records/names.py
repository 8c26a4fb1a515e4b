"""The name that a certificate prints: the one at entry for the session, unless two people have changed it since.

Also who had a hand in a name, so that somebody else compares it with an identity document.
"""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from exams.records.models import Candidate, NameCorrection
from training.people.models import AccountAct, User
from training.people.vouching import CONTROL


def printed(candidate: Candidate) -> str:
    return _printed(candidate, changes_of([candidate])[candidate.pk])


def _printed(candidate: Candidate, changes: list[NameCorrection]) -> str:
    accepted = [change.name for change in changes if change.accepted]
    return accepted[-1] if accepted else candidate.name


def changes_of(candidates: Collection[Candidate]) -> dict[UUID, list[NameCorrection]]:
    """For each candidate, the name changes that two people made since entry, oldest first, then the one that waits for
    a second person. One query for all of them.
    """
    asked = NameCorrection.objects.filter(holder__in=[candidate.person_id for candidate in candidates])
    asked = asked.filter(Q(accepted=True) | Q(decided_at=None)).select_related("asked_by", "decided_by")
    found: dict[int, list[NameCorrection]] = {}
    for change in sorted(asked, key=_order):
        found.setdefault(change.holder_id, []).append(change)
    return {each.pk: [one for one in found.get(each.person_id, ()) if _since(one, each)] for each in candidates}


def printed_of(candidates: Collection[Candidate]) -> dict[UUID, str]:
    """The printed names of many, in one query."""
    changes = changes_of(candidates)
    return {candidate.pk: _printed(candidate, changes[candidate.pk]) for candidate in candidates}


def _order(change: NameCorrection) -> tuple[bool, datetime, int]:
    return change.decided_at is None, change.decided_at or change.asked_at, change.pk


def _since(change: NameCorrection, candidate: Candidate) -> bool:
    return change.decided_at is None or change.decided_at >= candidate.entered_at


def covers(candidate: Candidate, *, compared: str, at: datetime) -> bool:
    """Whether the name an invigilator compared with a document is the one to print, or two people changed it since."""
    changes = changes_of([candidate])[candidate.pk]
    later = any(change.decided_at and change.decided_at >= at for change in changes)
    return later or compared == _printed(candidate, changes)


def hands_on(person: User) -> list[tuple[User, datetime]]:
    """Everybody who entered this person's account, took control of it, or asked for or decided a change of its name,
    each with the time."""
    touched = AccountAct.objects.filter(account=person, kind__in=[AccountAct.Kind.ENTERED, *CONTROL], by__isnull=False)
    changes = NameCorrection.objects.filter(holder=person).select_related("asked_by", "decided_by").order_by("pk")
    found: list[tuple[User | None, datetime | None]] = [(act.by, act.at) for act in touched.select_related("by")]
    for change in changes:
        found += [(change.asked_by, change.asked_at), (change.decided_by, change.decided_at)]
    return [(by, at) for by, at in found if by is not None and at is not None]
