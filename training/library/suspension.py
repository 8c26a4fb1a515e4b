"""What a suspended version was ruled on publication, and what the engine rules now, in the reader's language."""

from dataclasses import dataclass
from typing import Any

import msgspec

from rules_engine.errors import EngineError
from rules_engine.narration import ask, refusal, show
from rules_engine.ruling import Decision
from training.house.readings import as_practised
from training.library.author_texts import title
from training.library.models import Act, Version, decisions
from training.library.moments import Moment, moments


@dataclass(frozen=True)
class Changed:
    """A question on which two versions of the engine rule differently."""

    question: str
    before: str
    now: str


@dataclass(frozen=True)
class Suspension:
    """A suspended version: the ruling on publication, and the engine's ruling now."""

    version: Version
    title: str
    moment: int
    engine_before: str
    engine_now: str
    refusal: str
    changes: list[Changed]


def suspension(version: Version, act: Act, language: str) -> Suspension:
    moment = moments(version)[act.moment - 1]
    before, now = decisions(moment.ruling_document), decisions(act.ruling_document)
    differing = [key for key in {**before, **now} if _value(before, key) != _value(now, key)]
    return Suspension(
        version=version,
        title=title(version, language),
        moment=moment.number,
        engine_before=version.game_version,
        engine_now=act.engine,
        refusal=_refusal(moment, act, language),
        changes=[
            Changed(
                question=_question(moment, key, language),
                before=_shown(moment, before.get(key), language),
                now=_shown(moment, now.get(key), language),
            )
            for key in (differing if act.ruling_document else before)
        ],
    )


def _refusal(moment: Moment, act: Act, language: str) -> str:
    """Why the engine now refuses the facts, in the reader's language if the engine still refuses them."""
    if not act.comment:
        return ""
    try:
        as_practised(moment.scenario).solve()
    except EngineError as error:
        return refusal(error, language)
    return act.comment


def _value(decisions: dict[str, Any], key: str) -> Any:
    return decisions[key]["value"] if key in decisions else None


def _question(moment: Moment, key: str, language: str) -> str:
    # The current engine may no longer know the question or the facts of an old ruling.
    try:
        scenario = moment.scenario
        return ask(key, scenario.situation, scenario.book, language)
    except EngineError:
        return key


def _shown(moment: Moment, decision: Any, language: str) -> str:
    if decision is None:
        return "–"
    try:
        typed = msgspec.convert(decision, Decision)
        return show(typed.key, typed.kind, typed.value, moment.scenario.book, language)
    except (EngineError, msgspec.ValidationError):
        return str(decision["value"])
