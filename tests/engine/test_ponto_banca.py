"""Ponto e banca beyond the golden cases: money and cards at the end, what a text leaves open, and what is held back."""

from collections import Counter
from typing import Any

import pytest

from rules_engine import RULEBOOKS, generate, rulebook, topics
from rules_engine.announcements import hear
from rules_engine.compare import compare
from rules_engine.errors import EngineError, ImpossibleFacts, NotRegulated
from rules_engine.games.ponto_banca import GAME
from rules_engine.games.ponto_banca.books import ALL, MACAU, MACAU_1995, PB
from rules_engine.games.ponto_banca.outcome import endings
from rules_engine.games.ponto_banca.table import Situation
from rules_engine.games.ponto_banca.third_cards import ThirdCardSlip
from rules_engine.narration import ask
from rules_engine.ruling import Payment, Utterance

PONTO_WINS = {"ponto": ["3s", "4d"], "banker_cards": ["Kc", "6h"]}
BANK_WINS = {"ponto": ["3s", "3d"], "banker_cards": ["Kc", "7h"]}
TIE = {"ponto": ["3s", "4d"], "banker_cards": ["Kc", "7h"]}


def situation(**facts: Any) -> Situation:
    return GAME.read({**GAME.ordinary, **facts})


def bet(player: str, on: str, amount: int) -> dict[str, Any]:
    return {"player": player, "on": on, "amount": amount}


def over(cards: dict[str, Any], *bets: dict[str, Any]) -> Situation:
    return situation(**cards, bets=list(bets), incident={"kind": "coup_over"})


def placed(player: str, on: str, amount: int, **facts: Any) -> Situation:
    return situation(**facts, incident={"kind": "bet_placed", "player": player, "on": on, "amount": amount})


@pytest.mark.parametrize("book", ALL)
def test_winners_are_paid_by_the_house_and_losers_pay_it(book: str) -> None:
    ruling = rulebook(book).rule(
        over(BANK_WINS, bet("1", "ponto", 100), bet("2", "banker", 200), bet("3", "tie", 20)),
    )
    assert ruling.after is not None
    assert ruling.after.payments == (
        Payment("1", "house", 100, "ponto"),
        Payment("house", "2", 190, "banker"),
        Payment("3", "house", 20, "tie"),
    )


@pytest.mark.parametrize(("book", "prize"), [(PB, 180), (MACAU_1995, 180), (MACAU, 160)])
def test_a_tie_moves_only_the_chips_on_the_tie(book: str, prize: int) -> None:
    ruling = rulebook(book).rule(over(TIE, bet("1", "ponto", 100), bet("2", "banker", 200), bet("3", "tie", 20)))
    assert ruling.after is not None
    assert ruling.after.payments == (Payment("house", "3", prize, "tie"),)


def test_pt_pb_5_s2_eight_cards_end_among_the_used_ones() -> None:
    row = ["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks"]
    ruling = rulebook(PB).rule(situation(next=row, incident={"kind": "cut_made"}))
    assert ruling.after is not None
    assert (ruling.after.heap("burned"), ruling.after.heap("shoe")) == (tuple(row[:8]), tuple(row[8:]))


def test_pt_pb_macau_has_no_first_burn() -> None:
    row = ["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks"]
    ruling = rulebook(MACAU).rule(situation(next=row, incident={"kind": "cut_made"}))
    assert ruling.get("opening_burn") is None
    assert ruling.after is not None
    assert ruling.after.heap("shoe") == tuple(row)


def test_pt_pb_14_s1_a_card_too_many_lies_with_the_used_ones() -> None:
    slip = {"kind": "misdealt", "trace": "in_order", "given": ["ponto", "banker", "ponto", "banker", "banker"]}
    facts = situation(loose=["7s", "2d", "Kh", "4c", "2s"], next=["5d", "9h", "2c", "3c"], incident=slip)
    after = rulebook(PB).rule(facts).after
    assert after is not None
    assert (after.heap("ponto"), after.heap("banker"), after.heap("burned")) == (("7s", "Kh"), ("2d", "4c"), ("2s",))
    assert after.heap("shoe") == ("5d", "9h", "2c", "3c")


def test_pt_pb_14_s1_what_went_right_is_no_slip() -> None:
    slip = {"kind": "misdealt", "trace": "in_order", "given": ["ponto", "banker", "ponto", "banker"]}
    facts = situation(loose=["7s", "2d", "Kh", "4c"], next=["5d", "9h", "2c", "3c"], incident=slip)
    ruling = rulebook(PB).rule(facts)
    assert (ruling["coup"], ruling["winner"]) == ("stands", "ponto")


@pytest.mark.parametrize("kind", ["face_up_in_shoe", "warning_card_out"])
def test_pt_pb_nothing_comes_from_the_shoe_when_the_coup_is_over(kind: str) -> None:
    facts = situation(ponto=["Ks", "8d"], banker_cards=["2c", "3h"], next=["4h"], incident={"kind": kind})
    with pytest.raises(ImpossibleFacts, match="the coup is over"):
        rulebook(PB).rule(facts)


def test_pt_pb_the_shoe_must_have_the_cards_the_coup_needs() -> None:
    facts = situation(ponto=["Ks"], next=["4h"], incident={"kind": "face_up_in_shoe"})
    with pytest.raises(ImpossibleFacts, match="no card for the end of the coup"):
        rulebook(PB).rule(facts)


@pytest.mark.parametrize(
    ("book", "facts", "silence"),
    [
        (PB, over(PONTO_WINS, bet("1", "ponto_pair", 20)), "no bets are taken on ponto_pair"),
        (PB, over(BANK_WINS, bet("1", "banker", 10)), "how to round the deduction from 10"),
        (PB, placed("1", "ponto", 20, minimum=0), "minimum, which is not given"),
        (PB, placed("1a", "ponto", 20, standing=["1a"]), "add to a bet of his seat, and there is none"),
        (MACAU_1995, placed("1", "ponto", 20), "largest difference fixed for the table"),
    ],
)
def test_what_a_text_leaves_open_is_not_ruled_on(book: str, facts: Situation, silence: str) -> None:
    with pytest.raises(NotRegulated, match=silence):
        rulebook(book).rule(facts)


def test_pt_pb_15_s3_what_follows_a_refusal_must_be_written() -> None:
    facts = situation(
        bets=[bet("5", "ponto", 60), bet("6", "ponto", 60), bet("2", "banker", 20)],
        incident={"kind": "cards_to_handle", "declined": ["5"]},
    )
    with pytest.raises(NotRegulated, match=r"^art\. 15: .* an equal one is not spoken of"):
        rulebook(PB).rule(facts)


def test_pt_pb_11_s1_a_board_of_eight_is_not_in_the_text() -> None:
    facts = situation(incident={"kind": "standing_arrives", "places": 8, "already": 1})
    with pytest.raises(NotRegulated, match="no board of 8 seats"):
        rulebook(PB).rule(facts)


def test_pt_pb_macau_readings_still_open_stay_out_of_exams() -> None:
    stands = {"ponto": ["2s", "4d"], "next": ["6h", "9d"], "incident": {"kind": "first_cards"}}
    held = rulebook(MACAU).rule(situation(**stands, banker_cards=["Kc", "5c"]))
    settled = rulebook(MACAU_1995).rule(situation(**stands, banker_cards=["Kc", "5c"]))
    assert (held.exam_safe, settled.exam_safe) == (False, True)
    assert [step.reading for step in held.steps if step.cite == "distribuicao B-none"] == ["Q24"]
    cap = placed("2", "tie", 100, max_gap=2000, bets=[bet("1", "ponto", 1000)])
    assert not rulebook(MACAU).rule(cap).exam_safe
    assert rulebook(MACAU_1995).rule(cap).exam_safe


def test_the_texts_are_compared_on_the_price_of_a_tie() -> None:
    found = compare(over(TIE, bet("3", "tie", 20)))
    assert found.differing == ("prize.3",)
    assert {book: ruling["prize.3"] for book, ruling in found.rulings.items()} == {PB: 180, MACAU_1995: 180, MACAU: 160}


def test_the_texts_are_compared_on_a_large_bet() -> None:
    found = compare(placed("2", "ponto", 1420, max_gap=2000))
    assert {book: ruling["allowed"] for book, ruling in found.rulings.items()} == {
        PB: "refused",
        MACAU_1995: "allowed",
        MACAU: "allowed",
    }


def first_cards(ponto: list[str], banker: list[str]) -> Situation:
    return situation(ponto=ponto, banker_cards=banker, next=["4h", "9d"], incident={"kind": "first_cards"})


def handled(*bets: dict[str, Any], declined: tuple[str, ...] = ()) -> Situation:
    standing = sorted({item["player"] for item in bets if not item["player"].isdigit()})
    incident = {"kind": "cards_to_handle", "declined": list(declined)}
    return situation(bets=[*bets, bet("7", "banker", 20)], standing=standing, incident=incident)


@pytest.mark.parametrize(
    ("book", "facts", "reasons"),
    [
        (
            PB,
            first_cards(["2s", "Kd"], ["3c", "Kh"]),
            ["13 P-draw ponto_draws", "13 B-3 banker_draws", "13 s1 ponto_card_first"],
        ),
        (PB, first_cards(["2s", "Kd"], ["7c", "Kh"]), ["13 P-draw ponto_draws", "13 B-7 banker_stands"]),
        (PB, first_cards(["8s", "Kd"], ["9c", "Kh"]), ["13 P-nat ponto_natural", "13 B-nat banker_natural"]),
        (
            MACAU,
            first_cards(["6s", "Kd"], ["6c", "Kh"]),
            ["distribuicao P-stand ponto_stands", "distribuicao B-none banker_stands"],
        ),
        (PB, over(TIE, bet("1", "ponto", 20)), ["17 s1 scores_equal", "17 s2 bets_stay"]),
        (PB, over(TIE, bet("1", "tie", 20)), ["17 s1 scores_equal", "17 s1 tie_pays"]),
        (PB, placed("2", "ponto", 19), ["20 s1 times_minimum", "20 s1 below_minimum"]),
        (PB, placed("2", "ponto", 20), ["20 s1 times_minimum"]),
        (PB, placed("2", "ponto", 10, bets=[bet("2", "ponto", 20)]), ["20 s1 times_minimum"]),
        (
            MACAU_1995,
            placed("2", "ponto", 40, max_gap=900, bets=[bet("1", "ponto", 40)]),
            ["11 b gap_fixed", "11 c gap"],
        ),
        (
            MACAU_1995,
            placed("2", "ponto", 41, max_gap=900, bets=[bet("1", "ponto", 40)]),
            ["11 a no_maximum", "11 b gap_fixed", "11 c gap"],
        ),
        (MACAU, placed("2", "ponto_pair", 20), ["apostas chance_taken", "limites s1 no_maximum"]),
        (PB, handled(bet("1", "ponto", 20), bet("2", "ponto", 40)), ["15 s1 largest_stake", "15 s1 largest_stake"]),
        (PB, handled(bet("1", "ponto", 40), bet("2", "ponto", 40)), ["15 s2 lowest_seat", "15 s1 largest_stake"]),
        (PB, handled(bet("1", "ponto", 40), bet("1a", "ponto", 41)), ["15 s1 largest_seated", "15 s1 largest_stake"]),
        (PB, handled(bet("1", "ponto", 40), bet("1a", "ponto", 40)), ["15 s1 largest_stake", "15 s1 largest_stake"]),
        (PB, situation(incident={"kind": "shuffling", "by": "machine"}), ["4 s1 shuffled_by_croupier"]),
        (
            MACAU,
            situation(incident={"kind": "shuffling", "by": "machine"}),
            ["cartas shuffled_by_croupier_or_machine"],
        ),
        (PB, situation(seats=[1, 4], incident={"kind": "cut_offered", "declined": ["4"]}), ["4 s2 cut_goes_on"]),
        (PB, situation(seats=[4], incident={"kind": "cut_offered", "declined": ["4"]}), ["4 s3 croupier_cuts"]),
    ],
)
def test_a_ruling_turns_on_the_clauses_that_decided_it(book: str, facts: Situation, reasons: list[str]) -> None:
    turned = [step for step in rulebook(book).rule(facts).steps if step.pivot]
    assert [f"{step.cite} {step.text.removeprefix('pb.')}" for step in turned] == reasons


def test_pt_pb_20_s1_the_reasoning_counts_what_already_lies_there() -> None:
    ruling = rulebook(PB).rule(placed("2", "ponto", 100, bets=[bet("2", "ponto", 400)]))
    assert [step.values for step in ruling.steps if step.text == "already_there"] == [
        {"seat": "2", "on": "ponto", "already": 400, "left": 1000},
    ]


@pytest.mark.parametrize(
    ("facts", "fact"),
    [
        ({"incident": {"kind": "packs_reused", "sessions": 1, "worn": 9}, "table": "double"}, "incident.worn"),
        ({"incident": {"kind": "another_coup", "left": -1}}, "incident.left"),
        ({"incident": {"kind": "bets_made", "first_coup": True}, "next": ["2s"]}, "next"),
        ({"incident": {"kind": "warning_card_out"}, "ponto": ["2s", "3s", "4s", "5s"]}, "ponto"),
        ({"incident": {"kind": "warning_card_out"}, "ponto": ["2s", "3s"]}, "ponto"),
        ({"incident": {"kind": "warning_card_out"}, "banker_cards": ["2s"]}, "ponto"),
        (
            {"incident": {"kind": "warning_card_out"}, "ponto": ["2s", "3s"], "banker_cards": ["2s", "3s", "4s"]},
            "ponto",
        ),
        ({"incident": {"kind": "coup_over"}, **TIE, "bets": [bet("1", "tie", 0)]}, r"bets\[0\].amount"),
    ],
)
def test_facts_that_cannot_be_at_a_table_are_named(facts: dict[str, Any], fact: str) -> None:
    with pytest.raises(ImpossibleFacts, match=f"^{fact}: "):
        situation(**facts)


@pytest.mark.parametrize(
    "facts",
    [
        {"incident": {"kind": "packs_reused", "sessions": 1, "worn": 8}, "table": "double"},
        {"incident": {"kind": "packs_reused", "sessions": 1, "worn": 6}},
        {"incident": {"kind": "another_coup", "left": 0}},
        {"incident": {"kind": "bets_made", "first_coup": True}, "next": ["2s", "3s"]},
        {"incident": {"kind": "warning_card_out"}, "ponto": ["2s"], "next": ["4s", "6s", "7s", "8s", "9s"]},
        {
            "incident": {"kind": "warning_card_out"},
            "ponto": ["2s"],
            "banker_cards": ["3s"],
            "next": ["4s", "6s", "7s", "8s", "9s"],
        },
    ],
)
def test_facts_at_the_edge_of_what_can_be_are_ruled_on(facts: dict[str, Any]) -> None:
    assert rulebook(PB).rule(situation(**facts)).decisions


@pytest.mark.parametrize("book", [PB, MACAU_1995])
@pytest.mark.parametrize(
    ("formula", "words", "problem"),
    [
        ("bets_closed", "jogo feito, nada mais!", ""),
        ("bets_closed", "Jogo feito", "heard.missing"),
        ("bets_closed", "Esta jogada é a última deste sabot", "heard.wrong_moment"),
        ("last_coup", "última jogada deste sabot", ""),
        ("last_coup", "Este é o último lance deste sabot.", ""),
        ("last_coup", "Jogo feito. Nada mais", "heard.wrong_moment"),
    ],
)
def test_the_words_of_the_croupier(book: str, formula: str, words: str, problem: str) -> None:
    assert hear(rulebook(book).formulas, Utterance(formula), words, ["pt"]).problem == problem


def test_an_incident_of_another_game_is_unknown_here() -> None:
    with pytest.raises(EngineError, match="unknown kind 'banker_to_decide'"):
        situation(incident={"kind": "banker_to_decide", "wish": "draw"})


def test_every_incident_is_ruled_by_some_text() -> None:
    ruled = {incident for incident, book in GAME.rules if book in ALL}
    assert set(GAME.kinds.values()) == ruled


@pytest.mark.parametrize("book", ALL)
def test_the_ways_a_coup_can_go_follow_the_table(book: str) -> None:
    ways = endings(book)
    assert {(way.ponto, way.banker) for way in ways} == {(a, b) for a in range(10) for b in range(10)}
    assert all(way.extra == 0 for way in ways if max(way.ponto, way.banker) >= 8)
    assert {way.extra for way in ways} == {0, 1, 2}
    assert all(way.extra == 2 for way in ways if way.ponto_third is not None and way.banker_third is not None)
    assert all((way.ponto_third is None) == (way.ponto >= 6) for way in ways if max(way.ponto, way.banker) < 8)


@pytest.mark.parametrize("book", ALL)
def test_pairs_won_where_the_deduction_is_unclear_stay_out_of_exams(book: str) -> None:
    for seed in range(200):
        ruling = generate(book, "payout", seed, 1 + seed % 5).solve()
        assert ruling.exam_safe != ("premios s6" in ruling.cites and ruling["winner"] == "banker")


def test_a_prize_that_is_no_whole_number_of_times_the_bet_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    book = rulebook(PB)
    monkeypatch.setitem(book.law.numbers["payouts"], "value", {"ponto": 0.5, "banker": 1, "tie": 9})
    assert book.rule(over(PONTO_WINS, bet("1", "ponto", 20)))["prize.1"] == 10
    with pytest.raises(NotRegulated, match="how to round the prize on 25"):
        book.rule(over(PONTO_WINS, bet("1", "ponto", 25)))


def test_there_are_three_texts() -> None:
    assert {book.id for book in RULEBOOKS.values() if book.game is GAME} == set(ALL)


@pytest.mark.parametrize(
    ("ponto", "banker"),
    [
        (["Ks", "8d", "2h"], ["Kc", "5h"]),  # a third card with a natural
        (["Ks", "7d"], ["Kc", "5h"]),  # the bank had to draw
        (["Ks", "5d"], ["Kc", "7h"]),  # the ponto had to draw
    ],
)
@pytest.mark.parametrize(
    ("book", "cite"), [(PB, r"^art\. 13: .* art\. 14 puts"), (MACAU, "^distribuicao: .* is not said")]
)
def test_hands_against_the_drawing_table_are_not_paid(
    book: str, cite: str, ponto: list[str], banker: list[str]
) -> None:
    bets = [{"player": "2", "on": "ponto", "amount": 100}]
    facts = {"seats": [1, 2], "minimum": 20, "ponto": ponto, "banker_cards": banker, "bets": bets}
    for incident in ({"kind": "coup_over"}, {"kind": "bet_touched", "player": "2", "wish": "withdraw"}):
        with pytest.raises(NotRegulated, match=cite):
            rulebook(book).rule(GAME.read(facts | {"incident": incident}))


def test_pt_pb_6_s1_nothing_is_announced_while_the_warning_card_is_in_the_shoe() -> None:
    cards = {"ponto": ["Ks", "7d"], "banker_cards": ["Kc", "6h"], "next": ["2c", "4d"]}
    facts = situation(**cards, incident={"kind": "warning_card_out", "at_mouth": True})
    assert rulebook(PB).rule(facts).get("announcement") is None


def test_pt_pb_11_s4_the_end_of_betting_is_announced_once() -> None:
    facts = {"next": ["2c", "4d"], "incident": {"kind": "bets_made", "first_coup": True}}
    closed = [{"by": "croupier", "says": "closed"}]
    assert rulebook(PB).rule(situation(**facts)).get("announcement") is not None
    assert rulebook(PB).rule(situation(**facts, calls=closed)).get("announcement") is None


@pytest.mark.parametrize("before_last", [7, 11, 13, 17])
def test_pt_pb_5_s1_about_twelve_is_left_open(before_last: int) -> None:
    facts = situation(incident={"kind": "table_checked", "before_last": before_last})
    with pytest.raises(NotRegulated, match="how far from there"):
        rulebook(PB).rule(facts)


@pytest.mark.parametrize(("table", "boards"), [("single", [7, 7]), ("double", [7])])
def test_a_table_has_the_boards_of_its_kind(table: str, boards: list[int]) -> None:
    with pytest.raises(ImpossibleFacts, match="one board, a double one two"):
        situation(table=table, incident={"kind": "table_checked", "boards": boards})


@pytest.mark.parametrize("book", ALL)
def test_no_question_offers_a_choice_that_nobody_has(book: str) -> None:
    assert "may_choose" not in GAME.options("banker_draw") + GAME.options("ponto_draw")
    assert "next_coup" not in GAME.options("fate")


def test_the_same_card_twice_is_asked_about_in_two_ways() -> None:
    facts = situation(
        ponto=["Ks", "6d", "2h"],
        banker_cards=["Kc", "7h", "2h"],
        next=["8c", "9d"],
        incident={"kind": "third_card_slip"},
    )
    asked = [ask(f"fate.{ref}", facts, rulebook(PB), "pt") for ref in ("ponto.3", "banker.3")]
    assert len(set(asked)) == 2


def wrong_sides(facts: Situation) -> int:
    """How many sides have not the third card, or the lack of one, that the drawing table gives them."""
    after = rulebook(PB).rule(facts).after
    assert after is not None
    return sum(len(facts.heap(side)) != len(after.heap(side)) for side in ("ponto", "banker"))


@pytest.mark.parametrize(("level", "most"), [(1, 1), (5, 2)])
def test_third_cards_go_wrong_on_both_sides_at_once_only_where_it_is_hard(level: int, most: int) -> None:
    made = [generate(PB, "lapses", seed, level).situation for seed in range(150)]
    tables = [facts for facts in made if isinstance(facts, Situation)]
    slips = [facts for facts in tables if isinstance(facts.incident, ThirdCardSlip) and not facts.incident.swept]
    assert max(wrong_sides(facts) for facts in slips) == most


@pytest.mark.parametrize("book", ALL)
def test_what_lies_on_the_cloth_is_within_the_limits(book: str) -> None:
    """20 s1 and s2, 11 c and d, limites s2 and s3: a bet above its limit is offered, it never lies there."""
    for topic in topics(book):
        for seed in range(12):
            facts = generate(book, topic, f"limits-{seed}", 1 + seed % 5).situation
            ponto, banker, tie = (facts.total(on) for on in ("ponto", "banker", "tie"))
            if book == PB:
                by_seat = Counter[tuple[str, str]]()
                for one in facts.bets:
                    by_seat[one.player[0], one.on] += one.amount
                for (_, on), amount in by_seat.items():
                    assert amount <= facts.minimum * (14 if on == "tie" else 70)
                continue
            assert abs(ponto - banker) <= facts.max_gap
            assert 10 * tie <= facts.max_gap
            assert book == MACAU_1995 or 10 * tie <= abs(ponto - banker)
