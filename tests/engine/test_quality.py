"""Generated scenarios are worth practising on: not to be guessed, harder at a higher level, and of many kinds."""

import pytest

from rules_engine import GAMES, RULEBOOKS, generate, topics
from rules_engine.__main__ import main
from rules_engine.quality import quality, shortcomings, structure


@pytest.mark.parametrize("book", RULEBOOKS)
def test_no_topic_falls_short(book: str) -> None:
    assert [line for found in quality(book) for line in shortcomings(found, RULEBOOKS[book])] == []


@pytest.mark.parametrize("game", GAMES)
def test_what_the_law_leaves_no_room_for_is_of_topics_and_questions_that_exist(game: str) -> None:
    standard = GAMES[game].standard
    taught = {topic for book in GAMES[game].books for topic in topics(book.id)}
    assert standard.levels.keys() | standard.structures.keys() <= taught
    assert {kind.split()[0] for kind in standard.plain} <= GAMES[game].kinds.keys()
    assert all(len(reason) > 20 for reason in standard.plain.values())


def test_a_topic_without_room_has_fewer_levels() -> None:
    for game in GAMES.values():
        for topic, levels in game.standard.levels.items():
            assert levels == tuple(sorted(set(levels))) and set(levels) < {1, 2, 3, 4, 5}
            assert game.level(topic, 5) == levels[-1] and game.level(topic, 1) == levels[0]


def test_names_and_sums_do_not_make_another_structure() -> None:
    made = [generate("pt-chemin-de-fer", "third_card", seed, 3) for seed in range(200)]
    assert 5 < len({structure(scenario, scenario.solve()) for scenario in made}) < 150


def test_the_command_measures_one_topic(capsys: pytest.CaptureFixture[str]) -> None:
    main(["quality", "--rulebook", "pt-craps", "--topic", topics("pt-craps")[0], "--scenarios", "5"])
    assert capsys.readouterr().out.startswith(f"pt-craps {topics('pt-craps')[0]}: guess ")
