"""Chips that a story says are on the table lie there and are told: baccarat, over every topic."""

from itertools import product
from typing import Any

import pytest
from django.utils import translation

from rules_engine import RULEBOOKS, generate, topics
from rules_engine.words import money
from training.drawing import table_view

BOOKS = [id for id, book in RULEBOOKS.items() if book.game.id in ("chemin_de_fer", "ponto_banca")]
SEEDS = 4
PUT_DOWN = ("amount", "adds", "extra", "down", "laid_out")
# Told in words and not in chips: a sum stated, won, lost or moved by mistake, a stake that is only said; and where
# `extra` is the number of a card.
NOT_DOWN = ("BankStated", "PartnerActs", "PaymentDisputed", "BankerHasExtraCards", "PontoHasExtraCards")


def put_down(situation: Any) -> set[int]:
    """The sums that the incident says were put down, and the stakes."""
    incident = situation.incident
    if type(incident).__name__ in NOT_DOWN or getattr(incident, "spot", "") == "spoken":
        return set()
    told = [values for _, values in incident.narration()]
    return {values[name] for values, name in product(told, PUT_DOWN) if values.get(name)}


@pytest.mark.parametrize("book", BOOKS)
def test_what_the_story_puts_down_is_told_with_the_table(book: str) -> None:
    missing = []
    for topic, seed in product(topics(book), range(SEEDS)):
        scenario = generate(book, topic, f"told-{seed}", 1 + seed)
        situation: Any = scenario.situation
        stakes = getattr(situation, "stakes", None) or getattr(situation, "bets", ())
        currency = scenario.book.currency
        with translation.override("en"):
            view = table_view(situation, currency=currency)
        words = " ".join(view.words)
        missing += [
            (topic, seed, type(situation.incident).__name__, amount)
            for amount in put_down(situation) | {stake.amount for stake in stakes}
            if money(amount, currency, "en") not in words
        ]
    assert missing == []


@pytest.mark.parametrize(("book", "topic"), [("pt-ponto-banca-macau", "limits"), ("pt-chemin-de-fer", "stakes")])
def test_disputed_chips_are_drawn_as_such(book: str, topic: str) -> None:
    for seed in range(SEEDS):
        scenario = generate(book, topic, f"told-{seed}", 1 + seed)
        sheets = table_view(scenario.situation, currency=scenario.book.currency).sheets
        incident: Any = scenario.situation.incident
        disputed = (
            type(incident).__name__ in ("BetPlaced", "LateBet") or getattr(incident, "spot", "spoken") != "spoken"
        )
        if disputed:
            assert all(f'data-point="offer:{incident.player}"' in sheet.svg for sheet in sheets)


@pytest.mark.parametrize(
    ("topic", "kinds"),
    [("deal_faults", ("PontoHasExtraCards", "BankerHasExtraCards")), ("partners", ("PartnerActs",))],
)
def test_the_number_of_a_card_and_the_win_of_the_bank_are_not_chips_to_be_ruled_on(
    topic: str, kinds: tuple[str, ...]
) -> None:
    found = 0
    for seed in range(80):
        situation: Any = generate("it-sanremo-chemin-de-fer", topic, f"not-chips-{seed}", 1 + seed % 5).situation
        if type(situation.incident).__name__ in kinds:
            found += 1
            with translation.override("en"):
                assert "to be ruled on" not in " ".join(table_view(situation, currency="EUR").words)
    assert found
