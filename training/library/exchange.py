"""Scenarios out to a file and in from one: JSON for programs and other houses, CSV as a list to look at."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Struct

import rules_engine
from rules_engine import Scenario
from rules_engine.errors import EngineError, ImpossibleFacts
from rules_engine.narration import fact_name, refused
from rules_engine.schema import schema as engine_schema
from rules_engine.words import LANGUAGES
from training.library import services
from training.library.models import PendingImport, Version
from training.library.words import LIMITS, UnfitWords, checked_words, title
from training.people.models import User
from training.people.request import language
from training.refusal import RowError, UnfitList

MAX_BYTES = 2 * 1024 * 1024
MAX_SCENARIOS = 500
UNCONFIRMED = timedelta(days=1)  # said in docs/privacy.md
NEEDED = ("rulebook", "topic", "situation")
# Made anew by the engine, so a file may leave them out and is not believed where it has them.
MADE_HERE = ("engine", "version", "questions")
OPTIONAL = ("format", "seed", "difficulty", *MADE_HERE)


class Entry(Struct, frozen=True):
    """One scenario of a file, checked by the engine."""

    scenario: Scenario
    words: dict[str, dict[str, str]]


def read(content: bytes) -> list[Entry]:
    """Every scenario of a file, or UnfitList with the errors of all of them."""
    entries: list[Entry] = []
    errors: list[RowError] = []
    for number, row in enumerate(_rows(content), 1):
        try:
            entries.append(_entry(row))
        except UnfitWords as error:
            errors.append(RowError(number, error.where, error.reason))
        except EngineError as error:
            name = fact_name(error, language())
            errors.append(RowError(number, _place(error), refused(error, language()), name))
    if errors:
        raise UnfitList(errors)
    return entries


def _rows(content: bytes) -> list[Any]:
    if len(content) > MAX_BYTES:
        raise _unfit(_("The file is larger than %(limit)d MB.") % {"limit": MAX_BYTES // 1024**2})
    try:
        rows = msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _unfit(_("This is not JSON: %(why)s") % {"why": error}) from None
    if not isinstance(rows, list):
        raise _unfit(_("The file must hold a list of scenarios."))
    if not rows:
        raise _unfit(_("The file holds no scenario."))
    if len(rows) > MAX_SCENARIOS:
        raise _unfit(_("The file holds more than %(limit)d scenarios.") % {"limit": MAX_SCENARIOS})
    return rows


def _unfit(reason: str) -> UnfitList:
    return UnfitList([RowError(0, "", reason)])


def _entry(row: Any) -> Entry:
    if not isinstance(row, dict):
        raise EngineError("expected an object", fact="scenario")
    for name in NEEDED:
        if name not in row:
            raise EngineError("is missing", fact=name)
    for name in row:
        if name not in (*NEEDED, *OPTIONAL, "words"):
            raise EngineError("unknown field", fact=name)
    if row["rulebook"] not in rules_engine.RULEBOOKS:
        known = tuple(rules_engine.RULEBOOKS)
        raise EngineError("{given!r} is not one of {known}", fact="rulebook", given=row["rulebook"], known=known)
    words = checked_words(row.get("words", {}))
    facts = {name: value for name, value in row.items() if name not in ("words", *MADE_HERE)}
    return Entry(scenario=services.fresh(rules_engine.scenario_from(facts)), words=words)


def _place(error: EngineError) -> str:
    """The field of the file that an engine error names."""
    return f"situation.{error.fact}" if isinstance(error, ImpossibleFacts) else error.fact.removeprefix("scenario.")


def dry_run(importer: User, content: bytes) -> list[Entry]:
    """Check a file and keep it until the importer confirms; a newer file takes its place."""
    entries = read(content)
    PendingImport.objects.update_or_create(importer=importer, defaults={"content": content.decode("utf-8-sig")})
    return entries


@transaction.atomic
def confirm(importer: User) -> list[Version]:
    """Make drafts of all scenarios of the file that was checked, or of none. Nothing to confirm: no drafts."""
    pending = PendingImport.objects.select_for_update().filter(importer=importer).first()
    if pending is None:
        return []
    # Read anew: the engine may have changed since the dry run.
    entries = read(pending.content.encode())
    pending.delete()
    return [
        services.create_draft(importer, entry.scenario, source=Version.Source.IMPORTED, words=entry.words)
        for entry in entries
    ]


def json_lines(versions: Iterable[Version]) -> Iterator[bytes]:
    """The versions as a file that can be imported, piece by piece."""
    yield b"["
    for number, version in enumerate(versions):
        entry = version.scenario_document | ({"words": version.words} if version.words else {})
        yield (b",\n" if number else b"\n") + msgspec.json.encode(entry)
    yield b"\n]\n"


def csv_rows(versions: Iterable[Version], language: str) -> Iterator[list[Any]]:
    """A line for each version, for a spreadsheet."""
    yield [
        *("id", "item", "version", "state", "rulebook", "topic", "difficulty", "title", "source"),
        *("author", "changed_at", "published_by", "published_at"),
    ]
    for version in versions:
        yield [
            *(version.pk, version.item_id, version.number, version.state, version.rulebook, version.topic),
            *(version.difficulty, title(version, language), version.source, version.author.name),
            version.changed_at.isoformat(timespec="seconds"),
            version.published_by.name if version.published_by else "",
            version.published_at.isoformat(timespec="seconds") if version.published_at else "",
        ]


def file_schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file: the engine's scenario, some of its fields optional, and words."""
    document = engine_schema()
    scenario = document["$defs"]["Scenario"]
    scenario["required"] = list(NEEDED)
    texts = {name: {"type": "string", "maxLength": limit} for name, limit in LIMITS.items()}
    words = {"type": "object", "properties": texts, "additionalProperties": False}
    scenario["properties"]["words"] = {
        "type": "object",
        "propertyNames": {"enum": list(LANGUAGES)},
        "additionalProperties": words,
    }
    scenario["properties"]["situation"] = True
    scenario["additionalProperties"] = False
    del document["$ref"]
    return document | {
        "title": f"Sabot scenario file, {document['title']}",
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_SCENARIOS,
        "items": {"$ref": "#/$defs/Scenario"},
    }


def forget_unconfirmed() -> int:
    """Delete files that were checked and never confirmed."""
    return PendingImport.objects.filter(checked_at__lt=timezone.now() - UNCONFIRMED).delete()[0]
