"""Craps beyond the golden cases: the law as data, money, odds, and what the text leaves open."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from rules_engine import (
    Ruling,
    Scenario,
    generate,
    rulebook,
)
from rules_engine.__main__ import main
from rules_engine.equipment.dice import throws
from rules_engine.errors import EngineError, ImpossibleFacts, NotRegulated
from rules_engine.games.craps import GAME, layout
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.odds import ends_of, odds
from rules_engine.games.craps.series import SeriesThrown, play
from rules_engine.games.craps.settlement import outcome, outcomes, point_after
from rules_engine.games.craps.settling import BetsToSettle
from rules_engine.games.craps.table import Bet, Situation
from rules_engine.games.layout_bets.odds import edge, won
from rules_engine.ruling import Payment
from rules_engine.situation import kind_of

BOOK = rulebook(CRAPS)


def situation(**facts: Any) -> Situation:
    found = GAME.read({**GAME.ordinary, **facts})
    assert isinstance(found, Situation)
    return found


def bet(player: str, spot: str, count: int = 1, value: int = 500) -> dict[str, Any]:
    place = layout.SPOTS[spot]
    return {"player": player, "chance": place.chance, "number": sum(place.numbers), "count": count, "value": value}


def rule(facts: Situation) -> Ruling:
    return BOOK.rule(facts)


def made(topic: str, count: int) -> list[Scenario]:
    return [generate(CRAPS, topic, f"made-{number}", 1 + number % 5) for number in range(count)]


# ---------- the law as data ----------


def test_the_numbers_of_the_law_fit_the_layout() -> None:
    assert tuple(BOOK.param("points")) == layout.BOXES
    for name, chance in (("to_win", "to-win"), ("to_lose", "to-lose"), ("hardways", "hard"), ("totals", "total")):
        assert tuple(map(int, BOOK.param(name))) == layout.PRINTED[chance]  # type: ignore[index]
    assert tuple(BOOK.param("big")) == layout.PRINTED["big"]
    assert set(BOOK.param("odds")) == set(map(str, layout.BOXES))


# ---------- money ----------


def cloths() -> st.SearchStrategy[Situation]:
    """Any cloth in a series or before one, and any throw, as the generators and the dice make them."""
    seeds = st.tuples(st.sampled_from(("payout", "series", "line", "come", "side_bets")), st.integers(0, 10**9))

    def table(seed: tuple[str, int], difficulty: int, dice: tuple[int, ...]) -> Situation:
        facts = generate(CRAPS, seed[0], seed[1], difficulty).situation
        assert isinstance(facts, Situation)
        return structs.replace(facts, dice=dice, incident=BetsToSettle())

    return st.builds(table, seeds, st.integers(1, 5), st.sampled_from(throws(2)))


@settings(max_examples=400, deadline=None)
@given(cloths())
def test_no_chip_is_lost_or_made(facts: Situation) -> None:
    """Every bet is paid, collected or still up; what is paid and collected is what changes hands."""
    try:
        ruling = rule(facts)
    except NotRegulated:  # a prize that does not come out even
        return
    assert ruling.after is not None
    settled = outcomes(BOOK, facts)
    left = Counter((one.bet.player, one.spot) for one in settled if not one.prize)
    for payment in ruling.after.payments:
        house = payment.payer == "house"
        left[payment.payee if house else payment.payer, payment.spot] += 1
    assert left == Counter((bet.player, bet.spot) for bet in facts.bets)
    stakes = sum(bet.amount for bet in facts.bets)
    kept = sum(one.bet.amount for one in settled if one.prize >= 0)
    assert stakes == kept + ruling.outcome["collected"]
    assert ruling.outcome["paid"] == sum(p.amount for p in ruling.after.payments if p.payer == "house")
    assert {one.verdict.fate for one in settled if one.prize < 0} <= {"loses"}
    assert {one.verdict.fate for one in settled if one.prize > 0} <= {"wins"}


@settings(max_examples=400, deadline=None)
@given(cloths())
def test_bets_together_end_as_they_do_one_by_one(facts: Situation) -> None:
    def ends(bets: tuple[Bet, ...]) -> list[tuple[Any, ...]] | str:
        try:
            settled = outcomes(BOOK, structs.replace(facts, bets=bets))
            return [(one.spot, one.verdict, one.prize) for one in settled]
        except NotRegulated as silence:
            return str(silence)

    together = ends(facts.bets)
    alone = []
    for lying in facts.bets:
        parent = layout.PARENTS.get(lying.chance)
        needed = [b for b in facts.bets if (b.player, b.chance, b.number) == (lying.player, parent, lying.number)]
        found = ends((*needed, lying))
        alone.append(found if isinstance(found, str) else found[-1])
    silent = [one for one in alone if isinstance(one, str)]
    assert together in silent if silent else together == alone


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 5))
def test_a_series_is_its_throws_one_after_the_other(seed: int, difficulty: int) -> None:
    facts = generate(CRAPS, "series", seed, difficulty).situation
    assert isinstance(facts, Situation)
    if not isinstance(facts.incident, SeriesThrown):
        return
    bets, point = list(facts.bets), facts.point
    paid = taken = 0
    for dice in facts.incident.throws:
        left = []
        for lying in bets:
            one = outcome(BOOK, lying, dice=dice, point=point, bar=facts.bar)
            paid, taken = paid + max(0, one.prize), taken - min(0, one.prize)
            if not one.prize:
                moves = one.verdict.fate == "moves"
                left.append(structs.replace(lying, number=sum(dice)) if moves else lying)
        bets, point = left, point_after(BOOK, point, sum(dice))  # type: ignore[assignment]
    played = play(BOOK, facts, facts.incident.throws)
    ruling = rule(facts)
    assert [up.bet for up in played.up] == bets
    assert (ruling.results["paid"], ruling["collected"]) == (paid, taken)
    assert ruling["marker"] == str(point or "off")
    assert sum(bet.amount for bet in facts.bets) == taken + sum(up.bet.amount for up in played.up) + sum(
        one.bet.amount for _, one, _ in played.decided if one.prize > 0
    )


def test_what_players_get_is_what_the_house_pays() -> None:
    for scenario in made("payout", 300):
        ruling = scenario.solve()
        assert ruling.after is not None
        paid = [payment for payment in ruling.after.payments if payment.payer == "house"]
        if kind_of(scenario.situation.incident) in ("throw_to_pay", "called_and_paid"):
            prizes = {key.partition(".")[2]: ruling[key] for key in ruling.results if key.startswith("prize.")}
            assert sum(map(int, prizes.values())) == ruling["total"] == sum(one.amount for one in paid)  # type: ignore[arg-type]


def test_pt_vi_10_3_an_old_come_bet_is_paid_where_a_new_one_goes() -> None:
    facts = situation(
        point=9, dice=[2, 2], bets=[bet("2", "come"), bet("2", "come.4", 3)], incident={"kind": "bets_to_settle"}
    )
    after = rule(facts).after
    assert after is not None
    assert after.payments == (Payment("house", "2", 1_500, "come.4"),)
    assert after.marks == {"marker": "9", "come": "come.4"}


# ---------- odds ----------

KNOWN = {
    **dict.fromkeys(("pass", "come"), "7/495"),
    **dict.fromkeys(("dont-pass", "dont-come"), "3/220"),
    **{f"{chance}-odds.{box}": "0" for chance in ("pass", "come") for box in layout.BOXES},
    **{f"dont-{chance}-odds.{box}": edge for chance in ("pass", "come")
       for box, edge in zip(layout.BOXES, ("-1", "-1/2", "-1/5", "-1/5", "-1/2", "-1"), strict=True)},
    **dict.fromkeys(("to-win.6", "to-win.8"), "1/66"),
    **dict.fromkeys(("to-win.5", "to-win.9"), "1/25"),
    **dict.fromkeys(("to-win.4", "to-win.10"), "1/15"),
    **dict.fromkeys(("to-lose.6", "to-lose.8"), "5/143"),
    **dict.fromkeys(("to-lose.5", "to-lose.9"), "1/40"),
    **dict.fromkeys(("to-lose.4", "to-lose.10"), "1/33"),
    **dict.fromkeys(("big.6", "big.8", "hard.6", "hard.8"), "1/11"),
    **dict.fromkeys(("hard.4", "hard.10", "craps", "total.3", "total.11"), "1/9"),
    **dict.fromkeys(("under", "over", "total.7"), "1/6"),
    **dict.fromkeys(("total.2", "total.12"), "5/36"),
    "field": "1/18",
}  # fmt: skip


def test_known_edges() -> None:
    assert {edge.chance: edge.exact for edge in odds(BOOK).edges} == KNOWN


def test_known_chances() -> None:
    exact = odds(BOOK).exact
    assert (exact["pass"], exact["dont-pass"], exact["to-win.6"], exact["hard.4"]) == (
        "244/495",
        "949/1980",
        "5/11",
        "1/9",
    )


def test_the_bar_on_the_aces_is_worth_as_much() -> None:
    for chance in ("dont-pass", "dont-come"):
        ends = ends_of(BOOK, chance, 0, 9 if chance == "dont-come" else None, "aces")
        assert (edge(ends), won(ends), ends[Fraction(0)]) == (Fraction(3, 220), Fraction(949, 1980), Fraction(1, 36))


def test_a_come_bet_is_a_pass_bet_whatever_the_point() -> None:
    assert all(ends_of(BOOK, "come", 0, point) == ends_of(BOOK, "pass", 0) for point in layout.BOXES)


def test_the_command_prints_the_odds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--rulebook", CRAPS]) == 0
    assert "0.014141" in capsys.readouterr().out
    with pytest.raises(EngineError, match="decks: craps has none"):
        odds(BOOK, decks=6)


# ---------- what the text leaves open ----------


@pytest.mark.parametrize(
    ("facts", "silence"),
    [
        (
            {"dice": [2, 4], "bets": [bet("2", "to-win.6")], "incident": {"kind": "throw_to_pay"}},
            "how to pay 7-6 on a stake of 500",
        ),
        (
            {"incident": {"kind": "bet_offered", "player": "2", "chance": "field", "count": 1, "value": 500}},
            "when a bet on field may be made",
        ),
        (
            {
                "bets": [bet("2", "hard.6")],
                "incident": {"kind": "bet_touched", "player": "2", "spot": "hard.6", "wish": "take"},
            },
            "whether a bet on hard may be changed",
        ),
        ({"incident": {"kind": "shooter_sought"}}, "who throws when nobody who bets wants to"),
    ],
)
def test_what_the_text_is_silent_about_is_declined(facts: dict[str, Any], silence: str) -> None:
    with pytest.raises(NotRegulated, match=silence):
        rule(situation(**facts))


@pytest.mark.parametrize(
    ("facts", "refusal"),
    [
        ({"dice": [2]}, "dice: two dice are thrown"),
        ({"minimum": 0}, "minimum: a table has a least bet"),
        ({"shooter": "9"}, "shooter: nobody is at 9"),
        ({"bets": [bet("9", "field")]}, r"bets\[0\].player: nobody is at 9"),
        ({"bets": [bet("2", "field"), bet("2", "field")]}, r"bets\[1\]: chips of one worth on one spot are one bet"),
        ({"bets": [bet("2", "pass"), bet("2", "pass-odds")]}, r"bets\[1\].chance: such a bet is only possible while"),
        ({"bets": [{**bet("2", "field"), "number": 6}]}, r"bets\[0\].number: the layout has no field on 6"),
        ({"point": 5, "bets": [bet("2", "come.4"), bet("2", "come-odds.4", 2)]}, "bets: 2 has more odds"),
    ],
)
def test_facts_that_cannot_be_are_refused_by_name(facts: dict[str, Any], refusal: str) -> None:
    with pytest.raises(ImpossibleFacts, match=f"^{refusal}"):
        situation(**{"incident": {"kind": "closing_near", "minutes": 9}} | facts)


@pytest.mark.parametrize(("dice", "up"), [([4, 4], True), ([3, 4], False), ([2, 4], False)])
def test_pt_vi_8_a_a_shooter_with_a_bet_that_waits_has_not_stopped_betting(dice: list[int], up: bool) -> None:
    facts = {"point": 6, "shooter": "2", "dice": dice, "bets": [bet("2", "pass")], "incident": {"kind": "throw_over"}}
    if up:
        with pytest.raises(ImpossibleFacts, match=r"incident\.bets_on: the shooter has a bet that is not decided"):
            rule(situation(**facts))
    else:
        assert rule(situation(**facts))["dice_go"] == "change"
