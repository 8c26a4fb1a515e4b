"""Drafts whose facts do not fit together yet. What is typed is stored as it is, by the number of its moment.

The version keeps the last facts that did fit; for a new scenario these are an ordinary table of its kind. An unfinished
draft cannot be sent to review.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

import rules_engine
from rules_engine import Table
from rules_engine.errors import EngineError
from training.library import drafts, editor, editor_starts, moments
from training.library.acts import act, change
from training.library.author_texts import checked_words, search_text
from training.library.editor_forms import MAX_TYPED
from training.library.models import Act, Version
from training.people.models import User
from training.platform.engine_json import as_stored
from training.platform.errors import Refused


@dataclass(frozen=True)
class Typed:
    """A moment as it was typed: its facts, and its texts if it is a later moment."""

    sketch: editor.Sketch
    words: dict[str, dict[str, str]]


def stored(version: Version, number: int) -> Typed | None:
    """What is typed for this moment; None if its facts fit together."""
    kept = version.unfinished.get(str(number))
    if kept is None:
        return None
    book = rules_engine.rulebook(version.rulebook)
    if kept["kind"] not in book.kinds():  # of an earlier version of the game
        return None
    book = book.at(_table(kept["table"])) if kept["table"] else book
    topic = kept["topic"] if kept["topic"] in rules_engine.topics(book.id) else version.topic
    accepted = frozenset(kept["accepted"])
    left_out = frozenset(kept.get("left_out", ()))  # missing in drafts of earlier releases
    sketch = editor.Sketch(book, kept["kind"], topic, kept["difficulty"], kept["typed"], accepted, left_out)
    return Typed(sketch, kept["words"])


def _table(document: Any) -> Table:
    return rules_engine.table_from(document)


def _kept(sketch: editor.Sketch, words: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": sketch.kind,
        "topic": sketch.topic,
        "difficulty": sketch.difficulty,
        "table": as_stored(sketch.book.given_table) if sketch.book.given_table else None,
        "typed": {
            name[:MAX_TYPED]: value[:MAX_TYPED] for name, value in sketch.typed.items() if "\x00" not in name + value
        },
        "accepted": sorted(sketch.accepted),
        "left_out": sorted(sketch.left_out),
        "words": words,
    }


@transaction.atomic
def create(author: User, sketch: editor.Sketch, words: dict[str, Any], *, copied: Iterable[Version] = ()) -> Version:
    """A new draft whose facts do not fit together yet."""
    try:
        ordinary = editor_starts.example(sketch.book, sketch.kind, topic=sketch.topic, difficulty=sketch.difficulty)
        scenario = rules_engine.scenario_of(
            ordinary,
            sketch.book,
            topic=sketch.topic,
            difficulty=sketch.book.game.level(sketch.topic, sketch.difficulty),
        )
        made = drafts.create_draft(
            author, scenario, source=Version.Source.INCIDENT, words=words, copied=copied, noted=False
        )
    except EngineError as error:  # no table of the house fits this game any more
        raise Refused(str(error)) from None
    made.unfinished = {"1": _kept(sketch, {})}
    made.save(update_fields=["unfinished", "changed_at"])
    return made


@act
def save(
    version: Version, actor: User, number: int, *, sketch: editor.Sketch, words: dict[str, Any], seen: Any = None
) -> Version:
    """Store what is typed for a moment of one's own draft; the number after the last is a new moment."""
    if number == moments.count(version) + 1:
        drafts.verify_next_moment(version, actor)
    else:
        drafts.verify_save(version, actor)
    drafts.verify_seen(version, seen)
    if not 1 <= number <= moments.count(version) + 1:
        raise Refused(_("The story has no such moment."))
    later = moments.checked_later(words) if number > 1 else {}
    changes: dict[str, Any] = {"unfinished": version.unfinished | {str(number): _kept(sketch, later)}}
    if number == 1:
        kept = checked_words(words)
        changes |= {"words": kept, "search_text": search_text(kept, *(one["words"] for one in version.moments))}
    return change(version, Act.Kind.EDITED, actor, **changes)
