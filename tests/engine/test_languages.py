"""Every scenario is told in full in each language of its game; other languages know the names in lists."""

from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from rules_engine import GAMES, RULEBOOKS, Rulebook, words
from rules_engine.errors import UnknownName
from rules_engine.game import Game
from rules_engine.narration import ask, call_log, languages_of, narrate, reason, show
from rules_engine.scenario import Scenario, generate
from rules_engine.topics import topics
from rules_engine.words import Words

SEEDS = 40
NAMES = ("game", "rulebook.", "topic.", "table_name.")
TOLD = [(book, language) for book in RULEBOOKS.values() for language in languages_of(book)]


@pytest.fixture
def no_fallback(monkeypatch: pytest.MonkeyPatch, language: str) -> str:
    """A sentence that the language lacks becomes an error that names it."""
    monkeypatch.setattr(words, "FALLBACK", language)
    return language


def tell(scenario: Scenario, language: str) -> list[str]:
    """Everything that a trainee reads of a scenario, before and after the answer."""
    book, situation = scenario.book, scenario.situation
    told = [book.name(language), book.topic_name(scenario.topic, language)]
    told += narrate(situation, book, language)
    told += [part for line in call_log(situation, book, language) for part in (line.by, line.words)]
    for question in scenario.questions:
        told.append(ask(question.key, situation, book, language))
        told += [show(question.key, question.kind, option, book, language) for option in question.options]
    return told + [reason(step, book, language) for step in scenario.solve().steps]


@pytest.mark.parametrize(("book", "language"), TOLD, ids=lambda value: getattr(value, "id", value))
def test_no_scenario_falls_back_to_english(book: Rulebook, language: str, no_fallback: str) -> None:
    for topic in topics(book.id):
        for seed in range(SEEDS):
            scenario = generate(book.id, topic, seed, 1 + seed % 5)
            assert all(tell(scenario, no_fallback)), (topic, seed)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_is_complete_in_its_languages_and_has_names_in_the_others(game: Game[Any]) -> None:
    names = {id for id in game.words.catalogue("en") if id.startswith(NAMES)}
    assert len(names) > len(game.topics) + len(game.books)
    for language in words.LANGUAGES:
        missing = game.words.missing(language)
        assert [id for id in missing if language in game.languages or id in names] == [], language


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=RULEBOOKS)
def test_a_rulebook_is_told_in_its_own_language_in_portuguese_and_in_english(book: Rulebook) -> None:
    assert {"en", "pt", book.language} <= set(languages_of(book)) <= set(words.LANGUAGES)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_what_was_lost_is_said_in_every_language(language: str) -> None:
    wanted = {id for id in words.SHARED.catalogue("en") if id.startswith(("heard.", "lost."))}
    assert wanted
    assert wanted - set(words.SHARED.catalogue(language)) == set()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", [language for language in words.LANGUAGES if language != "en"])
def test_a_translation_says_nothing_that_english_does_not(game: str, language: str) -> None:
    """A sentence under a name that nothing asks for would never be read. A language may look up words of its own."""
    said = GAMES[game].words
    own = said.catalogue(language)
    formats = {shown for sentence in own.values() for _, _, shown, _ in Formatter().parse(sentence) if shown}
    looked_up = {shown.removeprefix(words.MANY) for shown in formats}
    assert {id for id in own.keys() - said.catalogue("en").keys() if id.rpartition(".")[0] not in looked_up} == set()


# What a sentence may leave to the drawing or to its own words: who it is about, how many. Never sums, cards or scores.
LEFT_OUT = {"partner", "banker", "player", "count", "initial", "least"}
ADDED = {"incident.stake_put_declares": {"player"}}  # which the situation always has


def values(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", [language for language in words.LANGUAGES if language != "en"])
def test_a_translation_has_the_values_of_the_english_sentence(game: str, language: str) -> None:
    said = GAMES[game].words
    english, own = said.catalogue("en"), said.catalogue(language)
    wrong = {
        id: own[id]
        for id in own.keys() & english.keys()
        if values(english[id]) - values(own[id]) - LEFT_OUT
        or values(own[id]) - values(english[id]) - ADDED.get(id, set())
    }
    assert wrong == {}


@pytest.mark.parametrize("language", ["it", "es"])
def test_a_missing_sentence_would_be_noticed(language: str, no_fallback: str) -> None:
    said = GAMES["roulette"].words
    with pytest.raises(UnknownName, match="sentence"):
        said.text(said.missing(language)[0], no_fallback)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("i 800 €", "gli 800 €"),
        ("I 8.000 €", "Gli 8.000 €"),
        ("dei 80 €", "degli 80 €"),
        ("tutti i 11.000 €", "tutti gli 11.000 €"),
        ("il 8%", "l'8%"),
        ("dal 11", "dall'11"),
        ("i 110 €", "i 110 €"),
        ("i 18 €", "i 18 €"),
        ("il 5%", "il 5%"),
    ],
)
def test_an_italian_article_fits_the_number_after_it(said: str, meant: str, tmp_path: Path) -> None:
    (tmp_path / "it").mkdir()
    (tmp_path / "it" / "words.toml").write_text(f'sum = "{said}"', "utf-8")
    assert Words(tmp_path).text("sum", "it") == meant
