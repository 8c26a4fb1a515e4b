"""The printed certificate: one page made from `document.typ`.

It keeps the text of the day it was granted. If it is no longer valid, that is stamped across the page.
"""

import base64
import struct
import tomllib
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import segno
from babel.dates import format_date
from django.conf import settings
from django.utils import timezone

from exams import clock
from exams.certificates import lifecycle, printing
from exams.certificates.lifecycle import Standing
from exams.certificates.models import Certificate
from exams.certificates.printing import Printed
from exams.typesetting import typeset
from rules_engine.narration import book_name

TEMPLATE = Path(__file__).with_name("document.typ")
LANGUAGES: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("document.toml").read_text("utf-8"))
LOCALES = {"pt": "pt_PT", "en": "en_GB", "it": "it_IT", "es": "es_ES"}
FALLBACK = "en"


def document(certificate: Certificate) -> bytes:
    """The PDF as of today, signed if the house has configured a key. Unsigned PDFs are byte-identical each time."""
    made = typeset(TEMPLATE, _inputs(certificate), at=certificate.granted_at)
    if not settings.CERTIFICATE_SIGNING_KEY:
        return made
    from exams.certificates import pades  # a large library, loaded only if needed

    return pades.signed(made, by=printing.printed(certificate.printed).issuer)


def shown_code(code: str) -> str:
    """In groups of four, which are easier to read and type."""
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def check_address(certificate: Certificate) -> str:
    return f"{settings.PUBLIC_URL}/c/{certificate.code}"


def _inputs(certificate: Certificate) -> dict[str, Any]:
    language = certificate.language if certificate.language in LANGUAGES else FALLBACK
    granted_on = _local(certificate.granted_at)
    address, printed = check_address(certificate), printing.printed(certificate.printed)
    return {
        "language": language,
        "words": LANGUAGES[language],
        "issuer": printed.issuer,
        "legal_name": printed.legal_name,
        "logo": _wrapped(printing.logo_of(certificate)),
        "signatories": [{"name": one.name, "title": one.title} for one in printed.signatories],
        "ended": _ended(certificate, language),
        "name": certificate.holder_name,
        "number": certificate.number,
        "release": f"Sabot {printed.release}".strip(),
        "programme": certificate.programme_version.name(language),
        "version": certificate.programme_version.number,
        "books": [
            {"name": book_name(book, language), "law": _law(printed, book, language)} for book in certificate.scope
        ],
        "parts": _parts(printed, language),
        "granted_on": _day(granted_on, language),
        "valid_from": _day(certificate.valid_from, language),
        "valid_until": _day(certificate.valid_until, language),
        "address": address,
        "address_shown": f"{settings.PUBLIC_URL.partition('://')[2]}/c/",
        "code_shown": shown_code(certificate.code),
        "qr": qr(address),
    }


def _parts(printed: Printed, language: str) -> str:
    """On which days theory and practice were sat; empty without a practical exam."""
    if not printed.practice_on:
        return ""
    days = {name: _day(date.fromisoformat(getattr(printed, f"{name}_on")), language) for name in ("theory", "practice")}
    return LANGUAGES[language]["parts"].format(**days)


def _law(printed: Printed, book: str, language: str) -> str:
    """The regulation as it is cited: its title and, if recorded, since when this version is in force."""
    title, since = printed.regulations.get(book, ""), printed.in_force_since.get(book)
    if since is None:
        return title
    words = LANGUAGES[language]
    day = words["in_force"].format(day=_day(date.fromisoformat(since), language)) if since else words["undated"]
    return f"{title}; {day}"


def _ended(certificate: Certificate, language: str) -> dict[str, str]:
    """The stamp and sentence for a certificate that is not valid today; {} if it is."""
    standing = lifecycle.standing(certificate, clock.today())
    if standing in (Standing.VALID, Standing.NOT_YET):
        return {}
    words = LANGUAGES[language]
    since = certificate.acts.filter(state_after=certificate.state).order_by("number").last()
    day = certificate.valid_until if standing == Standing.EXPIRED or since is None else _local(since.at)
    return {"stamp": words[standing], "sentence": words[f"{standing}_on"].format(day=_day(day, language))}


def _local(moment: datetime) -> date:
    return timezone.localdate(moment, timezone.get_default_timezone())


def _wrapped(png: bytes | None) -> str:
    """A PNG wrapped in an SVG of the same size, because typst inputs must be text."""
    if png is None:
        return ""
    width, height = struct.unpack_from(">II", png, 16)
    inside = base64.b64encode(png).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{inside}"/></svg>'
    )


def _day(day: date, language: str) -> str:
    return format_date(day, format="long", locale=LOCALES[language])


def qr(address: str) -> str:
    """The address as a QR code in SVG."""
    drawn = BytesIO()
    # Readable even if a quarter is hidden by a stamp or a fold.
    segno.make(address, error="q", micro=False).save(
        drawn, kind="svg", border=2, dark="#1c1f1e", light="#fffdf8", omitsize=True
    )
    return drawn.getvalue().decode()
