"""What a new version of a regulation changes, in words, with an example of each change; and who has yet to learn it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import Any

from rules_engine import RULEBOOKS, Adopted, Rulebook, Situation, Table, rulebook
from rules_engine import changes as engine
from rules_engine.changes import Change
from rules_engine.narration import ask, book_name, cited, narrate, show
from rules_engine.versions import earlier, later, regulation_of
from rules_engine.words import FALLBACK
from training.house import tables
from training.house.readings import practised_by_book
from training.lessons.reference import open_form
from training.library.guarded_cases import Watch
from training.mastery.memory import Rule

ENOUGH = 3  # examples to look for, so that there is another if an exam uses one
KEPT = 256
Held = tuple[tuple[str, str, Adopted], ...]  # rulebook, question, adopted reading; hashable for the cache


@dataclass(frozen=True)
class Clause:
    cite: str
    shown: str
    text: str
    language: str


@dataclass(frozen=True)
class Example:
    """A situation that the versions rule differently; `decisions` are (question, before, now)."""

    topic: str
    situation: Situation
    sentences: list[str]
    decisions: list[tuple[str, str, str]]


@dataclass(frozen=True)
class Told:
    """A changed article: its clauses before and now, numbers and fixed words that changed, and an example, if any case
    shows the difference. `rules` are those to practise."""

    article: str
    shown: str
    before: Sequence[Clause]
    after: Sequence[Clause]
    numbers: Sequence[tuple[str, str]]
    words: Sequence[tuple[str, str]]
    example: Example | None
    rules: Sequence[Rule]


@dataclass(frozen=True)
class Pointer:
    """A new version of something a person studied or holds, with rules they have not met yet."""

    old: str
    new: str
    old_name: str
    new_name: str
    since: date | None
    left: int


def pair(old: str, new: str) -> tuple[Rulebook, Rulebook] | None:
    """Two versions of one regulation, the earlier first; None if they are not."""
    if old not in RULEBOOKS or new not in RULEBOOKS or RULEBOOKS[old] not in earlier(RULEBOOKS[new]):
        return None
    return RULEBOOKS[old], RULEBOOKS[new]


@dataclass(frozen=True)
class _Ground:
    """On what examples are played: both versions at the first table of the house, with its readings."""

    old: Rulebook
    new: Rulebook
    held: Held
    table: Table
    watch: Watch

    @property
    def books(self) -> tuple[Rulebook, Rulebook]:
        return _read(self.old, self.held, self.table), _read(self.new, self.held, self.table)


def _ground(old: Rulebook, new: Rulebook) -> _Ground:
    return _Ground(old, new, _held(old.id, new.id), tables.of_house(new.id)[0], Watch(new.id))


def told(old: Rulebook, new: Rulebook, language: str) -> list[Told]:
    """Every change with an example. Leaves out situations that exams use; follows the readings of the house."""
    ground = _ground(old, new)
    return [
        _told(change, old, new, language, _example(change, ground, language)) for change in differing(old.id, new.id)
    ]


def told_one(old: Rulebook, new: Rulebook, article: str, language: str) -> Told | None:
    """One change with its example; None if the article does not differ."""
    change = next((one for one in differing(old.id, new.id) if one.article == article), None)
    if change is None:
        return None
    return _told(change, old, new, language, _example(change, _ground(old, new), language))


@lru_cache(maxsize=KEPT)
def differing(old: str, new: str) -> tuple[Change, ...]:
    """The changes without examples, which is quick."""
    return engine.changes(rulebook(old), rulebook(new))


@lru_cache(maxsize=KEPT)
def rules_to_learn_anew(old: str, new: str) -> tuple[Rule, ...]:
    """The rules of the new version that the changes concern and that can be practised."""
    books = rulebook(old), rulebook(new)
    cites = [cite for change in differing(old, new) for cite in engine.practised(change, *books)]
    return tuple(Rule(new, cite) for cite in dict.fromkeys(cites))


def pointers(studied: Iterable[str], met: Collection[Rule], language: str) -> list[Pointer]:
    """For each version that somebody studied or holds: the latest version, if they have not met all its changes."""
    found: dict[str, Pointer] = {}
    for old in dict.fromkeys(studied):
        newest = next(iter(later(RULEBOOKS[old])[-1:]), None) if old in RULEBOOKS else None
        if newest is None:
            continue
        left = sum(rule not in met for rule in rules_to_learn_anew(old, newest.id))
        if left:
            names = book_name(old, language), book_name(newest.id, language)
            found[regulation_of(newest)] = Pointer(old, newest.id, *names, newest.law.enacted.in_force, left)
    return list(found.values())


def _held(*books: str) -> Held:
    found = practised_by_book(books)
    return tuple((book, question, one) for book, readings in found.items() for question, one in readings.items())


def _read(book: Rulebook, held: Held, table: Table) -> Rulebook:
    return book.at(table).under({question: one for of, question, one in held if of == book.id})


def _example(change: Change, ground: _Ground, language: str) -> Example | None:
    found = _shown(change, ground.old.id, ground.new.id, ground.held, ground.table)
    one = next((one for one in found if not ground.watch.near_facts(ground.new.id, one.situation)), None)
    if one is None:
        return None
    books = ground.books
    rulings = [book.rule(one.situation) for book in books]
    kinds = {decision.key: decision.kind for decision in rulings[1].decisions}
    decisions = []
    for key in one.keys:
        before, now = (
            show(key, kinds[key], ruling.get(key), book, language) for ruling, book in zip(rulings, books, strict=True)
        )
        decisions.append((ask(key, one.situation, books[1], language), before, now))
    return Example(one.topic, one.situation, narrate(one.situation, books[1], language), decisions)


@lru_cache(maxsize=KEPT)
def _shown(change: Change, old: str, new: str, held: Held, table: Table) -> tuple[engine.Shown, ...]:
    books = [_read(rulebook(book), held, table) for book in (old, new)]
    return tuple(islice(engine.shown(change, *books), ENOUGH))


def _told(change: Change, old: Rulebook, new: Rulebook, language: str, example: Example | None) -> Told:
    book = new if change.after or any(row.article == change.article for row in new.law.clauses.values()) else old
    return Told(
        article=change.article,
        shown=cited(change.article, book, language),
        before=[_clause(old, cite, language) for cite in change.before],
        after=[_clause(new, cite, language) for cite in change.after],
        numbers=[pair for name in change.numbers if (pair := _numbers(name, old, new))],
        words=[(_wording(old, name), _wording(new, name)) for name in change.formulas],
        example=example,
        rules=[Rule(new.id, cite) for cite in engine.practised(change, old, new)],
    )


def _clause(book: Rulebook, cite: str, language: str) -> Clause:
    spoken = language if cite in book.law.summaries(language) else FALLBACK
    return Clause(cite, cited(cite, book, language), book.law.summary(cite, language), spoken)


def _numbers(name: str, old: Rulebook, new: Rulebook) -> tuple[str, str] | None:
    """A plain number before and now. Tables and lists are told by their clauses."""
    values: list[Any] = [book.law.numbers[name]["value"] if name in book.law.numbers else None for book in (old, new)]
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return str(values[0]), str(values[1])
    return None


def _wording(book: Rulebook, name: str) -> str:
    """The fixed words in the language of the table, with gaps for what varies; empty if the version has none."""
    return open_form(book.formulas[name].text.get(book.language, "")) if name in book.formulas else ""
