"""The printed certificate: one page, PDF/A-2a and PDF/UA-1, made by typst from `document.typ` with its own fonts.

It is made in the process that asks: a web worker or a child of the queue's pool, some ten milliseconds, no file and
no other program. Typst has one trap, a process forked from one that has compiled hangs; none of ours forks after it
has begun to work, and `_compiler` refuses instead of hanging should that ever change.
"""

import json
import os
import tomllib
from datetime import date
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import segno
import structlog
import typst
from babel.dates import format_date
from django.conf import settings
from django.utils import timezone

from exams.certificates.models import Certificate
from rules_engine.narration import book_name

log = structlog.get_logger(__name__)

TEMPLATE = Path(__file__).with_name("document.typ")
LANGUAGES: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("document.toml").read_text("utf-8"))
LOCALES = {"pt": "pt_PT", "en": "en_GB", "it": "it_IT"}
FALLBACK = "en"
STANDARDS: list[Literal["a-2a", "ua-1"]] = ["a-2a", "ua-1"]  # for archives, and for who has it read aloud
NO_GLYPH = "could not be displayed"  # how typst says that no font has a letter


def document(certificate: Certificate) -> bytes:
    """The PDF, the same bytes each time unless it is signed; signed where the house has configured a key."""
    made = _compiled(_inputs(certificate), timestamp=int(certificate.granted_at.timestamp()))
    if not settings.CERTIFICATE_SIGNING_KEY:
        return made
    from exams.certificates import pades  # a large library, loaded only where it is used

    return pades.signed(made)


def shown_code(code: str) -> str:
    """In groups of four, as it is easier to read and to type."""
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def check_address(certificate: Certificate) -> str:
    return f"{settings.PUBLIC_URL}/c/{certificate.code}"


def _inputs(certificate: Certificate) -> dict[str, Any]:
    language = certificate.language if certificate.language in LANGUAGES else FALLBACK
    granted_on = timezone.localdate(certificate.granted_at, timezone.get_default_timezone())
    address = check_address(certificate)
    return {
        "language": language,
        "words": LANGUAGES[language],
        "issuer": settings.ISSUER_NAME,
        "name": certificate.holder_name,
        "number": certificate.number,
        "programme": certificate.programme_version.name(language),
        "books": [book_name(book, language) for book in certificate.scope],
        "granted_on": _day(granted_on, language),
        "valid_from": _day(certificate.valid_from, language),
        "valid_until": _day(certificate.valid_until, language),
        "address": address,
        "address_shown": f"{settings.PUBLIC_URL.partition('://')[2]}/c/",
        "code_shown": shown_code(certificate.code),
        "qr": _qr(address),
    }


def _day(day: date, language: str) -> str:
    return format_date(day, format="long", locale=LOCALES[language])


def _qr(address: str) -> str:
    drawn = BytesIO()
    # A quarter of it may be hidden by a stamp or a fold and it still reads.
    segno.make(address, error="q", micro=False).save(drawn, kind="svg", border=2, dark="#1c1f1e", light="#fffdf8")
    return drawn.getvalue().decode()


# ---- typst


def _compiled(inputs: dict[str, Any], *, timestamp: int) -> bytes:
    told = {"data": json.dumps(inputs)}
    try:
        made = _compiler().compile(format="pdf", pdf_standards=[*STANDARDS], timestamp=timestamp, sys_inputs=told)
    except typst.TypstError as error:
        if NO_GLYPH not in error.message:
            raise
        made = _with_other_fonts(inputs["number"], told, timestamp=timestamp)
    if not isinstance(made, bytes):
        raise TypeError("typst gave no single document")
    return made


def _with_other_fonts(number: str, told: dict[str, str], *, timestamp: int) -> Any:
    """For a name in letters that the embedded fonts lack: with what the machine has and, where that lacks them too,
    as plain PDF with empty boxes, so that nobody goes without. The check page shows the name right in any case."""
    compiler = typst.Compiler(TEMPLATE, sys_inputs=told)
    try:
        return compiler.compile(format="pdf", pdf_standards=[*STANDARDS], timestamp=timestamp)
    except typst.TypstError:
        log.warning("name_without_letters", number=number)
        return compiler.compile(format="pdf", timestamp=timestamp)


@cache
def _compiler() -> typst.Compiler:
    if _forked_from_a_compiler:
        raise RuntimeError("forked from a process that has made documents; typst would hang here")
    return typst.Compiler(TEMPLATE, ignore_system_fonts=True, sys_inputs={"data": "{}"})


_forked_from_a_compiler = False


def _after_fork() -> None:
    global _forked_from_a_compiler
    if _compiler.cache_info().currsize:
        _forked_from_a_compiler = True
        _compiler.cache_clear()


os.register_at_fork(after_in_child=_after_fork)
