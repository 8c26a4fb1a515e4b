"""Refresher exams: a draft programme that asks only what a new version of a regulation changes."""

import re
from collections.abc import Iterable

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from exams.programmes import services
from exams.programmes.forms import LANGUAGES
from exams.programmes.models import Programme, ProgrammeVersion
from exams.programmes.rules import Line, Rules, Section
from exams.programmes.validation import FORMS, LONGEST_NAME, MOST_LINES, MOST_SECTIONS, supply
from rules_engine import Rulebook
from rules_engine.narration import book_name, topic_name
from rules_engine.topics import cases, topics
from rules_engine.versions import earlier, former
from training.lessons.law_changes import rules_to_learn_anew
from training.people.models import Role, User
from training.platform.errors import Refused

DRAFTERS = services.WRITERS | {Role.HR}
ITEMS = 2  # questions on each changed rule
DIFFICULTIES = (2, 3, 1)  # in order of preference, if a level has too few different cases
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
    return re.sub(r"-+$", "", f"R-{new.id.upper()}"[: services.LONGEST_CODE])


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
    """A line for each changed rule that enough cases turn on, in teaching order."""
    found = [line for cite in _changed(new) if (line := _line(new, cite))]
    order = {topic: place for place, topic in enumerate(topics(new.id))}
    return sorted(found, key=lambda line: order[line.topic])[: MOST_LINES * MOST_SECTIONS]


def not_asked(new: Rulebook) -> list[str]:
    """The changed rules that no exam can ask: too few cases turn on them, or their text is open to doubt."""
    asked = {line.article for line in lines(new)}
    return [cite for cite in _changed(new) if cite not in asked]


def _changed(new: Rulebook) -> list[str]:
    """The rules that changed since any earlier version: holders of each of them may sit the refresher."""
    return list(dict.fromkeys(rule.cite for old in earlier(new) for rule in rules_to_learn_anew(old.id, new.id)))


def _line(new: Rulebook, cite: str) -> Line | None:
    turned_on = dict.fromkeys(case.topic for case in cases(new.id) if cite in case.turns_on[new.id])
    for difficulty in DIFFICULTIES:
        for topic in turned_on:
            if supply((new.id, topic, difficulty, cite), ITEMS * FORMS) >= ITEMS * FORMS:
                return Line(rulebook=new.id, topic=topic, article=cite, difficulty=difficulty, items=ITEMS)
    return None


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
