"""Every regulation has a legal title, which certificates cite."""

import pytest

from rules_engine import RULEBOOKS
from rules_engine.rulebook import Rulebook

# The annex of the Portaria of 1995 in the order of its parts.
PARTS = (
    *("pt-chemin-de-fer-1995", "pt-ponto-banca-1995", "pt-ponto-banca-macau-1995", "pt-banca-francesa"),
    *("pt-black-jack", "pt-craps", "pt-cussec", "pt-maquinas", "pt-roleta-americana", "pt-roleta-francesa"),
)
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=lambda book: book.id)
def test_every_regulation_is_called_something_of_its_own(book: Rulebook) -> None:
    assert book.law.title
    assert [other.id for other in RULEBOOKS.values() if other.law.title == book.law.title] == [book.id]


@pytest.mark.parametrize(("book", "number"), list(zip(PARTS, ROMAN, strict=True)))
def test_portaria_1441_95_by_its_parts(book: str, number: str) -> None:
    assert RULEBOOKS[book].law.title.startswith(f"Portaria n.º 1441/95, de 29 de novembro, anexo, {number}: regras de")
