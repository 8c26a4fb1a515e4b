"""What holds for the law, the questions and the scenarios of several games alike."""

import pytest

from rules_engine import GAMES, RULEBOOKS, exam_fit, generate, topics
from rules_engine.coverage import coverage
from tests.samples import sample

BETTING = ["pt-roleta-francesa", "pt-roleta-americana", "pt-craps", "pt-cussec", "pt-banca-francesa", "pt-maquinas"]
BOOKS = pytest.mark.parametrize("book", BETTING)


@BOOKS
def test_every_row_that_can_be_tested_decides_some_scenario(book: str) -> None:
    rows = coverage(RULEBOOKS[book], 10)
    assert [row.cite for row in rows if row.lacking or (row.cited and not row.turned_on)] == []


@pytest.mark.parametrize("book", [book for book in BETTING if book != "pt-craps"])
def test_every_number_names_a_clause_that_exists(book: str) -> None:
    law = RULEBOOKS[book].law
    for name, entry in law.numbers.items():
        assert any(cite == entry["cite"] or cite.startswith(f"{entry['cite']} ") for cite in law.clauses), name


@BOOKS
def test_only_what_is_held_back_is_unfit_for_exams(book: str) -> None:
    for topic in topics(book):
        made = [generate(book, topic, f"made-{number}", 1 + number % 5) for number in range(sample(15, 100))]
        for scenario in made:
            held = any(scenario.book.law.row(step.cite).hold for step in scenario.solve().steps)
            assert exam_fit(scenario) is not held, (topic, scenario.seed)
        assert sum(map(exam_fit, made)) > len(made) / 3, topic


@pytest.mark.parametrize("game", GAMES)
def test_every_question_that_is_pointed_at_is_asked(game: str) -> None:
    asked = {item.key.partition(".")[0] for rows in GAMES[game].asked.values() for row in rows.values() for item in row}
    assert set(GAMES[game].pointing) <= asked
