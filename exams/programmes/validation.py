"""Checks whether a programme's rules make sense and can be examined; reports every fault at its field."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules_engine
from exams.programmes import practical_checks
from exams.programmes.rules import Line, Rules, Section, game_of
from rules_engine import Adopted, EngineError, Table
from rules_engine.narration import book_name, refusal, topic_name
from rules_engine.scenario import encode
from rules_engine.topics import cases
from rules_engine.versions import earlier
from training.house import tables
from training.house.readings import article_for, examined
from training.people.request import language, quoted

MOST_SECTIONS = 12
MOST_LINES = 20
MOST_TABLES = 12
MOST_ITEMS = 200
MOST_POINTS = 100
MOST_MINUTES = 480
MOST_TRIES = 20
MOST_DAYS = 365
MOST_MONTHS = 120
SHORTEST_MONTH = 28
LEAST_SECONDS = 20  # per item: nobody can read the table in less
LONGEST_KEY = 32
LONGEST_NAME = 120
# Forms share items, so a kind needs this many times the items of one form.
FORMS = 3
TRIES = 20  # scenarios tried per one needed
Kind = tuple[str, str, int, str]  # rulebook, topic, difficulty, article or empty


class Fault(NamedTuple):
    """What is wrong, and in which field: `minutes`, `sections.0.pass_mark`, `sections.0.lines.2.topic`."""

    path: str
    message: str


def verify(rules: Rules) -> list[Fault]:
    """All faults that prevent publishing these rules."""
    return [
        *_scope(rules),
        *_tables(rules),
        *_refreshed(rules),
        *_sections(rules),
        *_marks(rules),
        *_terms(rules),
        *_practice(rules),
    ]


def _scope(rules: Rules) -> Iterator[Fault]:
    if not rules.rulebooks:
        yield Fault("rulebooks", _("Choose at least one rulebook."))
    for book, times in Counter(rules.rulebooks).items():
        if book not in rules_engine.RULEBOOKS:
            yield Fault("rulebooks", _("There is no rulebook “%(book)s”.") % {"book": book})
        elif times > 1:
            yield Fault("rulebooks", _("%(book)s is named twice.") % {"book": _book(book)})
        elif all(line.rulebook != book for line in rules.lines):
            message = _("No line examines %(book)s: nobody can be certified for what they were not asked.")
            yield Fault("rulebooks", message % {"book": _book(book)})


def _refreshed(rules: Rules) -> Iterator[Fault]:
    """A refresher brings holders of earlier versions of what it examines up to date."""
    books = [rules_engine.rulebook(book) for book in rules.rulebooks if book in rules_engine.RULEBOOKS]
    known = {older.id for book in books for older in earlier(book)}
    for book in rules.refreshes:
        if book not in known:
            name = _book(book) if book in rules_engine.RULEBOOKS else book
            message = _("The exam is a refresher for %(book)s, but no later version of it is chosen.")
            yield Fault("rulebooks", message % {"book": name})


def _tables(rules: Rules) -> Iterator[Fault]:
    for book, named in rules.tables.items():
        if book not in rules.rulebooks or book not in rules_engine.RULEBOOKS:
            yield Fault("tables", _("A table is named for a rulebook that is not examined."))
            continue
        if len(named) > MOST_TABLES:
            yield Fault("tables", _("Name at most %(limit)d tables for each rulebook.") % {"limit": MOST_TABLES})
        for table in named:
            try:
                rules_engine.RULEBOOKS[book].game.check_table(table, rules_engine.RULEBOOKS[book])
            except EngineError as error:
                yield Fault("tables", f"{quoted(table.name)}: {refusal(error, language())}")


def _sections(rules: Rules) -> Iterator[Fault]:
    if not rules.sections:
        yield Fault("sections", _("The exam needs at least one section."))
    if len(rules.sections) > MOST_SECTIONS:
        yield Fault("sections", _("The exam has at most %(limit)d sections.") % {"limit": MOST_SECTIONS})
    keys: set[str] = set()
    for number, section in enumerate(rules.sections):
        path, name = f"sections.{number}", section_name(section, number)
        if not section.key or len(section.key) > LONGEST_KEY or slugify(section.key) != section.key:
            yield Fault(f"{path}.key", _("%(section)s needs a short plain key.") % {"section": name})
        if section.key in keys:
            yield Fault(f"{path}.key", _("%(section)s has the key of another section.") % {"section": name})
        keys.add(section.key)
        yield from _section(rules, section, path, name)
    yield from _supplies(rules)


def _section(rules: Rules, section: Section, path: str, name: str) -> Iterator[Fault]:
    if not any(given.strip() for given in section.names.values()):
        yield Fault(f"{path}.names", _("%(section)s needs a name.") % {"section": name})
    if any(len(given) > LONGEST_NAME for given in section.names.values()):
        text = _("The name of %(section)s has at most %(limit)d letters.")
        yield Fault(f"{path}.names", text % {"section": name, "limit": LONGEST_NAME})
    if not section.lines:
        yield Fault(f"{path}.lines", _("%(section)s needs at least one line of questions.") % {"section": name})
    if len(section.lines) > MOST_LINES:
        text = _("%(section)s has at most %(limit)d lines.")
        yield Fault(f"{path}.lines", text % {"section": name, "limit": MOST_LINES})
    for number, line in enumerate(section.lines):
        for field, message in _line(rules, line):
            yield Fault(f"{path}.lines.{number}.{field}", _at_line(name, number, message))


def _at_line(section: str, number: int, message: str) -> str:
    text = _("%(section)s, line %(line)d: %(message)s")
    return text % {"section": section, "line": number + 1, "message": message}


def _line(rules: Rules, line: Line) -> Iterator[tuple[str, str]]:
    if line.rulebook not in rules_engine.RULEBOOKS:
        yield "rulebook", _("There is no rulebook “%(book)s”.") % {"book": line.rulebook}
        return
    if line.rulebook not in rules.rulebooks:
        message = _("The certificate is not for %(book)s; choose the rulebook above or another topic.")
        yield "rulebook", message % {"book": _book(line.rulebook)}
    if line.topic not in rules_engine.topics(line.rulebook):
        message = _("%(book)s has no topic “%(topic)s”.")
        yield "topic", message % {"book": _book(line.rulebook), "topic": line.topic}
    elif not _turns_on(line.rulebook, line.topic, line.article):
        yield "topic", _("No case of this topic turns on the article the line is limited to.")
    if line.points > MOST_POINTS:
        yield "points", _("A question is worth at most %(limit)d points.") % {"limit": MOST_POINTS}


def _turns_on(book: str, topic: str, article: str) -> bool:
    """Whether a topic has cases that turn on an article; a line that names none takes them all."""
    return not article or any(article in case.turns_on[book] for case in cases(book, topic))


def _supplies(rules: Rules) -> Iterator[Fault]:
    """Lines of the same kind draw from the same scenarios, so they are counted together and reported at the last
    one."""
    wanted: Counter[Kind] = Counter()
    last: dict[Kind, tuple[int, int]] = {}
    for number, section in enumerate(rules.sections):
        for place, line in enumerate(section.lines):
            kind = (line.rulebook, line.topic, line.difficulty, line.article)
            wanted[kind] += line.items
            last[kind] = (number, place)
    if rules.items > MOST_ITEMS:
        yield Fault("sections", _("An exam has at most %(limit)d questions.") % {"limit": MOST_ITEMS})
        return
    for kind, items in wanted.items():
        book, topic, _difficulty, article = kind
        if book in rules_engine.RULEBOOKS and topic in rules_engine.topics(book) and _turns_on(book, topic, article):
            number, place = last[kind]
            name = section_name(rules.sections[number], number)
            if message := _shortage(kind, items, rules.tables_of(book)):
                yield Fault(f"sections.{number}.lines.{place}.topic", _at_line(name, place, message))


def _shortage(kind: Kind, items: int, at: tuple[Table, ...]) -> str:
    found = supply(kind, items * FORMS, at)
    if found >= items * FORMS:
        return ""
    topic = topic_name(kind[0], kind[1], language())
    if not found:
        message = _(
            "No case of “%(topic)s” can be asked: the text is open to doubt there, or the questions give the "
            "ruling away."
        )
        return message % {"topic": topic}
    message = ngettext(
        "“%(topic)s” gives only %(found)d different scenario fit for an exam; %(needed)d are needed.",
        "“%(topic)s” gives only %(found)d different scenarios fit for an exam; %(needed)d are needed.",
        found,
    )
    return message % {"topic": topic, "found": found, "needed": items * FORMS}


def supply(kind: Kind, needed: int, at: tuple[Table, ...] = ()) -> int:
    """How many different exam scenarios of a kind the engine makes at these tables or the usual ones, up to `needed`,
    under the house's current readings."""
    at = at or rules_engine.rulebook(kind[0]).usual_tables
    return _supply(kind, needed, tuple(sorted(examined(kind[0]).items(), key=itemgetter(0))), at)


@cache
def _supply(kind: Kind, needed: int, readings: tuple[tuple[str, Adopted], ...], at: tuple[Table, ...]) -> int:
    book, topic, difficulty, article = kind
    found: set[bytes] = set()
    for seed in range(needed * TRIES):
        own, adopted = f"supply {seed}", dict(readings)
        about = article or article_for(book, topic, adopted, own)
        table = tables.pick(at, own)
        made = rules_engine.generate(book, topic, own, difficulty, article=about, table=table, readings=adopted)
        if (not article or article in made.solve().pivots) and rules_engine.exam_fit(made):
            found.add(encode(made.situation))
        if len(found) >= needed:
            break
    return len(found)


def _marks(rules: Rules) -> Iterator[Fault]:
    if rules.pass_mark < 1:
        yield Fault("pass_mark", _("Set a higher pass mark: an exam that nobody can fail certifies nothing."))
    known = [line for line in rules.lines if line.rulebook in rules_engine.RULEBOOKS]
    if len({game_of(line) for line in known}) > 1 and not rules.game_mark:
        message = _("Set a minimum for each game: otherwise one game makes up for another.")
        yield Fault("game_mark", message)
    if rules.minutes > MOST_MINUTES:
        yield Fault("minutes", _("An exam lasts at most %(limit)d minutes.") % {"limit": MOST_MINUTES})
    if rules.minutes * 60 < rules.items * LEAST_SECONDS:
        message = _("That is less than %(limit)d seconds for each question.")
        yield Fault("minutes", message % {"limit": LEAST_SECONDS})
    if rules.critical_allowed is not None and rules.critical_allowed >= rules.items > 0:
        message = _(
            "The exam has only %(items)d questions: leave this empty, so that critical faults do not fail it by "
            "themselves."
        )
        yield Fault("critical_allowed", message % {"items": rules.items})


def _terms(rules: Rules) -> Iterator[Fault]:
    """Attempts, validity, appeals. A certification body must hear appeals (ISO/IEC 17024, 9.8)."""
    limits = {"tries": MOST_TRIES, "valid_months": MOST_MONTHS}
    limits |= dict.fromkeys(("wait_days", "renewal_days", "appeal_days", "review_days"), MOST_DAYS)
    for field, limit in limits.items():
        if getattr(rules, field) > limit:
            yield Fault(field, _("At most %(limit)d.") % {"limit": limit})
    if rules.appeal_days < 1:
        yield Fault("appeal_days", _("A candidate must have at least one day to appeal."))
    if rules.renewal_days >= rules.valid_months * SHORTEST_MONTH:
        yield Fault("renewal_days", _("The renewal window must be shorter than the validity."))


def _practice(rules: Rules) -> Iterator[Fault]:
    if rules.practical:
        yield from (Fault(f"practical.{field}", text) for field, text in practical_checks.faults(rules))


def section_name(section: Section, number: int) -> str:
    """The section's name in messages, or its position if it has none."""
    name = section.name(language()).strip()
    named = name if any(section.names.values()) else ""
    return quoted(named) if named else _("Section %(number)d") % {"number": number + 1}


def _book(book: str) -> str:
    return book_name(book, language())
