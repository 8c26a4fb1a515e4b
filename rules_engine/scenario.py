"""Scenarios: a situation in a rulebook with the questions asked about it, made from a seed or by hand."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from rules_engine.chemin_de_fer.table import situation_from as chemin_de_fer_from
from rules_engine.draw import Draw
from rules_engine.errors import EngineError
from rules_engine.ponto_banca.table import situation_from as ponto_banca_from
from rules_engine.questions import Question, questions_about, tell_nothing
from rules_engine.rulebook import Rulebook, rulebook
from rules_engine.ruling import Ruling
from rules_engine.topics import cases
from rules_engine.version import VERSION

Difficulty = Annotated[int, Meta(ge=1, le=5)]
SITUATIONS = {"chemin_de_fer": chemin_de_fer_from, "ponto_banca": ponto_banca_from}


class Scenario(Struct, frozen=True, kw_only=True):
    """What is put before a trainee: facts and questions, never the ruling."""

    engine: str
    rulebook: str
    topic: str
    seed: str
    difficulty: Difficulty
    situation: Any
    questions: tuple[Question, ...]

    @property
    def book(self) -> Rulebook:
        return rulebook(self.rulebook)

    def solve(self) -> Ruling:
        return self.book.rule(self.situation)


def generate(
    book_id: str, topic: str | None, seed: int | str, difficulty: int = 2, *, article: str | None = None
) -> Scenario:
    """A fresh scenario, the same for the same arguments and engine version."""
    if not 1 <= difficulty <= 5:
        raise EngineError(f"difficulty: {difficulty} is not from 1 to 5")
    book = rulebook(book_id)
    draw = Draw(VERSION, book_id, topic, article, seed, difficulty)
    chosen = draw.pick(cases(book_id, topic, article))
    situation = chosen.make(draw, book, difficulty)
    return scenario_of(situation, book, topic=chosen.topic, seed=str(seed), difficulty=difficulty)


def scenario_of(situation: Any, book: Rulebook, *, topic: str = "", seed: str = "", difficulty: int = 2) -> Scenario:
    """The scenario of any situation, generated or authored; its questions are those of its kind of incident."""
    ruling = book.rule(situation)
    return Scenario(
        engine=VERSION,
        rulebook=book.id,
        topic=topic,
        seed=seed,
        difficulty=difficulty,
        situation=situation,
        questions=questions_about(situation, ruling, book),
    )


def exam_fit(scenario: Scenario) -> bool:
    """Whether it may be put in an exam: no clause on hold decides it, and its questions do not tell the ruling."""
    ruling = scenario.solve()
    return ruling.exam_safe and tell_nothing(scenario.questions, scenario.situation, ruling, scenario.book)


def encode(value: Any) -> bytes:
    """JSON with a fixed order of keys: the same value is always the same bytes."""
    return msgspec.json.encode(value, order="deterministic")


def scenario_from(data: object) -> Scenario:
    """A scenario from plain data (parsed JSON), or an error that says what is wrong and where.

    The situation is checked as if it were new; the questions are taken as they were stored.
    """
    try:
        body = msgspec.convert(data, Scenario)
    except msgspec.ValidationError as error:
        raise EngineError(f"scenario: {error}") from None
    situation = SITUATIONS[body.book.game](body.situation)
    return msgspec.structs.replace(body, situation=situation)


def decode(document: bytes | str) -> Scenario:
    try:
        data = msgspec.json.decode(document)
    except msgspec.DecodeError as error:
        raise EngineError(f"scenario: not JSON: {error}") from None
    return scenario_from(data)
