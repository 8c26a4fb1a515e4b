"""Which version of the law a programme examines, and whether it is the one in force on a day."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import NamedTuple

import msgspec
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from exams.programmes.rules import Line, Rules
from rules_engine import RULEBOOKS, Rulebook
from rules_engine.narration import book_name
from rules_engine.versions import in_force, regulation_of
from training.people.request import language
from training.platform.errors import Refused


class Outdated(NamedTuple):
    """A version that a programme examines, and the one in force instead; None if the regulation had none yet."""

    book: Rulebook
    current: Rulebook | None


def outdated(books: Iterable[str], on: date) -> list[Outdated]:
    """The versions that are not in force on a day. A rulebook that the engine no longer has is left out."""
    known = (RULEBOOKS[book] for book in dict.fromkeys(books) if book in RULEBOOKS)
    found = (Outdated(book, in_force(regulation_of(book), on)) for book in known)
    return [one for one in found if one.current is not one.book]


def examined(rules: Rules) -> list[str]:
    """Every version that the certificate covers or a question is about."""
    return list(dict.fromkeys([*rules.rulebooks, *(line.rulebook for line in rules.lines)]))


def cited(rules: Rules) -> list[str]:
    """The versions of the law that an exam is about, as they are cited, in the active language."""
    books = [RULEBOOKS[book] for book in examined(rules) if book in RULEBOOKS]
    return [sentence(book.law.title, book.law.enacted.in_force) for book in books]


def sentence(title: str, since: date | None) -> str:
    """One version of the law as it is cited: its title, and since when it is in force."""
    if since is None:
        return _("%(law)s (the text states no date of entry into force)") % {"law": title}
    return _("%(law)s, in force since %(day)s") % {"law": title, "day": date_format(since, "DATE_FORMAT")}


def day_of(moment: datetime) -> date:
    """The day on which something happens, in the house's time zone."""
    return timezone.localdate(moment, timezone.get_default_timezone())


def why_not_on(rules: Rules, *moments: datetime) -> list[str]:
    """Why an exam cannot be sat at one of these moments: another version of the law is in force on that day."""
    for day in sorted(set(map(day_of, moments))):
        if wrong := outdated(examined(rules), day):
            return [stated(one, day) for one in wrong]
    return []


def why_not_begun(rules: Rules, now: datetime) -> str:
    """For a candidate: why nobody can begin a prepared exam now, with both versions of the law, or ""."""
    if not (wrong := why_not_on(rules, now)):
        return ""
    message = _(
        "Nobody can begin this exam until its examiner prepares it again, because the law has changed. No attempt is "
        "used up."
    )
    return " ".join([message, *wrong])


def verify(rules: Rules, on: date) -> None:
    """Raise Refused if an exam on this day would ask a version of the law that is not in force then."""
    for wrong in outdated(examined(rules), on):
        raise Refused(told(wrong, on))


def told(wrong: Outdated, on: date) -> str:
    """Which version is in force on a day instead of the one examined, and what to do about it."""
    said = stated(wrong, on)
    return f"{said} {_('Make a new version of the programme.')}" if wrong.current else said


def stated(wrong: Outdated, on: date) -> str:
    """Which version is in force on a day instead of the one examined."""
    values = {"day": date_format(on, "DATE_FORMAT"), "old": book_name(wrong.book.id, language())}
    if wrong.current is None:
        return _("On %(day)s “%(old)s” is not in force yet.") % values
    message = _("On %(day)s “%(new)s” is in force, and this programme examines “%(old)s”.")
    return message % (values | {"new": book_name(wrong.current.id, language())})


def brought_up_to_date(rules: Rules, on: date) -> Rules:
    """The same rules for the versions of the law that are in force on a day."""
    newer = {wrong.book.id: wrong.current.id for wrong in outdated(examined(rules), on) if wrong.current}
    if not newer:
        return rules

    def moved(line: Line) -> Line:
        return msgspec.structs.replace(line, rulebook=newer.get(line.rulebook, line.rulebook))

    part = rules.practical
    return msgspec.structs.replace(
        rules,
        practical=part and msgspec.structs.replace(part, rulebook=newer.get(part.rulebook, part.rulebook)),
        rulebooks=tuple(dict.fromkeys(newer.get(book, book) for book in rules.rulebooks)),
        sections=tuple(
            msgspec.structs.replace(section, lines=tuple(map(moved, section.lines))) for section in rules.sections
        ),
    )
