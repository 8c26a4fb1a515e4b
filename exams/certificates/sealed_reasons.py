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
    about = [(number, _certificate(subject), details.get("step"), details) for number, subject, details in rows]
    acts = Act.objects.filter(certificate__in={key for _number, key, _step, _details in about if key})
    found = acts.values_list("certificate_id", "number", "reason")
    reasons = {(certificate, step): reason for certificate, step, reason in found}
    for number, certificate, step, details in about:
        # An entry that somebody changed may name anything; its own seal is checked elsewhere.
        if certificate is None or not isinstance(step, int) or (certificate, step) not in reasons:
            yield number, "the act that it records is missing"
        elif seal_of(certificate, step, reasons[certificate, step]) != details[SEAL]:
            yield number, "the reason for the act was changed"


def _certificate(subject: str) -> UUID | None:
    """The certificate that an entry is about; None if it names none."""
    try:
        return UUID(subject.partition(":")[2])
    except ValueError:
        return None
