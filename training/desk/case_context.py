"""The context of a case, for its author and reviewer: its edges, other rulebooks, and its likely difficulty."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

import msgspec

from rules_engine import Ruling, Scenario, Utterance, rulebook
from rules_engine.compare import compare
from rules_engine.contrast import Contrast, changed_facts, tried
from rules_engine.misconceptions import believed, misconceptions
from rules_engine.narration import ask, book_name, cited, show
from rules_engine.scenario import scenario_of
from rules_engine.words import FALLBACK
from training.figures.expected import experience
from training.house.readings import practised_by_book
from training.library import guarded_cases
from training.people.models import User
from training.practice.what_if import told_change

MOST_EDGES = 8
# (share of points, level): below this share a case is at this level; otherwise at level 1.
LEVELS = ((0.5, 5), (0.6, 4), (0.7, 3), (0.8, 2))


@dataclass(frozen=True)
class Edge:
    """A changed fact, in sentences, and the decisions that differ: (question, then, now)."""

    facts: list[str]
    rulings: list[tuple[str, str, str]]


@dataclass(frozen=True)
class Elsewhere:
    """Another rulebook on the same facts: the decisions that differ, or why it does not rule."""

    id: str
    rulebook: str
    rulings: list[tuple[str, str, str]]
    silent: str

    @property
    def names_itself(self) -> bool:
        """Whether the text on why it does not rule begins with its name."""
        return self.silent.startswith(self.rulebook)


@dataclass(frozen=True)
class Expected:
    """The share of points a trainee is likely to get, in percent, and the level that corresponds to it."""

    percent: int
    level: int


@dataclass(frozen=True)
class Edges:
    """What changes the ruling, and how many changes of one fact and of two were tried."""

    found: list[Edge]
    single: int
    double: int


@dataclass(frozen=True)
class SameAnswer:
    """A wrong rule that gives the right answers here, and the nearest case that tells it apart, in sentences."""

    said: str
    cite: str
    facts: list[str]


def _open_to(reader: User, scenario: Scenario, found: Iterable[Contrast]) -> list[Contrast]:
    """Leaves out cases that exams use or may use and whose ruling this person may not see."""
    watch = guarded_cases.Watch(scenario.rulebook)
    return [
        one
        for one in found
        if not guarded_cases.closed_to(reader, msgspec.structs.replace(scenario, situation=one.situation), watch)
    ]


def edges(scenario: Scenario, ruling: Ruling, language: str, reader: User) -> Edges:
    """The smallest changes that change the ruling, of one fact or else of two, without duplicates in words."""
    situation, book = scenario.situation, scenario.book
    asked = [question.key for question in scenario.questions]
    found: dict[tuple[str, ...], Edge] = {}
    made = tried(situation, book, ruling, asked)
    for one in _open_to(reader, scenario, made.found):
        told = changed_facts(one, situation, book, language)
        rulings = [told_change(change, situation, book, language) for change in one.changes]
        if told:
            found.setdefault(tuple(told), Edge(told, rulings))
    return Edges(list(islice(found.values(), MOST_EDGES)), made.single, made.double)


def same_answers(scenario: Scenario, ruling: Ruling, language: str, reader: User) -> list[SameAnswer]:
    """The usual wrong rules about the clauses of this ruling that give the same answers as the law."""
    situation, book = scenario.situation, scenario.book
    cited_here = {step.cite for step in ruling.steps}
    asked = [question.key for question in scenario.questions]
    near = _open_to(reader, scenario, tried(situation, book, ruling, asked, pairs=False).found)
    found = []
    for one in misconceptions(scenario.rulebook):
        if one.cite not in cited_here or believed(scenario, one):
            continue
        telling = next((edge for edge in near if believed(scenario_of(edge.situation, book), one)), None)
        facts = changed_facts(telling, situation, book, language) if telling else []
        said = one.said.get(language, one.said[FALLBACK])
        found.append(SameAnswer(said, cited(one.cite, book, language), facts))
    return found


def elsewhere(scenario: Scenario, ruling: Ruling, language: str) -> list[Elsewhere]:
    """Every other rulebook of the game, those that decide differently first."""
    situation, here = scenario.situation, scenario.book
    was = {decision.key: decision for decision in ruling.decisions}
    compared = compare(situation, language, practised_by_book(book.id for book in here.game.books))
    found = []
    for id, other in compared.rulings.items():
        # Amounts are shown in the currency of this table, not of the other rulebook.
        rulings = [
            (
                ask(one.key, situation, here, language),
                show(
                    one.key, one.kind, one.value, rulebook(id) if isinstance(one.value, Utterance) else here, language
                ),
                show(one.key, was[one.key].kind, was[one.key].value, here, language),
            )
            for one in other.decisions
            if one.key in was and one.value != was[one.key].value
        ]
        found.append(Elsewhere(id, book_name(id, language), rulings, ""))
    found.sort(key=lambda one: not one.rulings)
    found += [Elsewhere(id, book_name(id, language), [], why) for id, why in compared.silent.items()]
    return [one for one in found if one.id != here.id]


def expected(scenario: Scenario, ruling: Ruling, version_id: int | None = None) -> Expected:
    """The likely difficulty, from the results of the case itself if it is in use, else of its rules and its kind."""
    share = experience([scenario.rulebook]).expected(
        rulebook=scenario.rulebook,
        topic=scenario.topic,
        difficulty=scenario.difficulty,
        version_id=version_id,
        pivots=ruling.pivots,
    )
    return Expected(round(100 * share), next((level for most, level in LEVELS if share < most), 1))
