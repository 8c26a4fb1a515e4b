"""What a ruling leaves of the chips, for the moment that follows it in a story."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

import rules_engine
from rules_engine import RULEBOOKS, Scenario
from rules_engine.equipment.chips import collected, staying
from rules_engine.games import chemin_de_fer, ponto_banca
from rules_engine.games.roulette import table as roulette
from rules_engine.ruling import After, Payment
from training.library import editor, next_moment

LAYOUTS = ["pt-roleta-francesa", "pt-roleta-americana", "pt-cussec", "pt-banca-francesa", "pt-craps"]


def ruled_with(book_id: str, wanted: Callable[[Scenario], bool]) -> Scenario:
    """A generated case whose ruling leaves what is wanted."""
    for seed in range(400):
        scenario = rules_engine.generate(book_id, None, str(seed), 3)
        if wanted(scenario):
            return scenario
    raise AssertionError("nothing of the kind is generated")


def some_stay_and_some_go(scenario: Scenario) -> bool:
    after = scenario.solve().after
    if not after or {one.payee == "house" for one in after.payments} != {True, False}:
        return False
    return getattr(scenario.situation.incident, "wish", "") != "take" and bool(scenario.situation.left(after)["bets"])


@pytest.mark.parametrize("book_id", LAYOUTS)
def test_losing_bets_are_gone_and_winning_ones_lie_on(book_id: str) -> None:
    scenario = ruled_with(book_id, some_stay_and_some_go)
    facts: Any = scenario.situation
    after = scenario.solve().after
    assert after
    before, left, taken, back = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    won = {(one.payee, one.spot) for one in after.payments if one.payer == "house"}
    spots = {(bet.player, bet.spot) for bet in facts.left(after)["bets"]}
    for bet in facts.bets:
        before[bet.player] += bet.amount
        # Craps hands back the odds and the come bets that have won.
        back[bet.player] += bet.amount if book_id == "pt-craps" and (bet.player, bet.spot) in won - spots else 0
    for bet in facts.left(after)["bets"]:
        left[bet.player] += bet.amount
    for (player, _spot), amount in collected(after.payments).items():
        taken[player] += amount
    assert taken and left == +(before - taken - back) and left
    assert structs.replace(facts, incident=scenario.book.game.incident(), **facts.left(after)).bets


def test_of_chips_that_lose_a_part_the_rest_lies_on() -> None:
    bet = roulette.Bet(player="3", chance="straight", numbers=(17,), count=3, value=5)
    paid = [Payment("3", "house", 5, bet.spot), Payment("house", "4", 20, bet.spot)]
    assert staying([bet], paid) == (structs.replace(bet, count=2),)
    assert staying([bet], [Payment("3", "house", 8, bet.spot)]) == (structs.replace(bet, count=1, value=7),)
    assert staying([bet], [Payment("4", "house", 15, bet.spot)]) == (bet,)
    assert staying([bet], [Payment("3", "house", 15, bet.spot)]) == ()


def test_a_come_bet_lies_on_the_number_it_went_to() -> None:
    def moves(scenario: Scenario) -> bool:
        after = scenario.solve().after
        return bool(after and "come" in after.marks)

    scenario = ruled_with("pt-craps", moves)
    facts: Any = scenario.situation
    after = scenario.solve().after
    assert after
    spots = {bet.spot for bet in facts.left(after)["bets"]}
    assert after.marks["come"] in spots and "come" not in spots


@pytest.mark.parametrize("book_id", ["pt-chemin-de-fer", "pt-ponto-banca-1995", "pt-black-jack"])
def test_what_the_bank_won_at_cards_is_collected(book_id: str) -> None:
    def lost(scenario: Scenario) -> bool:
        after = scenario.solve().after
        return bool(after and any(one.payee in ("bank", "house") and "insur" not in one.spot for one in after.payments))

    scenario = ruled_with(book_id, lost)
    facts: Any = scenario.situation
    after = scenario.solve().after
    assert after
    name = "stakes" if hasattr(facts, "stakes") else "bets"
    losers = {one.payer for one in after.payments if one.payee in ("bank", "house")}
    before = sum(bet.amount for bet in getattr(facts, name) if bet.player in losers)
    left = facts.left(after)[name]
    assert sum(bet.amount for bet in left if bet.player in losers) < before
    assert [bet for bet in left if bet.player not in losers] == [
        bet for bet in getattr(facts, name) if bet.player not in losers
    ]


PONTO_WINS = ("3s 4d", "Kc 6h")
BANK_WINS = ("2s 4d", "Kc 7h")
TIE = ("3s 4d", "Kc 7h")
PONTO_WINS_WITH_A_PAIR = ("4s 4d", "Kc 6h")


@pytest.mark.parametrize(
    ("book_id", "hands", "bets", "lying"),
    [
        ("pt-ponto-banca-1995", PONTO_WINS, ["3 ponto 100", "3 tie 100"], ["3 ponto 100"]),
        ("pt-ponto-banca-1995", PONTO_WINS, ["3 tie 100", "3 ponto 100"], ["3 ponto 100"]),
        (
            "pt-ponto-banca-1995",
            PONTO_WINS,
            ["3 ponto 100", "3 ponto 100", "3 tie 100", "4 tie 100"],
            ["3 ponto 100"] * 2,
        ),
        ("pt-ponto-banca-1995", PONTO_WINS, ["3 tie 100", "3 banker 100"], []),
        ("pt-ponto-banca-1995", BANK_WINS, ["3 ponto 100", "3 banker 100", "3 tie 100"], ["3 banker 100"]),
        ("pt-ponto-banca-1995", BANK_WINS, ["3 banker 100", "4 ponto 100"], ["3 banker 100"]),
        ("pt-ponto-banca-1995", TIE, ["3 ponto 100", "3 tie 100"], ["3 ponto 100", "3 tie 100"]),
        ("pt-ponto-banca-macau", TIE, ["3 ponto 100", "3 ponto_pair 100"], ["3 ponto 100"]),
        (
            "pt-ponto-banca-macau",
            PONTO_WINS_WITH_A_PAIR,
            ["3 banker 100", "3 banker_pair 100", "3 ponto_pair 100"],
            ["3 ponto_pair 100"],
        ),
    ],
)
def test_of_equal_bets_of_one_player_those_that_lost_are_collected(
    book_id: str, hands: tuple[str, str], bets: list[str], lying: list[str]
) -> None:
    names = ("player", "on", "amount")
    told = [dict(zip(names, bet.split(), strict=True)) for bet in bets]
    ponto, banker = (hand.split() for hand in hands)
    facts = ponto_banca.GAME.read(
        {
            **ponto_banca.GAME.ordinary,
            "ponto": ponto,
            "banker_cards": banker,
            "bets": [bet | {"amount": int(bet["amount"])} for bet in told],
            "incident": {"kind": "coup_over"},
        }
    )
    after = RULEBOOKS[book_id].rule(facts).after
    assert after and after.payments
    assert [f"{bet.player} {bet.on} {bet.amount}" for bet in facts.left(after)["bets"]] == lying


def staked(stakes: list[tuple[str, int, bool]], incident: dict[str, Any], **more: Any) -> Any:
    """A table of chemin de fer with these stakes, whole or on the line."""
    told = [{"player": player, "amount": amount, "line": line} for player, amount, line in stakes]
    return chemin_de_fer.GAME.read({**chemin_de_fer.GAME.ordinary, **more, "stakes": told, "incident": incident})


def lying_on(facts: Any, after: After) -> list[tuple[str, int, bool]]:
    return [(one.player, one.amount, one.line) for one in facts.left(after).get("stakes", facts.stakes)]


@pytest.mark.parametrize("book_id", ["pt-chemin-de-fer", "it-sanremo-chemin-de-fer"])
@pytest.mark.parametrize(
    ("stakes", "bank", "winner", "lying"),
    [
        ([("3", 100, True)], 1000, "banker", [("3", 50, True)]),
        ([("3", 25, True)], 1000, "banker", [("3", 13, True)]),
        ([("3", 100, True), ("4", 100, False)], 1000, "banker", [("3", 50, True)]),
        ([("3", 100, False), ("4", 60, False)], 1000, "banker", []),
        # A bank of 120 reaches as far as 20 of the second stake, and wins nothing of the third.
        ([("2", 100, False), ("3", 50, False), ("4", 30, False)], 120, "banker", [("3", 30, False), ("4", 30, False)]),
        ([("3", 100, True), ("4", 100, False)], 1000, "ponto", [("3", 100, True), ("4", 100, False)]),
    ],
)
def test_a_stake_loses_what_it_played_for_and_the_rest_lies_on(
    book_id: str, stakes: list[tuple[str, int, bool]], bank: int, winner: str, lying: list[tuple[str, int, bool]]
) -> None:
    facts = staked(stakes, {"kind": "stakes_to_settle", "winner": winner, "initial": "1"}, bank=bank)
    after = RULEBOOKS[book_id].rule(facts).after
    assert after and after.payments
    assert lying_on(facts, after) == lying


@pytest.mark.parametrize(
    "stakes",
    [
        [("3", 100, False), ("2", 40, False), ("3", 100, True), ("3", 60, True)],
        [("3", 100, True), ("2", 40, False), ("3", 60, True), ("3", 100, False)],
    ],
)
def test_each_of_several_stakes_of_one_player_loses_its_own_part(stakes: list[tuple[str, int, bool]]) -> None:
    cards = {"ponto": ["Ks", "6h"], "banker_cards": ["Kc", "7h"], "holder": "3", "claim": "stake"}
    facts = staked(stakes, {"kind": "scores_to_read"}, **cards)
    after = RULEBOOKS["pt-chemin-de-fer"].rule(facts).after
    assert after and after.payments
    assert lying_on(facts, after) == [("3", 50, True), ("3", 30, True)]


@pytest.mark.django_db
def test_the_next_moment_starts_with_the_chips_that_are_left() -> None:
    """The ball came down, all is settled: the next spin begins with the winning bets on the cloth."""
    book = RULEBOOKS["pt-roleta-francesa"]
    scenario = ruled_with(book.id, some_stay_and_some_go)
    after = scenario.solve().after
    assert after
    left = scenario.situation.left(after)["bets"]
    kept = [
        checked.scenario.situation
        for kind in book.kinds()
        if (start := next_moment.carry_on(scenario, kind)).carried and (checked := editor.check(start.sketch)).scenario
    ]
    assert kept and all(getattr(one, "bets", None) == left for one in kept)
