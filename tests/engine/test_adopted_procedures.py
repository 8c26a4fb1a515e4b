"""Where the law of black jack and craps is silent: under every decision that a house may adopt, the ruling follows from
the facts, cites the procedure and leaves a table that the engine accepts."""

from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec import structs

from rules_engine import RULEBOOKS, Scenario, exam_fit, generate
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.craps.books import CRAPS
from rules_engine.ruling import Adopted
from rules_engine.silences import ASK, TOPIC
from rules_engine.situation import kind_of
from tests.engine.chips import sums
from tests.samples import sample

BOOKS = (BJ, CRAPS)
ADOPTED = [
    (book, kind, option)
    for book in BOOKS
    for kind, silence in RULEBOOKS[book].silences.items()
    for option in silence.options
]


def cases(book: str, kind: str, option: str = "") -> Iterator[Scenario]:
    """Cases of one kind of incident, of all levels, for a house that has adopted this decision or none."""
    readings = {kind: Adopted(option)} if option else {}
    for seed in range(sample(80, 600)):
        made = generate(book, TOPIC, f"{kind} {seed}", 1 + seed % 5, readings=readings)
        if kind_of(made.situation.incident) == kind:
            yield made


@pytest.mark.parametrize("book", BOOKS)
def test_a_game_has_three_silences_or_more_with_two_decisions_or_more(book: str) -> None:
    silences = RULEBOOKS[book].silences
    assert len(silences) >= 3 and all(len(one.options) >= 2 for one in silences.values())
    assert RULEBOOKS[book].game.topics[-1] == TOPIC


@pytest.mark.parametrize(("book", "kind", "option"), ADOPTED)
def test_the_ruling_depends_on_the_facts_and_cites_the_procedure(book: str, kind: str, option: str) -> None:
    answers: dict[str, Counter[str]] = {}
    for scenario in cases(book, kind, option):
        ruling = scenario.solve()
        assert kind in ruling.pivots and exam_fit(scenario)
        for question in scenario.questions:
            answers.setdefault(question.key.partition(".")[0], Counter())[str(ruling.get(question.key))] += 1
    assert answers and all(len(found) > 1 for found in answers.values())


@pytest.mark.parametrize(("book", "kind", "option"), ADOPTED)
def test_the_ruling_leaves_a_table_that_the_engine_accepts(book: str, kind: str, option: str) -> None:
    for scenario in cases(book, kind, option):
        situation, after = scenario.situation, scenario.solve().after
        assert after and scenario.table
        structs.replace(situation, incident=scenario.book.game.incident(), **situation.left(after))
        assert [amount for amount in sums(scenario) if amount % scenario.table.values[-1]] == []
        cards = [card for heap in getattr(situation, "heaps", dict)().values() for card in heap]
        assert Counter(card for heap in after.heaps.values() for card in heap) == Counter(cards)


@pytest.mark.parametrize(("book", "kind"), dict.fromkeys((book, kind) for book, kind, _ in ADOPTED))
def test_two_decisions_of_a_house_differ_on_some_case(book: str, kind: str) -> None:
    """Otherwise the second one would be the first in other words."""
    options = RULEBOOKS[book].silences[kind].options
    situations = [scenario.situation for scenario in cases(book, kind)]
    rulings = {
        option: [RULEBOOKS[book].under({kind: Adopted(option)}).rule(one).results for one in situations]
        for option in options
    }
    assert all(rulings[one] != rulings[other] for one in options for other in options if one < other)


@pytest.mark.parametrize(("book", "kind"), dict.fromkeys((book, kind) for book, kind, _ in ADOPTED))
def test_without_a_procedure_the_floor_manager_is_asked_and_no_exam_asks_it(book: str, kind: str) -> None:
    for scenario in cases(book, kind):
        (question,) = scenario.questions
        assert scenario.solve()[question.key] == ASK and not exam_fit(scenario)
