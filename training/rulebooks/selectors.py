"""Data for the rulebook pages: the clauses, and how often each was practised and missed."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils import timezone

from rules_engine import GAMES, Rulebook, rulebook
from rules_engine.law import Reading, Row
from rules_engine.narration import book_name, citation, cited
from rules_engine.topics import cases, topics
from rules_engine.versions import is_in_force
from rules_engine.words import FALLBACK
from training.figures.models import RuleTally
from training.house.models import HouseRuling
from training.house.readings import in_force, on_record, questions
from training.mastery.models import Memory
from training.people.models import User
from training.practice import felts
from training.rulebooks.law_search import in_book
from training.search.marks import marked


@dataclass(frozen=True)
class Article:
    """One clause with its topics, its reading and its results in practice."""

    row: Row
    shown: str
    heading: str  # the full citation, if the regulation does not number its articles
    text: str
    language: str  # of the text: the reader's, or English if it is not translated
    topics: tuple[str, ...]
    topic_ids: tuple[str, ...]
    reading: Reading | None
    house: HouseRuling | None
    practised: int
    missed: int

    @property
    def read_so(self) -> str:
        return self.reading.told(self.house.choice if self.house else "") if self.reading else ""

    @property
    def held(self) -> bool:
        """Whether it is kept out of exams until its reading is settled."""
        return self.row.hold and not (self.house and self.house.in_exams)

    @property
    def missed_share(self) -> int | None:
        return round(100 * self.missed / self.practised) if self.practised else None


def summaries(language: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """The name of every game, with its rulebooks."""
    return [(game.name(language), [_summary(book, language) for book in game.books]) for game in GAMES.values()]


def _summary(book: Rulebook, language: str) -> dict[str, Any]:
    return {
        "id": book.id,
        "name": book_name(book.id, language),
        "articles": len(book.law.clauses),
        "practised": len({cite for case in cases(book.id) for cite in case.turns_on[book.id]}),
        "topics": [book.topic_of_game(topic, language) for topic in topics(book.id)],
        "replaced": not is_in_force(book, timezone.localdate()),
        "picture": felts.picture(book.id),
    }


def articles(book_id: str, language: str, *, topic: str = "", words: str = "", of: User | None = None) -> list[Article]:
    """The clauses of a rulebook in its own order, optionally of a topic; those that match some words, the best first.

    Results are those `of` one trainee, or of the whole house.
    """
    book = rulebook(book_id)
    known = questions(book, language)
    practised = _topics_by_cite(book_id)
    counts = _own_counts(book_id, of) if of else _house_counts(book_id)
    rulings = {ruling.question: ruling for ruling in on_record(in_force(book_id))}
    found = []
    fitting = in_book(book_id, words, language) if words.strip() else list(book.law.clauses)
    for row in map(book.law.row, fitting):
        names = tuple(practised.get(row.cite, ()))
        if topic and topic not in names:
            continue
        answers, missed = counts.get(row.cite, (0, 0))
        found.append(
            Article(
                row=row,
                shown=citation(row.cite),
                heading=_heading(row.cite, book, language),
                text=marked(book.law.summary(row.cite, language), language, words),
                language=language if row.cite in book.law.summaries(language) else FALLBACK,
                topics=tuple(book.topic_name(name, language) for name in names),
                topic_ids=names,
                reading=known.get(row.reading),
                house=rulings.get(row.reading),
                practised=answers,
                missed=missed,
            )
        )
    return found


def _heading(cite: str, book: Rulebook, language: str) -> str:
    full = cited(cite, book, language)
    return "" if any(map(str.isdigit, full)) else full


def _house_counts(book_id: str) -> dict[str, tuple[int, int]]:
    tallies = RuleTally.objects.filter(rulebook=book_id)
    return {tally.cite: (tally.answers, tally.answers - tally.perfect) for tally in tallies}


def _own_counts(book_id: str, trainee: User) -> dict[str, tuple[int, int]]:
    memories = Memory.objects.filter(trainee=trainee, rulebook=book_id)
    return {cite: (reviews, lapses) for cite, reviews, lapses in memories.values_list("cite", "reviews", "lapses")}


@cache
def _topics_by_cite(book_id: str) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for case in cases(book_id):
        for cite in case.turns_on[book_id]:
            if case.topic not in found[cite]:
                found[cite].append(case.topic)
    return dict(found)
