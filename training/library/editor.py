"""A situation being edited: its facts, what is wrong with them, the ruling and the drawing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from django.utils.translation import gettext as _

import rules_engine
from rules_engine import Rulebook, Ruling, Scenario
from rules_engine import situation as facts_of_all_games
from rules_engine.documents import FORMAT
from rules_engine.errors import EngineError, ImpossibleFacts
from rules_engine.narration import refusal, refused
from rules_engine.situation import kind_of
from rules_engine.words import LANGUAGES
from training.drawing import Drawing, ending, table_view
from training.drawing.scene import Pointing
from training.library import editor_forms, editor_starts, guarded_cases, presentation
from training.library.author_texts import LIMITS
from training.library.editor_fields import Scalar, table_fields
from training.library.ruled import fresh
from training.people.models import User
from training.people.request import language
from training.platform.engine_json import as_stored

# Form fields that are not facts: what the draft is about, and what to do.
ABOUT = (
    *("rulebook", "kind", "other", "topic", "difficulty", "table", "seen", "base", "from", "do", "accept", "leave"),
    "csrfmiddlewaretoken",
)
# Fields that are sent along with something taken from the tray.
TRAY = ("tray-who", "tray-amount")
# The author's texts, as `WordsForm` names them.
WORDS = re.compile(rf"({'|'.join(LANGUAGES)})-({'|'.join(LIMITS)})")
MAX_FIELDS = 1000
# What a new scenario can start from.
STARTS, EMPTY = ("1", "2", "3"), "empty"


@dataclass(frozen=True)
class Sketch:
    """A situation being edited, as typed. `check` finds out whether it is possible."""

    book: Rulebook
    kind: str
    topic: str
    difficulty: int
    typed: Mapping[str, str]
    accepted: frozenset[str] = frozenset()
    # The questions that the author leaves out. Questions of another kind of incident are ignored.
    left_out: frozenset[str] = frozenset()


@dataclass
class Checked:
    """The result of checking a sketch: a scenario with its ruling, or what is wrong, by field.

    There is no ruling if the reader may not see it."""

    scenario: Scenario | None = None
    ruling: Ruling | None = None
    wrong: dict[str, str] = field(default_factory=dict)
    # Why the engine cannot rule on facts that are possible.
    engine_says: str = ""
    # Whether the author leaves out every question, which cannot be stored. The scenario then has them all.
    asks_nothing: bool = False
    # What is odd about facts that are possible, each with its field.
    remarks: list[tuple[str, presentation.Odd]] = field(default_factory=list)
    table: Drawing | None = None
    table_after: Drawing | None = None


def sketch_of(scenario: Scenario, accepted: Iterable[str] = ()) -> Sketch:
    situation = scenario.situation
    return Sketch(
        book=scenario.book,
        kind=kind_of(situation.incident),
        topic=scenario.topic,
        difficulty=scenario.difficulty,
        typed=editor_forms.typed(situation, scenario.book),
        accepted=frozenset(accepted),
        left_out=frozenset(scenario.left_out or ()),
    )


def with_other_incident(sketch: Sketch, kind: str) -> Sketch:
    """The same table with an ordinary incident of another kind."""
    topics = editor_starts.topics_of(sketch.book, kind)
    topic = sketch.topic if sketch.topic in topics else topics[0]
    ordinary = editor_forms.typed(editor_starts.example(sketch.book, kind, topic=topic), sketch.book)
    return with_incident(replace(sketch, kind=kind, topic=topic), ordinary)


def at_table(sketch: Sketch) -> Sketch:
    """An ordinary situation of the same kind, with the sums of the sketch's table."""
    made = editor_starts.example(sketch.book, sketch.kind, topic=sketch.topic, difficulty=sketch.difficulty)
    return replace(sketch, typed=editor_forms.typed(made, sketch.book))


def started(sketch: Sketch, start: str) -> Sketch:
    """The same kind of incident at an empty table or at one of three ordinary ones (`1` to `3`)."""
    if start == EMPTY:
        return replace(sketch, typed=_emptied(sketch))
    seed = f"{editor_starts.PLAIN}{start}" if start in STARTS else editor_starts.PLAIN
    made = editor_starts.example(sketch.book, sketch.kind, seed, topic=sketch.topic, difficulty=sketch.difficulty)
    return replace(sketch, typed=editor_forms.typed(made, sketch.book))


def _emptied(sketch: Sketch) -> dict[str, str]:
    """The facts without people, cards, chips and calls. Those of the incident and single facts of the table stay."""
    lists = {
        name
        for name, found in table_fields(sketch.book).items()
        if name in ("seats", "standing") or not isinstance(found, Scalar) or found.what == "place"
    }
    return {name: value for name, value in sketch.typed.items() if name.partition("-")[0] not in lists}


def with_incident(sketch: Sketch, other: Mapping[str, str]) -> Sketch:
    """The same table with the facts of another situation's incident."""
    own = f"{editor_forms.INCIDENT}-"
    kept = {name: value for name, value in sketch.typed.items() if not name.startswith(own)}
    return replace(sketch, typed=kept | {name: value for name, value in other.items() if name.startswith(own)})


def facts_typed(posted: Mapping[str, str]) -> dict[str, str]:
    """The fields of a posted form that are facts."""
    fields = [(name, value) for name, value in posted.items() if name not in ABOUT + TRAY and not WORDS.fullmatch(name)]
    return dict(fields[:MAX_FIELDS])


def checked_for(reader: User, sketch: Sketch) -> Checked:
    """Check a sketch for a page: the result has no ruling if this person may not see it."""
    checked = check(sketch)
    if checked.scenario is not None:
        checked.ruling = guarded_cases.ruling_for(reader, checked.scenario, checked.ruling)
        checked.table_after = checked.table_after if checked.ruling else None
    return checked


def check(sketch: Sketch) -> Checked:
    """Check a sketch. The result may hold a guarded ruling: to show it to somebody use `checked_for`."""
    facts = editor_forms.read(sketch.typed, sketch.book, sketch.kind)
    checked = Checked(wrong=facts.wrong)
    if not checked.wrong:
        _rule(sketch, facts, checked)
    if checked.scenario is None:
        checked.table = _drawn_without_incident(sketch.book, facts.situation)
    return checked


def _rule(sketch: Sketch, facts: editor_forms.Facts, checked: Checked) -> None:
    document = {
        "rulebook": sketch.book.id,
        "topic": sketch.topic,
        "difficulty": sketch.difficulty,
        "situation": facts.situation,
        "format": FORMAT,
    } | ({"table": as_stored(sketch.book.given_table)} if sketch.book.given_table else {})
    try:
        checked.scenario = fresh(rules_engine.scenario_from(document))
        checked.ruling = checked.scenario.solve()
    except ImpossibleFacts as problem:
        field_name = editor_forms.field_of(problem.fact, facts, sketch.book, sketch.kind)
        checked.wrong = {field_name: (refused if field_name else refusal)(problem, language())}
        return
    except EngineError as problem:
        checked.engine_says = refusal(problem, language())
        checked.wrong = {"": _("The engine cannot rule on this.")}
        return
    try:
        checked.scenario = rules_engine.leaving_out(checked.scenario, sketch.left_out)
    except EngineError:
        checked.asks_nothing = True
    checked.remarks = [
        (editor_forms.field_of(remark.fact, facts, sketch.book, sketch.kind), remark)
        for remark in presentation.odd(checked.scenario, sketch.accepted, language())
    ]
    situation, currency = checked.scenario.situation, sketch.book.currency
    checked.table = table_view(
        situation,
        currency=currency,
        table=sketch.book.given_table,
        pointing=_pointing(sketch.book),
        said=presentation.said(checked.scenario, language()),
        rulebook=sketch.book.id,
    )
    checked.table_after = ending(checked.scenario, checked.ruling)


def _pointing(book: Rulebook) -> Pointing:
    """Authors may point at every spot of the layout to put chips there."""
    return "spot" if book.game.spots else ""


def _drawn_without_incident(book: Rulebook, facts: dict[str, Any]) -> Drawing | None:
    """The table without the incident, while that does not fit; None if the table cannot be drawn either."""
    nothing = book.game.incident
    try:
        situation = facts_of_all_games.read(
            {**facts, "incident": {"kind": kind_of(nothing)}}, book.game.situation, {kind_of(nothing): nothing}
        )
        return table_view(
            situation, currency=book.currency, pointing=_pointing(book), rulebook=book.id, table=book.given_table
        )
    except (EngineError, msgspec.ValidationError):
        return None
