"""What cussec puts before a trainee: scenarios that tell nothing, levels that are more work, words that are heard."""

from collections import Counter

import pytest

from rules_engine import generate, rulebook
from rules_engine.announcements import hear
from rules_engine.equipment.dice import alike
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.table import Situation
from rules_engine.narration import call_log, show
from rules_engine.ruling import Utterance
from rules_engine.situation import kind_of
from tests.engine.test_cussec import bet, out, rule, situation


def said(dice: tuple[int, ...], words: str) -> str:
    expected = rule(out(dice, bet("1", "small")))["announcement"]
    assert isinstance(expected, Utterance)
    return hear(rulebook(CUSSEC).formulas, expected, words, ["pt"]).problem


# ---------- words ----------


@pytest.mark.parametrize(
    "words",
    [
        "2, 3 e 5, total 10, pequeno",
        "Dois, três e cinco: dez, pequeno!",
        "cinco, dois, três, total dez",
        "5-3-2, total 10, pequeno",
        "3, 5 e 2, total de 10, pequeno",
    ],
)
def test_pt_vii_5_the_result_may_be_said_in_several_ways(words: str) -> None:
    assert said((5, 2, 3), words) == ""


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("2, 3 e 5, total 10, grande", "heard.wrong_slot"),
        ("2, 3 e 5, total 11, grande", "heard.wrong_slot"),
        ("2, 3 e 6, total 11, grande", "heard.wrong_slot"),
        ("10, pequeno", "heard.missing"),
        ("Golpe nulo", "heard.wrong_moment"),
        ("Vou abrir", "heard.wrong_moment"),
    ],
)
def test_pt_vii_5_a_wrong_result_is_heard(words: str, problem: str) -> None:
    assert said((5, 2, 3), words) == problem


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("2, 2 e 2, total 6, triplo", ""),
        ("Triplo de dois, total seis", ""),
        ("Triplo de 3, total 9", "heard.wrong_slot"),
        ("2, 2 e 2, total 6, pequeno", "heard.wrong_slot"),
    ],
)
def test_pt_vii_9_a_triple_is_neither_small_nor_big(words: str, problem: str) -> None:
    assert said((2, 2, 2), words) == problem


@pytest.mark.parametrize(
    ("done", "words", "problem"),
    [
        ("rung", "Nada mais", ""),
        ("rung", "nada mais, vou abrir", ""),
        ("rung", "vou abrir", "heard.wrong_moment"),
        ("closed", "Vou abrir!", ""),
        ("closed", "nada mais", "heard.wrong_moment"),
    ],
)
def test_pt_vii_5_both_announcements_have_their_moment(done: str, words: str, problem: str) -> None:
    expected = rule(situation(incident={"kind": "next_act", "done": done}))["announcement"]
    assert isinstance(expected, Utterance)
    assert hear(rulebook(CUSSEC).formulas, expected, words, ["pt"]).problem == problem


def test_a_zone_is_shown_by_its_name() -> None:
    shown = [
        show("paid_spot", "order", ("pair.2-5", "triples"), rulebook(CUSSEC), language) for language in ("en", "pt")
    ]
    assert shown == ["combination 2-5, any triple", "combinação 2-5, qualquer triplo"]


def test_what_was_done_is_not_told_as_if_it_was_said() -> None:
    calls = [{"by": "croupier", "says": "rings"}, {"by": "croupier", "says": "closed"}]
    incident = {"kind": "late_bet", "player": "1", "wish": "place", "spot": "small", "count": 1, "value": 500}
    lines = call_log(situation(calls=calls, incident=incident), rulebook(CUSSEC), "pt")
    assert [(line.words, line.spoken) for line in lines] == [("(toca a campainha)", False), ("Nada mais.", True)]


# ---------- scenarios ----------


def test_a_harder_picture_is_more_work() -> None:
    def sizes(difficulty: int) -> tuple[float, float]:
        found = [generate(CUSSEC, "payout", seed, difficulty).situation for seed in range(200)]
        bets = [facts.bets for facts in found if kind_of(facts.incident) == "result_out"]
        return sum(map(len, bets)) / len(bets), sum(len({b.player for b in row}) for row in bets) / len(bets)

    levels = [sizes(difficulty) for difficulty in range(2, 6)]  # the easiest level hardly ever settles a whole board
    assert levels == sorted(levels)
    assert levels[3][0] > 3 * levels[0][0] and levels[3][1] > 3


def test_the_easiest_picture_has_one_player_and_one_kind_of_bet() -> None:
    for seed in range(200):
        facts = generate(CUSSEC, "payout", seed, 1, article="VII 8 d").situation
        assert isinstance(facts, Situation)
        assert len({one.player for one in facts.bets}) == 1
        # A prize is traced among several, which takes a fuller board.
        assert kind_of(facts.incident) == "prize_traced" or alike(facts.dice) == 1
        assert kind_of(facts.incident) != "result_out" or {one.chance for one in facts.bets} == {"pair"}


def test_hard_pictures_are_often_triples_and_reach_every_throw_of_them() -> None:
    dice = [generate(CUSSEC, "payout", seed, 5).situation.dice for seed in range(400)]
    triples = Counter(faces for faces in dice if alike(faces) == 3)
    assert len(triples) == 6 and triples.total() > 80
