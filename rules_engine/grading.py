"""Grading: an answer against the ruling, part by part, with a reason for every point lost."""

import re
from typing import Any

from msgspec import Struct

from rules_engine.announcements import hear
from rules_engine.documents import FORMAT, up_to_date
from rules_engine.errors import EngineError
from rules_engine.game import GAMES, present_format
from rules_engine.paying import chips_in, could_pay, worth
from rules_engine.questions import Question
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Decision, Kind, Ruling, Utterance
from rules_engine.scenario import Scenario
from rules_engine.situation import convert
from rules_engine.spots import spots_meant

WORDS_WEIGHT = 2
MAX_WORDS = 300
Given = str | int | list[str] | None


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """What the trainee answered, by the key of each question. A missing key means that the question was not
    answered."""

    parts: dict[str, Given]


class Part(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The mark of one question. `reason` is a catalogue id with `values`, empty if no point was lost."""

    key: str
    given: Given
    right: str | int | tuple[str, ...]
    points: int
    of: int
    critical: bool = False
    reason: str = ""
    values: dict[str, Any] = {}

    @property
    def correct(self) -> bool:
        return self.points == self.of


class Mark(Struct, frozen=True, kw_only=True):
    """The mark of an answer. `version` is that of the game that marked it."""

    version: str
    rulebook: str
    points: int
    of: int
    critical_missed: bool
    parts: tuple[Part, ...]
    format: int = FORMAT

    @property
    def perfect(self) -> bool:
        return self.points == self.of


def answer_from(data: object) -> Answer:
    """An answer from plain data. It does not name its game; obsolete keys are converted by their name."""
    for game in GAMES.values():
        data = up_to_date("answer", data, game.upgrades)
    return convert(data, Answer, "answer")


def mark_from(data: object) -> Mark:
    """A mark from plain data, converted to the current format."""
    return convert(present_format("mark", data), Mark, "mark")


def ruling_from(data: object) -> Ruling:
    """A ruling from plain data, converted to the current format."""
    return convert(present_format("ruling", data), Ruling, "ruling")


def check_answer(scenario: Scenario, answer: Answer) -> None:
    """Raise EngineError if the answer does not fit the questions: it is not a wrong answer but no answer at all."""
    questions = {question.key: question for question in scenario.questions}
    for key, given in answer.parts.items():
        if key not in questions:
            raise EngineError("there is no such question", fact=f"answer.{key}")
        _check_length(key, given)
        question = questions[key]
        if question.kind == "choice" and given not in (None, "", *question.options):
            known = tuple(map(str, question.options))
            raise EngineError("{given!r} is not one of {known}", fact=f"answer.{key}", given=given, known=known)


def _check_length(key: str, given: Given) -> None:
    """Refuse long text, because comparing words takes quadratic time. A list counts as if it were written out."""
    written = " ".join(given) if isinstance(given, list) else given
    if isinstance(written, str) and len(written) > MAX_WORDS:
        raise EngineError("longer than {most} characters", fact=f"answer.{key}", most=MAX_WORDS)


def grade(scenario: Scenario, answer: Answer, *, ruling: Ruling | None = None) -> Mark:
    """Grade an answer. The same scenario, answer and version of the game always give the same mark.

    All questions that do not arise weigh as much together as one decision, because there may be many of them. A caller
    that already has the ruling may pass it to save time.
    """
    check_answer(scenario, answer)
    decided = {decision.key: decision for decision in (ruling or scenario.solve()).decisions}
    idle = [question for question in scenario.questions if question.key not in decided and question.may_not_arise]
    times = max(1, len(idle))
    parts = tuple(
        _idle_part(question, answer.parts.get(question.key))
        if question in idle
        else _part(scenario, decided[question.key], answer.parts.get(question.key), times)
        for question in scenario.questions
        if question in idle or question.key in decided
    )
    return Mark(
        version=scenario.book.game.version,
        rulebook=scenario.rulebook,
        points=sum(part.points for part in parts),
        of=sum(part.of for part in parts),
        critical_missed=any(part.critical and not part.correct for part in parts),
        parts=parts,
    )


def _idle_part(question: Question, given: Given) -> Part:
    reason = "" if given == DOES_NOT_ARISE else "lost.unanswered" if _empty(given) else "lost.does_not_arise"
    return Part(key=question.key, given=given, right=DOES_NOT_ARISE, points=0 if reason else 1, of=1, reason=reason)


def _part(scenario: Scenario, decision: Decision, given: Given, times: int) -> Part:
    reason, values = _lost(scenario, decision, given)
    full = decision.weight * (WORDS_WEIGHT if decision.kind == "words" else 1) * times
    return Part(
        key=decision.key,
        given=given,
        right=_right(scenario, decision),
        points=0 if reason else full,
        of=full,
        critical=decision.critical,
        reason=reason,
        values=values,
    )


def _right(scenario: Scenario, decision: Decision) -> str | int | tuple[str, ...]:
    if isinstance(decision.value, Utterance):
        book = scenario.book
        return book.say(decision.value, book.language_of(decision.key))
    return decision.value


def _lost(scenario: Scenario, decision: Decision, given: Given) -> tuple[str, dict[str, Any]]:
    if _empty(given):
        return "lost.unanswered", {}
    if given == DOES_NOT_ARISE:
        return "lost.arises", {}
    if isinstance(decision.value, Utterance):
        book = scenario.book
        spoken = book.language_of(decision.key)
        languages = [spoken, *(scenario.situation.also_spoken() if spoken == book.language else ())]
        heard = hear(book.formulas, decision.value, str(given), languages)
        return heard.problem, dict(heard.values)
    compared = (normal(value, decision.key, decision.kind, scenario) for value in (given, decision.value))
    return ("", {}) if len(set(compared)) == 1 else (f"lost.{decision.kind}", {})


def _empty(given: Given) -> bool:
    return given is None or given in ("", [])


def normal(value: Any, key: str, kind: Kind, scenario: Scenario) -> Any:
    """The answer to a question in the form in which answers are compared."""
    if kind in ("score", "amount", "number"):
        return sum_in(str(value), key, scenario.book)
    if isinstance(value, int):
        value = str(value)
    if kind == "order" and scenario.book.game.asks_for_spots(key):
        return spots_meant(value, scenario.book)
    if kind == "order":
        items = in_order(value) if isinstance(value, str) else value
        return tuple(str(item).lower() for item in items)
    return str(value).strip().lower()


def sum_in(text: str, key: str, book: Rulebook) -> int | str:
    """The answer to a question as a number: `216 000 €` or, where the house pays, in chips of the table, `2×100 + 1×5`;
    anything else unchanged."""
    chips = chips_in(text) if key.partition(".")[0] in book.game.paid else None
    if chips and could_pay(chips, book.given_table.values if book.given_table else ()):
        return worth(chips)
    return in_digits(text)


def in_digits(text: str) -> int | str:
    """A number from the way people write it, `216 000 €` or `50$00`; anything else unchanged."""
    digits = re.sub(r"\$\d\d$|[\s.€$ ]|,(?=\d{3})|,\d\d$", "", text)
    return int(digits) if digits.isdecimal() else digits


def in_order(text: str) -> list[str]:
    """Several things in order: `3, 4a, 1`."""
    return re.split(r"[\s,;>]+", text.strip())
