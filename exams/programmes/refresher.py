"""Refresher exams: a draft programme that asks only what a new version of a regulation changes."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

import rules_engine
from exams.programmes import services
from exams.programmes.forms import LANGUAGES
from exams.programmes.models import Programme, ProgrammeVersion
from exams.programmes.rules import Line, Rules, Section
from exams.programmes.validation import FORMS, LONGEST_NAME, MOST_LINES, MOST_SECTIONS
from rules_engine import Adopted, Rulebook, encode, rulebook
from rules_engine.narration import book_name, topic_name
from rules_engine.topics import cases, topics
from rules_engine.versions import earlier, former
from training.house import tables
from training.house.readings import examined
from training.lessons.law_changes import rules_to_learn_anew
from training.mastery.memory import Rule
from training.people.models import Role, User
from training.platform.errors import Refused

Readings = tuple[tuple[str, Adopted], ...]
DRAFTERS = services.WRITERS | {Role.HR}
ITEMS = 2  # questions on each changed rule
DIFFICULTIES = (2, 3)  # in order of preference, if a level has too few different cases
# Scenarios tried for a rule until there are enough, and until it is given up if none fits.
TRIED, GIVEN_UP = 60, 10
MINUTES_EACH = 2
LEAST_MINUTES = 10
PASS_MARK = 80


def verify_draft(new: Rulebook, by: User) -> None:
    """Raise Refused unless this person may draft a refresher for this version and it has something to ask."""
    if DRAFTERS.isdisjoint(by.roles):
        raise Refused(_("Only instructors, administrators and human resources can draft a refresher exam."))
    if former(new) is None:
        raise Refused(_("This is the first version of the regulation: there is nothing to refresh."))
    if drafted(new) is not None:
        raise Refused(_("There is a refresher exam for this version already."))
    if not lines(new):
        raise Refused(_("No case fit for an exam turns on what changed, so there is nothing to ask."))


@transaction.atomic
def draft(new: Rulebook, by: User) -> ProgrammeVersion:
    """Create the draft. Somebody else puts it in force, like any other programme."""
    verify_draft(new, by)
    return services.create_unverified(by, code=code(new), names=names(new), rules=rules(new))


def code(new: Rulebook) -> str:
    """The code of the programme: that of the version with an R, as long as a code may be."""
    return f"R-{new.id.upper()}"[: services.LONGEST_CODE].rstrip("-")


def drafted(new: Rulebook) -> Programme | None:
    return Programme.objects.filter(code=code(new)).first()


def rules(new: Rulebook) -> Rules:
    found = lines(new)
    items = sum(line.items for line in found)
    return Rules(
        rulebooks=(new.id,),
        sections=tuple(_sections(found)),
        minutes=max(LEAST_MINUTES, items * MINUTES_EACH),
        pass_mark=PASS_MARK,
        refreshes=tuple(book.id for book in earlier(new)),
    )


def lines(new: Rulebook) -> list[Line]:
    """A line for each changed rule that enough cases turn on, in teaching order. Uses a constant number of queries."""
    return list(_lines(new.id, tuple(sorted(examined(new.id).items(), key=itemgetter(0)))))


@lru_cache(maxsize=64)
def _lines(book: str, readings: Readings) -> tuple[Line, ...]:
    found = [line for rule in _changed(rulebook(book)) if (line := _line(book, rule.cite, readings))]
    order = {topic: place for place, topic in enumerate(topics(book))}
    return tuple(sorted(found, key=lambda line: order[line.topic])[: MOST_LINES * MOST_SECTIONS])


def not_asked(new: Rulebook) -> list[str]:
    """The changed rules that no exam can ask: too few cases turn on them, or their text is open to doubt."""
    asked = {line.article for line in lines(new)}
    return [rule.cite for rule in _changed(new) if rule.cite not in asked]


def _changed(new: Rulebook) -> Sequence[Rule]:
    """The rules that changed since any earlier version: holders of each of them may sit the refresher."""
    return list(dict.fromkeys(rule for old in earlier(new) for rule in rules_to_learn_anew(old.id, new.id)))


def _line(book: str, cite: str, readings: Readings) -> Line | None:
    turned_on = dict.fromkeys(case.topic for case in cases(book) if cite in case.turns_on[book])
    for difficulty in DIFFICULTIES:
        for topic in turned_on:
            if _is_enough(book, topic, difficulty, cite, readings):
                return Line(rulebook=book, topic=topic, article=cite, difficulty=difficulty, items=ITEMS)
    return None


def _is_enough(book: str, topic: str, difficulty: int, cite: str, readings: Readings) -> bool:
    """Whether enough different scenarios fit for an exam turn on the rule, by the seeds that `validation` counts."""
    found: set[bytes] = set()
    for seed in range(TRIED):
        table = tables.pick(rulebook(book).usual_tables, f"supply {seed}")
        made = rules_engine.generate(
            book, topic, f"supply {seed}", difficulty, article=cite, table=table, readings=dict(readings)
        )
        if cite in made.solve().pivots and rules_engine.exam_fit(made):
            found.add(encode(made.situation))
        if len(found) >= ITEMS * FORMS:
            return True
        if seed == GIVEN_UP and not found:
            return False
    return False


def _sections(found: Iterable[Line]) -> list[Section]:
    """A section for each topic."""
    by_topic: dict[str, list[Line]] = {}
    for line in found:
        by_topic.setdefault(line.topic, []).append(line)
    return [
        Section(
            key=f"section-{number}",
            names={language: topic_name(own[0].rulebook, topic, language)[:LONGEST_NAME] for language in LANGUAGES},
            lines=tuple(own[:MOST_LINES]),
        )
        for number, (topic, own) in enumerate(list(by_topic.items())[:MOST_SECTIONS], 1)
    ]


def names(new: Rulebook) -> dict[str, str]:
    named = {}
    for language in LANGUAGES:
        with translation.override(language):
            named[language] = (_("Refresher: %(book)s") % {"book": book_name(new.id, language)})[:LONGEST_NAME]
    return named
