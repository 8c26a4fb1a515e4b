"""What holds for the law, the questions and the scenarios of several games alike."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import structs

from rules_engine import GAMES, RULEBOOKS, EngineError, Scenario, exam_fit, generate, topics
from rules_engine.coverage import coverage
from rules_engine.ruling import Adopted, After
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
    """For a house that has a procedure for everything on which the text is silent."""
    house = {kind: Adopted(silence.options[0]) for kind, silence in RULEBOOKS[book].silences.items()}
    for topic in topics(book):
        made = [
            generate(book, topic, f"made-{number}", 1 + number % 5, readings=house) for number in range(sample(15, 100))
        ]
        for scenario in made:
            law = scenario.book.law
            held = any(law.row(step.cite).hold and not step.adopted for step in scenario.solve().steps)
            assert exam_fit(scenario) is not held, (topic, scenario.seed)
        assert sum(map(exam_fit, made)) > len(made) / 3, topic


@pytest.mark.parametrize("game", GAMES)
def test_every_question_that_is_pointed_at_is_asked(game: str) -> None:
    asked = {item.key.partition(".")[0] for rows in GAMES[game].asked.values() for row in rows.values() for item in row}
    assert set(GAMES[game].pointing) <= asked


def left(book: str) -> Iterator[tuple[Scenario, Any, After, dict[str, Any]]]:
    """Cases whose ruling moves something: the facts, how it ends, and what is left of the table."""
    for topic in topics(book):
        for seed in range(sample(10, 100)):
            scenario = generate(book, topic, f"left {seed}", 1 + seed % 5)
            after = scenario.solve().after
            if after and (found := scenario.situation.left(after)):
                yield scenario, scenario.situation, after, found


@pytest.mark.parametrize("book", RULEBOOKS)
def test_what_a_ruling_leaves_is_a_table(book: str) -> None:
    for scenario, facts, _, found in left(book):
        plain = scenario.book.game.incident()
        try:
            structs.replace(facts, incident=plain, **found)
        except EngineError as error:
            pytest.fail(f"{error}: {scenario}")


@pytest.mark.parametrize("book", RULEBOOKS)
def test_what_the_ruling_does_not_concern_stays_on_the_table(book: str) -> None:
    """Whoever neither pays nor is paid keeps his bets and, in a black jack coup that goes on, his seat its hands."""
    for scenario, facts, after, found in left(book):
        concerned = {who for paid in after.payments for who in (paid.payer, paid.payee)}
        for name in {"bets", "stakes"} & found.keys():
            before, still = (
                sorted((bet.player, bet.amount) for bet in bets if bet.player not in concerned)
                for bets in (getattr(facts, name), found[name])
            )
            assert before == still, scenario
        if "hands" in found and not facts.incident.ends_coup:
            seats = {bet.seat for bet in facts.bets} - {bet.seat for bet in facts.bets if bet.player in concerned}
            assert seats & {hand.seat for hand in facts.hands} <= {hand.seat for hand in found["hands"]}, scenario
