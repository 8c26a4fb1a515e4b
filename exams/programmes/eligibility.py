"""Who knows enough from practice to sit the exam."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from exams.programmes.models import ProgrammeVersion
from rules_engine.narration import book_name
from rules_engine.silences import TOPIC as PROCEDURES
from training.house.readings import examined
from training.mastery.selectors import rules as known_rules
from training.people.models import User
from training.people.request import language


@dataclass(frozen=True)
class Eligibility:
    """Whether somebody may sit, and all reasons why not, in words."""

    ok: bool
    reasons: tuple[str, ...] = ()


def eligibility(person: User, version: ProgrammeVersion, now: datetime) -> Eligibility:
    """Whether the person knows the required share of every rulebook's rules. Procedures count once two have signed
    them, so that one person alone cannot keep candidates from their exam. Two queries."""
    asked = version.rules
    if not asked.mastery:
        return Eligibility(ok=True)
    known, total = Counter[str](), Counter[str]()
    found = known_rules(person, asked.rulebooks, now)
    signed = {book: examined(book) for book in {item.rule.rulebook for item in found if item.topic == PROCEDURES}}
    for item in found:
        if item.topic == PROCEDURES and item.rule.cite not in signed[item.rule.rulebook]:
            continue
        total[item.rule.rulebook] += 1
        known[item.rule.rulebook] += item.known
    reasons = tuple(
        _too_little(book, known[book], total[book], asked.mastery)
        for book in asked.rulebooks
        if known[book] * 100 < asked.mastery * total[book]
    )
    return Eligibility(ok=not reasons, reasons=reasons)


def _too_little(book: str, known: int, total: int, asked: int) -> str:
    message = _(
        "%(book)s: in practice %(known)d of %(total)d rules are known, %(percent)d%%; the programme asks for "
        "%(asked)d%%."
    )
    name = book_name(book, language())
    # Rounded down: a refused person must not read the required percentage.
    return message % {"book": name, "known": known, "total": total, "percent": known * 100 // total, "asked": asked}
