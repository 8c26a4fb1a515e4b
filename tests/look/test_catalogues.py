"""Every sentence of the pages is in Portuguese, with the same values in it, as it is said in Portugal."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "training" / "locale"
BRAZILIAN = re.compile(
    r"\b(você|senhas?|usuári[oa]s?|arquivos?|tela|celular(es)?|cadastr\w+|deletar|baixar|logar|"
    r"gerencia\w*|registro|contato)\b",
    re.I,
)
TRANSLATED = re.compile(r"{% trans(?:late)? [\"'](.*?)[\"'](?: context \"\w+\")? ?(?:as \w+ )?%}")


def catalogue(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language)


def forms(text: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [text] if isinstance(text, str) else list(text or ())


MESSAGES = [message for message in catalogue("pt") if message.id]


@pytest.mark.parametrize("language", ["pt", "en"])
def test_nothing_is_marked_doubtful(language: str) -> None:
    assert [message.id for message in catalogue(language) if message.id and message.fuzzy] == []


def test_everything_is_translated() -> None:
    assert [message.id for message in MESSAGES if not all(forms(message.string))] == []


def values(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[sd]|%[sd]", text))


# One test for all sentences, which names those that fail: as thousands of tests they took longer to count than to read.
def test_translations_carry_the_same_values() -> None:
    wrong = [
        (message.id, said)
        for message in MESSAGES
        for said in forms(message.string)
        if values(said) != values(forms(message.id)[-1])
    ]
    assert wrong == []


def test_portuguese_of_portugal() -> None:
    assert [said for message in MESSAGES for said in forms(message.string) if BRAZILIAN.search(said)] == []


def test_every_sentence_of_the_templates_is_in_the_catalogue() -> None:
    known = {text for message in MESSAGES for text in forms(message.id)}
    said = {
        text
        for path in (ROOT / "templates").rglob("*")
        if path.is_file()
        for text in TRANSLATED.findall(path.read_text())
    }
    assert len(said) > 50
    assert said - known == set()
