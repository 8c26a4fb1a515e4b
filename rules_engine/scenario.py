"""Scenarios: a situation in a rulebook with the questions asked about it, made from a seed or by hand."""

from hashlib import sha256
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from rules_engine.announcements import speak
from rules_engine.chemin_de_fer.table import situation_from as chemin_de_fer_from
from rules_engine.draw import Draw
from rules_engine.errors import EngineError, NotRegulated
from rules_engine.ponto_banca.table import situation_from as ponto_banca_from
from rules_engine.rulebook import Rulebook, rulebook, rulebooks_of
from rules_engine.ruling import Decision, Kind, Ruling, Utterance, options_for
from rules_engine.topics import cases
from rules_engine.version import VERSION

MAX_ALTERNATIVES = 4
Difficulty = Annotated[int, Meta(ge=1, le=5)]
SITUATIONS = {"chemin_de_fer": chemin_de_fer_from, "ponto_banca": ponto_banca_from}


class Question(Struct, frozen=True, omit_defaults=True):
    """A decision without its value. `options` are what may be picked; for words they are only the easier mode."""

    key: str
    kind: Kind
    options: tuple[str | int | tuple[str, ...], ...] = ()


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
    """The scenario of any situation, generated or authored; its questions come from its ruling."""
    ruling = book.rule(situation)
    return Scenario(
        engine=VERSION,
        rulebook=book.id,
        topic=topic,
        seed=seed,
        difficulty=difficulty,
        situation=situation,
        questions=tuple(_question(decision, ruling, situation, book) for decision in ruling.decisions),
    )


def _question(decision: Decision, ruling: Ruling, situation: Any, book: Rulebook) -> Question:
    if decision.kind == "choice":
        return Question(decision.key, decision.kind, options_for(decision.key))
    if decision.kind == "score":
        return Question(decision.key, decision.kind, tuple(range(10)))
    if decision.kind == "player":
        return Question(decision.key, decision.kind, _player_options(decision, situation))
    wrong = [*decision.tempting, *_elsewhere(decision, situation, book)]
    if decision.kind == "amount" and isinstance(decision.value, int):
        wrong += [decision.value * 2, decision.value // 2]
    candidates = [decision.value, *wrong]
    shown = [_shown(value, book) for value in candidates]
    # Nought is only worth offering where a rule means it.
    meant = [option for option in shown if option != "" and (option != 0 or 0 in (decision.value, *decision.tempting))]
    options = tuple(dict.fromkeys(meant))[: MAX_ALTERNATIVES + 1]
    return Question(decision.key, decision.kind, _mixed(options, decision.key, situation))


def _player_options(decision: Decision, situation: Any) -> tuple[str, ...]:
    """Everybody at the table, in the order of the seats, and whoever else the rule may have meant."""
    present = [*map(str, sorted(situation.seats)), *sorted(situation.standing)]
    extra = [str(decision.value), *map(str, decision.tempting), "nobody"]
    return tuple(dict.fromkeys([*present, *(other for other in extra if other not in present)]))


def _elsewhere(decision: Decision, situation: Any, book: Rulebook) -> list[Any]:
    """What the other rulebooks of the game would have answered: the most tempting mistake of a well-read dealer."""
    found = []
    for other in rulebooks_of(book.game):
        if other is not book and other.regulates(type(situation.incident)):
            try:
                value = other.rule(situation).get(decision.key)
            except NotRegulated:
                continue
            if value is not None and not isinstance(value, Utterance):
                found.append(value)
    return found


def _shown(value: Any, book: Rulebook) -> Any:
    if isinstance(value, Utterance):
        return speak(book.formula(value.formula), value, book.language)
    return value


def _mixed(options: tuple[Any, ...], key: str, situation: Any) -> tuple[Any, ...]:
    """The options in an order that says nothing about which is right."""
    if all(isinstance(option, int) for option in options):
        return tuple(sorted(options))
    salt = key.encode() + msgspec.json.encode(situation, order="deterministic")
    return tuple(sorted(options, key=lambda option: sha256(salt + repr(option).encode()).digest()))


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
