"""The certificate as an Open Badges 3.0 credential, signed as VC-JWT."""

import uuid
from datetime import date, datetime, time
from typing import Any

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from exams import clock
from exams.certificates import keys, statuslists
from exams.certificates.issuance import STATUS_LIST_BITS
from exams.certificates.models import Certificate
from exams.certificates.signature import sign
from rules_engine.narration import book_name

CONTEXT = [
    statuslists.CREDENTIALS,
    "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json",
]


def credential(certificate: Certificate) -> str:
    """The signed credential, good for as long as the certificate."""
    kid, key = keys.key_in_use()
    return sign(payload(certificate), key, kid)


def payload(certificate: Certificate) -> dict[str, Any]:
    """What the credential says: no more about the holder than the certificate itself."""
    begins, ends = _moment(certificate.valid_from, time.min), _moment(certificate.valid_until, time(23, 59, 59))
    subject = f"urn:uuid:{uuid.uuid5(certificate.pk, 'holder')}"
    identifier = f"urn:uuid:{certificate.pk}"
    return {
        "iss": settings.PUBLIC_URL,
        "jti": identifier,
        "sub": subject,
        "iat": int(clock.now().timestamp()),
        "nbf": int(begins.timestamp()),
        "exp": int(ends.timestamp()),
        "@context": CONTEXT,
        "id": identifier,
        "type": ["VerifiableCredential", "OpenBadgeCredential"],
        "name": certificate.programme_version.name(certificate.language),
        "issuer": _issuer(),
        "validFrom": begins.isoformat(),
        "validUntil": ends.isoformat(),
        "credentialSubject": {
            "id": subject,
            "type": ["AchievementSubject"],
            "identifier": [
                {
                    "type": "IdentityObject",
                    "hashed": False,
                    "identityHash": certificate.holder_name,
                    "identityType": "name",
                }
            ],
            "achievement": _achievement(certificate),
        },
        "credentialStatus": [_status_entry(certificate, name) for name in statuslists.names_of(certificate)],
    }


def _issuer() -> dict[str, Any]:
    return {
        "id": settings.PUBLIC_URL,
        "type": ["Profile"],
        "name": settings.ISSUER_NAME,
        "url": settings.PUBLIC_URL,
    }


def _achievement(certificate: Certificate) -> dict[str, Any]:
    version, language = certificate.programme_version, certificate.language
    rules = version.rules
    books = [book_name(book, language) for book in certificate.scope]
    with translation.override(language):
        narrative = _("An exam of %(items)d questions in %(minutes)d minutes, passed with at least %(mark)d %%.") % {
            "items": rules.items,
            "minutes": rules.minutes,
            "mark": rules.pass_mark,
        }
        description = _("Entitles to deal: %(books)s") % {"books": "; ".join(books)}
    return {
        "id": f"urn:uuid:{uuid.uuid5(version.programme_id, str(version.number))}",
        "type": ["Achievement"],
        "achievementType": "Certification",
        "humanCode": certificate.number,
        "inLanguage": language,
        "name": version.name(language),
        "description": description,
        "criteria": {"narrative": narrative},
        "tag": list(certificate.scope),
    }


def _status_entry(certificate: Certificate, name: str) -> dict[str, str]:
    list_no, index = divmod(certificate.status_index, STATUS_LIST_BITS)
    address = statuslists.address(name, list_no)
    return {
        "id": f"{address}#{index}",
        "type": "BitstringStatusListEntry",
        "statusPurpose": statuslists.purpose(name),
        "statusListIndex": str(index),
        "statusListCredential": address,
    }


def _moment(day: date, clock_time: time) -> datetime:
    return datetime.combine(day, clock_time, timezone.get_default_timezone())
