"""A black jack table as it ends: every payment is drawn on the very bet that it is about."""

from collections.abc import Sequence

import pytest

from rules_engine import RULEBOOKS, Scenario, generate
from rules_engine.games.black_jack.settlement import outcomes
from rules_engine.games.black_jack.table import Bet, Situation
from rules_engine.ruling import Adopted, After, Payment
from training.drawing import Drawing, table_after, table_view
from training.drawing.cards import Card
from training.drawing.cloths.black_jack.ending import Key, results
from training.drawing.primitives import Rect
from training.drawing.scene import Scene

BOOK = RULEBOOKS["pt-black-jack"]
TOPICS = ("payout", "naturals", "play", "insurance", "surrender", "double", "split")


def table(scenario: Scenario) -> Situation:
    assert isinstance(scenario.situation, Situation)
    return scenario.situation


def ended(scenario: Scenario, after: After | None = None) -> dict[Key, int]:
    return results(Scene(scenario.situation, BOOK.currency, "pt", after=after or scenario.solve().after))


def own(bets: Sequence[Bet], player: str) -> set[str]:
    mine = [bet for bet in bets if bet.player == player]
    return {bet.spot for bet in mine} | {bet.line for bet in mine if bet.insurance}


def test_a_settled_table_shows_what_each_bet_and_each_insurance_brought() -> None:
    several = 0
    for seed in range(80):
        scenario = generate(BOOK.id, "payout", str(seed), 1 + seed % 5)
        if not any(one.key.startswith("prize.") for one in scenario.solve().decisions):
            continue
        settled = outcomes(table(scenario), BOOK)
        due = {(one.bet.player, one.bet.spot): one.prize for one in settled}
        due |= {(one.bet.player, one.bet.line): one.insurance for one in settled}
        assert ended(scenario) == {key: sum for key, sum in due.items() if sum}
        several += len({one.bet.player for one in settled}) < len(settled)
    assert several > 20


@pytest.mark.parametrize("topic", TOPICS)
def test_every_payment_names_a_bet_of_its_player(topic: str) -> None:
    for seed in range(30):
        scenario = generate(BOOK.id, topic, str(seed), 1 + seed % 5)
        after = scenario.solve().after
        for payment in after.payments if after else ():
            player = payment.payer if payment.payee == "house" else payment.payee
            assert payment.spot in own(table(scenario).bets, player)
        total = sum(one.amount if one.payer == "house" else -one.amount for one in after.payments) if after else 0
        assert sum(ended(scenario, after).values()) == total


def test_a_ruling_that_names_no_bet_is_drawn_only_where_there_is_no_doubt() -> None:
    """As an earlier release stored it."""
    scenario = generate(BOOK.id, "payout", "3", 5)
    bets = table(scenario).bets
    player = bets[0].player
    after = After(heaps={}, payments=(Payment("house", player, 500),))
    keys = own(bets, player)
    assert ended(scenario, after) == ({(player, *keys): 500} if len(keys) == 1 else {})


@pytest.mark.parametrize("option", ["stands", "replace"])
def test_a_second_card_seen_too_early_lies_open_until_it_is_replaced(option: str) -> None:
    book = BOOK.under({"hole_card_exposed": Adopted(option)})
    facts = BOOK.situation(
        seats=[2],
        minimum=1_000,
        hands=[{"seat": 2, "cards": ["Ts", "5d"]}],
        bets=[{"player": "2", "seat": 2, "amount": 1_000}],
        bank_cards=["9d", "7c"],
        incident={"kind": "hole_card_exposed"},
    )
    before, after = table_view(facts), table_after(facts, book.rule(facts))
    assert after
    assert faces(before)["bank.2"] == "7c"
    assert faces(after).get("bank.2") == ("7c" if option == "stands" else None)
    assert faces(after).get("discard.1") == ("7c" if option == "replace" else None)


def faces(drawing: Drawing) -> dict[str, str]:
    """The cards on the table, by reference."""
    return {card.ref: f"{card.rank}{card.suit}" for sheet in drawing.sheets for card in sheet.every(Card)}


@pytest.mark.parametrize("seed", range(4))
def test_a_gold_frame_is_round_the_hand_that_is_played(seed: int) -> None:
    scenario = generate("pt-black-jack", "double", f"frame {seed}", 2)
    asked = table_view(scenario.situation, currency="PTE")
    first = f"card:{asked.focus[0].removeprefix('card:')}"
    for sheet in asked.sheets:
        (frame,) = [rect for rect in sheet.every(Rect) if rect.kind == "in-play"]
        inside = {
            f"card:{card.ref}"
            for card in sheet.every(Card)
            if frame.x < card.x < frame.x + frame.width and frame.y < card.y < frame.y + frame.height
        }
        assert not asked.focus[0].startswith("card:") or first in inside
        assert len({ref.partition(".")[0] for ref in inside}) == 1
    ended = table_view(scenario.situation, currency="PTE", after=After())
    assert not [rect for sheet in ended.sheets for rect in sheet.every(Rect) if rect.kind == "in-play"]
