"""Coups for the tests of faults at the draw: written short, read as a floor manager would write them down."""

from typing import Any

from rules_engine import rulebook
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.ruling import After, Ruling

PT, SANREMO, SPAIN = "pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "es-chemin-de-fer"
STAKES = [{"player": "3", "amount": 200}, {"player": "5", "amount": 100}]


def situation(word: str | None, ponto: str, banker: str, incident: dict[str, Any], **more: Any) -> Situation:
    """A coup at an ordinary table; cards are written as words: "Ks 4h"."""
    cards = {name: more.pop(name).split() for name in ("loose", "next", "hidden") if name in more}
    calls = [{"by": "ponto", "says": word}] if word else []
    facts: dict[str, Any] = {"seats": [1, 2, 3, 4, 5, 6], "banker": "1", "bank": 1000, "minimum": 100, "unit": 10}
    facts |= {"holder": "3", "claim": "stake", "calls": calls, "ponto": ponto.split(), "banker_cards": banker.split()}
    return GAME.read(facts | cards | more | {"incident": incident})


def ruled(book: str, facts: Situation) -> Ruling:
    return rulebook(book).rule(facts)


def after(ruling: Ruling) -> After:
    assert ruling.after is not None
    return ruling.after


def reasons(ruling: Ruling) -> dict[str, bool]:
    """The sentences of the reasoning that belong to this family, and whether the case turned on each."""
    prefix = "draw_faults."
    return {step.text.removeprefix(prefix): step.pivot for step in ruling.steps if step.text.startswith(prefix)}
