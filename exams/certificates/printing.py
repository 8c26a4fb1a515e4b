"""What a certificate prints besides its own fields, frozen when it is granted."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

import msgspec
from django.utils import timezone

from exams.certificates import instruments
from exams.certificates.models import Certificate
from exams.programmes import law
from exams.programmes.models import ProgrammeVersion
from exams.results.models import Result
from rules_engine import RULEBOOKS
from training.house.models import Logo
from training.house.selectors import current
from training.operations import software_release

FALLBACK = "en"


class Signature(msgspec.Struct, frozen=True):
    name: str
    title: str


class Parts(NamedTuple):
    """The days on which theory and practice were sat."""

    theory: date
    practice: date


class Printed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The issuer's name, the signatories, the logo's digest, the release, and by rulebook the legal title and the day
    since which that version is in force. The day is empty if the text states none; certificates of earlier days have no
    days."""

    issuer: str
    legal_name: str = ""
    signatories: tuple[Signature, ...] = ()
    logo: str = ""
    regulations: dict[str, str] = {}
    in_force_since: dict[str, str] = {}
    # The days on which both parts were sat, if the programme has a practical exam.
    theory_on: str = ""
    practice_on: str = ""
    # The release of Sabot that granted it; certificates of earlier days have none.
    release: str = ""


def of_today(version: ProgrammeVersion, language: str, days: Mapping[str, str]) -> Any:
    """The current values as plain data. Includes all rulebooks of the programme, because the scope may be extended.
    `days` are those of theory and practice."""
    house = current()
    texts = {book: RULEBOOKS[book].law for book in version.rules.rulebooks if book in RULEBOOKS}
    enacted = instruments.entered(texts)
    printed = Printed(
        issuer=house.name,
        legal_name=house.legal_name,
        signatories=tuple(Signature(one["name"], _title(one["titles"], language)) for one in house.signatories),
        logo=house.logo_id or "",
        regulations={
            book: f"{enacted[book]}: {text.title}" if book in enacted else text.title for book, text in texts.items()
        },
        in_force_since={book: str(text.enacted.in_force or "") for book, text in texts.items()},
        release=software_release.version(),
        **days,
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


def days_of(theory: Result | None, practice: Result | None) -> dict[str, str]:
    """On which days both parts were sat; empty without a practical exam."""
    if theory is None or practice is None:
        return {}
    house = timezone.get_default_timezone()
    days = {"theory_on": theory, "practice_on": practice}
    return {name: timezone.localdate(one.sitting.started_at, house).isoformat() for name, one in days.items()}


def parts(stored: Any) -> Parts | None:
    """The days of both parts, if the certificate rests on two."""
    found = printed(stored)
    if not found.practice_on:
        return None
    return Parts(date.fromisoformat(found.theory_on), date.fromisoformat(found.practice_on))


def logo_of(certificate: Certificate) -> bytes | None:
    digest = printed(certificate.printed).logo
    found = Logo.objects.filter(pk=digest).values_list("png", flat=True).first() if digest else None
    return bytes(found) if found else None


def _title(titles: Mapping[str, str], language: str) -> str:
    return titles.get(language) or titles.get(FALLBACK) or next(iter(titles.values()), "")
