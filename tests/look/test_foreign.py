"""What finds words of another language finds them, and nothing that belongs."""

import pytest

from tests.foreign import foreign, other_languages

PAGE = '<!doctype html><html lang="it"><body><nav><button lang="en">English</button></nav>{}</body></html>'


@pytest.mark.parametrize(
    ("text", "language", "of"),
    [
        ("Begin the first lesson", "it", "en"),
        ("Começar a primeira lição", "it", "pt"),
        ("Empezar la primera lección", "it", "es"),
        ("Inizia la prima lezione", "es", "it"),
        ("Lesson 2 of 5", "es", "en"),
        ("written in no catalogue with the wrong words", "it", "en"),
        ("Resultado", "it", "pt"),
        ("Giulia Ferraris", "it", ""),
        ("Inizia la prima lezione", "it", ""),
        ("Lezione 2 di 5", "it", ""),
        ("Ponto e banca, Macau", "it", ""),
        ("Sanremo · chemin de fer · 9", "es", ""),
    ],
)
def test_a_text_is_known_by_its_sentence_or_its_words(text: str, language: str, of: str) -> None:
    assert foreign(text, language)[:2] == of


@pytest.mark.parametrize(
    "inside",
    [
        "<p>Submit</p>",
        '<button aria-label="Submit">x</button>',
        '<input placeholder="Type a call">',
        "<p hidden>Submit</p>",
        '<p lang="pt">Submeter</p>',
        "<svg><text>Banker</text></svg>",
    ],
)
def test_it_looks_everywhere_on_a_page(inside: str) -> None:
    assert other_languages(PAGE.format(inside), "it")


@pytest.mark.parametrize(
    "inside",
    [
        "<p>Invia</p>",
        "<kbd>Enter</kbd>",
        "<script>const text = 'Submit';</script>",
        '<li data-says="closed"><span lang="pt">«Jogo feito. Nada mais.»</span></li>',
    ],
)
def test_calls_keys_and_scripts_may_be_of_another_language(inside: str) -> None:
    assert other_languages(PAGE.format(inside), "it") == []
