"""Sums paid in chips."""

import pytest

from rules_engine import RULEBOOKS, generate
from rules_engine.grading import sum_in
from rules_engine.paying import awkward, chips_in, could_pay, usual, worth

PAID = generate("pt-roleta-americana", "payout", 1)
RACK = (100, 50, 20, 10, 5, 1)


@pytest.mark.parametrize(
    ("written", "chips"),
    [
        ("2×100 + 1×5", {100: 2, 5: 1}),
        ("2x100+1*5", {100: 2, 5: 1}),
        ("1×5 + 2×5", {5: 3}),
        ("205", None),
        ("2×", None),
        ("2×100 +", None),
        ("", None),
    ],
)
def test_a_payment_as_it_is_written(written: str, chips: dict[int, int] | None) -> None:
    assert chips_in(written) == chips


def test_a_payment_counts_as_its_worth() -> None:
    book = PAID.book
    assert sum_in("2×100 + 1×5", "prize.1.plein", book) == 205 == sum_in("205 €", "prize.1.plein", book)
    assert sum_in("2×100 + x", "prize.1.plein", book) == "2×100+x"


def test_the_field_is_no_calculator() -> None:
    """Only chips that the table has are a payment, and only where the house pays."""
    assert sum_in("35×15", "prize.1.plein", PAID.book) == "35×15"
    assert sum_in("1×5 + 17×3", "prize.1.plein", RULEBOOKS["pt-roleta-americana"]) == "1×5+17×3"
    assert sum_in("2×100", "largest_bet", PAID.book) == "2×100"
    assert could_pay({25: 1}, (25, 5)) and not could_pay({25: 1}, ())


@pytest.mark.parametrize("amount", [0, 1, 4, 99, 186, 12_345])
def test_the_usual_payment_has_the_worth(amount: int) -> None:
    assert worth(usual(amount, RACK)) == amount


def test_more_chips_than_needed_are_awkward() -> None:
    assert awkward({10: 2}, RACK) == {20: 1}
    assert awkward({20: 1}, RACK) == {}
    # What the rack cannot pay exactly is not compared.
    assert awkward({1: 3}, (2,)) == {}
    # A payment that takes fewer chips than the usual one is fine.
    assert awkward({20: 2}, (25, 20, 1)) == {}
