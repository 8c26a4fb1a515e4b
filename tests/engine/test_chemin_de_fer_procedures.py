"""Where the texts of chemin de fer are silent: under every decision that a house may adopt the ruling follows from the
facts, cites the procedure and leaves a table that the engine accepts."""

from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec import structs

from rules_engine import RULEBOOKS, Scenario, exam_fit, generate, rulebook
from rules_engine.games.chemin_de_fer.books import BOOKS, PT, SANREMO
from rules_engine.narration import narrate, reason
from rules_engine.ruling import Adopted
from rules_engine.silences import ASK, TOPIC
from rules_engine.situation import kind_of
from tests.samples import sample

ADOPTED = [
    (book.id, kind, option)
    for book in BOOKS
    for kind, silence in RULEBOOKS[book.id].silences.items()
    for option in silence.options
]


def cases(book: str, kind: str, option: str = "") -> Iterator[Scenario]:
    """Cases of one kind of incident, of all levels, for a house that has adopted this decision or none."""
    readings = {kind: Adopted(option, "7")} if option else {}
    for seed in range(sample(80, 600)):
        made = generate(book, TOPIC, f"{kind} {seed}", 1 + seed % 5, readings=readings)
        if kind_of(made.situation.incident) == kind:
            yield made


@pytest.mark.parametrize("book", [book.id for book in BOOKS])
def test_every_text_has_three_silences_or_more(book: str) -> None:
    silences = rulebook(book).silences
    assert len(silences) >= 3 and all(len(one.options) >= 2 for one in silences.values())


def test_it_sr_13_decides_about_signs_so_only_portugal_is_silent() -> None:
    assert "gesture_made" not in rulebook(SANREMO).silences and "13 s3" in rulebook(SANREMO).law
    assert all("gesture_made" in rulebook(book).silences for book in PT)


@pytest.mark.parametrize(("book", "kind", "option"), ADOPTED)
def test_the_ruling_depends_on_the_facts_and_cites_the_procedure(book: str, kind: str, option: str) -> None:
    answers: dict[str, Counter[str]] = {}
    for scenario in cases(book, kind, option):
        ruling = scenario.solve()
        assert kind in ruling.pivots and exam_fit(scenario)
        assert [step.adopted for step in ruling.steps if step.cite == kind] == [Adopted(option, "7")]
        for question in scenario.questions:
            answers.setdefault(question.key, Counter())[str(ruling.get(question.key))] += 1
    assert answers and all(len(found) > 1 for found in answers.values())


@pytest.mark.parametrize(("book", "kind", "option"), ADOPTED)
def test_it_is_told_in_every_language_and_leaves_a_table_that_the_engine_accepts(
    book: str, kind: str, option: str
) -> None:
    for scenario in cases(book, kind, option):
        ruling = scenario.solve()
        for language in {"en", "pt", scenario.book.language}:
            assert all(narrate(scenario.situation, scenario.book, language))
            assert all(reason(step, scenario.book, language) for step in ruling.steps)
        if ruling.after:
            game = scenario.book.game
            structs.replace(scenario.situation, incident=game.incident(), **scenario.situation.left(ruling.after))


@pytest.mark.parametrize(("book", "kind"), sorted({(book, kind) for book, kind, _option in ADOPTED}))
def test_without_a_procedure_the_floor_manager_is_asked_and_no_exam_asks(book: str, kind: str) -> None:
    for scenario in cases(book, kind):
        assert scenario.solve().get(f"procedure.{kind}") == ASK
        assert not exam_fit(scenario)
