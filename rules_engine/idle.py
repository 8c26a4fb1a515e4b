"""Options that can never be right: neither a rule of the rulebook, nor a nearby rule, nor another rulebook gives them.

A wrong answer is worth offering if a rule gives it: this rulebook on other facts, a nearby rule that tempts here, or
another rulebook on the same facts, as a dealer who has worked under it would answer. Trainees soon see that an option
given by no rule is wrong, and it only narrows the choice.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from msgspec import Struct

from rules_engine.errors import EngineError
from rules_engine.questions import NOBODY, Question
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Ruling
from rules_engine.situation import Situation, kind_of

Drawn = tuple[Situation, Ruling, tuple[Question, ...]]


class Offer(Struct, frozen=True):
    """An option of a question, and whether a rule ever gave it. `nobody` is measured for each kind of incident."""

    question: str
    option: str
    right: bool


def offers(book: Rulebook, drawn: Iterable[Drawn]) -> tuple[Offer, ...]:
    """Every option offered in these scenarios."""
    seen: dict[tuple[str, str], bool] = {}
    unmet: dict[tuple[str, str], list[tuple[str, Situation]]] = {}
    for situation, ruling, questions in drawn:
        for question in questions:
            given = _given(question.key, ruling)
            for name, option in _measured(question, situation):
                right = option in given
                seen[name, option] = seen.get((name, option), False) or right
                unmet.setdefault((name, option), []).append((question.key, situation))
    return tuple(
        Offer(name, option, right or _elsewhere(book, option, unmet[name, option]))
        for (name, option), right in seen.items()
    )


def _given(key: str, ruling: Ruling) -> tuple[Any, ...]:
    """What a rule gives here: the right answer, and the answers of nearby rules."""
    decision = next((one for one in ruling.decisions if one.key == key), None)
    return (decision.value, *(decision.tempting if decision.kind == "choice" else ())) if decision else ()


def _measured(question: Question, situation: Situation) -> Iterator[tuple[str, str]]:
    name = question.key.partition(".")[0]
    if question.kind == "choice":
        yield from ((name, str(option)) for option in question.options if option != DOES_NOT_ARISE)
    elif question.kind == "player" and NOBODY in question.options:
        yield f"{kind_of(situation.incident)} {name}", NOBODY


def _elsewhere(book: Rulebook, option: str, asked: list[tuple[str, Situation]]) -> bool:
    """Whether another rulebook of the game gives this answer to the same question on the same facts."""
    return any(option in _values(other, key, s) for other in book.game.books if other is not book for key, s in asked)


def _values(book: Rulebook, key: str, situation: Situation) -> list[Any]:
    with suppress(EngineError):
        return [book.rule(situation).get(key)]
    return []


def idle(found: Iterable[Offer], book: Rulebook) -> list[str]:
    """Options that no rule ever gave, one per line, except those for which `quality.toml` gives a reason."""
    right: dict[tuple[str, str], bool] = {}
    for offer in found:
        at = (offer.question, offer.option)
        right[at] = right.get(at, False) or offer.right
    reasons = book.game.standard.idle
    return [
        f"{question}: {option} is offered and never right"
        for (question, option), once in right.items()
        if not once and f"{question} {option}" not in reasons
    ]
