"""Scenarios as a spreadsheet, one row each: exported and imported as a workbook or CSV.

One cell holds the facts as JSON. If it is empty the engine generates a case of the topic, so a list of titles and
topics is enough to start with.
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
from training.house import tables
from training.house.readings import practised
from training.library.author_texts import LIMITS, UnfitWords, without_notes
from training.library.guarded_cases import Watches
from training.library.models import Version
from training.library.moments import as_rows
from training.people.models import User
from training.platform import secret_seeds, spreadsheet_input
from training.platform.engine_json import as_stored
from training.platform.spreadsheet_output import FORMULA_STARTS, write_workbook

TRIES = 10  # to generate a case that no exam uses
COLUMNS: dict[str, str | Promise] = {
    "rulebook": gettext_lazy("Rulebook"),
    "topic": gettext_lazy("Topic"),
    "difficulty": gettext_lazy("Difficulty"),
    "tags": gettext_lazy("Tags"),
    "table": gettext_lazy("Table"),
    "situation": gettext_lazy("Facts"),
    "left_out": gettext_lazy("Questions left out"),
    "moments": gettext_lazy("What happens next"),
}
WORDS: dict[str, str | Promise] = {
    "title": gettext_lazy("Title"),
    "story": gettext_lazy("Story"),
    "note": gettext_lazy("Teaching note"),
}
# Columns of the CSV list that an import ignores.
LISTED = (gettext_lazy("Version"), gettext_lazy("State"), gettext_lazy("Author"))
PLACES = COLUMNS | {"scenario": gettext_lazy("Scenario")}
WIDTHS = [30, 30, 12, 24, 24, 40, 24, 40, *[40] * len(LIMITS) * len(LANGUAGES)]
LONGEST_CELL = 32_767  # Excel's limit
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
    """The label of a field of a row or of a later moment in it; the field's own name if it has none."""
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
    """Field by column title, in every language of the site."""
    found: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found |= dict(zip(map(folded, titles()), _keys(), strict=True))
    return found


def rows(content: bytes, most: int) -> list[tuple[int, dict[str, Any]]]:
    """The rows of a spreadsheet with their numbers, in the shape of the JSON file. They are not checked yet."""
    # One more row for the header.
    filled, _old = spreadsheet_input.lines(content, max_rows=most + 1, max_columns=MAX_COLUMNS)
    if not filled:
        raise spreadsheet_input.unfit(_("The file contains no scenario."))
    known = _known_titles()
    columns = [known.get(folded(str(cell).strip()), "") for cell in filled[0][1]]
    if "situation" not in columns and _is_list([folded(str(cell).strip()) for cell in filled[0][1]]):
        raise spreadsheet_input.unfit(
            _(
                "This list names scenarios but does not contain them: it has no column with the facts. "
                "Export them again."
            )
        )
    if not {"rulebook", "topic"} <= set(columns):
        raise spreadsheet_input.unfit(_("This is neither JSON nor a table with the column titles of the template."))
    watches = Watches()
    return [(number, _row(dict(zip(columns, cells, strict=False)), watches)) for number, cells in filled[1:]]


def _is_list(header: list[str]) -> bool:
    """Whether a table only lists scenarios, with their state and authors, as earlier exports did."""
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            if {folded(str(label)) for label in LISTED} <= set(header):
                return True
    return False


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
    if "left_out" in given:
        row["left_out"] = given["left_out"].split()
    if "moments" in given:
        row["moments"] = _decoded(given["moments"])
    if "table" in given:
        row["table"] = _table(book, given["table"])
    return row | ({"situation": _decoded(given["situation"])} if "situation" in given else _generated(row, watches))


def verify_named(row: dict[str, Any]) -> None:
    """Raises UnfitWords if the rulebook, the topic or the difficulty of a row is unknown."""
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
        return typed  # the reader of the row reports the error


def _table(book: str, typed: str) -> Any:
    """The table of a row: by its name in this house, or as an export has it."""
    known = tables.listed(book) if book in rules_engine.RULEBOOKS else []
    named = [one.table for one in known if folded(one.table.name) == folded(typed)]
    return as_stored(named[0]) if named else _decoded(typed)


def _generated(row: dict[str, Any], watches: Watches) -> dict[str, Any]:
    """The facts of a row that has none, and the table they were made for."""
    book, topic, difficulty = row["rulebook"], row["topic"], row.get("difficulty", 2)
    fit = book in rules_engine.RULEBOOKS and topic in rules_engine.topics(book) and difficulty in range(1, 6)
    if not fit:
        return {"situation": {}}
    at = (rules_engine.table_from(row["table"]),) if "table" in row else tables.of_house(book)
    adopted = practised(book)
    # Skip cases that an exam uses if the topic has others.
    for _try in range(TRIES):
        seed = secret_seeds.secret_seed()
        table = tables.pick(at, seed)
        made = rules_engine.generate(book, topic, seed, difficulty, table=table, readings=adopted)
        if not watches.of(made).near(made):
            break
    kept = as_stored(made)
    return {"situation": kept["situation"], "table": kept["table"]}


def _undefused(cell: str) -> str:
    """Remove the quote that protects a text from being taken for a formula."""
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
    """An .xlsx file of the versions, without teaching notes on cases guarded from this reader."""
    file, watches = io.BytesIO(), Watches()
    rows = (cells(version, language, closed=watches.close(version, reader)) for version in versions)
    write_workbook([titles(), *rows], file, widths=WIDTHS)
    return file.getvalue()


def cells(version: Version, language: str, *, closed: bool) -> list[Any]:
    """The row of a version, in the order of `titles`."""
    stored = rules_engine.present_format("scenario", version.scenario_document)
    facts, table = stored["situation"], stored.get("table")
    told = without_notes(version.words) if closed else version.words
    words = [told.get(code, {}).get(name, "") for code in LANGUAGES for name in WORDS]
    return [
        book_name(version.rulebook, language),
        topic_name(version.rulebook, version.topic, language),
        version.difficulty,
        ", ".join(tag.name for tag in version.item.tags.all()),
        msgspec.json.encode(table).decode() if table else "",
        msgspec.json.encode(facts).decode()[:LONGEST_CELL],
        " ".join(stored.get("left_out", ())),
        msgspec.json.encode(as_rows(version.moments)).decode()[:LONGEST_CELL] if version.moments else "",
        *words,
    ]
