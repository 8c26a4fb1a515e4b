"""The certificate as an Open Badges 3.0 credential, signed as a VC-JWT."""

import uuid
from collections.abc import Iterable
from datetime import date, datetime, time
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from exams import clock
from exams.certificates import keys, statuslists
from exams.certificates.issuance import STATUS_LIST_BITS
from exams.certificates.models import Certificate
from exams.certificates.printing import in_words, printed
from exams.certificates.signature import sign
from exams.programmes.models import ProgrammeVersion
from rules_engine.narration import book_name

CONTEXT = [statuslists.CREDENTIALS, "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"]


def credential(certificate: Certificate) -> str:
    """The signed credential, valid as long as the certificate."""
    kid, key = keys.key_in_use()
    return sign(payload(certificate), key, kid)


def payload(certificate: Certificate) -> dict[str, Any]:
    """The claims. They say no more about the holder than the printed certificate."""
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
        "issuer": _issuer(certificate),
        "awardedDate": certificate.granted_at.astimezone(begins.tzinfo).isoformat(timespec="seconds"),
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
            "licenseNumber": certificate.number,
            "narrative": _narrative(certificate),
            "achievement": achievement(certificate.programme_version),
        },
        "credentialStatus": _status_entries(certificate),
    }


def _issuer(certificate: Certificate) -> dict[str, Any]:
    return {
        "id": settings.PUBLIC_URL,
        "type": ["Profile"],
        "name": printed(certificate.printed).issuer,
        "url": settings.PUBLIC_URL,
    }


def _narrative(certificate: Certificate) -> str:
    """What this holder may deal, which may be less than the programme examines, and the law it cites, if recorded."""
    language = certificate.language
    with translation.override(language):
        deals = _("Entitles the holder to deal: %(books)s") % {"books": _books(certificate.scope, language)}
        laws = in_words(certificate.printed, certificate.scope)
        return ". ".join([deals, _("By the law: %(laws)s") % {"laws": "; ".join(laws)}]) if laws else deals


def achievement(version: ProgrammeVersion) -> dict[str, Any]:
    """What the programme's exam proves, identical for all holders: in the house's language, with everything
    examined."""
    rules, language = version.rules, settings.LANGUAGE_CODE
    with translation.override(language):
        narrative = _("An exam of %(items)d questions in %(minutes)d minutes, passed with at least %(mark)d%%.") % {
            "items": rules.items,
            "minutes": rules.minutes,
            "mark": rules.pass_mark,
        }
        if rules.practical:
            narrative += " " + _("A practical exam of %(coups)d coups, passed with at least %(mark)d%%.") % {
                "coups": rules.practical.coups,
                "mark": rules.practical.pass_mark,
            }
        description = _("Examined: %(books)s") % {"books": _books(rules.rulebooks, language)}
    return {
        "id": f"urn:uuid:{uuid.uuid5(version.programme_id, str(version.number))}",
        "type": ["Achievement"],
        "achievementType": "Certification",
        "humanCode": version.programme.code,
        "version": str(version.number),
        "inLanguage": language,
        "name": version.name(language),
        "description": description,
        "criteria": {"narrative": narrative},
        "image": {
            "id": f"{settings.PUBLIC_URL}{reverse('badge_image', args=(version.programme_id, version.number))}",
            "type": "Image",
            "caption": version.name(language),
        },
        "tag": [book_name(book, language) for book in rules.rulebooks],
    }


def _books(books: Iterable[str], language: str) -> str:
    return "; ".join(book_name(book, language) for book in books)


def _status_entries(certificate: Certificate) -> list[dict[str, str]]:
    """Revocation comes first, for verifiers that stop at the first set bit and would report only a suspension."""
    list_no, index = divmod(certificate.status_index, STATUS_LIST_BITS)
    addresses = {
        purpose: statuslists.address(name, list_no) for purpose, name in statuslists.names_of(certificate).items()
    }
    return [
        {
            "id": f"{address}#{index}",
            "type": "BitstringStatusListEntry",
            "statusPurpose": purpose,
            "statusListIndex": str(index),
            "statusListCredential": address,
        }
        for purpose, address in addresses.items()
    ]


def _moment(day: date, clock_time: time) -> datetime:
    return datetime.combine(day, clock_time, timezone.get_default_timezone())
