"""Amendments: a new version of a regulation, read from a folder outside the package.

The folder is named after the id of the version. It has a `law.toml` with `title`, `regulation`, `like`, `in_force` and
`name`, and only what differs in `clauses.csv`, `numbers.toml`, `formulas.toml` and `summaries/<language>.toml`. Golden
cases may come with it (`cases.toml`). Its rules are the code of the text it is like, which reads the changed numbers.
A change that the code does not follow is refused: such a change needs a release.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from rules_engine import golden
from rules_engine.errors import EngineError
from rules_engine.game import RULEBOOKS
from rules_engine.law import ABSENT, TESTED_KINDS, Law, Row, Watched
from rules_engine.rulebook import Rulebook
from rules_engine.scenario import scenario_of
from rules_engine.topics import cases
from rules_engine.versions import versions
from rules_engine.words import FALLBACK, LANGUAGES

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_ID = 40
COLUMNS = ("article", "clause", "topic", "kind", "text", "depends_on", "hold", "reading", "notes")
KINDS = (*TESTED_KINDS, "context", ABSENT)
LEVELS = (1, 3, 5)
KNOWN_FILES = ("law.toml", "clauses.csv", "numbers.toml", "formulas.toml", "cases.toml", "summaries")


class BadAmendment(Exception):
    """An amendment that cannot be used; the message names the folder, the file and what is wrong in one line."""


def load(path: Path) -> Rulebook:
    """Check an amendment and add it to the rulebooks of its game. Raises BadAmendment."""
    book = _read(path)
    try:
        for wrong in _faults(book, path):
            raise BadAmendment(f"{path}: {wrong}")
    except (OSError, ValueError, LookupError, TypeError, EngineError, msgspec.MsgspecError) as error:
        raise BadAmendment(f"{path}: {_one_line(error)}") from None
    _enrol(book)
    try:
        for wrong in (*_unplayable(book), *_golden_faults(book, path)):
            raise BadAmendment(f"{path}: {wrong}")
    except BadAmendment:
        remove(book)
        raise
    return book


def load_all(paths: Iterable[Path]) -> list[Rulebook]:
    """Load amendments in the order given: one that is like another comes after it."""
    return [load(path) for path in paths]


def remove(book: Rulebook) -> None:
    """Take an amendment out again, for one that turned out to be broken, and for tests."""
    game = book.game
    game.books = tuple(other for other in game.books if other is not book)
    RULEBOOKS.pop(book.id, None)
    for language in LANGUAGES:
        game.words.catalogue(language).pop(f"rulebook.{book.id}", None)
    for place, case in enumerate(game.cases):
        kept = {id: cites for id, cites in case.turns_on.items() if id != book.id}
        game.cases[place] = msgspec.structs.replace(case, turns_on=kept)
    cases.cache_clear()


def _read(path: Path) -> Rulebook:
    id = path.name
    if not path.is_dir():
        raise BadAmendment(f"{path}: there is no such folder")
    if not ID.fullmatch(id) or len(id) > LONGEST_ID:
        raise BadAmendment(
            f"{path}: the folder is the id of the version: letters a to z, digits and hyphens, 40 at most"
        )
    if id in RULEBOOKS:
        raise BadAmendment(f"{path}: there is a rulebook with this id already")
    strange = sorted(item.name for item in path.iterdir() if item.name not in KNOWN_FILES)
    if strange:
        raise BadAmendment(f"{path}: {strange[0]} is not a file of an amendment")
    try:
        like = Law(id, path).enacted.like
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadAmendment(f"{path}: law.toml: {_one_line(error)}") from None
    if like not in RULEBOOKS:
        raise BadAmendment(f"{path}: law.toml: `like` names no rulebook: {like!r}")
    return RULEBOOKS[like].amended(id, path)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


# ---- what is wrong with the files


def _faults(book: Rulebook, path: Path) -> Iterator[str]:
    base = book.like
    if base is None:
        raise TypeError("an amendment is like another rulebook")
    yield from (f"law.toml: {wrong}" for wrong in _enacted_faults(book, base))
    yield from (f"clauses.csv: {wrong}" for wrong in _clause_faults(book, base, path))
    yield from (f"numbers.toml: {wrong}" for wrong in _number_faults(book, base))
    yield from (f"formulas.toml: {wrong}" for wrong in _formula_faults(book, base))
    yield from (f"summaries: {wrong}" for wrong in _summary_faults(book, path))


def _enacted_faults(book: Rulebook, base: Rulebook) -> Iterator[str]:
    enacted = book.law.enacted
    if enacted.regulation != base.law.enacted.regulation:
        yield f"`regulation` must be that of {base.id}: {base.law.enacted.regulation}"
    if enacted.in_force is None:
        yield "`in_force` is missing: the day from which the version applies"
    newest = versions(base.law.enacted.regulation)[-1]
    since = newest.law.enacted.in_force or date.min
    if newest is not base:
        yield f"`like` must be the latest version, {newest.id}"
    if enacted.in_force and enacted.in_force <= since:
        yield f"`in_force` must be after {since}, when {newest.id} came into force"
    for language in dict.fromkeys((FALLBACK, book.language)):
        if not enacted.name.get(language):
            yield f"`name.{language}` is missing"
    if unknown := sorted(set(enacted.name) - set(LANGUAGES)):
        yield f"`name.{unknown[0]}` is in a language that Sabot does not have"


def _clause_faults(book: Rulebook, base: Rulebook, path: Path) -> Iterator[str]:
    source = path / "clauses.csv"
    if source.is_file():
        head = source.read_text("utf-8").splitlines()[:1]
        if head != [",".join(COLUMNS)]:
            yield f"the first line must be {','.join(COLUMNS)}"
            return
    for row in book.law.own.values():
        if row.kind not in KINDS:
            yield f"{row.cite}: {row.kind!r} is not one of {', '.join(KINDS)}"
        if row.kind == ABSENT and row.cite not in base.law:
            yield f"{row.cite}: {base.id} has no such clause to take away"
        if row.kind != ABSENT and not row.text:
            yield f"{row.cite}: the clause has no text"
        if row.reading and row.reading not in book.game.readings(FALLBACK):
            yield f"{row.cite}: {row.reading!r} is not an open question of this game"


def _number_faults(book: Rulebook, base: Rulebook) -> Iterator[str]:
    built_in = frozenset().union(*(other.law.built_in for other in book.lineage))
    for name, entry in book.law.own_numbers.items():
        if name not in base.law.numbers:
            yield f"{name}: {base.id} has no such number, so no rule would read it"
        elif not _has(book.law.clauses.values(), entry.get("cite")):
            yield f"{name}: `cite` names no clause: {entry.get('cite')!r}"
        elif not _has(book.law.own.values(), entry["cite"]):
            yield f"{name}: its clause {entry['cite']} must be given too, in its new wording"
        elif _shape(entry.get("value")) != _shape(base.law.numbers[name]["value"]):
            yield f"{name}: `value` must have the form of that in {base.id}: {base.law.numbers[name]['value']!r}"
        elif name in built_in:
            yield f"{name}: the game is built on this number; changing it needs a release"


def _has(rows: Iterable[Row], cite: object) -> bool:
    """Whether some of these clauses is the one cited, or belongs to the article cited."""
    return any(cite in (row.cite, row.article) for row in rows)


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shape(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_shape(value[0])] if value else []
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def _formula_faults(book: Rulebook, base: Rulebook) -> Iterator[str]:
    for name, formula in book.own_formulas.items():
        known = base.formulas.get(name)
        if known is None:
            yield f"{name}: {base.id} has no such announcement, so no rule would ask for it"
        elif formula.cite not in book.law:
            yield f"{name}: `cite` names no clause: {formula.cite!r}"
        elif formula.slots != known.slots:
            yield f"{name}: its gaps must be those of {base.id}: {', '.join(known.slots) or 'none'}"
        elif missing := sorted(set(known.text) - set(formula.text)):
            yield f"{name}: `text.{missing[0]}` is missing"


def _summary_faults(book: Rulebook, path: Path) -> Iterator[str]:
    for source in sorted((path / "summaries").glob("*")) if (path / "summaries").is_dir() else ():
        if source.suffix != ".toml" or source.stem not in LANGUAGES:
            yield f"{source.name} is not <language>.toml"
        elif strange := sorted(set(tomllib.loads(source.read_text("utf-8"))) - set(book.law.clauses)):
            yield f"{source.name}: {strange[0]} names no clause"
    for row in book.law.rows.values():
        if book.language != FALLBACK and row.cite not in book.law.summaries(book.language):
            yield f"{book.language}.toml: {row.cite} has no summary in the language of the tables"


# ---- whether the code follows it


def _enrol(book: Rulebook) -> None:
    """Add the version to its game: every case of the text it is like is a case of it, for the clauses it has."""
    game, base = book.game, book.like
    book.law.settle()
    game.books, RULEBOOKS[book.id] = (*game.books, book), book
    names = book.law.enacted.name
    for language in LANGUAGES:
        game.words.catalogue(language)[f"rulebook.{book.id}"] = names.get(language) or names[FALLBACK]
    for place, case in enumerate(game.cases):
        cites = tuple(cite for cite in case.turns_on.get(base.id if base else "", ()) if cite in book.law)
        if cites:
            game.cases[place] = msgspec.structs.replace(case, turns_on={**case.turns_on, book.id: cites})
    cases.cache_clear()


def _unplayable(book: Rulebook) -> Iterator[str]:
    """Cases that cannot be made or ruled under it, and changed numbers that the code still reads in the old text."""
    changed = book.law.own_numbers.keys()
    watched = {other: Watched(other.law.numbers) for other in book.lineage}
    plain = {other: other.law.numbers for other in book.lineage}
    for other, numbers in watched.items():
        other.law.numbers = numbers
    try:
        for case in cases(book.id):
            for level in LEVELS:
                draw = book.game.draw("amendment", book.id, case.name, level)
                scenario_of(case.make(draw, book, book.game.level(case.topic, level)), book)
    except EngineError as error:
        yield f"the case “{case.name}” cannot be ruled: {_one_line(error)}"
    finally:
        for other, old in plain.items():
            other.law.numbers = old
    stale = {name for numbers in watched.values() for name in numbers.read} & changed
    yield from (
        f"numbers.toml: {name}: part of the code keeps the old number; needs a release" for name in sorted(stale)
    )


def _golden_faults(book: Rulebook, path: Path) -> Iterator[str]:
    source = path / "cases.toml"
    if not source.is_file():
        return
    try:
        for case in tomllib.loads(source.read_text("utf-8"))["case"]:
            if wrong := golden.fault(book, case):
                yield f"cases.toml: {case['name']}: {wrong}"
    except (ValueError, LookupError, TypeError) as error:
        yield f"cases.toml: {_one_line(error)}"
