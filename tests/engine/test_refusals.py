"""What the engine refuses: every sentence is in every language of its game, and what a text leaves open names it."""

import ast
import tomllib
from collections import Counter
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from rules_engine import GAMES, EngineError, ImpossibleFacts, NotRegulated, encode, rulebook
from rules_engine.__main__ import main
from rules_engine.documents import FORMAT
from rules_engine.games.layout_bets.table import LayoutTable
from rules_engine.misfits import misfit
from rules_engine.narration import refusal, refused
from rules_engine.words import LANGUAGES, REFUSALS, _Formatter
from tests.engine.refusal_templates import CORE, ENGINE, calls, sentence, templates

OTHERS = [language for language in LANGUAGES if language != "en"]
FAMILY = "layout_bets"
WORDS = {CORE: ENGINE / "words"} | {package: ENGINE / "games" / package / "words" for package in (*GAMES, FAMILY)}
TOLD = [(game.id, language) for game in GAMES.values() for language in game.languages if language != "en"]


def raised(game: str) -> set[str]:
    """Every sentence that a game can raise besides those of the core, with those of the family it belongs to."""
    return templates()[game] | (templates()[FAMILY] if issubclass(GAMES[game].situation, LayoutTable) else set())


def names(pattern: str) -> set[str]:
    return {name for _text, name, _kind, _conversion in Formatter().parse(pattern) if name}


def test_every_refusal_is_a_sentence_with_values() -> None:
    """No sentence is put together in the code: nobody could say it in another language."""
    bare = [where for _package, where, call in calls() if not isinstance(sentence(call), ast.Constant)]
    # What the checking library says is looked up in a table.
    assert [where for where in bare if not where.startswith("rules_engine/misfits.py")] == []


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_every_refusal_of_a_game_is_said_in_its_languages(game: str, language: str) -> None:
    said = GAMES[game].words.refusals(language)
    wanted = raised(game) | templates()[CORE]
    assert sorted(wanted - set(said)) == []
    assert {template: said[template] for template in wanted if names(template) != names(said[template])} == {}


@pytest.mark.parametrize(("game", "language"), [*TOLD, *((game, "en") for game in GAMES)])
def test_every_value_of_a_refusal_can_be_shown(game: str, language: str) -> None:
    """A value is shown in a way that all games know, or by a table of words that this game has in this language."""
    words = GAMES[game].words
    tables = {id.rpartition(".")[0] for id in words.catalogue(language)}
    tables |= {table.partition(".")[0] for table in tables}
    said = {template: words.refusals(language).get(template, template) for template in raised(game)}
    kinds = {
        kind: pattern for pattern in said.values() for _text, _name, kind, _how in Formatter().parse(pattern) if kind
    }
    assert {kind: kinds[kind] for kind in kinds if not hasattr(_Formatter, f"show_{kind}") and kind not in tables} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_no_refusal_is_said_that_nobody_raises(language: str) -> None:
    raised_in = Counter(template for found in templates().values() for template in found)
    shared = {template for template, count in raised_in.items() if count > 1}
    surplus = {
        package: sorted(
            _said_in(WORDS[package], language) - templates()[package] - (shared if package == CORE else set())
        )
        for package in WORDS
    }
    assert {package: found for package, found in surplus.items() if found} == {}


def _said_in(words: Path, language: str) -> set[str]:
    file = words / language / REFUSALS
    return set(tomllib.loads(file.read_text("utf-8"))) if file.exists() else set()


# A heading stands for the article where a text has no numbers; a whole part where none of its articles speaks of it.
NAMING = ("{cite:cited}", "{book:rulebook}", "part VI ")


def test_every_silence_of_a_text_names_its_article() -> None:
    silent = [
        (where, str(said.value))
        for _package, where, call in calls()
        if isinstance(call.func, ast.Name) and call.func.id == "NotRegulated"
        if isinstance(said := sentence(call), ast.Constant)
    ]
    assert len(silent) > 150
    assert [
        found for found in silent if not ("art. " in found[1] or "arts. " in found[1] or found[1].startswith(NAMING))
    ] == []


# ---------- real facts, in every language that they can be refused in ----------

PT, SANREMO, SPAIN = "pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "es-chemin-de-fer"


def error(book: str, **facts: Any) -> EngineError:
    """What a table with these facts is refused with."""
    found = rulebook(book)
    with pytest.raises(EngineError) as caught:
        found.rule(found.read({**found.game.ordinary, **facts}))
    return caught.value


STRANGER = {
    "stakes": [{"player": "2", "amount": 100}, {"player": "8a", "amount": 50}],
    "incident": {"kind": "bank_won"},
}
CONVERTED = {"bank": "mil", "incident": {"kind": "bank_won"}}
FULL_BANK = {"stakes": [{"player": "2", "amount": 1000}], "incident": {"kind": "completes", "player": "3"}}
COPIES = {"ponto": ["7h"] * 2, "banker_cards": ["7h"] * 2, "next": ["7h"] * 7, "incident": {"kind": "coup_finished"}}


@pytest.mark.parametrize(
    ("book", "facts", "kind", "told"),
    [
        (
            PT,
            STRANGER,
            ImpossibleFacts,
            {
                "en": "Stakes, no. 2, player: nobody is at 8a.",
                "pt": "Apostas, n.º 2, jogador: não há ninguém no lugar 8a.",
                "it": "Puntate, n. 2, giocatore: non c'è nessuno al posto 8a.",
                "es": "Apuestas, n.º 2, jugador: no hay nadie en el asiento 8a.",
            },
        ),
        (
            PT,
            COPIES,
            ImpossibleFacts,
            {
                "en": "Cards: 11 copies of 7♥ in 6 packs.",
                "pt": "Cartas: 11 cartas 7♥ em 6 baralhos.",
                "it": "Carte: 11 carte 7♥ in 6 mazzi.",
                "es": "Cartas: 11 cartas 7♥ en 6 barajas.",
            },
        ),
        (
            SANREMO,
            FULL_BANK,
            NotRegulated,
            {
                "en": "Art. 52: the stakes already cover the bank.",
                "pt": "Art. 52: não falta nada à banca.",
                "it": "Art. 52: al banco non manca niente.",
                "es": "Art. 52: a la banca no le falta nada.",
            },
        ),
        (
            PT,
            CONVERTED,
            EngineError,
            {
                "en": "Bank: expected a whole number, not text.",
                "pt": "Banca: espera-se um número inteiro, não texto.",
                "it": "Banco: serve un numero intero, non testo.",
                "es": "Banca: se espera un número entero, no texto.",
            },
        ),
    ],
)
def test_a_refusal_is_told_in_the_readers_language(
    book: str, facts: dict[str, Any], kind: type[EngineError], told: dict[str, str]
) -> None:
    found = error(book, **facts)
    assert type(found) is kind
    assert {language: refusal(found, language) for language in told} == told
    assert all(told[language].endswith(refused(found, language)[1:]) for language in told)


@pytest.mark.parametrize(
    ("message", "fact", "told"),
    [
        ("Object missing required field `says` - at `$.calls[0]`", "situation.calls[0]", "Falta `says`."),
        ("Object contains unknown field `x`", "situation", "`x` não é daqui."),
        ("Invalid enum value 'q' - at `$.calls[0].says`", "situation.calls[0].says", "«q» não é uma das escolhas."),
        ("Invalid enum value 3 - at `$.n`", "situation.n", "«3» não é uma das escolhas."),
        ("Expected `int | null`, got `float`", "situation", "Espera-se um número inteiro, não um número com decimais."),
        ("Expected `int` >= 1 - at `$.seats[1]`", "situation.seats[1]", "Espera-se pelo menos 1."),
        ("Expected `int` <= 9 - at `$.seats[1]`", "situation.seats[1]", "Espera-se no máximo 9."),
        (
            "Expected `int` <= 10000000 - at `$.bank`",
            "situation.bank",
            "Espera-se no máximo 10\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}000.",
        ),
        ("Expected `str` of length <= 3 - at `$.w`", "situation.w", "Esperam-se no máximo 3 caracteres."),
        ("Expected `array` of length >= 2 - at `$.d`", "situation.d", "Esperam-se 2 ou mais."),
        ("Expected `array` of length <= 3 - at `$.d`", "situation.d", "Não se esperam mais de 3."),
        ("Expected `array` of length 2, got 1 - at `$.two`", "situation.two", "Esperam-se 2, não 1."),
        ("Expected `str` matching regex '^[1-9]$' - at `$.place`", "situation.place", "Isto não se escreve assim."),
        ("Expected `str`, got `int` - at `key` in `$.m`", "situation.m", "Espera-se texto, não um número inteiro."),
        ("Something new - at `$.m`", "situation.m", "Something new."),
    ],
)
def test_data_of_another_shape_is_told_in_words(message: str, fact: str, told: str) -> None:
    found = misfit(message, "situation")
    assert (found.fact, refused(found, "pt")) == (fact, told)


def test_the_command_line_refuses_in_the_language_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scenario.json"
    facts = {**rulebook(PT).game.ordinary, **STRANGER}
    file.write_bytes(encode({"rulebook": PT, "topic": "stakes", "situation": facts, "format": FORMAT}))
    said = {}
    for language in ("en", "pt", "it"):
        assert main(["solve", str(file), "--language", language]) == 2
        said[language] = capsys.readouterr().err.strip()
    assert said == {
        "en": "rules_engine: stakes[1].player: nobody is at 8a",
        "pt": "rules_engine: Apostas, n.º 2, jogador: não há ninguém no lugar 8a.",
        "it": "rules_engine: Puntate, n. 2, giocatore: non c'è nessuno al posto 8a.",
    }


def test_a_card_is_named_by_where_it_lies() -> None:
    def told(book: str, ref: str) -> list[str]:
        error = ImpossibleFacts("incident.card", "there is no card {ref:lying}", ref=ref)
        error.book = book
        return [refused(error, language) for language in ("en", "pt")]

    assert told("pt-chemin-de-fer", "ponto.3") == ["There is no card 3 (ponto).", "Não há essa carta: ponto, carta 3."]
    # a place without a name of its own is not told by its code
    assert told("pt-black-jack", "seat4a.1") == ["There is no card 1.", "Não há essa carta: carta 1."]
