"""The dice that are drawn and told at the table are those that lie there at that moment."""

from typing import Any

import pytest
from django.utils import translation

from rules_engine import generate
from rules_engine.silences import TOPIC
from rules_engine.situation import kind_of
from tests.samples import sample
from training.drawing import table_view
from training.drawing.primitives import Die

DICE_TOLD = "dice show"


def drawn(book: str, kind: str) -> list[tuple[Any, list[Die], str]]:
    """Cases of a kind: the facts, the dice with a face on the first sheet, and the table in words."""
    found = []
    for seed in range(sample(40, 200)):
        scenario = generate(book, TOPIC, f"dice {seed}", 1 + seed % 5, article=kind)
        facts = scenario.situation
        assert kind_of(facts.incident) == kind
        with translation.override("en"):
            view = table_view(facts, asking=True, rulebook=book)
        found.append((facts, [die for die in view.sheets[0].every(Die) if die.face], " ".join(view.words)))
    return found


@pytest.mark.parametrize("book", ["pt-banca-francesa", "pt-cussec"])
def test_the_dice_of_a_doubted_prize_are_there_only_until_the_next_bets(book: str) -> None:
    seen = set()
    for facts, dice, told in drawn(book, "prize_doubted"):
        lying = facts.incident.found == "prize_lying"
        seen.add(lying)
        assert bool(dice) == lying == (DICE_TOLD in told.lower()), facts
    assert seen == {True, False}


def test_dice_at_rest_are_drawn_and_told_when_chips_come_late() -> None:
    seen = set()
    for facts, dice, told in drawn("pt-banca-francesa", "late_chips"):
        at_rest = facts.incident.when == "at_rest"
        seen.add(at_rest)
        assert bool(dice) == at_rest == (DICE_TOLD in told.lower().replace("what the dice show", "")), facts
    assert seen == {True, False}
