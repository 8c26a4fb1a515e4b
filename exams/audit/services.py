"""Writing to the audit log in the act's own transaction, and verifying that nothing in it was changed."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Subquery
from django.db.models.functions import Coalesce

from exams import clock
from exams.audit import hooks
from exams.audit.models import Entry, Head
from training.people.models import User

GENESIS = "0" * 64
HEAD = 1


@dataclass(frozen=True)
class LoggedAct:
    """One of several acts logged together."""

    act: str
    subject: str
    details: Mapping[str, Any]


def record(actor: User | None, act: str, subject: str, **details: Any) -> Entry:
    """Log an act. Call it last in the act's transaction, because it locks the end of the chain until commit.

    Details are plain data (ids, numbers, words), never an answer, a seed or a secret.
    """
    [entry] = record_several(actor, [LoggedAct(act, subject, details)])
    return entry


@transaction.atomic
def record_several(actor: User | None, acts: Sequence[LoggedAct]) -> list[Entry]:
    """Log several acts of one person in order, with as many queries as for one."""
    if not acts:
        return []
    head = _locked_head()
    entries = []
    for one in acts:
        entry = Entry(
            number=head.number + 1,
            at=clock.now(),
            actor=actor,
            act=one.act,
            subject=one.subject,
            # Round-trip through JSON, so that the seal covers exactly what will be read back.
            details=msgspec.json.decode(msgspec.json.encode(one.details, enc_hook=str)),
            previous=head.digest,
        )
        entry.digest = digest(entry)
        head.number, head.digest = entry.number, entry.digest
        entries.append(entry)
    Entry.objects.bulk_create(entries)
    head.save(update_fields=["number", "digest"])
    return entries


def _locked_head() -> Head:
    Head.objects.get_or_create(pk=HEAD, defaults={"digest": GENESIS})
    return Head.objects.select_for_update(no_key=True).get(pk=HEAD)


def digest(entry: Entry) -> str:
    """The seal of an entry: a hash of its content and the previous seal."""
    body = {
        "number": entry.number,
        "at": _moment(entry.at),
        "actor": entry.actor_id,
        "act": entry.act,
        "subject": entry.subject,
        "details": entry.details,
        "previous": entry.previous,
    }
    return hashlib.sha256(msgspec.json.encode(body, order="deterministic")).hexdigest()


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


@dataclass(frozen=True)
class Broken:
    """A place where the chain is broken, and why."""

    number: int
    why: str


def verify(after: int = 0, most: int | None = None) -> Iterator[Broken]:
    """Yields every place where the chain is broken. Entries may be added meanwhile.

    With `after` and `most`, verifies only so many entries from there on, and the end of the log if they reach it.
    """
    head = Head.objects.filter(pk=HEAD).first() or Head(number=0, digest=GENESIS)
    number, previous = after, GENESIS
    if after:
        before = Entry.objects.filter(number=after).values_list("digest", flat=True).first()
        if before is None:
            yield Broken(after, "it is missing")
        previous = before or GENESIS
    last = head.number if most is None else min(head.number, after + most)
    part = Entry.objects.filter(number__gt=after, number__lte=last).order_by("number")
    for entry in part.iterator(chunk_size=2000):
        number += 1
        if entry.number != number:
            yield Broken(number, f"entries {number} to {entry.number - 1} are missing")
            number = entry.number
        if entry.previous != previous:
            yield Broken(number, "it does not follow the entry before it")
        if entry.digest != digest(entry):
            yield Broken(number, "its content was changed")
        previous = entry.digest
    yield from (Broken(*found) for found in hooks.sealed_elsewhere(after, last))
    if last < head.number:
        if number != last:
            yield Broken(number + 1, f"entries {number + 1} to {last} are missing")
        return
    if number != head.number:
        yield Broken(number + 1, f"the log ends at {number}, but {head.number} entries were written")
    elif previous != head.digest:
        yield Broken(number, "it is not the last entry that was written")
    # A single statement sees one point in time, so no regular entry is beyond the end.
    end = Coalesce(Subquery(Head.objects.filter(pk=HEAD).values("number")), 0)
    for beyond in Entry.objects.filter(number__gt=end).order_by("number").values_list("number", flat=True):
        yield Broken(beyond, "it was added after the last entry of the log")


def verify_seal(number: int, seal: str) -> Iterator[Broken]:
    """Yields a problem if an entry does not have the seal noted elsewhere. Only this detects a log rewritten as a
    whole."""
    entry = Entry.objects.filter(number=number).first()
    if entry is None:
        yield Broken(number, "it is missing")
    elif entry.digest != seal:
        yield Broken(number, "its seal is not the one that was noted")
