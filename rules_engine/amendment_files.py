"""What is wrong with the files of an amendment, each fault in one line."""

import string
import tomllib
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

from rules_engine.errors import EngineError
from rules_engine.law import ABSENT, TESTED_KINDS, Row
from rules_engine.narration import languages_of
from rules_engine.rulebook import Rulebook
from rules_engine.versions import versions
from rules_engine.words import FALLBACK, LANGUAGES

COLUMNS = ("article", "clause", "topic", "kind", "text", "depends_on", "hold", "reading", "notes")
KINDS = (*TESTED_KINDS, "context", ABSENT)


def faults(book: Rulebook, path: Path) -> Iterator[str]:
    base = book.like
    if base is None:
        raise TypeError("an amendment is like another rulebook")
    yield from (f"law.toml: {wrong}" for wrong in _enacted_faults(book, base))
    yield from (f"clauses.csv: {wrong}" for wrong in _clause_faults(book, base, path))
    yield from (f"numbers.toml: {wrong}" for wrong in _number_faults(book, base))
    yield from (f"formulas.toml: {wrong}" for wrong in _formula_faults(book, base))
    yield from (f"summaries: {wrong}" for wrong in _summary_faults(book, path))
    yield from (f"tables.toml: {wrong}" for wrong in _table_faults(book))
    yield from (f"words: {wrong}" for wrong in _word_faults(book, base, path))


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
    for language in languages_of(book):
        for row in book.law.rows.values():
            if language != FALLBACK and row.cite not in book.law.summaries(language):
                yield f"{language}.toml: {row.cite} has no summary"


def _table_faults(book: Rulebook) -> Iterator[str]:
    """Tables for every house, if the amendment brings its own in place of those of the text it amends."""
    try:
        if not book.tables:
            yield "no table is left"
    except (KeyError, TypeError, ValueError, EngineError) as error:
        yield " ".join(str(error).split())


def _word_faults(book: Rulebook, base: Rulebook, path: Path) -> Iterator[str]:
    """Sentences that it words itself: known ones, with the same gaps, in all its languages."""
    worded: dict[str, set[str]] = {}
    for source in sorted((path / "words").glob("*")) if (path / "words").is_dir() else ():
        if source.suffix != ".toml" or source.stem not in LANGUAGES:
            yield f"{source.name} is not <language>.toml"
            continue
        known, now = base.words.catalogue(source.stem), book.words.catalogue(source.stem)
        worded[source.stem] = {id for id in now if id not in known or now[id] != known[id]}
        for id in sorted(worded[source.stem]):
            if id not in known:
                yield f"{source.name}: {id}: the game has no such sentence"
            elif strange := _gaps(now[id]) - _gaps(known[id]):
                yield f"{source.name}: {id}: it has no value for {sorted(strange)[0]!r}"
    needed = languages_of(book)
    for id in sorted(set().union(*worded.values())):
        for language in needed:
            if id not in worded.get(language, ()):
                yield f"{language}.toml: {id} is missing"


def _gaps(sentence: str) -> set[str]:
    return {name for _text, name, _form, _how in string.Formatter().parse(sentence) if name}
