"""Scenarios as a table: a row for each, out as a workbook and in again as one or as CSV.

The facts stand in one cell, as programs write them: they come back unchanged. Where it is empty the engine makes a case
of the topic, so that a list of titles and topics is enough to begin with.
"""

import io
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import rules_engine
from rules_engine.folding import folded
from rules_engine.narration import book_name, topic_name
from rules_engine.words import LANGUAGES
from training.library.author_texts import LIMITS, UnfitWords, without_notes
from training.library.guarded_cases import Watches
from training.library.models import Version
from training.library.moments import as_rows
from training.people.models import User
from training.platform import secret_seeds, spreadsheet_input
from training.platform.engine_json import as_stored
from training.platform.spreadsheet_output import FORMULA_STARTS, write_workbook

TRIES = 10  # cases made until one is in no exam
COLUMNS: dict[str, str | Promise] = {
    "rulebook": gettext_lazy("Rulebook"),
    "topic": gettext_lazy("Topic"),
    "difficulty": gettext_lazy("Difficulty"),
    "tags": gettext_lazy("Tags"),
    "situation": gettext_lazy("Facts"),
    "moments": gettext_lazy("What happens next"),
}
WORDS: dict[str, str | Promise] = {
    "title": gettext_lazy("Title"),
    "story": gettext_lazy("Story"),
    "note": gettext_lazy("Teaching note"),
}
PLACES = COLUMNS | {"scenario": gettext_lazy("Scenario")}
WIDTHS = [30, 30, 12, 24, 40, 40, *[40] * len(LIMITS) * len(LANGUAGES)]
LONGEST_CELL = 32_767  # of a workbook
MAX_COLUMNS = 40


def is_table(content: bytes) -> bool:
    """Whether a file is a table and not a list in JSON."""
    return content.startswith(b"PK\x03\x04") or not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"[", b"{"))


def titles() -> list[str]:
    words = [f"{label} ({language})" for language in LANGUAGES for label in WORDS.values()]
    return [*map(str, COLUMNS.values()), *words]


def _keys() -> list[str]:
    return [*COLUMNS, *(f"{name}.{language}" for language in LANGUAGES for name in WORDS)]


def called(place: str) -> str:
    """What readers call a place of a row, or of a later moment in it; as the file does where it is no place of ours."""
    first, _dot, rest = place.partition(".")
    if first == "moments" and rest:
        index, _dot, inner = rest.partition(".")
        number = _("Moment %(number)d") % {"number": int(index) + 2}
        return ", ".join([number, *([called(inner)] if inner else [])])
    if first == "words":
        language, _dot, name = rest.partition(".")
        return f"{WORDS[name]} ({language})" if name in WORDS else _("Words")
    return str(PLACES.get(first) or place)


def _known_titles() -> dict[str, str]:
    """What a column may be called, in every language of the pages."""
    found: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found |= dict(zip(map(folded, titles()), _keys(), strict=True))
    return found


def rows(content: bytes, most: int) -> list[tuple[int, dict[str, Any]]]:
    """The rows of a table with their numbers, as a file in JSON would say them; not judged yet."""
    # The titles are one of them.
    filled, _old = spreadsheet_input.lines(content, max_rows=most + 1, max_columns=MAX_COLUMNS)
    if not filled:
        raise spreadsheet_input.unfit(_("The file contains no scenario."))
    known = _known_titles()
    columns = [known.get(folded(str(cell).strip()), "") for cell in filled[0][1]]
    if not {"rulebook", "topic"} <= set(columns):
        raise spreadsheet_input.unfit(_("This is neither JSON nor a table with the column titles of the template."))
    watches = Watches()
    return [(number, _row(dict(zip(columns, cells, strict=False)), watches)) for number, cells in filled[1:]]


def _row(cells: dict[str, Any], watches: Watches) -> dict[str, Any]:
    given = {key: _undefused(str(cell)) for key, cell in cells.items() if key and cell not in ("", None)}
    book = _rulebook(given.get("rulebook", ""))
    row: dict[str, Any] = {"rulebook": book, "topic": _topic(book, given.get("topic", ""))}
    if "difficulty" in given:
        row["difficulty"] = int(given["difficulty"]) if given["difficulty"].isdecimal() else given["difficulty"]
    if "tags" in given:
        row["tags"] = [name.strip() for name in given["tags"].split(",")]
    row["words"] = {}
    for key, text in given.items():
        name, _dot, language = key.partition(".")
        if language:
            row["words"].setdefault(language, {})[name] = text
    if "moments" in given:
        row["moments"] = _decoded(given["moments"])
    return row | {"situation": _facts(row, given.get("situation", ""), watches)}


def verify_named(row: dict[str, Any]) -> None:
    """A row names a rulebook, one of its topics and a level; else UnfitWords says which it does not, and how to."""
    book, topic = row["rulebook"], row["topic"]
    if book not in rules_engine.RULEBOOKS:
        reason = _("There is no rulebook “%(name)s”. Spell it as in the library.")
        raise UnfitWords("rulebook", reason % {"name": book})
    if topic not in rules_engine.topics(book):
        reason = _("This rulebook has no topic “%(name)s”. Spell it as in the library.")
        raise UnfitWords("topic", reason % {"name": topic})
    if row.get("difficulty", 1) not in range(1, 6):
        raise UnfitWords("difficulty", _("A level is a number from 1 to 5."))


def _decoded(typed: str) -> Any:
    try:
        return msgspec.json.decode(typed)
    except (msgspec.DecodeError, RecursionError):
        return typed  # what is expected there is said where it is read


def _facts(row: dict[str, Any], typed: str, watches: Watches) -> Any:
    if typed:
        return _decoded(typed)
    book, topic, difficulty = row["rulebook"], row["topic"], row.get("difficulty", 2)
    fit = book in rules_engine.RULEBOOKS and topic in rules_engine.topics(book) and difficulty in range(1, 6)
    if not fit:
        return {}
    # A case that an exam uses is passed over, as long as the topic has others.
    for _try in range(TRIES):
        made = rules_engine.generate(book, topic, secret_seeds.secret_seed(), difficulty)
        if not watches.of(made).near(made):
            break
    return as_stored(made)["situation"]


def _undefused(cell: str) -> str:
    """What was put before a text so that no spreadsheet takes it for a formula goes away again."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA_STARTS) else cell


def _rulebook(called: str) -> str:
    return _rulebooks_by_name().get(folded(called), called)


@cache
def _rulebooks_by_name() -> dict[str, str]:
    return {folded(book_name(book, code)): book for book in rules_engine.RULEBOOKS for code, _n in settings.LANGUAGES}


def _topic(book: str, called: str) -> str:
    return _topics_by_name(book).get(folded(called), called) if book in rules_engine.RULEBOOKS else called


@cache
def _topics_by_name(book: str) -> dict[str, str]:
    topics = rules_engine.topics(book)
    return {folded(topic_name(book, topic, code)): topic for topic in topics for code, _n in settings.LANGUAGES}


def workbook(versions: Iterable[Version], language: str, reader: User | None = None) -> bytes:
    """As `exchange.json_lines`: without notes on what exams keep from this person."""
    file, watches = io.BytesIO(), Watches()
    rows = (_cells(version, language, closed=watches.close(version, reader)) for version in versions)
    write_workbook([titles(), *rows], file, widths=WIDTHS)
    return file.getvalue()


def _cells(version: Version, language: str, *, closed: bool) -> list[Any]:
    facts = rules_engine.present_format("scenario", version.scenario_document)["situation"]
    told = without_notes(version.words) if closed else version.words
    words = [told.get(code, {}).get(name, "") for code in LANGUAGES for name in WORDS]
    return [
        book_name(version.rulebook, language),
        topic_name(version.rulebook, version.topic, language),
        version.difficulty,
        ", ".join(tag.name for tag in version.item.tags.all()),
        msgspec.json.encode(facts).decode()[:LONGEST_CELL],
        msgspec.json.encode(as_rows(version.moments)).decode()[:LONGEST_CELL] if version.moments else "",
        *words,
    ]
