"""A rulebook on a phone: a table of contents, a page for each article, and the way from each to the next."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from rules_engine import RULEBOOKS
from training.people.models import Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_the_contents_lead_to_every_clause_once(reader: Client, book: str) -> None:
    entries = reader.get(reverse("rulebook", args=[book])).context["contents"]
    clauses = [clause.row.cite for entry in entries for clause in entry.clauses]
    assert sorted(clauses) == sorted(RULEBOOKS[book].law.clauses)
    for entry in entries[:: max(1, len(entries) // 4)]:
        assert reader.get(entry.address).status_code == 200, entry.number


@pytest.mark.parametrize("book", ["pt-black-jack", "pt-ponto-banca-macau"])
def test_next_walks_through_all_clauses_and_back(reader: Client, book: str) -> None:
    walked, address = [], reverse("article", args=[book, next(iter(RULEBOOKS[book].law.clauses))])
    before = None
    while address:
        context = reader.get(address).context
        walked.append(context["article"].row.cite)
        assert (context["before"] or [None])[0] == before
        before, address = address, (context["after"] or [None])[0]
    assert walked == list(RULEBOOKS[book].law.clauses)


def test_an_article_has_all_its_clauses_and_its_neighbours(reader: Client) -> None:
    shown = reader.get(reverse("whole_article", args=["pt-chemin-de-fer", "67"]))
    listed = shown.content.decode().split("<ol")[1].split("</ol>")[0]
    for cite, row in RULEBOOKS["pt-chemin-de-fer"].law.clauses.items():
        assert (f'"{reverse("article", args=["pt-chemin-de-fer", cite])}"' in listed) == (row.article == "67")
    assert [shown.context[way][1] for way in ("before", "after")] == ["art. 66", "art. 68"]


def test_a_search_shows_what_was_found_instead(reader: Client) -> None:
    assert reader.get(reverse("rulebook", args=["pt-craps"]), {"words": "VI 2"}).context["contents"] == []


@pytest.mark.parametrize(("book", "number"), [("pt-chemin-de-fer", "999"), ("nowhere", "1"), ("pt-craps", "67")])
def test_no_such_article(reader: Client, book: str, number: str) -> None:
    assert reader.get(reverse("whole_article", args=[book, number])).status_code == 404
