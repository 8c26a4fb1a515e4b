"""Published lists with one bit per certificate (Bitstring Status List), each a signed credential itself.

A credential names two: “revocation”, whose bit is set for good once the certificate is withdrawn, replaced, or reduced
in scope after the credential was signed; and “suspension”, whose bit is set while it is suspended. The first depends on
how often the scope had been reduced by then (the generation). Credentials signed before November 2026 name one list,
`standing-…`, which covers both and is still published.
"""

import re
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet

from exams import clock
from exams.certificates import keys
from exams.certificates.issuance import STATUS_LIST_BITS
from exams.certificates.lifecycle import Kind, State
from exams.certificates.models import Act, Certificate
from exams.certificates.signature import pack_bits, sign

CREDENTIALS = "https://www.w3.org/ns/credentials/v2"
ENDED = (State.WITHDRAWN, State.REPLACED)
GENERATION = re.compile(r"(revocation|standing)-(0|[1-9]\d{0,3})")
SUSPENSION = "suspension"
GOOD_FOR = timedelta(days=1)
CACHED_FOR = 3600  # seconds; every act makes a new list at once


def names_of(certificate: Certificate) -> dict[str, str]:
    """The lists that contain a credential signed now, by purpose."""
    generation = certificate.acts.filter(kind=Kind.REDUCE).count()
    return {"revocation": f"revocation-{generation}", SUSPENSION: SUSPENSION}


def purpose_of(name: str) -> str:
    return "revocation" if name.startswith("revocation-") else SUSPENSION


def address(name: str, list_no: int) -> str:
    return f"{settings.PUBLIC_URL}/certificates/status/{name}/{list_no}"


def signed_list(name: str, list_no: int) -> str | None:
    """The signed list, up to date with the last act. None if there is no such list."""
    if not _exists(name, list_no):
        return None
    kid, key = keys.key_in_use()
    last = Act.objects.aggregate(last=Max("pk"))["last"]
    stored = f"status-list:{name}:{list_no}:{last}:{kid}:{clock.today()}"
    signed: str | None = cache.get(stored)
    if signed is None:
        signed = sign(_payload(name, list_no), key, kid)
        cache.set(stored, signed, CACHED_FOR)
    return signed


def _exists(name: str, list_no: int) -> bool:
    """The first list of each kind always exists, others once they have entries."""
    generation = GENERATION.fullmatch(name)
    if name != SUSPENSION and not generation:
        return False
    if generation and int(generation[2]) and not _reduced(int(generation[2]) - 1).exists():
        return False
    return list_no == 0 or Certificate.objects.filter(status_index__gte=list_no * STATUS_LIST_BITS).exists()


def _set_in(name: str) -> QuerySet[Certificate]:
    if name == SUSPENSION:
        return Certificate.objects.filter(state=State.SUSPENDED)
    kind, _dash, generation = name.partition("-")
    states = ENDED if kind == "revocation" else (State.SUSPENDED, *ENDED)
    return Certificate.objects.filter(Q(state__in=states) | Q(pk__in=_reduced(int(generation)).values("pk")))


def _reduced(more_than: int) -> QuerySet[Certificate]:
    """Certificates whose scope was reduced more often than this."""
    reductions = Count("acts", filter=Q(acts__kind=Kind.REDUCE))
    return Certificate.objects.annotate(reductions=reductions).filter(reductions__gt=more_than)


def _payload(name: str, list_no: int) -> dict[str, Any]:
    where, now = address(name, list_no), clock.now().replace(microsecond=0)
    ends = now + GOOD_FOR
    first = list_no * STATUS_LIST_BITS
    ones = _set_in(name).filter(status_index__gte=first, status_index__lt=first + STATUS_LIST_BITS)
    return {
        "iss": settings.PUBLIC_URL,
        "jti": where,
        "sub": f"{where}#list",
        "iat": int(now.timestamp()),
        "nbf": int(now.timestamp()),
        "exp": int(ends.timestamp()),
        "@context": [CREDENTIALS],
        "id": where,
        "type": ["VerifiableCredential", "BitstringStatusListCredential"],
        "issuer": settings.PUBLIC_URL,
        "validFrom": now.isoformat(),
        "validUntil": ends.isoformat(),
        "credentialSubject": {
            "id": f"{where}#list",
            "type": "BitstringStatusList",
            "statusPurpose": purpose_of(name),
            "encodedList": pack_bits(
                STATUS_LIST_BITS, [index - first for index in ones.values_list("status_index", flat=True)]
            ),
        },
    }
