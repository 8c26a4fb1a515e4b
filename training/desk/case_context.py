"""The context of a case, for its author and reviewer: its edges, other rulebooks, and its likely difficulty."""

from dataclasses import dataclass
from itertools import islice

from rules_engine import Ruling, Scenario, Utterance, rulebook
from rules_engine.compare import compare
from rules_engine.contrast import changed_facts, contrasts
from rules_engine.narration import ask, book_name, show
from training.figures.expected import experience
from training.house.readings import practised_by_book
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


def edges(scenario: Scenario, ruling: Ruling, language: str) -> list[Edge]:
    """The changes of one fact that change the ruling, without duplicates in words."""
    situation, book = scenario.situation, scenario.book
    asked = [question.key for question in scenario.questions]
    found: dict[tuple[str, ...], Edge] = {}
    for one in contrasts(situation, book, ruling, asked):
        told = changed_facts(one, situation, book, language)
        rulings = [told_change(change, situation, book, language) for change in one.changes]
        if told:
            found.setdefault(tuple(told), Edge(told, rulings))
    return list(islice(found.values(), MOST_EDGES))


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
