"""Scenarios: a situation in a rulebook and the questions about it, made from a seed or from facts."""

from collections.abc import Collection
from functools import cache, cached_property
from statistics import fmean
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from rules_engine.cases import Case
from rules_engine.documents import FORMAT
from rules_engine.draw import Draw
from rules_engine.errors import EngineError
from rules_engine.game import present_format, rulebook
from rules_engine.questions import Question, questions_about, tell_nothing
from rules_engine.rulebook import Readings, Rulebook
from rules_engine.ruling import Adopted, Reasoning, Ruling
from rules_engine.situation import Situation, convert, kind_of
from rules_engine.tables import Table
from rules_engine.topics import cases

Difficulty = Annotated[int, Meta(ge=1, le=5)]
# For each level: how many cases are drawn, and whether the easiest or the hardest of them is taken.
DRAWN: dict[int, tuple[Any, int]] = {1: (min, 3), 2: (min, 2), 3: (min, 1), 4: (max, 2), 5: (max, 3)}
# Out of how many kinds of incident the easiest or the hardest is taken. Three would make one kind too frequent in a
# topic with few.
PICKED = {1: 2, 2: 2, 4: 2, 5: 3}
MANY_KINDS = 4
# How often each case is drawn to tell how hard its kind is.
SAMPLES = 4
# Up to this level nothing is drawn that a clause on hold decides, unless every one of so many tries does.
SETTLED = 2
TRIES = 20


class _Document(Struct, kw_only=True, forbid_unknown_fields=True):
    """A scenario as it is stored. Rulebook and situation are enough: what is left out is made again."""

    rulebook: str
    situation: Any
    topic: str = ""
    seed: str = ""
    difficulty: Difficulty = 2
    version: str = ""
    questions: tuple[Question, ...] | None = None
    left_out: tuple[str, ...] = ()
    readings: dict[str, Adopted] = {}
    table: Table | None = None
    format: int = FORMAT


class Scenario(Struct, frozen=True, kw_only=True, dict=True):
    """What a trainee sees: facts and questions, never the ruling. `version` is that of the game.

    `readings` are the readings and procedures that the house had adopted when the scenario was made, `table` the table
    it was made for; it is always ruled by them. Without a table its sums are in the money of the regulation.
    `left_out` are the questions of its kind of incident that its author chose not to ask.
    """

    version: str
    rulebook: str
    topic: str
    seed: str
    difficulty: Difficulty
    situation: Situation
    questions: tuple[Question, ...]
    left_out: tuple[str, ...] | UnsetType = UNSET
    readings: dict[str, Adopted] | UnsetType = UNSET
    table: Table | UnsetType = UNSET
    format: int = FORMAT

    @property
    def book(self) -> Rulebook:
        found = rulebook(self.rulebook)
        found = found.at(self.table) if self.table else found
        return found.under(self.readings) if self.readings else found

    def solve(self) -> Ruling:
        return self._ruling

    @cached_property
    def _ruling(self) -> Ruling:
        return self.book.rule(self.situation)


def generate(
    book_id: str,
    topic: str | None,
    seed: int | str,
    difficulty: int = 2,
    *,
    article: str | None = None,
    table: Table | None = None,
    readings: Readings | None = None,
) -> Scenario:
    """A new scenario. The same arguments and version of the game always give the same one.

    Without a `table` it is played at one of the usual ones.
    """
    if not 1 <= difficulty <= 5:
        raise EngineError(
            "{given!r} is not from {least} to {most}", fact="difficulty", given=difficulty, least=1, most=5
        )
    book = rulebook(book_id)
    level = book.game.level(topic, difficulty)
    draw = book.game.draw(book.game.version, book_id, topic, article, seed, difficulty)
    usual = draw.pick(book.at_usual_tables)
    book = book.at(table) if table else usual
    book = book.under(readings) if readings else book
    for _ in range(TRIES):
        case, situation, reasoning = _chosen(book, topic, article, level, draw)
        if level > SETTLED or not reasoning.disputed:
            break
    return _asked(situation, reasoning.ruling(), book, topic=case.topic, seed=str(seed), difficulty=difficulty)


Made = tuple[Case, Situation, Reasoning]


def _chosen(book: Rulebook, topic: str | None, article: str | None, level: int, draw: Draw) -> Made:
    """The easiest or the hardest draw out of several of one kind of incident.

    Only draws with the answers of the first one are compared. Otherwise an answer that takes more steps to reach would
    be right more often at a higher level, and the level would give it away.
    """
    take, count = DRAWN[level]
    own = cases(book.id, topic, article)
    if count > 1:
        kinds = by_work(book.id, topic, article, hard=take is max)
        own = kinds[take(draw.number(0, len(kinds) - 1) for _ in range(picked(level, len(kinds))))]
    first, *others = (_draw(book, own, book.game.draw(after=draw), level) for _ in range(count))
    if others:
        answers = first[2].choices
        drawn = [first, *(one for one in others if one[2].choices == answers)]
        return take(drawn, key=lambda one: one[2].hardness if take is max else one[2].work)  # type: ignore[no-any-return]
    return first


def _draw(book: Rulebook, found: tuple[Case, ...], draw: Draw, level: int) -> Made:
    chosen = draw.pick(found)
    situation = chosen.make(draw, book, book.game.level(chosen.topic, level))
    return chosen, situation, book.reason(situation)


def picked(level: int, kinds: int) -> int:
    """Out of how many kinds of incident a level takes the easiest or the hardest."""
    return PICKED[level] if kinds >= MANY_KINDS else 2


@cache
def by_work(
    book_id: str, topic: str | None = None, article: str | None = None, *, hard: bool = False
) -> tuple[tuple[Case, ...], ...]:
    """Cases by the kind of incident that they make, the easiest kind first. A few draws of each case tell.

    For hard levels, hard draws tell.
    """
    book = rulebook(book_id)
    kinds: dict[str, list[Case]] = {}
    works: dict[str, list[float]] = {}
    for case in cases(book_id, topic, article):
        level = book.game.level(case.topic, 5 if hard else 3)
        draw = book.game.draw(book_id, case.topic, case.name)
        for _ in range(SAMPLES if hard else 1):
            _, situation, reasoning = _draw(book, (case,), book.game.draw(after=draw), level)
            kind = kind_of(situation.incident)
            works.setdefault(kind, []).append(reasoning.hardness if hard else reasoning.work)
        kinds.setdefault(kind, []).append(case)
    return tuple(tuple(kinds[kind]) for kind in sorted(kinds, key=lambda kind: fmean(works[kind])))


def scenario_of(
    situation: Situation, book: Rulebook, *, topic: str = "", seed: str = "", difficulty: int = 2
) -> Scenario:
    """The scenario of any situation, generated or authored. Its questions are those of its kind of incident."""
    return _asked(situation, book.rule(situation), book, topic=topic, seed=seed, difficulty=difficulty)


def _asked(situation: Situation, ruling: Ruling, book: Rulebook, *, topic: str, seed: str, difficulty: int) -> Scenario:
    found = Scenario(
        version=book.game.version,
        rulebook=book.id,
        topic=topic,
        seed=seed,
        difficulty=difficulty,
        situation=situation,
        questions=questions_about(situation, ruling, book),
        readings=dict(book.readings) or UNSET,
        table=book.given_table or UNSET,
    )
    # Not to rule on it again when it is solved.
    found.__dict__["_ruling"] = ruling
    return found


def all_questions(scenario: Scenario) -> tuple[Question, ...]:
    """Its questions with those that its author left out."""
    if not scenario.left_out:
        return scenario.questions
    return questions_about(scenario.situation, scenario.solve(), scenario.book)


def leaving_out(scenario: Scenario, keys: Collection[str]) -> Scenario:
    """The same case without these questions. Keys of other questions are ignored, for facts may have changed since
    somebody chose. Raises EngineError if no question is left."""
    every = all_questions(scenario)
    gone = tuple(question.key for question in every if question.key in keys)
    if gone and len(gone) == len(every):
        raise EngineError("at least one question must be asked", fact="left_out")
    asked = tuple(question for question in every if question.key not in keys)
    found = msgspec.structs.replace(scenario, questions=asked, left_out=gone or UNSET)
    found.__dict__["_ruling"] = scenario.solve()
    return found


def under(scenario: Scenario, readings: Readings) -> Scenario:
    """The same case for a house that has adopted these readings. The options follow the ruling."""
    if dict(readings) == (scenario.readings or {}):
        return scenario
    book = scenario.book.under(readings)
    made = scenario_of(
        scenario.situation, book, topic=scenario.topic, seed=scenario.seed, difficulty=scenario.difficulty
    )
    return leaving_out(made, scenario.left_out or ())


def practice_only(scenario: Scenario) -> bool:
    """Whether the questions left out keep it from exams: a critical one, or one that may not arise, because the choice
    would hint at whether it does."""
    gone = scenario.left_out or ()
    critical = any(decision.critical and decision.key in gone for decision in scenario.solve().decisions)
    return critical or any(one.may_not_arise and one.key in gone for one in all_questions(scenario))


def exam_fit(scenario: Scenario) -> bool:
    """Whether it may be used in an exam: no clause on hold decides it, its questions do not reveal the ruling, and all
    critical ones are asked."""
    ruling, gone = scenario.solve(), scenario.left_out or ()
    silent = tell_nothing(scenario.questions, scenario.situation, ruling, scenario.book, left_out=gone)
    return ruling.exam_safe and silent and not practice_only(scenario)


def encode(value: Any) -> bytes:
    """JSON with a fixed order of keys: the same value always gives the same bytes."""
    return msgspec.json.encode(value, order="deterministic")


def scenario_from(data: object) -> Scenario:
    """A scenario from plain data (parsed JSON). Raises an error that says what is wrong and where.

    The situation is checked as if it were new. Stored questions are kept; missing ones are made, but for those
    left out.
    """
    body = convert(present_format("scenario", data), _Document, "scenario")
    found = rulebook(body.rulebook)
    found = (found.at(body.table) if body.table else found).under(body.readings)
    situation = found.read(body.situation)
    if body.questions is None:
        made = scenario_of(situation, found, topic=body.topic, seed=body.seed, difficulty=body.difficulty)
        for number, key in enumerate(body.left_out):
            if all(question.key != key for question in made.questions):
                raise EngineError("there is no such question", fact=f"left_out[{number}]")
        return leaving_out(made, body.left_out)
    return Scenario(
        version=body.version,
        rulebook=body.rulebook,
        topic=body.topic,
        seed=body.seed,
        difficulty=body.difficulty,
        situation=situation,
        questions=body.questions,
        left_out=body.left_out or UNSET,
        readings=body.readings or UNSET,
        table=body.table or UNSET,
    )


def decode(document: bytes | str) -> Scenario:
    try:
        data = msgspec.json.decode(document)
    except msgspec.DecodeError as error:
        raise EngineError("not JSON: {error}", fact="scenario", error=str(error)) from None
    return scenario_from(data)
