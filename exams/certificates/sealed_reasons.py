"""The reasons of acts on certificates, sealed in the audit log.

The text stays with the act, where HR and the holder read it; the log has its digest, which shows whether somebody
changed it in the database.
"""

import hashlib
from collections.abc import Iterator
from itertools import islice
from typing import Any
from uuid import UUID

from exams.audit.models import Entry
from exams.certificates.models import Act

SEAL = "reason_sha256"
BATCH = 1000


def seal_of(certificate: UUID, step: int, reason: str) -> str:
    return hashlib.sha256(f"{certificate}:{step}:{reason}".encode()).hexdigest()


def broken(after: int, last: int) -> Iterator[tuple[int, str]]:
    """Entries whose act is missing or has another reason than the one sealed."""
    logged = Entry.objects.filter(act__startswith="certificate.", number__gt=after, number__lte=last)
    rows = logged.filter(details__has_key=SEAL).order_by("number").values_list("number", "subject", "details")
    found = rows.iterator(chunk_size=BATCH)
    while batch := list(islice(found, BATCH)):
        yield from _broken(batch)


def _broken(rows: list[tuple[int, str, dict[str, Any]]]) -> Iterator[tuple[int, str]]:
    certificates = {UUID(subject.partition(":")[2]) for _number, subject, _details in rows}
    acts = Act.objects.filter(certificate__in=certificates).values_list("certificate_id", "number", "reason")
    reasons = {(certificate, step): reason for certificate, step, reason in acts}
    for number, subject, details in rows:
        certificate, step = UUID(subject.partition(":")[2]), details["step"]
        reason = reasons.get((certificate, step))
        if reason is None:
            yield number, "the act that it records is missing"
        elif seal_of(certificate, step, reason) != details[SEAL]:
            yield number, "the reason for the act was changed"
