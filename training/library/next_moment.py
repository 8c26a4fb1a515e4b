"""The table that the next moment of a story starts from."""

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from msgspec import structs

from rules_engine import Rulebook, Ruling, Scenario
from rules_engine.errors import EngineError
from training.library import editor, editor_forms, editor_starts

# An incident names people and cards: try this many until one fits the table.
TRIES = 12


@dataclass(frozen=True)
class Start:
    """Where a moment begins. `carried`: with the table as the last moment's ruling leaves it, not as it was before."""

    sketch: editor.Sketch
    carried: bool


def carry_on(scenario: Scenario, kind: str) -> Start:
    """A sketch with this incident at the table as the ruling leaves it or, if that does not fit, as it was before.

    If neither fits, it starts from the table that the ruling leaves, and the author corrects it.
    """
    book = scenario.book
    topics = editor_starts.topics_of(book, kind)
    topic = scenario.topic if scenario.topic in topics else topics[0]
    before = replace(editor.sketch_of(scenario), kind=kind, topic=topic)
    left = _table_left(scenario, scenario.solve())
    after = replace(before, typed=left or before.typed)
    starts = [Start(after, bool(left)), Start(before, False)]
    for start, seed in product(starts, range(TRIES)):
        made = replace(start, sketch=_with_incident(start.sketch, book, str(seed)))
        if editor.check(made.sketch).scenario is not None:
            return made
    return replace(starts[0], sketch=_with_incident(after, book, editor_starts.PLAIN))


def _table_left(scenario: Scenario, ruling: Ruling) -> editor_forms.Typed:
    """The table as the ruling leaves it, without the incident; empty if nothing moves."""
    situation, book = scenario.situation, scenario.book
    left: dict[str, Any] = situation.left(ruling.after) if ruling.after else {}
    if not left:
        return {}
    try:
        return editor_forms.typed(structs.replace(situation, incident=book.game.incident(), **left), book)
    except EngineError:
        return {}


def _with_incident(sketch: editor.Sketch, book: Rulebook, seed: str) -> editor.Sketch:
    ordinary = editor_starts.example(book, sketch.kind, seed, topic=sketch.topic, difficulty=sketch.difficulty)
    return editor.with_incident(sketch, editor_forms.typed(ordinary, book))
