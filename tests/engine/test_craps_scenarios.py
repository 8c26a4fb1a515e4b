"""What craps puts before a trainee: words that are heard, scenarios that tell nothing, levels that are more work."""

import pytest

from rules_engine import Answer, generate, grade, scenario_of, topics
from rules_engine.announcements import hear
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.series import SeriesThrown
from rules_engine.games.craps.setting import OPPOSITE
from rules_engine.games.craps.table import Situation
from rules_engine.narration import narrate, show
from rules_engine.ruling import Utterance
from rules_engine.situation import kind_of
from rules_engine.spots import spots_meant
from tests.engine.test_craps import BOOK, bet, rule, situation

BARRED = "12. Perde o pass-line, ganha o don't pass-line. Mesmo deitador, novo ponto"

# ---------- words ----------


def heard(words: str, *, dice: tuple[int, int], point: int | None = None) -> str:
    bets = [bet("2", "pass"), bet("3", "dont-pass")]
    facts = situation(point=point, dice=list(dice), bets=bets, incident={"kind": "throw_to_announce"})
    expected = rule(facts)["announcement"]
    assert isinstance(expected, Utterance)
    return hear(BOOK.formulas, expected, words, ["pt", *facts.also_spoken()]).problem


@pytest.mark.parametrize("point", [None, 6])
@pytest.mark.parametrize("dice", [(1, 1), (1, 2), (2, 3), (3, 3), (3, 4), (5, 6)])
@pytest.mark.parametrize("kind", [{"kind": "throw_to_announce"}, {"kind": "dice_thrown", "reach": "past_middle"}])
def test_announcements_offered_fit_the_moment(kind: dict[str, str], dice: tuple[int, int], point: int | None) -> None:
    """Six, the right one among them; none speaks of a point that goes on where there is none."""
    bets = [bet("2", "pass"), bet("3", "dont-pass")]
    facts = situation(point=point, dice=list(dice), bets=bets, incident=kind)
    offered = facts.likely("announcement")
    assert rule(facts)["announcement"] in offered
    assert len(offered) == len({str(one) for one in offered}) == 6
    named = {one.slots["point"] for one in offered if one.formula == "point_on"}
    assert named == (set() if point is None else {point})
    if point is not None:
        assert all(one.formula != "line_barred" for one in offered)


@pytest.mark.parametrize(
    ("words", "dice", "point", "problem"),
    [
        ("Sete. Perde o pass-line, ganha o don't pass. Novo deitador para um novo ponto.", (3, 4), 6, ""),
        ("7, perde o pass, ganha o don’t pass, novo deitador, novo ponto", (3, 4), 6, ""),
        ("7. Perde o pass-line, ganha o don't pass-line. Novo deitador, novo ponto. "
         "7. Pass line loses, don't pass wins. New shooter, new point", (3, 4), 6, ""),
        ("7. Perde o pass-line, ganha o don't pass-line. Mesmo deitador, novo ponto", (3, 4), 6, "heard.wrong_moment"),
        ("Golpe nulo", (3, 4), 6, "heard.wrong_moment"),
        ("7. Pass line loses, don't pass wins. New shooter, new point", (3, 4), 6, "heard.wrong_language"),
        ("Total 5. O ponto é o 5. O mesmo deitador para o mesmo ponto", (1, 4), None, ""),
        ("5. O ponto é 6. Mesmo deitador, mesmo ponto", (1, 4), None, "heard.wrong_slot"),
        ("5. O ponto continua a ser 6. Mesmo deitador, mesmo ponto", (1, 4), 6, ""),
        ("5. O ponto continua 5. Mesmo deitador, mesmo ponto", (1, 4), 6, "heard.wrong_slot"),
        (BARRED, (6, 6), None, "heard.wrong_moment"),
        ("12. Perde o pass-line, nulo o don't pass-line. Mesmo deitador, novo ponto", (6, 6), None, ""),
        ("Doze. Perde o pass-line", (6, 6), None, "heard.missing"),
    ],
)  # fmt: skip
def test_pt_vi_13_3_the_throw_is_heard_part_by_part(
    words: str, dice: tuple[int, int], point: int | None, problem: str
) -> None:
    assert heard(words, dice=dice, point=point) == problem


def test_a_spot_is_shown_and_written_by_its_name() -> None:
    shown = [show("paid_spot", "order", ("come.6",), BOOK, language) for language in ("en", "pt")]
    assert shown == ["come 6", "come 6"]
    assert show("paid_spot", "order", ("to-win.8",), BOOK, "pt") == "aposta a favor do 8"
    written = {
        "Come 6": "come.6",
        "don't come 10": "dont-come.10",
        "Pass-line": "pass",
        "hardway 8": "hard.8",
        "aposta contra o 4": "to-lose.4",
        "place 5": "to-win.5",
        "lay 8": "to-lose.8",
        "total 7": "total.7",
    }
    for words, spot in written.items():
        assert spots_meant(words, BOOK) == (spot,), words


def test_a_spot_that_is_named_counts_as_one_that_is_pointed_at() -> None:
    facts = situation(
        point=6, dice=[4, 5], bets=[bet("2", "come")], incident={"kind": "come_rolled", "player": "2", "side": "come"}
    )
    scenario = scenario_of(facts, BOOK, topic="come")
    for given_as in ("come.9", "come 9", "Come 9"):
        assert grade(scenario, Answer({"come_ends": "moves", "lies_on": given_as})).perfect
    assert not grade(scenario, Answer({"come_ends": "moves", "lies_on": "come 6"})).perfect


def test_the_bar_is_told_where_somebody_plays_against_it() -> None:
    for spot, told in (("dont-pass", True), ("pass", False)):
        facts = situation(dice=[6, 6], bar="aces", bets=[bet("2", spot)], incident={"kind": "bets_to_settle"})
        assert ("O «bar» é o par de ases." in narrate(facts, BOOK, "pt")) is told


# ---------- scenarios ----------


def test_a_harder_table_is_more_work() -> None:
    for topic, kind in (("series", "bets_to_settle"), ("payout", "throw_to_pay")):
        levels = []
        for difficulty in range(1, 6):
            found = [generate(CRAPS, topic, seed, difficulty).situation for seed in range(300)]
            bets = [facts.bets for facts in found if isinstance(facts, Situation) and kind_of(facts.incident) == kind]
            players = [len({one.player for one in row}) for row in bets]
            levels.append((sum(map(len, bets)) / len(bets), sum(players) / len(players)))
        assert levels == sorted(levels)
        assert levels[0][1] == 1.0 and levels[4][1] > 2.5 and levels[4][0] > 5 * levels[0][0]


def test_a_harder_series_is_longer() -> None:
    lengths = []
    for difficulty in range(1, 6):
        found = [generate(CRAPS, "series", seed, difficulty).situation.incident for seed in range(100)]
        throws_of = [len(one.throws) for one in found if isinstance(one, SeriesThrown)]
        lengths.append(sum(throws_of) / len(throws_of))
    assert lengths == sorted(lengths) and lengths[4] > 2 * lengths[0]


def test_nobody_bets_against_chips_of_his_own() -> None:
    for topic in topics("pt-craps"):
        for seed in range(30):
            facts = generate("pt-craps", topic, f"against {seed}", 1 + seed % 5).situation
            lying = {(bet.player, bet.chance, bet.number) for bet in getattr(facts, "bets", ())}
            assert not {(player, OPPOSITE.get(chance), number) for player, chance, number in lying} & lying, facts
