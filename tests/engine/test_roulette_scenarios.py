"""What roulette puts before a trainee: scenarios that tell nothing, levels that are more work, words that are heard."""

from collections import Counter
from typing import Any

import pytest

from rules_engine import Scenario, generate, rulebook, topics
from rules_engine.announcements import hear
from rules_engine.games.roulette.books import AMERICAN, FRENCH
from rules_engine.games.roulette.payment_order import SeveralPrizes
from rules_engine.games.roulette.table import Situation
from rules_engine.narration import narrate, show
from rules_engine.ruling import Utterance
from rules_engine.situation import kind_of
from tests.engine.test_roulette import BOTH, bet, rule, situation

# ---------- words ----------


def said(number: int, words: str, book: str = FRENCH) -> str:
    facts = situation(incident={"kind": "ball_comes_down", "number": number, "ball": "settled"})
    expected = rule(facts, book)["announcement"]
    assert isinstance(expected, Utterance)
    return hear(rulebook(book).formulas, expected, words, ["pt"]).problem


@pytest.mark.parametrize(
    "words", ["17, preto", "Dezassete preto!", "17 negro", "17, preto, ímpar e menor", "Saiu o 17, preto"]
)
def test_pt_x_17_the_result_may_be_said_in_several_ways(words: str) -> None:
    assert said(17, words) == ""


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("17, encarnado", "heard.wrong_slot"),
        ("18, preto", "heard.wrong_slot"),
        ("17, preto, par e menor", "heard.wrong_slot"),
        ("17", "heard.missing"),
        ("Zero", "heard.wrong_moment"),
        ("Golpe nulo", "heard.wrong_moment"),
    ],
)
def test_pt_x_17_a_wrong_result_is_heard(words: str, problem: str) -> None:
    assert said(17, words) == problem


@pytest.mark.parametrize("words", ["Zero", "0", "zero, verde"])
def test_pt_x_8_zero_is_announced_without_a_colour_of_the_chances(words: str) -> None:
    assert said(0, words) == ""
    assert said(32, "trinta e dois, vermelho", AMERICAN) == ""


def test_pt_x_17_nothing_is_announced_or_marked_before_the_ball_lies_still() -> None:
    for ball in ("rocking", "rolling"):
        ruling = rule(situation(incident={"kind": "ball_comes_down", "number": 17, "ball": ball}))
        assert (ruling.decisions, ruling.after) == ((), None)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("pleno de 500$, verde, total de 17.500$", ""),
        ("Pleno de quinhentos escudos, verde, total de dezassete mil e quinhentos escudos", ""),
        ("pleno de 500$00, cor verde, total 17 500$00", ""),
        ("pleno de 500$, verde, total de 18 000$", "heard.wrong_slot"),
        ("pleno de 500$, azul, total de 17 500$", "heard.wrong_slot"),
        ("cavalo de 500$, verde, total de 17 500$", "heard.wrong_slot"),
        ("pleno de 500$, total de 17 500$", "heard.missing"),
    ],
)
def test_pt_x_25_a_payment_is_heard_part_by_part(words: str, problem: str) -> None:
    facts = situation(
        number=17,
        bets=[bet("2", "17")],
        colours=[{"player": "2", "colour": "green", "value": 500}],
        incident={"kind": "payment_to_announce", "player": "2", "spot": "17"},
    )
    expected = rule(facts)["announcement"]
    assert isinstance(expected, Utterance)
    assert hear(rulebook(FRENCH).formulas, expected, words, ["pt"]).problem == problem


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("pleno de dez contos, verde, total de trezentos e cinquenta contos", ""),
        ("Pleno de 10 contos, cor verde, total 350 contos", ""),
        ("pleno de 10 000$, verde, total de 350 contos", ""),
        ("pleno de um conto, verde, total de 350 contos", "heard.wrong_slot"),
        ("pleno de 10 contos, verde, total de 360 contos", "heard.wrong_slot"),
        ("pleno de 10 contos, verde, total de 350", "heard.wrong_slot"),
    ],
)
def test_pt_x_25_sums_may_be_said_in_contos(words: str, problem: str) -> None:
    said: dict[str, int | str] = {"bet": "pleno", "stake": 10_000, "colour": "verde", "prize": 350_000}
    assert hear(rulebook(FRENCH).formulas, Utterance("payment", said), words, ["pt"]).problem == problem


@pytest.mark.parametrize(
    ("words", "stake", "prize"),
    [
        ("pleno de um conto, verde, total de trinta e cinco contos", 1_000, 35_000),
        ("pleno de conto e meio, verde, total de 52 contos e meio", 1_500, 52_500),
        ("pleno de dois contos e quinhentos, verde, total de oitenta e sete contos e quinhentos", 2_500, 87_500),
        ("pleno de 2 contos e 500$00, verde, total de 87 contos e 500 escudos", 2_500, 87_500),
    ],
)
def test_pt_x_25_contos_with_more_after_them_are_one_sum(words: str, stake: int, prize: int) -> None:
    said: dict[str, int | str] = {"bet": "pleno", "stake": stake, "colour": "verde", "prize": prize}
    assert hear(rulebook(FRENCH).formulas, Utterance("payment", said), words, ["pt"]).ok


FACE_VALUE = {"Joga-se com fichas de valor facial.", "As outras fichas têm valor facial."}


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"bets": [bet("2", "17")]}, set()),
        ({"bets": [bet("2", "17")], "face_value": True}, {"Joga-se com fichas de valor facial."}),
        ({"bets": [bet("2", "17")], "colours": [{"player": "2", "colour": "grey", "value": 500}]}, set()),
        (
            {"bets": [bet("2", "17"), bet("3", "17")], "colours": [{"player": "2", "colour": "grey", "value": 500}]},
            {"As outras fichas têm valor facial."},
        ),
        (
            {"bets": [bet("2", "17", 1, 5_000)], "colours": [{"player": "2", "colour": "grey", "value": 500}]},
            {"As outras fichas têm valor facial."},
        ),
    ],
)
def test_pt_ix_8_chips_of_no_told_colour_have_a_face_value(facts: dict[str, Any], told: set[str]) -> None:
    story = narrate(situation(number=17, incident={"kind": "number_out"}, **facts), rulebook(AMERICAN), "pt")
    assert FACE_VALUE & set(story) == told


def test_pt_ix_8_every_american_table_with_bets_tells_whose_chips_they_are() -> None:
    for topic in topics(AMERICAN):
        for scenario in made(AMERICAN, topic, 60):
            facts = scenario.situation
            assert isinstance(facts, Situation)
            coloured = {chips.player for chips in facts.colours}
            if {one.player for one in facts.bets} - coloured:
                assert FACE_VALUE & set(narrate(facts, scenario.book, "pt")), (topic, scenario.seed)


def test_pt_x_24_prizes_are_meant_in_turn_only_where_somebody_comes_in_between() -> None:
    manners: Counter[str] = Counter()
    for scenario in made(FRENCH, "paying", 400):
        incident = scenario.situation.incident
        if isinstance(incident, SeveralPrizes):
            manners[incident.manner] += 1
            assert incident.manner != "in_turn" or "X 24 s2" in scenario.solve().pivots
    assert set(manners) == {"together_apart", "together_heap", "one_by_one", "in_turn"}


def test_a_spot_is_shown_by_its_name() -> None:
    book = rulebook(FRENCH)
    shown = [show("pay_order", "order", ("column.1", "17-20"), book, language) for language in ("en", "pt")]
    assert shown == ["the first column, split 17-20", "primeira coluna, cavalo 17-20"]


# ---------- scenarios ----------


def made(book: str, topic: str, count: int) -> list[Scenario]:
    return [generate(book, topic, f"made-{number}", 1 + number % 5) for number in range(count)]


@pytest.mark.parametrize("book", BOTH)
def test_a_harder_picture_is_more_work(book: str) -> None:
    def sizes(difficulty: int) -> tuple[float, float]:
        found = [generate(book, "payout", seed, difficulty).situation for seed in range(200)]
        bets = [facts.bets for facts in found if kind_of(facts.incident) == "number_out"]
        return sum(map(len, bets)) / len(bets), sum(len({b.player for b in row}) for row in bets) / len(bets)

    levels = [sizes(difficulty) for difficulty in range(1, 6)]
    assert levels == sorted(levels)
    assert levels[0][1] == 1.0 and levels[4][0] > 3 * levels[0][0]


def test_the_easiest_picture_has_one_player_and_one_kind_of_bet() -> None:
    for seed in range(200):
        scenario = generate(FRENCH, "payout", seed, 1, article="X 20 a-cavalo")
        facts = scenario.situation
        assert isinstance(facts, Situation)
        assert len({one.player for one in facts.bets}) == 1
        assert kind_of(facts.incident) != "number_out" or {one.chance for one in facts.bets} == {"split"}


def test_pictures_reach_zero_and_the_edges_of_the_cloth() -> None:
    numbers = Counter(generate(FRENCH, "payout", seed, 5).situation.number for seed in range(400))
    assert set(range(37)) <= set(numbers)
    assert numbers[0] > 20
