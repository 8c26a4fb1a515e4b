"""Both roulettes beyond the golden cases: money, odds, what a text leaves open, and what the questions give away."""

import tomllib
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import Answer, Ruling, generate, grade, rulebook, scenario_of
from rules_engine.compare import compare
from rules_engine.equipment import wheel
from rules_engine.errors import EngineError, ImpossibleFacts, NotRegulated
from rules_engine.games.roulette import GAME, layout
from rules_engine.games.roulette.books import AMERICAN, FRENCH
from rules_engine.games.roulette.limits import maximum
from rules_engine.games.roulette.odds import edge_of, odds
from rules_engine.games.roulette.table import Situation
from rules_engine.ruling import Payment
from tests.engine.test_cases import ROOT

BOTH = (FRENCH, AMERICAN)
OUTSIDE = [
    spot.key for spot in layout.SPOTS.values() if spot.chance not in ("straight", "split", "street", "corner", "line")
]


def situation(**facts: Any) -> Situation:
    found = GAME.read({**GAME.ordinary, **facts})
    assert isinstance(found, Situation)
    return found


def bet(player: str, spot: str, count: int = 1, value: int = 500) -> dict[str, Any]:
    place = layout.at(spot)
    return {
        "player": player,
        "chance": place.chance,
        "numbers": list(place.numbers),
        "count": count,
        "value": value,
    }


def out(number: int, *bets: dict[str, Any], **facts: Any) -> Situation:
    return situation(number=number, bets=list(bets), incident={"kind": "number_out"}, **facts)


def rule(facts: Situation, book: str = FRENCH) -> Ruling:
    return rulebook(book).rule(facts)


# ---------- the law as data ----------


def test_every_row_of_the_checklist_has_a_golden_case() -> None:
    for book in BOTH:
        told = set()
        for path in (ROOT / book).glob("*.toml"):
            told |= {case["article"] for case in tomllib.loads(path.read_text("utf-8"))["case"] if "expect" in case}
        assert {row.cite for row in rulebook(book).law.rows.values() if row.tested} <= told


@pytest.mark.parametrize("book", BOTH)
def test_the_numbers_of_the_law_fit_the_layout_and_the_wheel(book: str) -> None:
    law = rulebook(book)
    assert frozenset(law.param("red_numbers")) == layout.RED
    for order in law.param("wheels").values():
        assert sorted(order) == list(range(law.number("pockets")))
    assert law.number("pockets") == law.number("highest_number") + law.number("zeros")
    for chance, count in law.param("numbers_covered").items():
        assert {len(spot.covers) for spot in layout.SPOTS.values() if spot.chance == chance} == {count}


def test_only_on_the_french_order_do_the_colours_alternate() -> None:
    orders = rulebook(AMERICAN).param("wheels")
    clashes = {
        name: [
            (number, wheel.beside(order, number))
            for number in order
            if 0 not in (number, wheel.beside(order, number))
            and (number in layout.RED) == (wheel.beside(order, number) in layout.RED)
        ]
        for name, order in orders.items()
    }
    assert clashes == {"french": [], "american": [(27, 1)]}


# ---------- money ----------

SPOTS = st.sampled_from(sorted(layout.SPOTS))
CHIPS = st.tuples(st.sampled_from("123456"), SPOTS, st.sampled_from((500, 1_000, 5_000)), st.integers(1, 20))
BETS = st.lists(CHIPS, min_size=1, max_size=12, unique_by=lambda chips: chips[:3])
NUMBERS = st.integers(0, 36)


def placed(chips: list[tuple[str, str, int, int]]) -> list[dict[str, Any]]:
    return [bet(player, spot, count, value) for player, spot, value, count in chips]


def times(spot: str) -> Fraction:
    """The prize of a chance, from how many of 36 numbers it covers."""
    return Fraction(36, len(layout.numbers(spot))) - 1


@given(BETS, NUMBERS, st.sampled_from(BOTH))
def test_prizes_and_losses_are_those_of_the_single_bets(
    chips: list[tuple[str, str, int, int]], number: int, book: str
) -> None:
    ruling = rule(out(number, *placed(chips)), book)
    prizes: Counter[str] = Counter()
    taken = 0
    for player, spot, value, count in chips:
        if number in layout.numbers(spot):
            prizes[player] += int(times(spot) * value * count)
        else:
            taken += value * count
    for player in {player for player, *_ in chips}:
        assert ruling[f"prize.{player}"] == prizes[player]
    assert (ruling["total"], ruling["collected"]) == (prizes.total(), taken)


@given(BETS, NUMBERS)
def test_no_chip_appears_or_disappears(chips: list[tuple[str, str, int, int]], number: int) -> None:
    ruling = rule(out(number, *placed(chips)))
    assert ruling.after is not None
    paid = sum(payment.amount for payment in ruling.after.payments if payment.payer == "house")
    taken = sum(payment.amount for payment in ruling.after.payments if payment.payee == "house")
    assert (paid, taken) == (ruling["total"], ruling["collected"])
    assert ruling.after.marks == {"marker": str(number)}


@given(BETS, NUMBERS)
def test_bets_settled_together_are_settled_as_one_by_one(chips: list[tuple[str, str, int, int]], number: int) -> None:
    together = rule(out(number, *placed(chips)))
    alone = [rule(out(number, one)) for one in placed(chips)]
    assert together["total"] == sum(int(str(ruling["total"])) for ruling in alone)
    assert together["collected"] == sum(int(str(ruling["collected"])) for ruling in alone)


@given(BETS, NUMBERS)
def test_spot_by_spot_adds_up_to_player_by_player(chips: list[tuple[str, str, int, int]], number: int) -> None:
    facts = {"number": number, "bets": placed(chips)}
    by_spot = rule(situation(**facts, incident={"kind": "spots_to_value"}))
    by_player = rule(situation(**facts, incident={"kind": "number_out"}))
    paid = [decision.value for decision in by_spot.decisions if decision.key.startswith("pays.")]
    assert sum(int(str(amount)) for amount in paid) == by_spot["total"] == by_player["total"]


@given(BETS, NUMBERS, st.sampled_from(BOTH))
def test_the_same_facts_have_one_ruling(chips: list[tuple[str, str, int, int]], number: int, book: str) -> None:
    assert rule(out(number, *placed(chips)), book) == rule(out(number, *placed(chips)), book)


@pytest.mark.parametrize("book", BOTH)
def test_pt_x_21_zero_takes_everything_outside_and_nothing_else(book: str) -> None:
    for spot in OUTSIDE:
        ruling = rule(out(0, bet("1", spot, 2)), book)
        assert (ruling["total"], ruling["collected"]) == (0, 1_000)
        assert "X 21" in ruling.pivots
    zero = [spot for spot in layout.SPOTS if 0 in layout.numbers(spot)]
    for spot in zero:
        assert rule(out(0, bet("1", spot, 2)), book)["collected"] == 0


def test_winners_are_paid_by_the_house_and_losers_pay_it() -> None:
    after = rule(out(17, bet("1", "17"), bet("2", "red", 3), bet("3", "dozens.1-2", 2))).after
    assert after is not None
    assert after.payments == (
        Payment("house", "1", 17_500, "17"),
        Payment("2", "house", 1_500, "red"),
        Payment("house", "3", 500, "dozens.1-2"),
    )


# ---------- limits ----------


@given(SPOTS, st.sampled_from((500, 1_000, 2_500)), st.integers(1, 10_000))
def test_pt_x_27_a_bet_is_taken_between_the_least_and_the_largest(spot: str, minimum: int, amount: int) -> None:
    place = layout.at(spot)
    value = amount * 100
    incident = {"kind": "bet_offered", "player": "1", **bet("1", spot), "count": 1, "value": value}
    ruling = rule(situation(minimum=minimum, incident=incident))
    largest = maximum(rulebook(FRENCH), place.chance, minimum)
    assert ruling["largest_bet"] == largest
    assert ruling["allowed"] == ("allowed" if minimum <= value <= largest else "refused")
    assert ruling.exam_safe == (place.chance != "corner")


@pytest.mark.parametrize("book", BOTH)
def test_generated_bets_lie_within_the_limits(book: str) -> None:
    law = rulebook(book)
    for seed in range(300):
        facts = generate(book, "payout", seed, 1 + seed % 5).situation
        assert isinstance(facts, Situation)
        on: Counter[tuple[str, str]] = Counter()
        for one in facts.bets:
            on[one.player, one.spot] += one.amount
        for (_, spot), amount in on.items():
            # Chips of two worths may lie on top of each other: twice the largest bet at most.
            assert facts.minimum <= amount <= 2 * maximum(law, layout.chance(spot), facts.minimum)


# ---------- odds ----------


@pytest.mark.parametrize("book", BOTH)
def test_the_house_keeps_one_thirty_seventh_of_every_bet(book: str) -> None:
    assert {edge_of(rulebook(book), spot) for spot in layout.spots()} == {Fraction(1, 37)}
    found = odds(rulebook(book))
    assert {edge.exact for edge in found.edges} == {"1/37"}
    assert {edge.chance: edge.pays for edge in found.edges}["dozens"] == "1/2"


def test_the_chances_are_exact() -> None:
    found = odds(rulebook(FRENCH))
    assert found.exact["straight"] == "1/37"
    assert (found.exact["dozens"], found.exact["red"]) == ("24/37", "18/37")
    assert found.probability["line"] == 0.162162
    with pytest.raises(EngineError, match="decks: roulette has none"):
        odds(rulebook(FRENCH), decks=6)


# ---------- what the text leaves open ----------


KNOCKED = {
    "kind": "chips_knocked",
    "player": "2",
    "count": 1,
    "value": 500,
    "by": "croupier",
    "certain": "saw_it",
    "found": "17",
    "claimed": "17-20",
}


@pytest.mark.parametrize(
    ("facts", "silence"),
    [
        (out(5, bet("1", "dozens.1-2", 1, 125)), "X 20 a.* how the prize on a stake of 125 is rounded"),
        (situation(incident={"kind": "fell_in", "thing": "chip", "moment": "rolling"}), "before any number has come"),
        (situation(number=17, incident=KNOCKED | {"by": "player"}), "only of chips disturbed by the staff"),
        (situation(number=17, incident=KNOCKED | {"claimed": "18"}), "only of chips that had won"),
        (situation(number=17, incident=KNOCKED | {"found": "18"}), "only of chips that had won"),
        (
            situation(incident={"kind": "ball_for_spin", "in_use": 19, "other": 22, "minutes": 60, "fault": "lost"}),
            "when a faulty ball has had its hour",
        ),
        (
            situation(number=17, bets=[bet("1", "17-20"), bet("2", "17-18")], incident={"kind": "winners_to_pay"}),
            "which of two bets of a kind is paid first",
        ),
        (
            situation(number=17, bets=[bet("1", "dozens.1-2"), bet("2", "17")], incident={"kind": "winners_to_pay"}),
            "when two dozens or two columns are paid",
        ),
        (
            situation(
                number=17,
                bets=[bet("1", "17-20"), bet("1", "17"), bet("2", "17-18")],
                incident={"kind": "several_prizes", "player": "1", "manner": "in_turn"},
            ),
            "who is paid first of two",
        ),
        (
            situation(wheel="american", incident={"kind": "neighbour_asked", "number": 17, "beside": 5}),
            "no wheel of the american order",
        ),
        (situation(incident={"kind": "seat_wanted", "side": "foot"}), "has no rule for such an incident"),
    ],
)
def test_what_the_text_leaves_open_is_not_ruled_on(facts: Situation, silence: str) -> None:
    with pytest.raises(NotRegulated, match=silence):
        rule(facts)


def test_pt_ix_2_which_way_the_american_order_runs_is_not_said() -> None:
    facts = situation(wheel="american", incident={"kind": "pockets_away", "number": 17, "steps": 1})
    with pytest.raises(NotRegulated, match="which way round the American order runs"):
        rule(facts, AMERICAN)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (situation(incident={"kind": "prize_seen", "stake": 500, "paid": 501}), "no bet of 500 earns 501"),
        (
            situation(number=17, bets=[bet("1", "17")], incident={"kind": "winners_to_pay"}),
            "at least two spots must win, and nobody may have two prizes",
        ),
        (
            situation(number=17, bets=[bet("1", "17")], incident={"kind": "settling", "done": "collected"}),
            "there was nothing to collect",
        ),
        (
            situation(number=17, bets=[bet("1", "17")], incident={"kind": "settling", "done": "spread"}),
            "there was nothing to spread",
        ),
        (
            situation(
                number=17, bets=[bet("1", "18")], incident={"kind": "prize_handed_over", "player": "1", "how": "fita"}
            ),
            "1 has won nothing",
        ),
        (
            situation(
                number=17,
                bets=[bet("1", "17")],
                incident={"kind": "several_prizes", "player": "1", "manner": "in_turn"},
            ),
            "1 does not have several prizes",
        ),
        (
            situation(
                number=17,
                bets=[bet("1", "dozen.2"), bet("1", "odd"), bet("2", "17")],
                incident={"kind": "several_prizes", "player": "1", "manner": "in_turn"},
            ),
            "nobody is paid between two prizes of 1",
        ),
        (
            situation(
                number=17,
                bets=[bet("2", "17")],
                incident={"kind": "stake_touched", "player": "2", "spot": "17", "wish": "half"},
            ),
            "half of a stake that has won",
        ),
        (
            situation(number=17, bets=[bet("1", "17")], incident={"kind": "prize_traced", "player": "1", "prize": 5}),
            "exactly one bet of 1 must earn 5",
        ),
        (
            situation(incident={"kind": "neighbour_asked", "number": 17, "beside": 5}),
            "5 is not beside 17 on this wheel",
        ),
        (
            situation(incident={"kind": "pocket_checked", "row": [2, 25, 17, 6, 34]}),
            "only the pocket in the middle may be wrong",
        ),
        (
            situation(
                incident={"kind": "number_covered", "player": "1", "number": 0, "chances": ["line"], "each": 500}
            ),
            "no such spot covers 0",
        ),
    ],
)
def test_facts_that_cannot_be_are_named(facts: Situation, reason: str) -> None:
    with pytest.raises(ImpossibleFacts, match=reason):
        rule(facts)


def test_a_table_has_a_least_bet() -> None:
    with pytest.raises(ImpossibleFacts, match="minimum: a table has a least bet"):
        situation(minimum=0, incident={"kind": "number_named", "number": 5})


@pytest.mark.parametrize(
    ("book", "facts", "held"),
    [
        (FRENCH, situation(incident={"kind": "bet_offered", **bet("1", "16-17-19-20")}), True),
        (FRENCH, situation(incident={"kind": "bet_offered", **bet("1", "16-17-18")}), False),
        (AMERICAN, situation(wheel="american", incident={"kind": "number_named", "number": 5}), True),
        (AMERICAN, situation(incident={"kind": "number_named", "number": 5}), False),
        (AMERICAN, out(5, bet("1", "red"), wheel="american"), True),
        (AMERICAN, out(5, bet("1", "odd"), wheel="american"), False),
        (AMERICAN, out(0, bet("1", "red"), wheel="american"), False),
    ],
)
def test_readings_still_open_stay_out_of_exams(book: str, facts: Situation, held: bool) -> None:
    ruling = rule(facts, book)
    assert ruling.exam_safe is not held
    assert any(step.reading for step in ruling.steps) or not held


# ---------- the two books ----------


def test_pt_ix_1_american_roulette_rules_as_french_where_it_says_nothing() -> None:
    found = compare(out(17, bet("1", "17"), bet("2", "red")))
    assert (found.differing, set(found.rulings)) == ((), {FRENCH, AMERICAN})


def test_only_american_roulette_takes_a_wheel_of_the_american_order() -> None:
    incident = {"kind": "wheel_brought", "highest": 36, "zeros": 1, "pockets": 37}
    found = compare(situation(wheel="american", incident=incident))
    assert {book: ruling["may_serve"] for book, ruling in found.rulings.items()} == {
        FRENCH: "no",
        AMERICAN: "yes",
    }


@pytest.mark.parametrize("written", ["17500", "17.500", "17 500", "17,500", "17.500$00", "17 500$", "17500$00"])
def test_sums_in_escudos_are_read_as_they_are_written(written: str) -> None:
    scenario = scenario_of(out(17, bet("1", "17")), rulebook(FRENCH))
    parts = {part.key: part for part in grade(scenario, Answer({"prize.1": written})).parts}
    assert parts["prize.1"].correct
