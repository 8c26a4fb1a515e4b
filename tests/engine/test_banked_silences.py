"""Where the law of ponto e banca, banca francesa, cussec and the machines is silent: every decision that a house may
adopt is followed and cited, and none can be learnt by heart."""

from collections import defaultdict
from collections.abc import Iterator

import pytest
from msgspec import structs

from rules_engine import Adopted, Scenario, decode, encode, exam_fit, generate, rulebook
from rules_engine.narration import cited, narrate, reason, show
from rules_engine.situation import kind_of
from tests.samples import sample

BOOKS = (
    "pt-ponto-banca-1995", "pt-ponto-banca-macau-1995", "pt-ponto-banca-macau", "pt-banca-francesa", "pt-cussec",
    "pt-maquinas",
)  # fmt: skip
KINDS = [(book, kind) for book in BOOKS for kind in rulebook(book).silences]
OPTIONS = [(book, kind, option) for book, kind in KINDS for option in rulebook(book).silences[kind].options]
LANGUAGES = ("en", "pt")


def made(book: str, kind: str, option: str = "", seeds: int = 0) -> Iterator[Scenario]:
    readings = {kind: Adopted(option, "7")} if option else {}
    for seed in range(seeds or sample(30, 150)):
        yield generate(book, None, seed, 1 + seed % 5, article=kind, readings=readings)


@pytest.mark.parametrize("book", BOOKS)
def test_every_rulebook_has_at_least_three(book: str) -> None:
    assert len(rulebook(book).silences) >= 3
    assert all(len(one.options) >= 2 for one in rulebook(book).silences.values())


@pytest.mark.parametrize(("book", "kind"), KINDS)
def test_without_a_procedure_the_floor_manager_is_asked(book: str, kind: str) -> None:
    for scenario in made(book, kind, seeds=5):
        (question,) = scenario.questions
        assert kind_of(scenario.situation.incident) == kind
        assert scenario.solve()[question.key] == "floor_manager"
        assert set(question.options) == {*rulebook(book).silences[kind].options, "floor_manager"}
        assert not exam_fit(scenario)
        assert all(show(question.key, question.kind, one, scenario.book, "pt") for one in question.options)


@pytest.mark.parametrize(("book", "kind", "option"), OPTIONS)
def test_a_procedure_is_examined_and_cited_and_its_outcome_depends_on_the_facts(
    book: str, kind: str, option: str
) -> None:
    answers: defaultdict[str, set[str]] = defaultdict(set)
    cites: set[str] = set()
    for scenario in made(book, kind, option):
        ruling = scenario.solve()
        assert decode(encode(scenario)).solve() == ruling
        assert exam_fit(scenario)
        cites |= set(ruling.pivots)
        for question in scenario.questions:
            answers[question.key.partition(".")[0]].add(str(ruling.get(question.key)))
        for language in LANGUAGES:
            assert all(narrate(scenario.situation, scenario.book, language))
            assert all(reason(step, scenario.book, language) for step in ruling.steps)
            title = scenario.book.game.words.text(f"silence.{kind}.title", language)
            assert title in cited(kind, scenario.book, language)
    assert kind in cites and len(cites) > 1, "an article of the law decides the rest"
    assert all(len(found) > 1 for found in answers.values()), answers


@pytest.mark.parametrize(("book", "kind"), KINDS)
def test_procedures_differ(book: str, kind: str) -> None:
    first, *others = rulebook(book).silences[kind].options
    scenarios = list(made(book, kind, first, 60))
    for other in others:
        differ = sum(
            [one.value for one in scenario.book.under({kind: Adopted(other)}).rule(scenario.situation).decisions]
            != [one.value for one in scenario.solve().decisions]
            for scenario in scenarios
        )
        assert differ > 5, other


@pytest.mark.parametrize(("book", "kind", "option"), OPTIONS)
def test_every_decision_and_its_reason_have_words(book: str, kind: str, option: str) -> None:
    words = rulebook(book).game.words
    for part in ("option", "why"):
        said = {words.text(f"{part}.procedure_{kind}.{option}", language) for language in LANGUAGES}
        assert len(said) == len(LANGUAGES)


@pytest.mark.parametrize(("book", "kind", "option"), OPTIONS)
def test_the_table_left_behind_is_one_that_the_engine_accepts(book: str, kind: str, option: str) -> None:
    """And nobody's bet has disappeared that was not collected."""
    for scenario in made(book, kind, option):
        facts, after = scenario.situation, scenario.solve().after
        if after is None:
            continue
        now = structs.replace(facts, incident=scenario.book.game.incident(), **facts.left(after))
        lost = {(one.payer, one.spot) for one in after.payments if one.payee == "house"}
        kept = {one for one in getattr(facts, "bets", ()) if (one.player, spot_of(one)) not in lost}
        assert kept <= set(getattr(now, "bets", ()))


def spot_of(bet: object) -> str:
    return str(getattr(bet, "on", "") or getattr(bet, "spot", ""))
