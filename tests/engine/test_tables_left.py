"""What a ruling leaves behind: a table that the engine accepts, where nobody else's hand or bet has disappeared."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import structs

import rules_engine
from rules_engine import Ruling, Scenario
from rules_engine.equipment.chips import collected
from rules_engine.topics import topics

BLACK_JACK = "pt-black-jack"
BOOKS = [BLACK_JACK, "pt-ponto-banca-1995", "pt-ponto-banca-macau", "pt-ponto-banca-macau-1995", "pt-maquinas"]
SEEDS = 12


def ruled(book_id: str) -> Iterator[tuple[Scenario, Ruling]]:
    """Generated cases whose ruling says how the table ends."""
    for topic in topics(book_id):
        for level in (1, 3, 5):
            for seed in range(SEEDS):
                scenario = rules_engine.generate(book_id, topic, f"left {seed}", level)
                if (ruling := scenario.solve()).after:
                    yield scenario, ruling


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_engine_accepts_the_table(book_id: str) -> None:
    for scenario, ruling in ruled(book_id):
        situation = scenario.situation
        assert ruling.after
        structs.replace(situation, incident=scenario.book.game.incident(), **situation.left(ruling.after))


def test_hands_and_bets_at_black_jack_go_only_with_their_own_hand() -> None:
    """A hand whose cards lie on stays, and so do the chips on it, apart from those that were collected."""
    finished = 0
    for scenario, ruling in ruled(BLACK_JACK):
        before: Any = scenario.situation
        after = ruling.after
        assert after
        now: Any = structs.replace(before, incident=scenario.book.game.incident(), **before.left(after))
        taken = collected(after.payments)
        ends = before.incident.ends_coup
        lying = [] if ends else [after.heap(name) for name in before.names() if after.heap(name)]
        assert [hand.cards for hand in now.hands] == lying
        chips: Counter[tuple[str, int]] = Counter()
        for bet in before.bets:
            if ends or after.heap(bet.spot) or not before.of_seat(bet.seat):
                chips[bet.player, bet.seat] += bet.amount - taken[bet.player, bet.spot]
        left: Counter[tuple[str, int]] = Counter()
        for bet in now.bets:
            left[bet.player, bet.seat] += bet.amount
        assert left == +chips
        finished += len(now.hands) < len(before.hands)
    assert finished


def test_a_hand_that_was_paid_is_not_paid_again() -> None:
    """V 21 s3, V 34: the same moment ruled on again, where it can be, pays nothing."""
    for scenario, ruling in ruled(BLACK_JACK):
        before: Any = scenario.situation
        if scenario.topic == "naturals" and ruling.after and ruling.after.payments:
            left = structs.replace(before, incident=scenario.book.game.incident(), **before.left(ruling.after))
            gone = {payment.spot for payment in ruling.after.payments}
            assert not gone & set(left.names()) and not gone & {bet.spot for bet in left.bets}
