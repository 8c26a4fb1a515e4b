"""The engine's current questions, ruling and remarks for a scenario."""

from collections.abc import Iterable
from typing import Protocol

from django.utils.translation import gettext_lazy as _

import rules_engine
from rules_engine import Ruling, Scenario
from rules_engine.errors import EngineError, UnknownName
from rules_engine.narration import ask, call_log, narrate, refusal
from rules_engine.remarks import Remark, remarks
from training.house.readings import practised
from training.people.request import language
from training.platform.errors import Refused

MAX_SEED = 64


class Kept(Protocol):
    """A version, or one moment of it."""

    @property
    def scenario(self) -> Scenario: ...


def fresh(scenario: Scenario) -> Scenario:
    """The same facts with the engine's current questions but those left out, under the readings that the house has
    adopted.

    Raises EngineError if the engine cannot rule on the facts or put them into words.
    """
    if scenario.topic not in rules_engine.topics(scenario.rulebook):
        raise UnknownName("topic of {book:rulebook}", scenario.topic, fact="topic", book=scenario.rulebook)
    if len(scenario.seed) > MAX_SEED or not scenario.seed.isascii() or not scenario.seed.isprintable():
        raise EngineError("must be at most {most} plain characters", fact="seed", most=MAX_SEED)
    situation = scenario.situation
    book = rules_engine.rulebook(scenario.rulebook)
    book = (book.at(scenario.table) if scenario.table else book).under(practised(book.id))
    made = rules_engine.scenario_of(
        situation, book, topic=scenario.topic, seed=scenario.seed, difficulty=scenario.difficulty
    )
    narrate(situation, book, book.language)
    call_log(situation, book, book.language)
    for question in made.questions:
        ask(question.key, situation, book, book.language)
    return rules_engine.leaving_out(made, scenario.left_out or ())


def ruled(kept: Kept) -> tuple[Scenario, Ruling]:
    """A version or moment with its current ruling. Raises Refused if the engine no longer accepts the facts."""
    try:
        scenario = fresh(kept.scenario)
        return scenario, scenario.solve()
    except EngineError as error:
        raise Refused(_("The engine now refuses these facts: %(why)s") % {"why": refusal(error, language())}) from None


def still_odd(scenario: Scenario, accepted: Iterable[str]) -> list[str]:
    """Those of the accepted remarks that the engine still makes on these facts."""
    known = set(accepted)
    return [remark.key for remark in remarks(scenario.situation, scenario.book) if remark.key in known]


def not_accepted(scenario: Scenario, accepted: Iterable[str]) -> list[Remark]:
    known = set(accepted)
    return [remark for remark in remarks(scenario.situation, scenario.book) if remark.key not in known]
