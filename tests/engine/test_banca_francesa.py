"""Banca francesa beyond the golden cases: money, odds, what the text leaves open, and what the questions give away."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import Ruling, Scenario, generate, rulebook
from rules_engine.equipment.dice import throws
from rules_engine.errors import EngineError, ImpossibleFacts, NotRegulated
from rules_engine.games.banca_francesa import GAME
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.layout import SPOTS, on_line
from rules_engine.games.banca_francesa.odds import edge_of, odds
from rules_engine.games.banca_francesa.settlement import chip_limits
from rules_engine.games.banca_francesa.table import Situation
from rules_engine.ruling import Payment

BOOK = rulebook(BANCA)
SMALL, BIG, ACES, NOTHING = [1, 2, 3], [5, 5, 5], [1, 1, 1], [4, 4, 4]
# By the text: which totals win, and what a winning bet earns.
WINS = {"aces": {3}, "small": {5, 6, 7}, "big": {14, 15, 16}}
EARNS = {"aces": 61, "small": 1, "big": 1}


def situation(**facts: Any) -> Situation:
    found = GAME.read({**GAME.ordinary, **facts})
    assert isinstance(found, Situation)
    return found


def bet(player: str, spot: str, count: int = 2, value: int = 500) -> dict[str, Any]:
    return {"player": player, "spot": spot, "count": count, "value": value}


def down(dice: list[int], *bets: dict[str, Any], kind: str = "dice_down", **told: Any) -> Situation:
    return situation(dice=dice, bets=list(bets), incident={"kind": kind, **told})


def rule(facts: Situation) -> Ruling:
    return BOOK.rule(facts)


def made(topic: str, count: int) -> list[Scenario]:
    return [generate(BANCA, topic, f"made-{number}", 1 + number % 5) for number in range(count)]


# ---------- money ----------

CHIPS = st.tuples(
    st.sampled_from("123456"), st.sampled_from(sorted(SPOTS)), st.sampled_from((500, 1_000, 5_000)), st.integers(1, 20)
)
BETS = st.lists(CHIPS, min_size=1, max_size=12, unique_by=lambda chips: chips[:2])
THROWS = st.lists(st.integers(1, 6), min_size=3, max_size=3)


def placed(chips: list[tuple[str, str, int, int]]) -> list[dict[str, Any]]:
    return [bet(player, spot, count, value) for player, spot, value, count in chips]


def played(spot: str, value: int, count: int) -> int:
    return value * count // 2 if on_line(spot) else value * count


def winner(dice: list[int]) -> str | None:
    return next((chance for chance, totals in WINS.items() if sum(dice) in totals), None)


@given(BETS, THROWS)
def test_prizes_and_losses_are_those_of_the_single_bets(
    chips: list[tuple[str, str, int, int]], dice: list[int]
) -> None:
    ruling = rule(down(dice, *placed(chips)))
    prizes: Counter[str] = Counter()
    taken, out = 0, winner(dice)
    for player, spot, value, count in chips:
        if out == SPOTS[spot].chance:
            prizes[player] += EARNS[out] * played(spot, value, count)
        elif out is not None:
            taken += played(spot, value, count)
    for player in {player for player, *_ in chips}:
        assert ruling[f"prize.{player}"] == prizes[player]
    assert (ruling["total"], ruling["collected"]) == (prizes.total(), taken)
    assert ruling.exam_safe is (out is not None)


@given(BETS, THROWS, st.booleans())
def test_no_chip_appears_or_disappears(
    chips: list[tuple[str, str, int, int]], dice: list[int], announced: bool
) -> None:
    for facts in (
        down(dice, *placed(chips)),
        down(dice, *placed(chips), kind="dice_touched", act="touched", announced=announced),
    ):
        ruling = rule(facts)
        assert ruling.after is not None
        paid = sum(payment.amount for payment in ruling.after.payments if payment.payer == "house")
        taken = sum(payment.amount for payment in ruling.after.payments if payment.payee == "house")
        assert (paid, taken) == (ruling["total"], ruling["collected"])
        lying = {(one.player, one.spot): one.amount for one in facts.bets}
        for payment in ruling.after.payments:
            if payment.payee == "house":
                share = 2 if on_line(payment.spot) else 1
                assert payment.amount * share == lying[payment.payer, payment.spot]


@given(BETS, THROWS)
def test_bets_settled_together_are_settled_as_one_by_one(
    chips: list[tuple[str, str, int, int]], dice: list[int]
) -> None:
    together = rule(down(dice, *placed(chips)))
    alone = [rule(down(dice, one)) for one in placed(chips)]
    for key in ("total", "collected"):
        assert together[key] == sum(int(str(ruling[key])) for ruling in alone)


@given(BETS, THROWS)
def test_spot_by_spot_adds_up_to_player_by_player(chips: list[tuple[str, str, int, int]], dice: list[int]) -> None:
    by_spot = rule(down(dice, *placed(chips), kind="spots_to_value"))
    by_player = rule(down(dice, *placed(chips)))
    paid = [decision.value for decision in by_spot.decisions if decision.key.startswith("pays.")]
    assert sum(int(str(amount)) for amount in paid) == by_spot["total"] == by_player["total"]


@given(BETS, THROWS, st.sampled_from(("raised", "altered", "touched")))
def test_pt_iv_7_d_touched_before_the_call_winners_win_the_same_and_nobody_loses(
    chips: list[tuple[str, str, int, int]], dice: list[int], act: str
) -> None:
    ordinary = rule(down(dice, *placed(chips)))
    before = rule(down(dice, *placed(chips), kind="dice_touched", act=act))
    after = rule(down(dice, *placed(chips), kind="dice_touched", act=act, announced=True))
    assert before["total"] == after["total"] == ordinary["total"]
    assert (before["collected"], after["collected"]) == (0, ordinary["collected"])


def test_winners_are_paid_by_the_house_and_losers_pay_it() -> None:
    after = rule(down(SMALL, bet("1", "small"), bet("2", "big.line", 4), bet("3", "aces", 1))).after
    assert after is not None
    assert after.payments == (
        Payment("house", "1", 1_000, "small"),
        Payment("2", "house", 1_000, "big.line"),
        Payment("3", "house", 500, "aces"),
    )
    assert after.marks == {"chance": "small"}


# ---------- limits ----------


@given(st.sampled_from(sorted(SPOTS)), st.sampled_from((500, 1_000, 2_500)), st.integers(1, 12_000))
def test_pt_iv_11_and_17_chips_are_taken_between_the_least_and_the_most(spot: str, minimum: int, amount: int) -> None:
    value = amount * 100
    incident = {"kind": "bet_offered", "player": "1", "spot": spot, "count": 1, "value": value}
    ruling = rule(situation(minimum=minimum, incident=incident))
    twice = 2 if on_line(spot) else 1
    most = {"aces": 6, "small": 200, "big": 200}[SPOTS[spot].chance] * minimum * twice
    assert ruling["largest_bet"] == most
    assert ruling["allowed"] == ("allowed" if twice * minimum <= value <= most else "refused")
    assert ruling.exam_safe


def test_generated_bets_lie_within_the_limits() -> None:
    for topic in ("payout", "paying", "touched", "null_throw"):
        for scenario in made(topic, 200):
            facts = scenario.situation
            assert isinstance(facts, Situation)
            for one in facts.bets:
                least, most = chip_limits(BOOK, one.spot, facts.minimum)
                assert least <= one.amount <= most


# ---------- odds ----------


def test_the_house_keeps_one_sixty_third_of_every_bet() -> None:
    assert {edge_of(BOOK, spot) for spot in SPOTS} == {Fraction(1, 63)}
    assert {edge.exact for edge in odds(BOOK).edges} == {"1/63"}


def test_the_chances_are_exact() -> None:
    found = odds(BOOK)
    assert found.exact == {"aces": "1/63", "small": "31/63", "big": "31/63"}
    assert found.of == "63 throws that decide, of 216"
    assert sum(winner(list(dice)) is not None for dice in throws(3)) == 63
    with pytest.raises(EngineError, match="decks: banca francesa has none"):
        odds(BOOK, decks=6)


# ---------- what the text leaves open ----------


@pytest.mark.parametrize(
    ("facts", "silence"),
    [
        (down(SMALL, bet("1", "small.line", 1, 1_001)), "how to halve 1001"),
        (
            down(NOTHING, bet("1", "small"), kind="stake_touched", player="1", spot="small", wish="take"),
            "a bet that is not decided",
        ),
        (
            situation(
                bets=[bet("2", "small.line")],
                incident={"kind": "bet_offered", "player": "2", "spot": "small", "count": 1, "value": 500},
            ),
            "whether a line and its field count together",
        ),
        (
            situation(
                standing=["4a"],
                dice=SMALL,
                bets=[bet("4", "big"), bet("4a", "big"), bet("6", "big")],
                incident={"kind": "collecting", "first": "6"},
            ),
            "who of two at one seat",
        ),
        (situation(incident={"kind": "set_packed", "dice": 3, "witnesses": 3}), "more than 2 witnesses"),
        (situation(incident={"kind": "case_brought", "sets": [3, 3, 3, 3], "cased": True}), "more than 3 sets"),
    ],
)
def test_what_the_text_leaves_open_is_not_ruled_on(facts: Situation, silence: str) -> None:
    with pytest.raises(NotRegulated, match=silence):
        rule(facts)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (down(SMALL, bet("1", "small"), kind="settling", done="collected"), "there was nothing to collect"),
        (down(SMALL, bet("1", "big"), kind="settling", done="aces_collected"), "nothing to collect on aces"),
        (down(NOTHING, bet("1", "big"), kind="settling", done="announced"), "no chance has won"),
        (
            down(SMALL, bet("1", "small"), kind="stake_touched", player="1", spot="small", wish="half"),
            "half of a bet that has won",
        ),
        (
            down(SMALL, bet("1", "big"), kind="collection_begun", starts="small", way="clockwise"),
            "nothing has lost on small",
        ),
        (
            down(SMALL, bet("1", "big"), kind="prize_handed_over", player="1", spot="big", how="fita"),
            "1 has won nothing on big",
        ),
        (down(SMALL, bet("1", "big"), bet("2", "big"), kind="collecting", first="1"), "at least three must have lost"),
        (
            situation(
                incident={
                    "kind": "bet_asked",
                    "player": "1",
                    "chance": "aces",
                    "count": 4,
                    "value": 500,
                    "plays": 1_000,
                }
            ),
            "2000 cannot be played for 1000",
        ),
        (
            situation(
                incident={
                    "kind": "bet_asked",
                    "player": "1",
                    "chance": "aces",
                    "count": 7,
                    "value": 500,
                    "plays": 3_500,
                }
            ),
            "outside the limits",
        ),
    ],
)
def test_facts_that_cannot_be_are_named(facts: Situation, reason: str) -> None:
    with pytest.raises(ImpossibleFacts, match=reason):
        rule(facts)


def test_a_table_has_a_least_bet() -> None:
    with pytest.raises(ImpossibleFacts, match="minimum: a table has a least bet"):
        situation(minimum=0, dice=SMALL, incident={"kind": "dice_at_rest"})


def test_pt_iv_9_totals_that_decide_nothing_follow_their_reading_and_stay_out_of_exams() -> None:
    for dice in throws(3):
        ruling = rule(situation(dice=list(dice), incident={"kind": "dice_at_rest"}))
        undecided = winner(list(dice)) is None
        assert ruling.exam_safe is not undecided
        assert any(step.reading == "Q26" for step in ruling.steps) is undecided
        assert (ruling.get("announcement") is None) is undecided
