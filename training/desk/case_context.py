"""What lies around a case, for its author and reviewer: its edges, other rulebooks, how hard it is likely to be."""

from dataclasses import dataclass
from itertools import islice

from rules_engine import Ruling, Scenario, Utterance, rulebook
from rules_engine.compare import compare
from rules_engine.contrast import changed_facts, contrasts
from rules_engine.narration import ask, book_name, show
from training.figures.expected import experience
from training.house.readings import practised_by_book

MOST_EDGES = 8
# From this share of the points on, a case is as hard as its level says or easier: the upper ends of levels 5 to 1.
LEVELS = ((0.5, 5), (0.6, 4), (0.7, 3), (0.8, 2))


@dataclass(frozen=True)
class Edge:
    """One fact changed, in sentences, and what would be ruled otherwise: question, then, now."""

    facts: list[str]
    rulings: list[tuple[str, str, str]]


@dataclass(frozen=True)
class Elsewhere:
    """Another rulebook on the same facts: what it decides otherwise, or why it says nothing."""

    id: str
    rulebook: str
    rulings: list[tuple[str, str, str]]
    silent: str

    @property
    def names_itself(self) -> bool:
        """Whether what it says on its silence begins with its name."""
        return self.silent.startswith(self.rulebook)


@dataclass(frozen=True)
class Expected:
    """The share of the points that a trainee is likely to get, in percent, and the level which that is like."""

    percent: int
    level: int


def edges(scenario: Scenario, ruling: Ruling, language: str) -> list[Edge]:
    """Where the ruling flips if one fact changes; each set of changed sentences once."""
    situation, book = scenario.situation, scenario.book
    asked = [question.key for question in scenario.questions]
    found: dict[tuple[str, ...], Edge] = {}
    for one in contrasts(situation, book, ruling, asked):
        told = changed_facts(one, situation, book, language)
        rulings = [
            (
                ask(change.key, situation, book, language),
                show(change.key, change.would.kind, change.would.value, book, language),
                show(change.key, change.was.kind, change.was.value, book, language),
            )
            for change in one.changes
        ]
        if told:
            found.setdefault(tuple(told), Edge(told, rulings))
    return list(islice(found.values(), MOST_EDGES))


def elsewhere(scenario: Scenario, ruling: Ruling, language: str) -> list[Elsewhere]:
    """Every other rulebook of the game, those that decide otherwise first."""
    situation, here = scenario.situation, scenario.book
    was = {decision.key: decision for decision in ruling.decisions}
    compared = compare(situation, language, practised_by_book(book.id for book in here.game.books))
    found = []
    for id, other in compared.rulings.items():
        # The sums are those of the table at hand, whatever money the other rulebook counts in.
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
    """From what practice has shown of its rules and its kind; a case that is in use speaks for itself."""
    share = experience([scenario.rulebook]).expected(
        rulebook=scenario.rulebook,
        topic=scenario.topic,
        difficulty=scenario.difficulty,
        version_id=version_id,
        pivots=ruling.pivots,
    )
    return Expected(round(100 * share), next((level for most, level in LEVELS if share < most), 1))
