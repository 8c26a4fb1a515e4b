"""Compares two rulebooks of a game: for each kind of incident, a situation that they rule differently."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules_engine import Adopted, Rulebook, Ruling, Situation, Table, rulebook, topics
from rules_engine.compare import compare
from rules_engine.narration import ask, cited, narrate, printed, reason, show
from rules_engine.situation import kind_of
from rules_engine.topics import cases
from training.drawing import Drawing, table_view
from training.house import tables
from training.house.models import HouseRuling
from training.house.readings import practised_by_book, questions, records
from training.lessons.examples import decided
from training.library.guarded_cases import Watch

TRIES = 12  # situations of a generator to try until the rulebooks differ
KEPT = 64  # cached comparisons, by pair, language and adopted readings
Held = tuple[tuple[str, str, Adopted], ...]  # rulebook, question, adopted reading; hashable for the cache


@dataclass(frozen=True)
class Difference:
    """A situation that two rulebooks rule differently.

    `decisions` are (question, one, other); `articles` are the clauses that each ruling turns on, (clause, citation).
    """

    kind: str
    topic: str
    situation: Situation
    sentences: list[str]
    decisions: list[tuple[str, str, str]]
    articles: tuple[list[tuple[str, str]], list[tuple[str, str]]]


@dataclass(frozen=True)
class ByTopic:
    id: str
    name: str
    differences: Sequence[Difference]


@dataclass(frozen=True)
class Compared:
    """The topics that differ, in teaching order; the names of those ruled alike, and of those only one rulebook has."""

    differing: Sequence[ByTopic]
    alike: Sequence[str]
    only: tuple[Sequence[str], Sequence[str]]


@dataclass(frozen=True)
class Played:
    """How one rulebook rules on a difference: reasons, decisions, the final table, and the adopted readings it uses."""

    book: str
    name: str
    steps: list[tuple[str, str, str]]
    decisions: list[tuple[str, str]]
    ending: Drawing
    house: list[tuple[str, HouseRuling]]


def comparable(book: Rulebook) -> list[str]:
    """The rulebooks to compare one with: others of its game with a common kind of incident.

    Those that are like it come last, since they differ little."""
    found = [other for other in book.game.books if other is not book and book.kinds().keys() & other.kinds().keys()]
    return [other.id for other in sorted(found, key=lambda other: book.like is other or other.like is book)]


def compared(one: str, other: str, language: str) -> Compared:
    found = differences(one, other, language)
    has, too = topics(one), topics(other)
    book = rulebook(one)
    differing = [
        ByTopic(topic, book.topic_of_game(topic, language), [each for each in found if each.topic == topic])
        for topic in has
        if any(each.topic == topic for each in found)
    ]
    named = {topic.id for topic in differing}
    return Compared(
        differing=differing,
        alike=[book.topic_of_game(topic, language) for topic in has if topic in too and topic not in named],
        only=(
            [book.topic_of_game(topic, language) for topic in has if topic not in too and topic not in named],
            [rulebook(other).topic_of_game(topic, language) for topic in too if topic not in has],
        ),
    )


def differences(one: str, other: str, language: str) -> tuple[Difference, ...]:
    """For each kind of incident that both rulebooks regulate, a situation on which they differ, if one was found.

    Uses the readings that the house has adopted. Leaves out situations that exams use."""
    watch = Watch(one)
    found = _differences(one, other, language, _held(one, other), table_of(one))
    return tuple(each for each in found if not watch.near_facts(one, each.situation))


def _held(*books: str) -> Held:
    found = practised_by_book(books)
    return tuple(
        (book, question, adopted) for book, readings in found.items() for question, adopted in readings.items()
    )


def _readings(held: Held) -> dict[str, dict[str, Adopted]]:
    books = {book for book, _question, _adopted in held}
    return {book: {question: adopted for of, question, adopted in held if of == book} for book in books}


@lru_cache(maxsize=KEPT)
def _differences(one: str, other: str, language: str, held: Held, table: Table) -> tuple[Difference, ...]:
    found: dict[str, Difference] = {}
    here = rulebook(one).at(table)
    for case in cases(one):
        for number in range(TRIES):
            draw = here.game.draw("compare", one, case.name, number)
            situation = case.make(draw, here, 1 + number % 5)
            kind = kind_of(situation.incident)
            if kind in found or not rulebook(other).regulates(type(situation.incident)):
                break
            rulings = compare(situation, readings=_readings(held)).rulings
            difference = _difference(situation, case.topic, here, other, language, rulings)
            if difference:
                found[kind] = difference
                break
    return tuple(found.values())


def difference(one: str, other: str, kind: str, language: str) -> Difference | None:
    return next((each for each in differences(one, other, language) if each.kind == kind), None)


def table_of(book: str) -> Table:
    """The table at which differences are played: the first of the house."""
    return tables.of_house(book)[0]


def played(situation: Situation, book_id: str, name: str, language: str, *, table: Table) -> Played:
    """How a rulebook rules on a situation, with amounts in the currency of the table."""
    book = rulebook(book_id).under(practised_by_book([book_id]).get(book_id, {})).counted_in(table.currency)
    ruling = book.rule(situation)
    return Played(
        book=book_id,
        name=name,
        steps=[(step.cite, cited(step.cite, book, language), reason(step, book, language)) for step in ruling.steps],
        decisions=[decided(decision, situation, book, language) for decision in ruling.decisions],
        ending=table_view(situation, currency=table.currency, after=ruling.after, rulebook=book_id, table=table),
        house=_on_record(ruling, book, language),
    )


def _on_record(ruling: Ruling, book: Rulebook, language: str) -> list[tuple[str, HouseRuling]]:
    """The adopted readings that this ruling uses, each once, with their records."""
    known = records(ruling.steps)
    open_ones = questions(book, language) if known else {}
    read = {step.adopted.record: step.reading for step in ruling.steps if step.adopted}
    return [
        (open_ones[question].told(known[record].choice), known[record])
        for record, question in read.items()
        if record in known
    ]


def _difference(
    situation: Any, topic: str, here: Rulebook, other: str, language: str, rulings: dict[str, Ruling]
) -> Difference | None:
    one = here.id
    if one not in rulings or other not in rulings:
        return None
    kinds = {decision.key: decision.kind for id in (one, other) for decision in rulings[id].decisions}
    decisions = []
    for key, kind in kinds.items():
        values = [rulings[id].get(key) for id in (one, other)]
        # Words always differ by language, and a question that only one text answers is no contradiction.
        if kind != "words" and None not in values and values[0] != values[1]:
            shown = [
                show(key, kind, value, rulebook(id).counted_in(here.currency), language)
                for id, value in zip((one, other), values, strict=True)
            ]
            decisions.append((ask(key, situation, here, language), shown[0], shown[1]))
    if not decisions:
        return None
    return Difference(
        kind=kind_of(situation.incident),
        topic=topic,
        situation=situation,
        sentences=narrate(situation, here, language),
        decisions=decisions,
        articles=(_articles(rulings[one], language), _articles(rulings[other], language)),
    )


def _articles(ruling: Ruling, language: str) -> list[tuple[str, str]]:
    return printed(ruling.pivots, rulebook(ruling.rulebook), language)
