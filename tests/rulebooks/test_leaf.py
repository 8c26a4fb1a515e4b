"""The leaf that the badge of an article opens."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from rules_engine import RULEBOOKS
from training.people.models import Role
from training.rulebooks.article_page import leaf

BOOK = "pt-chemin-de-fer"


@pytest.mark.django_db
def test_the_leaf_has_summary_words_table_and_example() -> None:
    assert [words.text for words in leaf(BOOK, "96 b-2", "pt").words] == ["Igualdade a …"]
    whole = leaf(BOOK, "67 d", "en")
    (table,) = whole.tables
    assert len(table.rows) == 10
    assert {len(cells) for _, cells in table.rows} == {11}
    assert whole.story and whole.rulings
    assert leaf("it-sanremo-chemin-de-fer", "113 T-4", "it").tables
    assert leaf("pt-ponto-banca-1995", "13 B-4", "pt").tables
    assert not leaf(BOOK, "104 c", "pt").tables


@pytest.mark.django_db
def test_a_leaf_shows_no_codes() -> None:
    for book in RULEBOOKS.values():
        for cite in list(book.law.clauses)[::8]:
            found = leaf(book.id, cite, "pt")
            assert found.text and "{" not in repr(replace(found, reading=None))


@pytest.mark.django_db
def test_a_badge_opens_the_leaf_and_without_script_the_page(signed_in: Callable[..., Client]) -> None:
    trainee = signed_in(Role.TRAINEE)
    url = reverse("article", args=[BOOK, "67 d"])
    page, opened = trainee.get(url), trainee.get(url, headers={"HX-Request": "true"})
    assert page.status_code == opened.status_code == 200
    assert b"<html" in page.content and b"<html" not in opened.content
    assert b"drawing-table" in opened.content and b'id="leaf-title"' in opened.content
