"""The same situation under every rulebook of its game."""

from collections.abc import Mapping

from msgspec import Struct

from rules_engine.errors import EngineError
from rules_engine.game import game
from rules_engine.narration import refusal
from rules_engine.rulebook import Readings
from rules_engine.ruling import Ruling
from rules_engine.situation import Situation
from rules_engine.words import FALLBACK


class Comparison(Struct, frozen=True):
    """The rulings by rulebook, why some rulebooks give none, and the decisions on which the rulings differ."""

    rulings: dict[str, Ruling]
    silent: dict[str, str]
    differing: tuple[str, ...]


def compare(
    situation: Situation, language: str = FALLBACK, readings: Mapping[str, Readings] | None = None
) -> Comparison:
    """What each rulebook rules on the same facts. Where one is silent, says why, in a language.

    `readings` are those that a house has adopted, by rulebook.
    """
    rulings: dict[str, Ruling] = {}
    silent: dict[str, str] = {}
    for book in game(situation.game).books:
        try:
            rulings[book.id] = book.under((readings or {}).get(book.id, {})).rule(situation)
        except EngineError as error:
            silent[book.id] = refusal(error, language)
    keys = dict.fromkeys(decision.key for ruling in rulings.values() for decision in ruling.decisions)
    values = {key: [ruling.get(key) for ruling in rulings.values()] for key in keys}
    differing = tuple(key for key, found in values.items() if any(value != found[0] for value in found))
    return Comparison(rulings, silent, differing)
