"""Imports and exports scenarios as JSON, for programs and other houses. `spreadsheet` has the tables."""

import json
from collections.abc import Collection, Iterable, Iterator
from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Struct

import rules_engine
from rules_engine import Scenario, UnfitTable
from rules_engine.errors import EngineError, ImpossibleFacts
from rules_engine.narration import fact_name, refusal, refused
from training.library import authors, drafts, moments, spreadsheet, tags
from training.library.author_texts import UnfitWords, checked_words, without_notes
from training.library.guarded_cases import Watches
from training.library.models import PendingImport, Version
from training.library.ruled import fresh
from training.people.models import User
from training.people.request import language
from training.platform.engine_json import as_stored
from training.platform.errors import Refused, RowError, UnfitList
from training.platform.spreadsheet_input import unfit as _unfit

MAX_BYTES = 5 * 1024 * 1024
MAX_SCENARIOS = 500
UNCONFIRMED = timedelta(days=1)  # documented in docs/privacy.md
NEEDED = ("rulebook", "topic", "situation")
# The engine makes these: a file may leave them out, and they are ignored if it has them.
MADE_HERE = ("engine", "version", "questions", "readings")
OPTIONAL = ("format", "seed", "difficulty", "table", "left_out", *MADE_HERE)


class Entry(Struct, frozen=True):
    """One scenario of a file, checked by the engine."""

    scenario: Scenario
    words: dict[str, dict[str, str]]
    tags: list[str] = []
    # The later moments of a story, as they are stored.
    later: list[dict[str, Any]] = []

    @property
    def rulebook(self) -> str:
        return self.scenario.rulebook

    @property
    def key(self) -> bytes:
        return _key(self.scenario.rulebook, as_stored(self.scenario), self.later)


def _key(rulebook: str, document: Any, later: list[dict[str, Any]]) -> bytes:
    """Equal for two scenarios of a rulebook that have the same facts in all moments, whatever their texts."""
    documents = [document, *(moment["scenario"] for moment in later)]
    return msgspec.json.encode([rulebook, *map(moments.facts_today, documents)], order="sorted")


def known(entries: list[Entry]) -> list[int]:
    """The numbers, from 1, of the entries that are in the library already or earlier in the file. One query."""
    about = {(entry.scenario.rulebook, entry.scenario.topic) for entry in entries}
    there = Version.objects.filter(
        rulebook__in={book for book, _topic in about}, topic__in={topic for _book, topic in about}
    ).exclude(state=Version.State.RETIRED)
    stored = there.values_list("rulebook", "scenario_document", "moments").iterator()
    met = {_key(book, facts, later) for book, facts, later in stored}
    found = []
    for number, entry in enumerate(entries, 1):
        if entry.key in met:
            found.append(number)
        met.add(entry.key)
    return found


def read(content: bytes) -> list[Entry]:
    """Every scenario of a file. Raises UnfitList with all errors."""
    entries: list[Entry] = []
    errors: list[RowError] = []
    table = spreadsheet.is_table(content)
    for number, row in _rows(content):
        try:
            if table:
                spreadsheet.verify_named(row)
            entries.append(_entry(row))
        except Refused as error:
            errors.append(RowError(number, "tags", str(error), spreadsheet.called("tags")))
        except UnfitWords as error:
            errors.append(RowError(number, error.where, error.reason, spreadsheet.called(error.where)))
        except EngineError as error:
            place = _place(error)
            fact = "" if place in spreadsheet.PLACES else fact_name(error, language())
            name = fact or spreadsheet.called(place)
            errors.append(RowError(number, place, refused(error, language()), name))
    if errors:
        raise UnfitList(errors)
    return entries


def _rows(content: bytes) -> list[tuple[int, Any]]:
    """The rows of a file, each with its number in the file."""
    if len(content) > MAX_BYTES:
        raise _unfit(_("The file is larger than %(limit)d MB.") % {"limit": MAX_BYTES // 1024**2})
    table = spreadsheet.is_table(content)
    numbered = spreadsheet.rows(content, MAX_SCENARIOS) if table else list(enumerate(_listed(content), 1))
    if not numbered:
        raise _unfit(_("The file contains no scenario."))
    if len(numbered) > MAX_SCENARIOS:
        raise _unfit(_("The file contains more than %(limit)d scenarios.") % {"limit": MAX_SCENARIOS})
    return numbered


def _listed(content: bytes) -> list[Any]:
    try:
        rows = msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _unfit(_broken(content)) from None
    if not isinstance(rows, list):
        raise _unfit(_("The file must contain a list of scenarios."))
    return rows


def _broken(content: bytes) -> str:
    """Where a file stops being JSON, in the reader's language."""
    try:
        json.loads(content.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        if error.pos >= len(error.doc.rstrip()):
            return _("The file ends too early, in line %(line)d: a part of it is missing.") % place
        return _("This is not valid JSON: there is a mistake in line %(line)d, column %(column)d.") % place
    except (ValueError, RecursionError):  # not text, a number of thousands of digits, or nested too deeply
        pass
    return _("This is not valid JSON.")


def _verify_fields(row: Any, called: str, needed: Iterable[str], known: Collection[str]) -> None:
    if not isinstance(row, dict):
        raise EngineError("expected an object", fact=called)
    for name in (name for name in needed if name not in row):
        raise EngineError("is missing", fact=name)
    for name in (name for name in row if name not in known):
        raise EngineError("unknown field", fact=name)


def _entry(row: Any) -> Entry:
    _verify_fields(row, "scenario", NEEDED, (*NEEDED, *OPTIONAL, "words", "tags", "moments"))
    if not isinstance(row["rulebook"], str) or row["rulebook"] not in rules_engine.RULEBOOKS:
        known = tuple(rules_engine.RULEBOOKS)
        raise EngineError("{given!r} is not one of {known}", fact="rulebook", given=row["rulebook"], known=known)
    words = checked_words(row.get("words", {}))
    facts = {name: value for name, value in row.items() if name not in ("words", "tags", "moments", *MADE_HERE)}
    tagged = row.get("tags", [])
    if not isinstance(tagged, list):
        raise EngineError("expected a list", fact="tags")
    scenario = fresh(_at_fit_table(rules_engine.scenario_from(facts)))
    later = _later(row["rulebook"], row.get("moments", []))
    return Entry(scenario=scenario, words=words, tags=tags.checked(tagged), later=later)


def _at_fit_table(scenario: Scenario) -> Scenario:
    """The scenario, if the law allows its table. Raises UnfitTable."""
    if scenario.table:
        scenario.book.game.check_table(scenario.table, scenario.book)
    return scenario


def _later(rulebook: str, rows: Any) -> list[dict[str, Any]]:
    """The later moments of a story: scenarios of the same rulebook, with texts but no title."""
    if not isinstance(rows, list):
        raise EngineError("expected a list", fact="moments")
    if len(rows) >= moments.MOST:
        raise UnfitWords("moments", _("A story has at most %(limit)d moments.") % {"limit": moments.MOST})
    return [_moment(rulebook, f"moments.{index}", row) for index, row in enumerate(rows)]


def _moment(rulebook: str, where: str, row: Any) -> dict[str, Any]:
    """One later moment of a file. Raises UnfitWords with its place in the row."""
    try:
        _verify_fields(row, "", NEEDED[1:], (*NEEDED, *OPTIONAL, "words"))
        if row.get("rulebook", rulebook) != rulebook:
            raise UnfitWords("rulebook", _("All moments of a story are ruled on by one rulebook."))
        facts = {name: value for name, value in row.items() if name not in ("words", *MADE_HERE)}
        scenario = fresh(_at_fit_table(rules_engine.scenario_from({"rulebook": rulebook} | facts)))
        return moments.kept_moment(scenario, row.get("words", {}), ())
    except UnfitWords as error:
        raise UnfitWords(f"{where}.{error.where}", error.reason) from None
    except EngineError as error:
        # `refusal` names the fact, which the place of a moment does not.
        raise UnfitWords(f"{where}.{_place(error)}".rstrip("."), refusal(error, language())) from None


def _place(error: EngineError) -> str:
    """The field of the file that an engine error is about."""
    if isinstance(error, UnfitTable):
        return f"table.{error.fact}"
    return f"situation.{error.fact}" if isinstance(error, ImpossibleFacts) else error.fact.removeprefix("scenario.")


def dry_run(importer: User, content: bytes) -> list[Entry]:
    """Check a file and store it until the importer confirms; it replaces an earlier one."""
    entries = read(content)
    # For a spreadsheet, store what was read: facts that the engine made must be the same on confirmation.
    rows = msgspec.json.encode([_as_row(entry) for entry in entries]) if spreadsheet.is_table(content) else content
    kept = rows.decode("utf-8-sig")
    PendingImport.objects.update_or_create(importer=importer, defaults={"content": kept})
    return entries


def _as_row(entry: Entry) -> dict[str, Any]:
    return as_stored(entry.scenario) | {  # type: ignore[no-any-return]
        "words": entry.words,
        "tags": entry.tags,
        "moments": moments.as_rows(entry.later),
    }


@transaction.atomic
def confirm(importer: User, *, known_too: bool = True) -> list[Version]:
    """Make drafts of all scenarios of the checked file, or of none. Returns [] if no file waits.

    Without `known_too`, scenarios that are in the library already are left out.
    """
    pending = PendingImport.objects.select_for_update().filter(importer=importer).first()
    if pending is None:
        return []
    # Read it again: the engine may have changed since the dry run.
    entries = read(pending.content.encode())
    left_out = set() if known_too else set(known(entries))
    if len(left_out) == len(entries):
        raise Refused(_("All of these scenarios are in the library already."))
    pending.delete()
    return take(importer, [entry for number, entry in enumerate(entries, 1) if number not in left_out])


@transaction.atomic
def take(importer: User, entries: Iterable[Entry]) -> list[Version]:
    """Make drafts of all of these, or of none."""
    made = []
    for entry in entries:
        draft = make_draft(importer, entry, noted=False)
        tags.add([draft.item], entry.tags, importer)
        made.append(draft)
    authors.note_facts([(draft, moments.situations(draft.scenario_document, draft.moments)) for draft in made])
    return made


def make_draft(author: User, entry: Entry, *, noted: bool = True) -> Version:
    """Make a draft of an entry. Without `noted`, the caller records origins for the whole file at once."""
    kept: dict[str, Any] = {"source": Version.Source.IMPORTED, "words": entry.words, "later": entry.later}
    return drafts.create_draft(author, entry.scenario, noted=noted, **kept)


def changed(version: Version, changes: dict[str, Any]) -> Entry:
    """A draft with changed facts, texts or later moments, checked like a file.

    Raises UnfitList, or Refused if the engine no longer reads what is stored."""
    try:
        stored = rules_engine.present_format("scenario", version.scenario_document)
    except EngineError as error:
        told = {"why": refusal(error, language())}
        raise Refused(_("The engine now refuses these facts: %(why)s") % told) from None
    if "situation" in changes:
        stored = {
            name: value for name, value in stored.items() if name != "seed"
        }  # the seed no longer makes these facts
    kept = {"words": version.words, "moments": moments.as_rows(version.moments)}
    [entry] = read(msgspec.json.encode([stored | kept | changes]))
    return entry


def json_lines(versions: Iterable[Version], reader: User | None = None) -> Iterator[bytes]:
    """The versions as a JSON file that can be imported, in chunks. Leaves out teaching notes on guarded cases."""
    watches = Watches()
    yield b"["
    for number, version in enumerate(versions):
        words = without_notes(version.words) if watches.close(version, reader) else version.words
        entry = version.scenario_document | ({"words": words} if words else {})
        if tagged := [tag.name for tag in version.item.tags.all()]:
            entry |= {"tags": tagged}
        if version.moments:
            closed = words != version.words
            entry |= {"moments": [_without(row) if closed else row for row in moments.as_rows(version.moments)]}
        yield (b",\n" if number else b"\n") + msgspec.json.encode(entry)
    yield b"\n]\n"


def _without(row: dict[str, Any]) -> dict[str, Any]:
    return row | ({"words": without_notes(row["words"])} if "words" in row else {})


def forget_unconfirmed() -> int:
    """Delete files that were checked but not confirmed in time."""
    return PendingImport.objects.filter(checked_at__lt=timezone.now() - UNCONFIRMED).delete()[0]
