"""What banca francesa puts before a trainee: scenarios that tell nothing, levels that are more work, words heard."""

from collections import Counter

import pytest

from rules_engine import generate
from rules_engine.announcements import hear
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.layout import CHANCES, LINES, SPOTS
from rules_engine.games.banca_francesa.table import Situation
from rules_engine.narration import show
from rules_engine.ruling import Utterance
from rules_engine.situation import kind_of
from rules_engine.spots import spots_meant
from tests.engine.test_banca_francesa import ACES, BIG, BOOK, SMALL, made, rule, situation

# ---------- words ----------


@pytest.mark.parametrize(
    ("dice", "words", "problem"),
    [
        (SMALL, "Pequeno", ""),
        (SMALL, "saiu o pequeno!", ""),
        (SMALL, "seis, pequeno", ""),
        (SMALL, "Grande", "heard.wrong_moment"),
        (SMALL, "sete, pequeno", "heard.wrong_slot"),
        (BIG, "Ganha o grande", ""),
        (BIG, "Pequeno", "heard.wrong_moment"),
        (ACES, "ases", ""),
        (ACES, "Saíram os ases", ""),
        (ACES, "", "heard.nothing"),
    ],
)
def test_pt_iv_7_d_the_chance_is_announced_by_its_name(dice: list[int], words: str, problem: str) -> None:
    expected = rule(situation(dice=dice, incident={"kind": "dice_at_rest"}))["announcement"]
    assert isinstance(expected, Utterance)
    assert hear(BOOK.formulas, expected, words, ["pt"]).problem == problem


@pytest.mark.parametrize(
    ("written", "key"),
    [("risco exterior", "small.line"), ("The inner line", "big.line"), ("Ases", "aces"), ("grande", "big")],
)
def test_a_spot_is_understood_by_its_name_and_shown_by_it(written: str, key: str) -> None:
    assert spots_meant(written, BOOK) == (key,)
    assert show("put_where", "order", (key,), BOOK, "pt") == BOOK.text(f"spot.{key}", "pt")


# ---------- scenarios ----------


def test_a_harder_picture_is_more_work() -> None:
    def sizes(difficulty: int) -> tuple[float, float]:
        found = [generate(BANCA, "payout", seed, difficulty).situation for seed in range(200)]
        bets = [facts.bets for facts in found if kind_of(facts.incident) == "dice_down"]
        return sum(map(len, bets)) / len(bets), sum(len({b.player for b in row}) for row in bets) / len(bets)

    levels = [sizes(difficulty) for difficulty in range(1, 6)]
    assert levels == sorted(levels)
    assert levels[0][1] == 1.0 and levels[4][0] > 3 * levels[0][0]


@pytest.mark.parametrize(("article", "chance"), [("IV 13 a", "aces"), ("IV 13 b", "small"), ("IV 13 c", "big")])
def test_the_easiest_picture_is_one_bet_in_its_field(article: str, chance: str) -> None:
    for seed in range(60):
        facts = generate(BANCA, "payout", seed, 1, article=article).situation
        assert isinstance(facts, Situation)
        assert [one.spot for one in facts.bets] == [chance]


def test_the_hardest_pictures_have_lines_among_the_fields() -> None:
    found = [generate(BANCA, "payout", seed, 5).situation for seed in range(100)]
    spots = Counter(one.spot for facts in found for one in facts.bets)
    assert set(spots) == set(SPOTS)
    assert sum(spots[line] for line in LINES.values()) > spots.total() / 5


def test_every_total_is_met() -> None:
    points = {sum(scenario.situation.dice) for scenario in made("reading", 600)}
    assert points == set(range(3, 19))
    assert {scenario.solve()["chance"] for scenario in made("reading", 60)} == {*CHANCES, "none"}
