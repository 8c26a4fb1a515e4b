"""Amendments: a new version of a regulation, read from a folder outside the package.

The folder is named after the id of the version. It has a `law.toml` with `title`, `regulation`, `like`, `in_force` and
`name`, and only what differs in `clauses.csv`, `numbers.toml`, `formulas.toml`, `summaries/<language>.toml` and, for
sentences of the game that say a changed number themselves, `words/<language>.toml`. Golden cases may come with it
(`cases.toml`). Its rules are the code of the text it is like, which reads the changed numbers.
A change that the code does not follow is refused: such a change needs a release.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from rules_engine import golden
from rules_engine.amendment_files import faults
from rules_engine.errors import EngineError
from rules_engine.game import RULEBOOKS
from rules_engine.law import Law, Watched
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Ruling
from rules_engine.scenario import scenario_of
from rules_engine.topics import cases
from rules_engine.words import FALLBACK, LANGUAGES

Numbers = dict[str, dict[str, Any]]
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_ID = 40
LEVELS = (1, 3, 5)
# How an English sentence says a number without a gap for it.
SPELT = {
    1: "one|single|once",
    2: "two|second|twice|both|double",
    3: "three|third",
    4: "four|fourth|quarter",
    5: "five|fifth",
    6: "six|sixth",
    7: "seven|seventh",
    8: "eight|eighth",
    9: "nine|ninth",
    10: "ten|tenth",
    12: "twelve",
    15: "fifteen",
    20: "twenty",
    30: "thirty",
    40: "forty",
    50: "fifty",
    100: "hundred",
}
KNOWN_FILES = (
    "law.toml",
    "clauses.csv",
    "numbers.toml",
    "formulas.toml",
    "cases.toml",
    "tables.toml",
    "summaries",
    "words",
)


class BadAmendment(Exception):
    """An amendment that cannot be used; the message names the folder, the file and what is wrong in one line."""


def load(path: Path) -> Rulebook:
    """Check an amendment and add it to the rulebooks of its game. Raises BadAmendment."""
    book = _read(path)
    try:
        for wrong in faults(book, path):
            raise BadAmendment(f"{path}: {wrong}")
    except (OSError, ValueError, LookupError, TypeError, EngineError, msgspec.MsgspecError) as error:
        raise BadAmendment(f"{path}: {_one_line(error)}") from None
    _enrol(book)
    try:
        for wrong in (*_unplayable(book), *_golden_faults(book, path)):
            raise BadAmendment(f"{path}: {wrong}")
    except Exception:
        remove(book)
        raise
    return book


def load_all(paths: Iterable[Path]) -> list[Rulebook]:
    """Load amendments in the order given: one that is like another comes after it."""
    return [load(path) for path in paths]


def remove(book: Rulebook) -> None:
    """Take an amendment out again, for one that turned out to be broken, and for tests."""
    game = book.game
    game.books = tuple(other for other in game.books if other.id != book.id)
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


# ---- whether the code follows it


def _enrol(book: Rulebook) -> None:
    """Add the version to its game: every case of the text it is like is a case of it, for the clauses it has."""
    game, base = book.game, book.like
    book.law.settle()
    game.books, RULEBOOKS[book.id] = (*game.books, book), book
    names = book.law.enacted.name
    for language in LANGUAGES:
        for words in (game.words, book.words):
            words.catalogue(language)[f"rulebook.{book.id}"] = names.get(language) or names[FALLBACK]
    for place, case in enumerate(game.cases):
        cites = tuple(cite for cite in case.turns_on.get(base.id if base else "", ()) if cite in book.law)
        if cites:
            game.cases[place] = msgspec.structs.replace(case, turns_on={**case.turns_on, book.id: cites})
    cases.cache_clear()


def _unplayable(book: Rulebook) -> Iterator[str]:
    """Cases that cannot be made or ruled under it, changed numbers that the code still reads in the old text, and
    sentences that still say the old number."""
    changed = book.law.own_numbers.keys()
    watched = {other: Watched(other.law.numbers) for other in book.lineage}
    plain = {other: other.law.numbers for other in book.lineage}
    said: set[tuple[str, str]] = set()
    for other, numbers in watched.items():
        other.law.numbers = numbers
    try:
        for case in cases(book.id):
            for level in LEVELS:
                draw = book.game.draw("amendment", book.id, case.name, level)
                ruling = scenario_of(case.make(draw, book, book.game.level(case.topic, level)), book).solve()
                said.update(_old_numbers(ruling, book, plain))
    except EngineError as error:
        yield f"the case “{case.name}” cannot be ruled: {_one_line(error)}"
    finally:
        for other, old in plain.items():
            other.law.numbers = old
    for name in sorted({name for numbers in watched.values() for name in numbers.read} & changed):
        yield f"numbers.toml: {name}: part of the code keeps the old number: needs a release"
    for name, id in sorted(said):
        yield f"numbers.toml: {name}: the sentence {id} says the old number; give the new sentence in words/"


def _old_numbers(ruling: Ruling, book: Rulebook, before: Mapping[Rulebook, Numbers]) -> Iterator[tuple[str, str]]:
    """The changed numbers that a step of the reasoning spells out as they were, with the id of the sentence."""
    for name, entry in book.law.own_numbers.items():
        was, now = before[book.lineage[0]][name]["value"], entry["value"]
        if not isinstance(was, int) or was == now:
            continue
        spelt = re.compile(rf"\b({was}|{SPELT.get(was, was)})\b", re.IGNORECASE)
        for step in ruling.steps:
            if entry["cite"] in (step.cite, book.law.row(step.cite).article) and now not in step.values.values():
                id = f"step.{step.text}"
                if spelt.search(book.words.pattern(id, FALLBACK)):
                    yield name, id


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
