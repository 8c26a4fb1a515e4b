"""What one looks up while practising, and the page of an article that is made of the same parts."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from fsrs import Rating

from rules_engine import RULEBOOKS
from tests.practice.drills import make_drill
from training.lessons.reference import drawing_tables, reference
from training.mastery.services import learn
from training.people.models import Role

BOOK = "pt-chemin-de-fer"


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=lambda book: book.id)
def test_it_is_told_in_words(book: object) -> None:
    with override("pt"):
        found = reference(book, "pt")  # type: ignore[arg-type]
    for name, _pays in found.payouts:
        assert name[0].isupper()
        assert "_" not in name
    assert all("{" not in words.text for words in found.words)


def test_payouts_and_their_order_are_those_of_the_law() -> None:
    with override("pt"):
        found = reference(RULEBOOKS["pt-roleta-francesa"], "pt")
    assert ("Pleno", "35 para 1") in found.payouts
    assert found.order[:3] == ["Coluna", "Dúzia", "Chances simples"]
    assert len(found.order) == 8


def test_a_table_belongs_to_its_article_alone() -> None:
    book = RULEBOOKS[BOOK]
    assert [table.name for table in drawing_tables(book, "67")] == ["banker_table"]
    assert [table.name for table in drawing_tables(book, "64")] == ["ponto_table"]
    assert drawing_tables(book, "9") == []


def test_the_letters_of_a_table_are_those_of_the_readers_language() -> None:
    letters = {}
    for language in ("pt", "en"):
        with override(language):
            (table,) = drawing_tables(RULEBOOKS[BOOK], "67")
        letters[language] = ["".join(cell.letter for cell in cells) for _score, cells in table.rows]
        assert {cell.code for _score, cells in table.rows for cell in cells} == {*"TFON"}
        assert {cell.letter for cell in table.legend} == {*"".join(letters[language]), "–"}
    assert (letters["pt"][5], letters["en"][5]) == ("FFFFOTTTFFT", "SSSSCDDDSSD")


def test_where_nobody_holds_the_bank_the_table_is_that_of_the_bank() -> None:
    with override("pt"):
        titles = [table.title for table in drawing_tables(RULEBOOKS["pt-ponto-banca-1995"])]
    assert "A banca, conforme a carta que o ponto tirou" in titles
    assert not any("banqueiro" in title for title in titles)


def test_it_is_a_page_a_drawer_and_searchable(trainee: Client) -> None:
    address = reverse("look_up", args=[BOOK])
    assert "<html" in trainee.get(address).content.decode()
    drawer = trainee.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in drawer
    assert "no ponto, … na banca" in drawer
    found = trainee.get(address, {"words": "garage", "found": ""}, headers={"HX-Request": "true"}).content.decode()
    assert "no ponto, … na banca" not in found
    assert "art. 34" in found
    assert "Nada tem estas palavras." in trainee.get(address, {"words": "xyzzy"}).content.decode()
    assert trainee.get(reverse("look_up", args=["poker"])).status_code == 404


def test_the_drill_page_opens_the_drawer_of_its_rulebook(trainee: Client) -> None:
    drill = make_drill(trainee.person, rulebook="pt-ponto-banca-1995", topic="drawing", article=None)  # type: ignore[attr-defined]
    page = trainee.get(reverse("drill", args=[drill.pk])).content.decode()
    assert reverse("look_up", args=["pt-ponto-banca-1995"]) in page


def test_the_article_has_its_table_words_and_example_and_no_names_of_programs(trainee: Client) -> None:
    learn(trainee.person, BOOK, {"67 d": Rating.Again}, at=timezone.now())  # type: ignore[attr-defined]
    page = trainee.get(reverse("article", args=[BOOK, "67 d"])).content.decode()
    assert "rules_engine" not in page
    assert "drawing-table" in page
    assert "Treinado 1 vez" in page
    assert "falhado 1 vez." in page
    assert "data-walk" in page
    assert "Treinar esta regra" in page
    assert "«… no ponto, … na banca»" in trainee.get(reverse("article", args=[BOOK, "96 b-3"])).content.decode()
