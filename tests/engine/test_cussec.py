"""Cussec beyond the golden cases: money, odds, what the text leaves open, and facts that cannot be."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import Answer, Ruling, grade, rulebook, scenario_of
from rules_engine.equipment.dice import throws
from rules_engine.errors import EngineError, ImpossibleFacts, NotRegulated
from rules_engine.games.cussec import GAME, layout
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.odds import edge_of, odds
from rules_engine.games.cussec.settlement import winning
from rules_engine.games.cussec.table import Situation
from rules_engine.ruling import Payment
from rules_engine.spots import spot_name, spots_meant
from rules_engine.words import LANGUAGES

Chips = list[tuple[str, str, int, int]]


def situation(**facts: Any) -> Situation:
    found = GAME.read({**GAME.ordinary, **facts})
    assert isinstance(found, Situation)
    return found


def bet(player: str, spot: str, count: int = 1, value: int = 500) -> dict[str, Any]:
    place = layout.SPOTS[spot]
    return {"player": player, "chance": place.chance, "numbers": place.numbers, "count": count, "value": value}


def out(dice: tuple[int, ...], *bets: dict[str, Any], kind: str = "result_out") -> Situation:
    return situation(dice=dice, bets=bets, incident={"kind": kind})


def rule(facts: Situation) -> Ruling:
    return rulebook(CUSSEC).rule(facts)


def expected(spot: str, dice: tuple[int, ...]) -> int:
    """The prize to one, counted anew from the list of the regulation."""
    chance, numbers = layout.SPOTS[spot].chance, layout.SPOTS[spot].numbers
    total, triple = sum(dice), len(set(dice)) == 1
    shown = dice.count(numbers[0]) if numbers else 0
    scale = {4: 65, 5: 32, 6: 19, 7: 12, 8: 8, 9: 7, 10: 6}
    return {
        "small": int(total <= 10 and not triple),
        "big": int(total >= 11 and not triple),
        "single": shown,
        "pair": 5 * (set(numbers) <= set(dice)),
        "double": (0, 0, 10, 30)[shown] if chance == "double" else 0,
        "triple": 190 * (shown == 3),
        "triples": 32 * triple,
        "total": scale[min(numbers[0], 21 - numbers[0])]
        if numbers and chance == "total" and total == numbers[0]
        else 0,
    }[chance]


# ---------- the law as data ----------


def test_the_board_has_fifty_zones() -> None:
    count = Counter(spot.chance for spot in layout.SPOTS.values())
    assert count == {
        "small": 1, "big": 1, "single": 6, "pair": 15, "double": 6, "triple": 6, "triples": 1, "total": 14,
    }  # fmt: skip


def test_every_zone_is_understood_by_its_name_in_every_language() -> None:
    book = rulebook(CUSSEC)
    for key in layout.SPOTS:
        for language in LANGUAGES:
            told = f"{spot_name(key, book, language)}, {key}"
            assert spots_meant(told, book) == (key, key), told


# ---------- money ----------

DICE = st.tuples(*[st.integers(1, 6)] * 3)
CHIPS = st.tuples(
    st.sampled_from("123456"),
    st.sampled_from(sorted(layout.SPOTS)),
    st.sampled_from((500, 1_000, 5_000)),
    st.integers(1, 20),
)
BETS = st.lists(CHIPS, min_size=1, max_size=12, unique_by=lambda chips: chips[:3])


def placed(chips: Chips) -> list[dict[str, Any]]:
    return [bet(player, spot, count, value) for player, spot, value, count in chips]


def number(ruling: Ruling, key: str) -> int:
    found = ruling[key]
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("spot", layout.SPOTS)
def test_pt_vii_8_every_zone_pays_what_the_list_says_with_every_throw(spot: str) -> None:
    for dice in throws(3):
        ruling = rule(out(dice, bet("1", spot, 2)))
        earned = 1_000 * expected(spot, dice)
        assert (ruling["total"], ruling["collected"]) == (earned, 0 if earned else 1_000), dice


@given(BETS, DICE)
def test_prizes_and_losses_are_those_of_the_single_bets(chips: Chips, dice: tuple[int, ...]) -> None:
    ruling = rule(out(dice, *placed(chips)))
    prizes: Counter[str] = Counter()
    taken = 0
    for player, spot, value, count in chips:
        earned = expected(spot, dice) * value * count
        prizes[player] += earned
        taken += 0 if earned else value * count
    for player in {player for player, *_ in chips}:
        assert ruling[f"prize.{player}"] == prizes[player]
    assert (ruling["total"], ruling["collected"]) == (prizes.total(), taken)


@given(BETS, DICE)
def test_no_chip_appears_or_disappears(chips: Chips, dice: tuple[int, ...]) -> None:
    ruling = rule(out(dice, *placed(chips)))
    assert ruling.after is not None
    paid = sum(payment.amount for payment in ruling.after.payments if payment.payer == "house")
    taken = sum(payment.amount for payment in ruling.after.payments if payment.payee == "house")
    assert (paid, taken) == (ruling["total"], ruling["collected"])
    assert len(ruling.after.payments) == len(chips)


@given(BETS, DICE)
def test_bets_settled_together_are_settled_as_one_by_one(chips: Chips, dice: tuple[int, ...]) -> None:
    together = rule(out(dice, *placed(chips)))
    alone = [rule(out(dice, one)) for one in placed(chips)]
    for key in ("total", "collected"):
        assert together[key] == sum(number(ruling, key) for ruling in alone)


@given(BETS, DICE)
def test_zone_by_zone_adds_up_to_player_by_player(chips: Chips, dice: tuple[int, ...]) -> None:
    by_zone = rule(out(dice, *placed(chips), kind="zones_to_value"))
    paid = [decision.value for decision in by_zone.decisions if decision.key.startswith("pays.")]
    assert sum(int(str(amount)) for amount in paid) == by_zone["total"] == rule(out(dice, *placed(chips)))["total"]


@given(DICE)
def test_the_order_of_the_dice_does_not_matter(dice: tuple[int, ...]) -> None:
    book = rulebook(CUSSEC)
    assert winning(book, dice) == winning(book, dice[::-1]) == winning(book, tuple(sorted(dice)))


def test_pt_vii_9_no_triple_pays_small_or_big() -> None:
    for face in range(1, 7):
        ruling = rule(out((face,) * 3, bet("1", "small", 2), bet("2", "big", 4)))
        assert (ruling["total"], ruling["collected"]) == (0, 3_000)
        assert "VII 9" in ruling.pivots


def test_winners_are_paid_by_the_house_and_the_zones_that_win_are_lit() -> None:
    after = rule(out((1, 2, 2), bet("1", "double.2"), bet("2", "big", 3))).after
    assert after is not None
    assert after.payments == (Payment("house", "1", 5_000, "double.2"), Payment("2", "house", 1_500, "big"))
    assert after.marks == {"lit": "small double.2 total.5 pair.1-2 single.1 single.2"}


def test_pt_vii_6_a_void_coup_moves_no_chip() -> None:
    incident = {"kind": "dome_lifted", "lie": "two_stacked", "faces": [2, 2]}
    after = rule(situation(bets=[bet("1", "double.2")], incident=incident)).after
    assert after is not None
    assert (after.payments, after.marks) == ((), {})


# ---------- odds ----------


def test_what_the_house_keeps_is_exact() -> None:
    book = rulebook(CUSSEC)
    assert edge_of(book, "small") == edge_of(book, "big") == Fraction(1, 36)
    assert {edge_of(book, f"single.{face}") for face in range(1, 7)} == {Fraction(17, 216)}
    found = {edge.chance: (edge.pays, edge.exact) for edge in odds(book).edges}
    assert found["single"] == ("1, 2, 3", "17/216")
    assert found["pair"] == ("5", "1/6")
    assert found["double"] == ("10, 30", "5/54")
    assert found["triple"] == ("190", "25/216")
    assert found["triples"] == ("32", "1/12")
    totals = {4: "1/12", 5: "1/12", 6: "2/27", 7: "7/72", 8: "1/8", 9: "2/27", 10: "1/8"}
    for total, edge in totals.items():
        assert found[f"total.{total}"][1] == found[f"total.{21 - total}"][1] == edge


def test_the_chances_are_exact() -> None:
    found = odds(rulebook(CUSSEC))
    assert found.of == "216 throws"
    assert (found.exact["small"], found.exact["single"], found.exact["pair"]) == ("35/72", "91/216", "5/36")
    assert (found.exact["triple"], found.exact["triples"], found.exact["double"]) == ("1/216", "1/36", "2/27")
    with pytest.raises(EngineError, match="decks: cussec has none"):
        odds(rulebook(CUSSEC), decks=6)


def test_all_zones_of_a_chance_have_the_odds_of_the_one_that_is_told() -> None:
    book = rulebook(CUSSEC)
    for chance in ("single", "pair", "double", "triple"):
        assert len({edge_of(book, key) for key, spot in layout.SPOTS.items() if spot.chance == chance}) == 1


def test_pt_vii_8_d_eight_times_would_cost_the_house_money() -> None:
    """Why the sign that the copy does not show clearly is a 5."""
    won = Fraction(5, 36)
    assert won * (8 + 1) > 1 > won * (5 + 1)


# ---------- what the text leaves open ----------

CALLS = ("covers", "presses", "lights", "rings", "closed", "opening", "lifts", "void")
LATE = {"kind": "late_bet", "player": "1", "spot": "small", "count": 1, "value": 500}


def calls(count: int) -> list[dict[str, str]]:
    return [{"by": "panel" if says == "lights" else "croupier", "says": says} for says in CALLS[:count]]


@pytest.mark.parametrize(
    ("facts", "silence"),
    [
        (
            situation(bets=[bet("1", "small")], incident={"kind": "dome_lifted", "lie": "leaning", "faces": [1, 2, 3]}),
            "what a die that leans on the glass counts",
        ),
        (situation(incident={"kind": "next_act", "done": "pressed", "presses": 4}), "the lever is pressed too often"),
        (
            situation(bets=[bet("1", "small")], calls=calls(2), incident=LATE | {"wish": "withdraw"}),
            "whether chips may be moved before the panel lights up",
        ),
        (
            situation(calls=calls(8), incident=LATE | {"wish": "place"}),
            "whether new bets may be made before the panel lights up again",
        ),
    ],
)
def test_what_the_text_leaves_open_is_not_ruled_on(facts: Situation, silence: str) -> None:
    with pytest.raises(NotRegulated, match=silence):
        rule(facts)


def test_pt_vii_5_whether_the_bell_closes_the_bets_stays_out_of_exams() -> None:
    for count, safe in ((3, True), (4, False), (5, True)):
        ruling = rule(situation(calls=calls(count), incident=LATE | {"wish": "place"}))
        assert ruling.exam_safe is safe
        assert ruling["allowed"] == ("refused" if count == 5 else "allowed")
        assert any(step.reading == "VII5" for step in ruling.steps) is not safe


def test_a_player_who_says_that_betting_is_closed_closes_nothing() -> None:
    said = [*calls(3), {"by": "2", "says": "closed"}]
    assert rule(situation(calls=said, incident=LATE | {"wish": "place"}))["allowed"] == "allowed"


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"incident": {"kind": "prize_seen", "stake": 500, "paid": 501}}, "no bet of 500 earns 501"),
        ({"incident": {"kind": "prize_seen", "stake": 500, "paid": 2_000}}, "no bet of 500 earns 2000"),
        ({"incident": LATE | {"wish": "place"}}, "nothing tells how far the coup has come"),
        (
            {"dice": [1, 2, 3], "incident": {"kind": "zones_lit", "zones": ["small", "big"]}},
            "exactly one zone must be wrong",
        ),
        (
            {"dice": [1, 2, 3], "bets": [bet("1", "big")], "incident": {"kind": "covering_wanted", "paid": ["1"]}},
            "a player is paid who has won nothing",
        ),
        (
            {"dice": [1, 2, 3], "bets": [bet("1", "big")], "incident": {"kind": "next_act", "done": "zones_lit"}},
            "there is nothing to pay",
        ),
        (
            {
                "dice": [1, 2, 3],
                "bets": [bet("1", "big")],
                "incident": {"kind": "prize_traced", "player": "1", "prize": 5},
            },
            "exactly one bet of 1 must earn 5",
        ),
        ({"dice": [1, 2], "incident": {"kind": "dice_shown"}}, "a throw has three dice"),
        ({"dice": [1, 2, 3], "incident": {"kind": "next_act", "done": "rung"}}, "nobody sees the dice under the dome"),
        ({"bets": [bet("8", "big")], "incident": {"kind": "next_act", "done": "rung"}}, "nobody is at 8"),
        (
            {"bets": [bet("1", "big"), bet("1", "big", 2)], "incident": {"kind": "next_act", "done": "rung"}},
            "chips of one worth on one spot are one bet",
        ),
    ],
)
def test_facts_that_cannot_be_are_named(facts: dict[str, Any], reason: str) -> None:
    with pytest.raises(ImpossibleFacts, match=reason):
        rule(situation(**facts))


# ---------- answers ----------


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("combinação 2-5", True),
        ("combinação 5-2", False),
        ("pair.2-5", True),
        (["pair.2-5"], True),
        ("número 5", False),
    ],
)
def test_a_zone_in_an_answer_is_graded_by_what_it_means(answer: Any, right: bool) -> None:
    bets = [bet("1", "pair.2-5"), bet("1", "single.5")]
    incident = {"kind": "prize_traced", "player": "1", "prize": 2_500}
    scenario = scenario_of(situation(dice=[2, 5, 6], bets=bets, incident=incident), rulebook(CUSSEC))
    assert grade(scenario, Answer({"paid_spot": answer})).perfect == right
