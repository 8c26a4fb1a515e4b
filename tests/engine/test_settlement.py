"""Paying, collecting and the croupier's calls: what the golden cases cannot say."""

from typing import Any

import pytest

from rules_engine import Answer, generate, grade, rulebook
from rules_engine.announcements import hear
from rules_engine.errors import ImpossibleFacts, NotRegulated
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.order import rank
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.ruling import After, Utterance
from rules_engine.scenario import scenario_of

ORDINARY = {"seats": [1, 2, 3, 4, 5, 6], "banker": "1", "bank": 1000, "minimum": 100, "unit": 10}
STAKES = [{"player": "4", "amount": 200, "line": True}, {"player": "2", "amount": 300}]


def situation(kind: str, facts: dict[str, Any] | None = None, **incident: Any) -> Situation:
    return GAME.read(ORDINARY | (facts or {}) | {"incident": {"kind": kind, **incident}})


def paid(after: After | None) -> list[tuple[str, str, int]]:
    assert after is not None
    return [(payment.payer, payment.payee, payment.amount) for payment in after.payments]


def test_pt_cdf_95_chips_move_in_the_order_and_for_the_sums_ruled() -> None:
    won = rulebook(PT[0]).rule(situation("stakes_to_settle", {"stakes": STAKES}, winner="ponto", initial="1"))
    assert paid(won.after) == [("bank", "2", 300), ("bank", "4", 100)]
    lost = rulebook(PT[0]).rule(situation("stakes_to_settle", {"stakes": STAKES}, winner="banker", initial="1"))
    assert paid(lost.after) == [("2", "bank", 300), ("4", "bank", 100)]


@pytest.mark.parametrize(("book", "article"), [(PT[0], "95"), (PT[1], "95"), (SANREMO, "18 s1"), (SANREMO, "18 s2")])
def test_every_settlement_moves_exactly_the_total_in_exactly_the_order(book: str, article: str) -> None:
    for seed in range(100):
        ruling = generate(book, None, seed, 1 + seed % 5, article=article).solve()
        moves = paid(ruling.after)
        assert sum(amount for _, _, amount in moves) == ruling["settled_total"]
        players = tuple(payer if payee == "bank" else payee for payer, payee, _ in moves)
        order = ruling["settled_order"]
        assert isinstance(order, tuple)
        # A stake that the bank does not reach has its turn, and nothing moves for it.
        assert players == tuple(place for place in order if ruling[f"stake_paid.{place}"])


def test_it_sanremo_18_s2_the_gap_is_always_last() -> None:
    for seed in range(100):
        scenario = generate(SANREMO, None, seed, 1 + seed % 5, article="18 s2")
        order, initial = scenario.solve()["settled_order"], scenario.situation.incident.initial
        assert isinstance(order, tuple)
        gap = [place for place in order if place[0] == initial and not place.isdigit()]
        assert gap and list(order[-len(gap) :]) == sorted(gap)
        assert list(order) == sorted(order, key=lambda place: rank(initial, place))


def test_it_sanremo_18_s2_decides_only_where_somebody_stands_in_the_gap() -> None:
    for standing, gap in ((["2a"], False), (["1a"], True)):
        facts = {"standing": standing, "stakes": [*STAKES, {"player": standing[0], "amount": 50}]}
        ruling = rulebook(SANREMO).rule(situation("stakes_to_settle", facts, winner="ponto", initial="1"))
        assert ("18 s2" in ruling.cites) is gap


def test_pt_cdf_96_a_7_says_whether_the_bank_was_covered_or_brought_level() -> None:
    stakes = [{"player": "2", "amount": 1000}]
    said = [{"by": "croupier", "says": "place_bets"}]
    covered = rulebook(PT[0]).rule(situation("betting_goes_on", {"stakes": stakes, "calls": said}, waited=True))
    said = [{"by": "croupier", "says": "who_completes"}, {"by": "1", "says": "levels_bank"}]
    level = rulebook(PT[0]).rule(situation("betting_goes_on", {"stakes": STAKES, "calls": said}, waited=True))
    assert [covered.steps[0].text, level.steps[0].text] == ["settlement.covered", "settlement.levelled"]


def test_an_ordinary_coup_pays_from_the_bankers_right_too() -> None:
    facts = {"stakes": STAKES, "holder": "2", "claim": "stake", "ponto": ["4s", "5d"], "banker_cards": ["Th", "7c"]}
    ruling = rulebook(PT[0]).rule(situation("coup_finished", facts))
    assert [payee for _, payee, _ in paid(ruling.after)] == ["2", "4"]


@pytest.mark.parametrize(
    ("book", "kind", "facts", "incident", "reason"),
    [
        (PT[0], "hand_moment", {}, {"event": "coup_over", "result": "won"}, "simply goes on"),
        (PT[0], "betting_goes_on", {"calls": [{"by": "croupier", "says": "place_bets"}]}, {}, "given time to stake"),
        (PT[0], "betting_goes_on", {"calls": [{"by": "croupier", "says": "closed"}]}, {"waited": True}, "no words"),
        (
            PT[0],
            "betting_goes_on",
            {"calls": [{"by": "2", "says": "banco"}, {"by": "4", "says": "banco"}]},
            {},
            "no priority",
        ),
        (SANREMO, "betting_goes_on", {"calls": [{"by": "croupier", "says": "bank_of", "amount": 1000}]}, {}, "only"),
    ],
)
def test_what_the_text_leaves_open_is_not_ruled_on(
    book: str, kind: str, facts: dict[str, Any], incident: dict[str, Any], reason: str
) -> None:
    with pytest.raises(NotRegulated, match=reason):
        rulebook(book).rule(situation(kind, facts, **incident))


@pytest.mark.parametrize(
    ("kind", "facts", "incident", "fact"),
    [
        ("coup_finished", {"ponto": ["2s", "3s"], "banker_cards": ["4s"]}, {}, "banker_cards"),
        (
            "coup_finished",
            {"ponto": ["2s", "3s"], "banker_cards": ["4s", "5s"], "hidden": ["banker.1"]},
            {},
            "hidden",
        ),
        ("coup_being_settled", {}, {"done": ["gather_cards"], "about_to": "gather_cards"}, "incident.done"),
        ("stakes_to_settle", {"stakes": STAKES}, {"winner": "ponto", "initial": "8"}, "incident.initial"),
        ("stakes_to_settle", {}, {"winner": "ponto", "initial": "1"}, "stakes"),
        ("stakes_to_settle", {"stakes": STAKES * 2}, {"winner": "ponto", "initial": "1"}, "stakes"),
        ("bank_won", {}, {}, "stakes"),
        ("bank_won", {"stakes": STAKES}, {"apart": True}, "incident.due"),
        ("stake_after_tie", {"stakes": STAKES}, {"player": "3", "to": 100}, "incident.player"),
        ("stake_after_tie", {"stakes": STAKES}, {"player": "4", "to": 100}, "stakes"),
        ("word_spoken", {"calls": [{"by": "croupier", "says": "card"}]}, {}, "calls"),
        ("betting_goes_on", {}, {}, "calls"),
        ("hand_moment", {}, {"event": "coup_over"}, "incident.result"),
        ("hand_moment", {}, {"event": "gives_up", "result": "lost"}, "incident.result"),
        ("hand_moment", {}, {"event": "bid"}, "calls"),
        ("hand_moment", {"calls": [{"by": "2", "says": "bid"}]}, {"event": "bids_stop"}, "calls"),
    ],
)
def test_facts_that_cannot_be_are_refused(
    kind: str, facts: dict[str, Any], incident: dict[str, Any], fact: str
) -> None:
    with pytest.raises(ImpossibleFacts) as refused:
        situation(kind, facts, **incident)
    assert refused.value.fact == fact


@pytest.mark.parametrize(
    ("book", "formula", "amount", "said"),
    [
        (PT[0], "bank_of", 1500, "banca de mil e quinhentos euros"),
        (PT[0], "banco_closed", 1000, "BANCO DE 1.000 €, jogo feito, nada mais!"),
        (PT[0], "bank_awarded", 300, "Banca de trezentos euros, adjudicada"),
        (PT[0], "auction_value", 300, "trezentos"),
        (PT[1], "bank_of", 20000, "banca de vinte mil escudos"),
        (PT[1], "banco_closed", 200000, "Bancô de 200 000$00. Jogo feito. Nada mais"),
        (SANREMO, "stakes_total", 3400, "in totale 3400 euro"),
    ],
)
def test_sums_are_heard_however_they_are_said(book: str, formula: str, amount: int, said: str) -> None:
    books = rulebook(book)
    expected = Utterance(formula, {"amount": amount})
    assert hear(books.formulas, expected, said, [books.language]).ok
    wrong = Utterance(formula, {"amount": amount + 100})
    assert hear(books.formulas, wrong, said, [books.language]).problem == "heard.wrong_slot"


def test_pt_cdf_96_c_1_after_a_loss_the_words_of_giving_up_are_wrong() -> None:
    formulas = rulebook(PT[0]).formulas
    assert hear(formulas, Utterance("hand_passes"), "a mão passa por abandono", ["pt"]).problem == "heard.wrong_moment"
    assert hear(formulas, Utterance("hand_abandoned"), "a mão passa", ["pt"]).ok


def test_a_stray_word_is_not_taken_for_a_sum() -> None:
    assert hear(rulebook(PT[0]).formulas, Utterance("closed"), "abracadabra", ["pt"]).problem == "heard.missing"


def test_pt_cdf_96_s0_the_foreign_words_may_follow_the_portuguese() -> None:
    calls = [{"by": "croupier", "says": "closed"}, {"by": "ponto", "says": "card"}]
    facts = {"calls": calls, "ponto": ["As", "2d"], "banker_cards": ["9h", "Kc"], "foreigners": True}
    scenario = scenario_of(situation("word_spoken", facts), rulebook(PT[0]))
    assert grade(scenario, Answer({"announcement": "Carta. Carte."})).perfect
    foreign = grade(scenario, Answer({"announcement": "Carte"}))
    assert [part.correct for part in foreign.parts] == [False]


@pytest.mark.parametrize("book", PT)
def test_pt_cdf_96_every_call_of_the_article_is_asked_and_its_canonical_words_are_right(book: str) -> None:
    calls = [f"a-{number}" for number in range(1, 8)] + [f"b-{number}" for number in range(1, 5)]
    for clause in [*calls, *(f"c-{number}" for number in range(1, 12))]:
        scenario = generate(book, "announcements", clause, 4, article=f"96 {clause}")
        right = {part.key: part.right for part in grade(scenario, Answer({})).parts}
        assert grade(scenario, Answer(right)).perfect, clause  # type: ignore[arg-type]


def test_pt_cdf_67_a_coup_with_a_natural_shown_has_no_third_card_to_read() -> None:
    hands = {"ponto": ["2s", "5d", "3d"], "banker_cards": ["9c", "9h"]}
    for kind in ("scores_to_read", "coup_finished"):
        with pytest.raises(ImpossibleFacts, match="banker_cards"):
            rulebook(PT[0]).rule(situation(kind, hands))
        assert rulebook(PT[0]).rule(situation(kind, hands | {"ponto": ["2s", "5d"]}))["winner"] == "banker"


def test_pt_cdf_95_s2_chips_move_only_as_far_as_the_bank_reaches() -> None:
    over = [{"player": "2", "amount": 700}, {"player": "4", "amount": 500}, {"player": "6", "amount": 100}]
    lost = rulebook(PT[0]).rule(situation("stakes_to_settle", {"stakes": over}, winner="banker", initial="1"))
    assert paid(lost.after) == [("2", "bank", 700), ("4", "bank", 300)]
    assert not lost.exam_safe
