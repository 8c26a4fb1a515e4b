"""What the feedback says of a payment in chips."""

import pytest
from django.utils import translation

import rules_engine
from rules_engine import Scenario
from rules_engine.paying import usual
from training.drawing import chip_rack
from training.practice.feedback import GradedPart, feedback

pytestmark = pytest.mark.django_db
BOOK = "pt-roleta-americana"


class Graded:
    """A mark and its ruling, as the feedback needs them."""

    def __init__(self, scenario: Scenario, answer: dict[str, str]) -> None:
        self.ruling = scenario.solve()
        self.engine_mark = rules_engine.grade(scenario, rules_engine.answer_from({"parts": answer}))


def paid(written: str, scenario: Scenario, key: str) -> GradedPart:
    with translation.override("en"):
        told = feedback(scenario, Graded(scenario, {key: written}), "en")
    return next(part for part in told.parts if part.key == key)


def case() -> tuple[Scenario, str, int]:
    """A payment of at least two chips."""
    for seed in range(60):
        scenario = rules_engine.generate(BOOK, "payout", seed, 2)
        for question in scenario.questions:
            amount = scenario.solve().get(question.key)
            if question.key.startswith("prize.") and isinstance(amount, int) and amount >= 20:
                return scenario, question.key, amount
    raise AssertionError("no prize in sixty cases")


def test_a_payment_in_few_chips_gets_no_remark() -> None:
    scenario, key, amount = case()
    chips = usual(amount, chip_rack.values(scenario.book))
    part = paid(" + ".join(f"{count}×{value}" for value, count in chips.items()), scenario, key)
    assert part.correct
    assert part.remark == ""


def test_more_chips_than_needed_get_a_remark_and_the_point() -> None:
    scenario, key, amount = case()
    part = paid(f"{amount}×1", scenario, key)
    assert part.correct
    assert f"{amount} chips" in part.remark


def test_a_typed_amount_gets_no_remark() -> None:
    scenario, key, amount = case()
    assert paid(str(amount), scenario, key).remark == ""
