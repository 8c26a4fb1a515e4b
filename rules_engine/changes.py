"""What changed between two versions of a regulation, article by article, and a situation in which it shows."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from rules_engine.cases import Case
from rules_engine.errors import EngineError
from rules_engine.law import Row
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Ruling, Utterance
from rules_engine.situation import Situation
from rules_engine.topics import cases

TRIES = 40  # situations of a generator to try until the versions differ


class Change(Struct, frozen=True):
    """An article that differs: the clauses of either version, and the numbers and formulas, by name."""

    article: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()


class Shown(Struct, frozen=True):
    """A situation that the two versions rule differently, and the decisions in which they do."""

    topic: str
    situation: Situation
    keys: tuple[str, ...]


def changes(old: Rulebook, new: Rulebook) -> tuple[Change, ...]:
    """The articles that differ, in the order of the new text, then those it no longer has."""
    before, after = _differing(old, new), _differing(new, old)
    numbers = {name: _number_article(name, old, new) for name in _changed_numbers(old, new)}
    formulas = {name: _formula_article(name, old, new) for name in _changed_formulas(old, new)}
    touched = {row.article for row in (*before, *after)} | set(numbers.values()) | set(formulas.values())
    rows = (*new.law.clauses.values(), *old.law.clauses.values())
    return tuple(
        Change(
            article,
            before=tuple(row.cite for row in before if row.article == article),
            after=tuple(row.cite for row in after if row.article == article),
            numbers=tuple(name for name, of in numbers.items() if of == article),
            formulas=tuple(name for name, of in formulas.items() if of == article),
        )
        for article in dict.fromkeys(row.article for row in rows)
        if article in touched
    )


def practised(change: Change, old: Rulebook, new: Rulebook) -> tuple[str, ...]:
    """The clauses of the new version that cases turn on and that the change concerns."""
    named = [new.law.numbers[name]["cite"] for name in change.numbers if name in new.law.numbers]
    said = [new.formulas[name].cite for name in change.formulas if name in new.formulas]
    turned_on = {cite for case in cases(new.id) for cite in case.turns_on[new.id]}
    wanted = (*change.after, *named, *said)
    return tuple(cite for cite in dict.fromkeys(wanted) if cite in turned_on and new.law.row(cite).tested)


def shown(change: Change, old: Rulebook, new: Rulebook) -> Iterator[Shown]:
    """Situations that the two versions rule differently because of a change. None if no case shows it."""
    for case, book in _cases(change, old, new):
        for number in range(TRIES):
            draw = book.game.draw("changes", old.id, new.id, case.name, number)
            situation = case.make(draw, book, book.game.level(case.topic, 1 + number % 5))
            try:
                rulings = old.rule(situation), new.rule(situation)
            except EngineError:
                continue
            keys = tuple(differing(rulings, (old, new)))
            if keys and _concerns(change, rulings, keys, (old, new)):
                yield Shown(case.topic, situation, keys)
                break


def differing(rulings: tuple[Ruling, Ruling], books: tuple[Rulebook, Rulebook]) -> Iterator[str]:
    """The decisions that both versions take, and take differently. Announcements are compared as they are spoken."""
    for decision in rulings[1].decisions:
        values = [ruling.get(decision.key) for ruling in rulings]
        if None not in values:
            one, other = (_said(value, book) for value, book in zip(values, books, strict=True))
            if one != other:
                yield decision.key


def _said(value: Any, book: Rulebook) -> Any:
    return book.say(value) if isinstance(value, Utterance) else value


def _concerns(
    change: Change, rulings: tuple[Ruling, Ruling], keys: Iterable[str], books: tuple[Rulebook, Rulebook]
) -> bool:
    """Whether the difference is that of this article: a differing decision rests on it or is one of its formulas."""
    for ruling, book in zip(rulings, books, strict=True):
        for decision in ruling.decisions:
            if decision.key in keys:
                if isinstance(decision.value, Utterance):
                    if decision.value.formula in change.formulas:
                        return True
                elif any(book.law.row(cite).article == change.article for cite in decision.rests):
                    return True
    return False


def _cases(change: Change, old: Rulebook, new: Rulebook) -> list[tuple[Case, Rulebook]]:
    """The cases that turn on the article in either version, those of the new one first."""
    return [
        (case, book)
        for book in (new, old)
        for case in cases(book.id)
        if any(book.law.row(cite).article == change.article for cite in case.turns_on[book.id])
    ]


def _differing(book: Rulebook, other: Rulebook) -> list[Row]:
    """The clauses that the other version lacks or words differently, without those that only refer to it."""
    return [row for row in book.law.clauses.values() if not _refers(row, other) and not _repeated(row, book, other)]


def _repeated(row: Row, book: Rulebook, other: Rulebook) -> bool:
    """Whether the other version has the same clause, or one that only refers to this."""
    there = other.law.clauses.get(row.cite)
    return there is not None and (_refers(there, book) or (row.text, row.kind) == (there.text, there.kind))


def _refers(row: Row, other: Rulebook) -> bool:
    """Whether a clause only says that it is the same in the other version."""
    return row.kind == "context" and any(cite.startswith(f"{other.id} ") for cite in row.depends_on)


def _changed_numbers(old: Rulebook, new: Rulebook) -> list[str]:
    one, other = old.law.numbers, new.law.numbers
    return [name for name in dict.fromkeys((*other, *one)) if _value(one, name) != _value(other, name)]


def _value(numbers: dict[str, dict[str, Any]], name: str) -> Any:
    return numbers[name]["value"] if name in numbers else None


def _number_article(name: str, old: Rulebook, new: Rulebook) -> str:
    book = new if name in new.law.numbers else old
    return _article(str(book.law.numbers[name]["cite"]), book)


def _changed_formulas(old: Rulebook, new: Rulebook) -> list[str]:
    one, other = old.formulas, new.formulas
    return [name for name in dict.fromkeys((*other, *one)) if _wording(old, name) != _wording(new, name)]


def _wording(book: Rulebook, name: str) -> str | None:
    return book.formulas[name].text.get(book.language) if name in book.formulas else None


def _formula_article(name: str, old: Rulebook, new: Rulebook) -> str:
    book = new if name in new.formulas else old
    return _article(book.formulas[name].cite, book)


def _article(cite: str, book: Rulebook) -> str:
    """The article of a clause; some numbers cite a whole article, or several clauses, of which the first counts."""
    if cite in book.law:
        return book.law.row(cite).article
    named = {name: row.article for row in book.law.clauses.values() for name in (row.article, row.cite)}
    first = [name for name in named if re.match(rf"{re.escape(name)}(?!\w)", cite)]
    return named[max(first, key=len)] if first else cite
