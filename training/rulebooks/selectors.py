"""What the rulebook pages read: the engine's law, and how often each rule was practised and missed."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Any

from rules_engine import GAMES, Rulebook, rulebook
from rules_engine.compare import compare
from rules_engine.law import Reading, Row
from rules_engine.narration import ask, book_name, citation, narrate, show
from rules_engine.situation import kind_of
from rules_engine.topics import cases, topics
from rules_engine.words import FALLBACK
from training.figures.models import RuleTally
from training.folding import folded

TRIES = 12  # situations of a case to look for one where two rulebooks differ


@dataclass(frozen=True)
class Article:
    """One clause with what the engine does with it."""

    row: Row
    shown: str
    text: str
    language: str  # of the text: the reader's, or English until somebody wrote it
    topics: tuple[str, ...]
    reading: Reading | None
    practised: int
    missed: int

    @property
    def missed_share(self) -> int | None:
        return round(100 * self.missed / self.practised) if self.practised else None


@dataclass(frozen=True)
class Difference:
    """One situation that two rulebooks rule differently: the story, and (question, one, other) where they differ."""

    sentences: list[str]
    decisions: list[tuple[str, str, str]]


def summaries(language: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """Every game by its name, with its rulebooks."""
    return [(game.name(language), [_summary(book, language) for book in game.books]) for game in GAMES.values()]


def _summary(book: Rulebook, language: str) -> dict[str, Any]:
    return {
        "id": book.id,
        "name": book_name(book.id, language),
        "articles": len(book.law.clauses),
        "practised": len({cite for case in cases(book.id) for cite in case.turns_on[book.id]}),
        "topics": [book.topic_name(topic, language) for topic in topics(book.id)],
    }


def comparable(book: Rulebook) -> list[str]:
    """The rulebooks to compare one with: others of its game that rule on something it rules on too. Those that only
    repeat it come last: there is little to see."""
    found = [other for other in book.game.books if other is not book and book.kinds().keys() & other.kinds().keys()]
    return [other.id for other in sorted(found, key=lambda other: book.like is other or other.like is book)]


def articles(book_id: str, language: str, *, topic: str = "", words: str = "") -> list[Article]:
    """The clauses of a rulebook in its own order, narrowed to a topic or to some words; one query for the counts."""
    book = rulebook(book_id)
    known = book.game.readings(language)
    practised = _topics_by_cite(book_id)
    tallies = {tally.cite: tally for tally in RuleTally.objects.filter(rulebook=book_id)}
    found = []
    for row in book.law.clauses.values():
        names = tuple(practised.get(row.cite, ()))
        if (topic and topic not in names) or not _fits(row, words, book, language):
            continue
        tally = tallies.get(row.cite)
        found.append(
            Article(
                row=row,
                shown=citation(row.cite),
                text=book.law.summary(row.cite, language),
                language=language if row.cite in book.law.summaries(language) else FALLBACK,
                topics=tuple(book.topic_name(name, language) for name in names),
                reading=known.get(row.reading),
                practised=tally.answers if tally else 0,
                missed=tally.answers - tally.perfect if tally else 0,
            )
        )
    return found


def _fits(row: Row, words: str, book: Rulebook, language: str) -> bool:
    """Whether a clause is meant: by its number, where the words are one, otherwise by what it says to the reader, in
    English or at its own tables."""
    wanted = " ".join(words.lower().replace(")", "").split())
    if not wanted:
        return True
    if any(_named(cite, wanted) for cite in book.law.clauses):
        return _named(row.cite, wanted)
    said = (book.law.summary(row.cite, spoken) for spoken in {FALLBACK, language, book.language})
    told = folded(" ".join((row.cite, row.topic, *said)))
    return all(word in told for word in folded(wanted).split())


def _named(cite: str, wanted: str) -> bool:
    return cite == wanted or cite.startswith((f"{wanted} ", f"{wanted}-"))


@cache
def _topics_by_cite(book_id: str) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for case in cases(book_id):
        for cite in case.turns_on[book_id]:
            if case.topic not in found[cite]:
                found[cite].append(case.topic)
    return dict(found)


@cache
def differences(one: str, other: str, language: str) -> tuple[Difference, ...]:
    """For every kind of incident that both rulebooks regulate, one situation on which they differ, if any was found."""
    found: dict[str, Difference] = {}
    for case in cases(one):
        for number in range(TRIES):
            draw = rulebook(one).game.draw("compare", one, case.name, number)
            situation = case.make(draw, rulebook(one), 1 + number % 5)
            kind = kind_of(situation.incident)
            if kind in found or not rulebook(other).regulates(type(situation.incident)):
                break
            difference = _difference(situation, one, other, language)
            if difference:
                found[kind] = difference
                break
    return tuple(found.values())


def _difference(situation: Any, one: str, other: str, language: str) -> Difference | None:
    rulings = compare(situation).rulings
    if one not in rulings or other not in rulings:
        return None
    kinds = {decision.key: decision.kind for id in (one, other) for decision in rulings[id].decisions}
    decisions = []
    for key, kind in kinds.items():
        values = [rulings[id].get(key) for id in (one, other)]
        # Words differ by language alone, and a question only one text answers is no contradiction.
        if kind != "words" and None not in values and values[0] != values[1]:
            shown = [
                show(key, kind, value, rulebook(id), language) for id, value in zip((one, other), values, strict=True)
            ]
            decisions.append((ask(key, situation, rulebook(one), language), shown[0], shown[1]))
    if not decisions:
        return None
    return Difference(narrate(situation, rulebook(one), language), decisions)
