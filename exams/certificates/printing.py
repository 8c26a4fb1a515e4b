"""What a certificate prints besides its own fields, frozen when it is granted."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import msgspec

from exams.certificates.models import Certificate
from exams.programmes import law
from exams.programmes.models import ProgrammeVersion
from rules_engine import RULEBOOKS
from training.house.models import Logo
from training.house.selectors import current

FALLBACK = "en"


class Signature(msgspec.Struct, frozen=True):
    name: str
    title: str


class Printed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The issuer's name, the signatories, the logo's digest, and by rulebook the legal title and the day since which
    that version is in force. The day is empty if the text states none; certificates of earlier days have no days."""

    issuer: str
    legal_name: str = ""
    signatories: tuple[Signature, ...] = ()
    logo: str = ""
    regulations: dict[str, str] = {}
    in_force_since: dict[str, str] = {}


def of_today(version: ProgrammeVersion, language: str) -> Any:
    """The current values as plain data. Includes all rulebooks of the programme, because the scope may be extended."""
    house = current()
    texts = {book: RULEBOOKS[book].law for book in version.rules.rulebooks if book in RULEBOOKS}
    printed = Printed(
        issuer=house.name,
        legal_name=house.legal_name,
        signatories=tuple(Signature(one["name"], _title(one["titles"], language)) for one in house.signatories),
        logo=house.logo_id or "",
        regulations={book: text.title for book, text in texts.items()},
        in_force_since={book: str(text.enacted.in_force or "") for book, text in texts.items()},
    )
    return msgspec.to_builtins(printed)


def printed(stored: Any) -> Printed:
    return msgspec.convert(stored, Printed)


def in_words(stored: Any, scope: Iterable[str]) -> list[str]:
    """The versions of the law that a certificate cites, in the active language; none for certificates from before they
    were recorded."""
    found = printed(stored)
    return [
        law.sentence(found.regulations.get(book, ""), date.fromisoformat(since) if since else None)
        for book in scope
        if (since := found.in_force_since.get(book)) is not None
    ]


def logo_of(certificate: Certificate) -> bytes | None:
    digest = printed(certificate.printed).logo
    found = Logo.objects.filter(pk=digest).values_list("png", flat=True).first() if digest else None
    return bytes(found) if found else None


def _title(titles: Mapping[str, str], language: str) -> str:
    return titles.get(language) or titles.get(FALLBACK) or next(iter(titles.values()), "")
