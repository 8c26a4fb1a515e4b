"""A scenario made ready for the page, in the reader's language. Nothing here knows the ruling."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from rules_engine import DOES_NOT_ARISE, Question, Scenario
from rules_engine.narration import ask, call_log, narrate, show
from rules_engine.ruling import After
from rules_engine.words import text
from training.drawing import TableView, table_view
from training.library.markdown import render
from training.library.models import Version
from training.library.words import word

# The words come first, as at the table: one speaks, then one acts.
WORDS_FIRST = {"words": 0}
UNITS = {"EUR": "€", "PTE": "$00"}
# Answered by picking one of the options; the rest are typed.
PICKED_KINDS = ("choice", "score", "player")


@dataclass(frozen=True)
class Option:
    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class AskedQuestion:
    """A question as a form control: how it is asked depends on its kind.

    For words, `options` are the easier mode; for an order, whoever may be in it. `idle` is the answer that it does not
    arise: where something is typed it has a box beside it, elsewhere it is the last of the options.
    """

    key: str
    kind: str
    text: str
    options: list[Option]
    given: str
    unit: str
    idle: Option | None

    @property
    def typed(self) -> bool:
        return self.kind not in PICKED_KINDS

    @property
    def name(self) -> str:
        return f"q.{self.key}"

    @property
    def pick_name(self) -> str:
        return f"pick.{self.key}"

    @property
    def picked(self) -> bool:
        return self.kind == "words" and any(option.chosen for option in self.options)


@dataclass(frozen=True)
class SpokenCall:
    """A line of the call log; `place` is where the speaker is on the drawing, if anywhere."""

    by: str
    words: str
    meaning: str
    place: str


@dataclass(frozen=True)
class Story:
    """The situation told: the table drawn, the facts in sentences, and what was said in order.

    `table_after` is the table as it should end, once the mark is there and where the ruling moves cards.
    """

    rulebook: str
    topic: str
    language: str
    title: str
    authored: SafeString
    table: TableView
    table_after: TableView | None
    sentences: list[str]
    calls: list[SpokenCall]


def story(scenario: Scenario, language: str, *, version: Version | None = None, after: After | None = None) -> Story:
    situation, currency = scenario.situation, scenario.book.currency
    topic = text(f"topic.{scenario.topic}", language)
    return Story(
        rulebook=text(f"rulebook.{scenario.rulebook}", language),
        topic=topic,
        language=scenario.book.language,
        title=(word(version, "title", language) if version else "") or topic,
        authored=authored(version, "story", language),
        table=table_view(situation, currency=currency),
        table_after=table_view(situation, currency=currency, after=after) if after else None,
        sentences=narrate(situation, scenario.book, language),
        calls=_calls(scenario, language),
    )


def authored(version: Version | None, field: str, language: str) -> SafeString:
    """The author's own story or note, as safe HTML."""
    return render(word(version, field, language)) if version else SafeString()


def _calls(scenario: Scenario, language: str) -> list[SpokenCall]:
    situation = scenario.situation
    places = {"banker": getattr(situation, "banker", ""), "ponto": getattr(situation, "holder", None) or ""}
    lines = call_log(situation, scenario.book, language)
    return [
        SpokenCall(line.by, line.words, line.meaning, places.get(call.by, call.by))
        for call, line in zip(situation.calls, lines, strict=True)
    ]


def questions(scenario: Scenario, language: str, given: Mapping[str, Any], picked: bool = False) -> list[AskedQuestion]:
    asked = [_question(question, scenario, language, given, picked) for question in scenario.questions]
    return sorted(asked, key=lambda question: WORDS_FIRST.get(question.kind, 1))


def _question(
    question: Question, scenario: Scenario, language: str, given: Mapping[str, Any], picked: bool
) -> AskedQuestion:
    answer = str(given.get(question.key) or "")
    found: list[Any] = [option for option in question.options if option != DOES_NOT_ARISE]
    kind = question.kind
    if kind == "order":
        # The orders on offer would tell who is in it; everybody at the table may be put in.
        found, kind = sorted([*map(str, scenario.situation.seats), *scenario.situation.standing]), "player"
    options = [
        Option(str(option), show(question.key, kind, option, scenario.book, language), str(option) == answer)
        for option in found
    ]
    chosen = any(option.chosen for option in options)
    idle = _idle(question, answer, scenario, language)
    if idle and question.kind in PICKED_KINDS:
        options.append(idle)
    if question.kind == "words" and not picked:
        options = [Option(option.value, option.label, False) for option in options]
    return AskedQuestion(
        key=question.key,
        kind=question.kind,
        text=ask(question.key, scenario.situation, scenario.book, language),
        options=options,
        given="" if answer == DOES_NOT_ARISE or (picked and question.kind == "words" and chosen) else answer,
        unit=UNITS[scenario.book.currency] if question.kind == "amount" else "",
        idle=idle,
    )


def _idle(question: Question, answer: str, scenario: Scenario, language: str) -> Option | None:
    if not question.may_not_arise:
        return None
    label = show(question.key, question.kind, DOES_NOT_ARISE, scenario.book, language)
    return Option(DOES_NOT_ARISE, label, answer == DOES_NOT_ARISE)
