"""Black jack: money, hands settled alone and together, what the text is silent about, words, odds, and scenarios that
tell nothing."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

import pytest

from rules_engine import NotRegulated, Ruling, Scenario, Utterance, exam_fit, generate, rulebook, topics
from rules_engine.__main__ import main
from rules_engine.announcements import hear
from rules_engine.errors import EngineError, ImpossibleFacts
from rules_engine.games.black_jack import GAME
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.hands import bank_play, makes_black_jack, points
from rules_engine.games.black_jack.odds import bank_ends, full, odds
from rules_engine.games.black_jack.table import Situation
from rules_engine.situation import kind_of
from rules_engine.topics import cases

BOOK = rulebook(BJ)
Facts = dict[str, Any]
TABLE: Facts = {"seats": [1, 2, 3, 4, 5], "minimum": 1_000}


@cache
def over() -> list[Scenario]:
    """Generated coups that are over."""
    made = [generate(BJ, "payout", seed, 1 + seed % 5) for seed in range(450)]
    return [scenario for scenario in made if kind_of(scenario.situation.incident) == "coup_over"]


def rule(**facts: Any) -> Ruling:
    return BOOK.rule(GAME.read(TABLE | facts))


def made(name: str, level: int, count: int = 40) -> list[Situation]:
    (case,) = (case for case in cases(BJ) if case.name == name)
    found = [case.make(GAME.draw("black jack", name, number), BOOK, level) for number in range(count)]
    return [situation for situation in found if isinstance(situation, Situation)]


# ---------- money ----------


def balance(ruling: Ruling) -> Counter[str]:
    found: Counter[str] = Counter()
    for payment in ruling.after.payments if ruling.after else ():
        found[payment.payee] += payment.amount
        found[payment.payer] -= payment.amount
    return found


def test_money_only_changes_hands() -> None:
    assert len(over()) > 150
    for scenario in over():
        ruling = scenario.solve()
        moved = balance(ruling)
        assert sum(moved.values()) == 0
        prizes = sum(int(str(ruling[f"prize.{player}"])) for player in scenario.situation.every("prize."))
        assert moved["house"] == int(str(ruling["collected"])) - prizes


def test_nobody_loses_more_than_lies_there_or_wins_more_than_the_scale() -> None:
    for scenario in over():
        situation: Any = scenario.situation
        moved = balance(scenario.solve())
        for player in situation.every("prize."):
            mine = [bet for bet in situation.bets if bet.player == player]
            staked = sum(bet.amount + bet.insurance for bet in mine)
            best = sum(bet.amount * 3 // 2 + 2 * bet.insurance for bet in mine)
            assert -staked <= moved[player] <= best


def alone(situation: Any, name: str) -> Facts:
    """The facts with one seat's hands only: those of a split belong together."""
    seat = situation.names()[name].seat
    return {
        "hands": [{"seat": h.seat, "cards": list(h.cards), "doubled": h.doubled} for h in situation.of_seat(seat)],
        "bets": [
            {"player": b.player, "seat": b.seat, "amount": b.amount, "hand": b.hand, "insurance": b.insurance}
            for b in situation.bets
            if b.seat == seat
        ],
    }


def test_hands_settled_together_end_as_they_do_one_by_one() -> None:
    for scenario in over():
        situation: Any = scenario.situation
        together, apart = scenario.solve(), Counter[str]()
        shared = {"seats": situation.seats, "minimum": situation.minimum, "bank_cards": list(situation.bank_cards)}
        for name in {f"seat{hand.seat}" for hand in situation.hands}:
            facts = shared | {"places": situation.places, "packs": situation.packs} | alone(situation, name)
            single = BOOK.rule(GAME.read(facts | {"incident": {"kind": "coup_over"}}))
            assert single[f"result.{name}"] == together[f"result.{name}"]
            apart.update(balance(single))
        assert {who: sum for who, sum in apart.items() if sum} == {
            who: sum for who, sum in balance(together).items() if sum
        }


@pytest.mark.parametrize("amount", [4_000, 30_000])
def test_what_is_staked_twice_is_won_and_lost_twice(amount: int) -> None:
    for cards in (["As", "Kd"], ["Ts", "9d"], ["Ts", "8d"], ["Ts", "Qd"]):
        sums = [
            balance(
                rule(
                    hands=[{"seat": 2, "cards": cards}],
                    bets=[{"player": "2", "seat": 2, "amount": staked}],
                    bank_cards=["Td", "9c"],
                    incident={"kind": "coup_over"},
                )
            )["2"]
            for staked in (amount, 2 * amount)
        ]
        assert sums[1] == 2 * sums[0]


# ---------- what cannot be, and what the text is silent about ----------

PLAYED: Facts = {
    "hands": [{"seat": 2, "cards": ["Ts", "8d"]}],
    "bets": [{"player": "2", "seat": 2, "amount": 4_000}],
    "bank_cards": ["Td", "9c"],
    "incident": {"kind": "coup_over"},
}
SPLIT: Facts = {
    "hands": [{"seat": 2, "cards": ["8s", "8d"]}, {"seat": 2, "cards": ["8h", "2c"]}],
    "bets": [{"player": "2", "seat": 2, "amount": 4_000}, {"player": "2", "seat": 2, "hand": 2, "amount": 4_000}],
    "bank_cards": ["9d"],
}


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"seats": [2, 7], "places": 6}, "seats: the table has 6 seats"),
        ({"minimum": 0}, "minimum: a table has a least bet"),
        ({"hands": [{"seat": 2, "cards": []}]}, r"hands\[0\].cards: a hand has cards"),
        ({"hands": [{"seat": 3, "cards": ["Ts", "8d"]}]}, r"hands\[0\].seat: nobody has bet on this hand"),
        ({"bets": [{"player": "6", "seat": 2, "amount": 1_000}]}, r"bets\[0\].player: nobody is at 6"),
        ({"bets": [{"player": "2", "seat": 2, "amount": 0}]}, r"bets\[0\].amount: a bet of nothing"),
        ({"bets": [{"player": "2", "seat": 2, "hand": 2, "amount": 9}]}, r"bets\[0\].hand: seat 2 has no such hand"),
        (
            {"bets": [{"player": "2", "seat": 2, "amount": 4_000, "insurance": 100}]},
            r"bets\[0\].insurance: it may be half the bet at most, against an open ace",
        ),
        (
            {"bank_cards": ["Ad", "9c"], "bets": [{"player": "2", "seat": 2, "amount": 4_000, "insurance": 2_001}]},
            r"bets\[0\].insurance: it may be half the bet at most, against an open ace",
        ),
        ({"bets": PLAYED["bets"] * 2}, r"bets\[1\]: the chips of one player on one hand are one bet"),
        ({"packs": 4, "next": ["Ts"] * 4}, "cards: 5 copies of Ts in 4 packs"),
        ({"hidden": ["bank.2"]}, "hidden: at the end all cards must lie open"),
        (SPLIT | {"incident": {"kind": "player_wishes", "seat": 2, "wish": "card"}}, "incident.hand: which hand of"),
    ],
)
def test_what_cannot_be_is_refused_by_the_name_of_the_fact(changes: Facts, refusal: str) -> None:
    with pytest.raises(ImpossibleFacts, match=f"^{refusal}"):
        GAME.read(TABLE | PLAYED | changes)


@pytest.mark.parametrize(
    ("facts", "silence"),
    [
        (
            PLAYED | {"hands": [{"seat": 2, "cards": ["As", "Kd"]}], "bets": [{"player": "2", "seat": 2, "amount": 3}]},
            "art. 21 does not say how the prize on a stake of 3 is rounded",
        ),
        (
            {"bets": [], "incident": {"kind": "bet_placed", "player": "3", "seat": 2, "amount": 1_000}},
            "lets others add to the bet of the holder, and he has none",
        ),
        (
            {"bank_cards": ["Td", "5c", "3h"], "loose": ["2c"], "incident": {"kind": "bank_card_drawn"}},
            "speaks of a card too many only for a bank with two cards",
        ),
        (
            SPLIT
            | {
                "hands": [{"seat": 2, "cards": ["As", "8d"]}, {"seat": 2, "cards": ["Ah"]}],
                "incident": {"kind": "double_wanted", "player": "2", "seat": 2, "hand": 1, "amount": 4_000},
            },
            "gives split aces one card, and art. 31 does not say whether they may be doubled",
        ),
    ],
)
def test_what_the_text_is_silent_about_is_declined(facts: Facts, silence: str) -> None:
    with pytest.raises(NotRegulated, match=silence):
        rule(**facts)


def test_a_bust_hand_leaves_the_table_and_its_cards_are_discarded() -> None:
    ruling = rule(**PLAYED | {"next": ["5h"], "incident": {"kind": "card_given", "seat": 2}})
    assert ruling.after is not None
    assert ruling.after.heap("discard") == ("Ts", "8d", "5h")
    assert ruling.after.heap("seat2") == ()
    assert balance(ruling) == {"2": -4_000, "house": 4_000}


def test_a_reading_is_told_and_keeps_out_of_exams_only_where_the_text_is_open() -> None:
    held = {row.cite for row in BOOK.law.rows.values() if row.hold}
    own = {"8 s2-round", "15 s3-alone", "19 s2-unseen", "32 another-ace"}
    assert held == own | {"27 s2", "30 s2", "35 s2", "36 s3"}
    held |= BOOK.silences.keys()
    for topic in topics(BJ):
        for seed in range(40):
            scenario = generate(BJ, topic, seed, 1 + seed % 5)
            assert exam_fit(scenario) == held.isdisjoint(scenario.solve().cites)


# ---------- words ----------


@pytest.mark.parametrize(
    ("formula", "words", "problem"),
    [
        ("last_coup", "Esta jogada é a última deste sabot", ""),
        ("last_coup", "última jogada do sabot!", ""),
        ("last_coup", "Querem fazer seguro?", "heard.wrong_moment"),
        ("insurance", "Seguro?", ""),
        ("insurance", "FAZEM SEGURO", ""),
        ("insurance", "Quer carta?", "heard.wrong_moment"),
        ("insurance", "", "heard.nothing"),
    ],
)
def test_the_words_are_free_in_form_and_not_in_sense(formula: str, words: str, problem: str) -> None:
    assert hear(BOOK.formulas, Utterance(formula), words, ["pt"]).problem == problem


# ---------- scenarios ----------


def hands_in(situation: Situation) -> int:
    return len(situation.hands)


def test_a_harder_picture_has_more_hands_and_rules_that_meet() -> None:
    easy, hard = made("nearer_wins", 1), made("nearer_wins", 5)
    assert {hands_in(situation) for situation in easy} == {1}
    assert {hands_in(situation) for situation in hard} == {5}
    met = [len(set(BOOK.rule(situation).pivots)) for situation in hard]
    assert {len(BOOK.rule(situation).pivots) for situation in easy} == {1}
    assert sum(count > 1 for count in met) > len(met) / 2


@pytest.mark.parametrize(
    ("case", "limit"), [("own_seat", 30), ("anothers_seat", 30), ("empty_seat", 30), ("half_or_more", 0.5)]
)
def test_a_harder_limit_is_met_just_below_at_and_just_above(case: str, limit: float) -> None:
    sides = set()
    for situation in made(case, 5, 120):
        ruling = BOOK.rule(situation)
        incident: Any = situation.incident
        most = ruling.get("largest_bet") if limit > 1 else ruling.get("largest_insurance")
        near = incident.amount - int(str(most))
        sides.add(0 if near == 0 else 1 if 0 < near <= situation.minimum else -1 if -near <= situation.minimum else 2)
    assert {-1, 0, 1} <= sides


# ---------- odds ----------


def test_known_chances() -> None:
    found = odds(BOOK)
    assert (found.of, found.probability["black_jack"]) == ("6 packs", 0.047489)
    assert found.probability["bank_over"] == pytest.approx(0.281931, abs=1e-3)
    assert sum(Fraction(found.exact[name]) for name in found.exact if name.startswith("bank_")) == 1
    assert Fraction(found.exact["bank_natural"]) == Fraction(found.exact["black_jack"])
    assert {edge.chance: edge.exact for edge in found.edges} == {"insurance": "23/311", "even_money": "4/103"}
    assert Fraction(found.exact["three_sevens"]) == Fraction(24 * 23 * 22, 312 * 311 * 310)
    assert Fraction(found.exact["suited_run"]) == Fraction(4 * 6**3 * 6, 312 * 311 * 310)


def test_the_bank_ends_as_in_hands_dealt_one_by_one() -> None:
    """Every order of a short shoe, played by the rule that plays at the table."""
    ranks = "A6T52T9"
    cards = [rank + "s" for rank in ranks]
    ends: Counter[str] = Counter()
    for row in permutations(cards):
        hand = (*row[:2], *bank_play(BOOK, row[:2], row[2:]))
        total = points(BOOK, hand)
        ends["bank_natural" if makes_black_jack(BOOK, hand) else "bank_over" if total > 21 else f"bank_{total}"] += 1
    assert bank_ends(BOOK, Counter(ranks)) == {end: Fraction(count, ends.total()) for end, count in ends.items()}


def test_a_full_shoe_counts_figures_with_tens() -> None:
    assert full(4)["T"] == 64
    assert full(6).total() == 312


def test_odds_are_of_packs_that_the_text_allows(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(EngineError, match="decks: 5 is not one of 4, 6"):
        odds(BOOK, decks=5)
    assert main(["odds", "--rulebook", BJ, "--decks", "4"]) == 0
    assert "insurance 2 to 1 0.072464" in " ".join(capsys.readouterr().out.split())


def test_pt_bj_11_s1_nothing_is_announced_while_the_warning_card_is_in_the_shoe() -> None:
    coup: Facts = {
        "hands": [{"seat": 2, "cards": ["Ts", "8d"]}],
        "bets": [{"player": "2", "seat": 2, "amount": 3_000}],
        "bank_cards": ["9d"],
    }
    out = rule(**coup, incident={"kind": "warning_card_out"})
    still_in = rule(**coup, incident={"kind": "warning_card_out", "still_in": True})
    assert out["announcement"] == Utterance("last_coup")
    assert still_in.get("announcement") is None
