"""Where the law of roulette is silent: every decision a house may adopt is followed, none can be learnt by heart."""

from collections import defaultdict
from collections.abc import Iterator

import pytest
from msgspec import structs

from rules_engine import Adopted, NotRegulated, Scenario, exam_fit, generate, rulebook
from rules_engine.games.roulette import GAME
from rules_engine.games.roulette.books import AMERICAN, FRENCH
from rules_engine.games.roulette.table import Incident, Situation
from rules_engine.narration import cited, narrate, reason, show
from rules_engine.situation import kind_of

OPTIONS = [(kind, option) for kind, silence in GAME.silences.items() for option in silence.options]
BOOKS = pytest.mark.parametrize("book", [FRENCH, AMERICAN])
LANGUAGES = ("en", "pt")


def made(book: str, kind: str, option: str = "", seeds: int = 30) -> Iterator[Scenario]:
    readings = {kind: Adopted(option, "7")} if option else {}
    for seed in range(seeds):
        yield generate(book, None, seed, 1 + seed % 5, article=kind, readings=readings)


@BOOKS
@pytest.mark.parametrize("kind", GAME.silences)
def test_without_a_procedure_the_floor_manager_is_asked(book: str, kind: str) -> None:
    for scenario in made(book, kind, seeds=5):
        (question,) = scenario.questions
        assert kind_of(scenario.situation.incident) == kind
        assert scenario.solve()[question.key] == "floor_manager"
        assert set(question.options) == {*GAME.silences[kind].options, "floor_manager"}
        assert not exam_fit(scenario)
        assert all(show(question.key, question.kind, one, scenario.book, "pt") for one in question.options)


@BOOKS
@pytest.mark.parametrize(("kind", "option"), OPTIONS)
def test_a_procedure_is_examined_and_cited_and_its_outcome_depends_on_the_facts(
    book: str, kind: str, option: str
) -> None:
    answers: defaultdict[str, set[str]] = defaultdict(set)
    for scenario in made(book, kind, option):
        ruling = scenario.solve()
        assert exam_fit(scenario)
        assert kind in ruling.pivots
        for question in scenario.questions:
            answers[question.key.partition(".")[0]].add(str(ruling.get(question.key)))
        for language in LANGUAGES:
            assert all(narrate(scenario.situation, scenario.book, language))
            assert all(reason(step, scenario.book, language) for step in ruling.steps)
            assert GAME.words.text(f"silence.{kind}.title", language) in cited(kind, scenario.book, language)
    assert all(len(found) > 1 for found in answers.values()), answers


@pytest.mark.parametrize("kind", GAME.silences)
def test_procedures_differ(kind: str) -> None:
    options, differ = GAME.silences[kind].options, 0
    for scenario in made(FRENCH, kind, options[0], 60):
        other = scenario.book.under({kind: Adopted(options[1])})
        differ += [one.value for one in other.rule(scenario.situation).decisions] != [
            one.value for one in scenario.solve().decisions
        ]
    assert differ > 5


@pytest.mark.parametrize(
    "key", [f"{part}.procedure_{kind}.{one}" for kind, one in OPTIONS for part in ("option", "why")]
)
def test_every_decision_and_its_reason_have_words(key: str) -> None:
    said = {GAME.words.text(key, language) for language in LANGUAGES}
    assert len(said) == len(LANGUAGES)


@BOOKS
@pytest.mark.parametrize(("kind", "option"), OPTIONS)
def test_the_table_left_behind_is_one_that_the_engine_accepts(book: str, kind: str, option: str) -> None:
    """And nobody else's bet has disappeared."""
    for scenario in made(book, kind, option):
        facts, after = scenario.situation, scenario.solve().after
        assert isinstance(facts, Situation)
        if after is None:
            continue
        now = structs.replace(facts, incident=Incident(), **facts.left(after))
        lost = {(one.payer, one.spot) for one in after.payments if one.payee == "house"}
        assert {one for one in facts.bets if (one.player, one.spot) not in lost} <= set(now.bets)


def test_chips_that_are_shared_lie_on_in_halves() -> None:
    book = rulebook(FRENCH).under({"bet_claimed": Adopted("inspector_first")})
    claim = {"kind": "bet_claimed", "first": "1", "second": "2", "spot": "17-20", "value": 500}
    unseen = {"saw": "nobody", "recording": "nobody"}
    facts = book.situation(seats=[1, 2], minimum=500, number=17, incident={**claim, **unseen, "count": 4})
    ruling = book.rule(facts)
    assert (ruling["gets.1"], ruling["gets.2"]) == (17_000, 17_000)
    assert ruling.after and [(bet.player, bet.count) for bet in facts.left(ruling.after)["bets"]] == [
        ("1", 2),
        ("2", 2),
    ]
    with pytest.raises(NotRegulated):
        book.rule(book.situation(seats=[1, 2], minimum=500, number=17, incident={**claim, **unseen, "count": 3}))
