"""Wrong rules: each makes a difference to some cases, and answers tell who holds which."""

from random import Random
from typing import Any

import pytest

from rules_engine import GAMES, RULEBOOKS, Scenario, generate, topics
from rules_engine.grading import Answer
from rules_engine.misconceptions import (
    Misconception,
    believed,
    catalogue,
    diagnosed,
    evidence,
    misconceptions,
    revealed_by,
    told_apart,
)
from rules_engine.ruling import Utterance
from tests.samples import FULL, sample

PEOPLE, SLIPS, ANSWERS = sample(3, 20), 0.07, 5
TABLES = [game.id for game in GAMES.values() if game.id != "machines"]
BOOKS = [book.id for game in GAMES.values() if game.id in TABLES for book in game.books if misconceptions(book.id)]
SAMPLED = (
    BOOKS
    if FULL
    else ["pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "es-chemin-de-fer", "pt-roleta-francesa", "pt-black-jack"]
)
CASES = 60


def cases_of(book_id: str) -> list[Scenario]:
    return [generate(book_id, topic, seed, 2 + seed % 2) for topic in topics(book_id) for seed in range(CASES)]


def answered(scenario: Scenario, one: Misconception | None, chance: Random) -> Answer:
    """What somebody answers who holds a wrong rule, or none, and slips sometimes."""
    wrong = believed(scenario, one) if one else {}
    parts: dict[str, Any] = {}
    options = {question.key: question.options for question in scenario.questions}
    for decision in scenario.solve().decisions:
        if isinstance(decision.value, Utterance) or decision.key not in options:
            continue
        value = wrong.get(decision.key, decision.value)
        if chance.random() < SLIPS:
            value = chance.choice(options[decision.key]) if options[decision.key] else chance.randrange(0, 500, 5)
        parts[decision.key] = list(value) if isinstance(value, tuple) else value
    return Answer(parts)


@pytest.mark.parametrize("game", TABLES)
def test_a_game_with_a_table_has_six_wrong_rules_told_in_its_languages(game: str) -> None:
    listed = catalogue(game)
    assert len(listed) >= 6
    held = {one.id for book in GAMES[game].books for one in misconceptions(book.id)}
    assert held == {one.id for one in listed}, "each concerns some rulebook"
    assert all(set(GAMES[game].languages) <= one.said.keys() for one in listed)


@pytest.mark.parametrize("book", SAMPLED)
def test_whoever_holds_a_wrong_rule_is_diagnosed_after_five_answers(book: str) -> None:
    listed, chance = cases_of(book), Random(book)
    right = wrong = 0
    for one in misconceptions(book):
        revealing = [scenario for scenario in listed if believed(scenario, one)]
        for _ in range(PEOPLE if revealing else 0):
            met = [chance.choice(revealing) for _ in range(ANSWERS)]
            found = diagnosed([evidence(scenario, answered(scenario, one, chance)) for scenario in met])
            right, wrong = right + (found == one.id), wrong + (found != one.id)
    assert right / (right + wrong) >= 0.9, (right, wrong)


@pytest.mark.parametrize("book", SAMPLED)
def test_whoever_only_slips_is_diagnosed_with_nothing(book: str) -> None:
    chance = Random(book)
    revealing = [scenario for scenario in cases_of(book) if revealed_by(scenario)]
    people = 40 * PEOPLE
    false = sum(
        bool(diagnosed([evidence(one, answered(one, None, chance)) for one in chance.sample(revealing, 2 * ANSWERS)]))
        for _ in range(people)
    )
    assert false / people <= 0.05, false


def test_a_form_says_which_wrong_rules_it_tells_apart() -> None:
    listed = cases_of("pt-roleta-francesa")[::3]
    counts = told_apart(listed)
    assert set(counts) == set(misconceptions("pt-roleta-francesa"))
    assert sum(counts.values()) == sum(len(revealed_by(scenario)) for scenario in listed)
    assert any(counts.values())


def test_a_wrong_rule_leaves_the_law_itself_alone() -> None:
    before = dict(RULEBOOKS["pt-roleta-francesa"].law.numbers["payouts"]["value"])
    assert any(map(revealed_by, cases_of("pt-roleta-francesa")[:100]))
    assert RULEBOOKS["pt-roleta-francesa"].law.numbers["payouts"]["value"] == before
