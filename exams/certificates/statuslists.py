"""Published lists with one bit for each certificate (Bitstring Status List), each a signed credential itself.

A list has a name: what it is for or, where that depends on when the credential was signed, purpose and generation.
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
# The states whose certificates have their bit set.
BY_STATE: dict[str, tuple[State, ...]] = {
    "revocation": (State.WITHDRAWN, State.REPLACED),
    "suspension": (State.SUSPENDED,),
}
# Once the scope is reduced, a credential signed before says too much. It names the list of its generation (how often
# the scope was reduced until then), in which its bit is set when there is another reduction.
REFRESH = re.compile(r"refresh-(0|[1-9]\d{0,3})")
GOOD_FOR = timedelta(days=1)
CACHED_FOR = 3600  # seconds; another act makes another list at once


def names_of(certificate: Certificate) -> list[str]:
    """The lists in which a credential signed now has a place."""
    return [*BY_STATE, f"refresh-{certificate.acts.filter(kind=Kind.REDUCE).count()}"]


def address(name: str, list_no: int) -> str:
    return f"{settings.PUBLIC_URL}/certificates/status/{name}/{list_no}"


def purpose(name: str) -> str:
    return name.partition("-")[0]


def signed_list(name: str, list_no: int) -> str | None:
    """As fresh as the last act: it is made anew whenever a certificate has moved. None where there is no such list."""
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
    """The first list of each kind is there from the beginning, others once they are begun."""
    refresh = REFRESH.fullmatch(name)
    if name not in BY_STATE and not refresh:
        return False
    if refresh and int(refresh[1]) and not _reduced(int(refresh[1]) - 1).exists():
        return False
    return list_no == 0 or Certificate.objects.filter(status_index__gte=list_no * STATUS_LIST_BITS).exists()


def _set_in(name: str) -> QuerySet[Certificate]:
    refresh = REFRESH.fullmatch(name)
    return _reduced(int(refresh[1])) if refresh else Certificate.objects.filter(state__in=BY_STATE[name])


def _reduced(more_than: int) -> QuerySet[Certificate]:
    """Certificates whose scope was reduced more often than so many times."""
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
            "statusPurpose": purpose(name),
            "encodedList": pack_bits(
                STATUS_LIST_BITS, [index - first for index in ones.values_list("status_index", flat=True)]
            ),
        },
    }
