"""Rulebook pages: every article can be read, and differences are real."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exams.house_office import rulings
from exams.house_office import tables as acts
from rules_engine import RULEBOOKS
from tests.factories import PersonFactory
from training.figures.models import RuleTally
from training.people.models import Role, User
from training.rulebooks import comparison

pytestmark = pytest.mark.django_db
SignedIn = Callable[..., Client]


@pytest.fixture
def reader(signed_in: SignedIn) -> Client:
    return signed_in(Role.TRAINEE)


def test_the_list_names_every_rulebook(reader: Client) -> None:
    shown = reader.get(reverse("rulebooks")).content.decode()
    for book in RULEBOOKS:
        assert reverse("rulebook", args=[book]) in shown


def test_a_topic_does_not_repeat_the_name_of_its_game(reader: Client) -> None:
    shown = reader.get(reverse("rulebooks")).content.decode()
    assert "A terceira carta" in shown and "Ponto e banca: " not in shown
    pair = {"one": "pt-ponto-banca-1995", "other": "pt-ponto-banca-macau"}
    assert "Ponto e banca: " not in reader.get(reverse("compare_rulebooks"), pair).content.decode()


@pytest.mark.parametrize("book", RULEBOOKS)
def test_a_rulebook_lists_every_article(
    reader: Client, book: str, django_assert_num_queries: Callable[..., Any]
) -> None:
    reader.get(reverse("rulebook", args=[book]))
    # session, person, roles, an open exam, counts, house rulings, procedures
    with django_assert_num_queries(7):
        shown = reader.get(reverse("rulebook", args=[book])).content.decode()
    assert shown.count('<th scope="row"') == len(RULEBOOKS[book].law.clauses)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_some_articles_of_each_rulebook_have_an_example(reader: Client, book: str) -> None:
    for cite in list(RULEBOOKS[book].law.clauses)[::12]:
        shown = reader.get(reverse("article", args=[book, cite]))
        assert shown.status_code == 200, cite


def test_narrowing_by_topic_and_words(reader: Client) -> None:
    address = reverse("rulebook", args=["pt-chemin-de-fer"])
    shown = reader.get(address, {"words": "104 e"}).content.decode()
    assert shown.count('<th scope="row"') == 1
    shown = reader.get(address, {"topic": "auction"}).content.decode()
    assert 5 < shown.count('<th scope="row"') < 40
    none = reader.get(address, {"words": "zzz"})
    assert none.status_code == 200
    assert '<th scope="row"' not in none.content.decode()


def _speaking(signed_in: SignedIn, language: str) -> Client:
    client = signed_in(Role.TRAINEE)
    User.objects.filter(pk=client.person.pk).update(language=language)  # type: ignore[attr-defined]
    return client


@pytest.mark.parametrize(
    ("language", "book", "cite", "said"),
    [
        ("pt", "pt-chemin-de-fer", "48", '"pt">Os pontos sentados têm prioridade para fazer bancô'),
        ("pt", "pt-chemin-de-fer-1995", "48", '"pt">Os pontos sentados têm prioridade para fazer bancô'),
        ("pt", "pt-chemin-de-fer-1995", "42", '"pt">Como aposta só servem fichas da casa e notas do Banco de Portugal'),
        ("en", "pt-chemin-de-fer", "48", '"en">Seated pontos come first for banco'),
    ],
)
def test_a_clause_is_read_in_the_readers_language(
    signed_in: SignedIn, language: str, book: str, cite: str, said: str
) -> None:
    reader = _speaking(signed_in, language)
    for address in (reverse("rulebook", args=[book]), reverse("article", args=[book, cite])):
        assert f"lang={said}" in reader.get(address).content.decode()
    told = reader.get(f"/api/v1/rulebooks/{book}/articles/{cite}/").json()
    assert f'"{told["language"]}">{told["text"]}'.startswith(said)


def test_a_clause_that_nobody_wrote_in_the_readers_language_is_read_in_english(
    signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = RULEBOOKS["pt-chemin-de-fer"].law
    monkeypatch.setattr(law, "_summaries", {"pt": {"47": "Escrita."}})
    shown = _speaking(signed_in, "pt").get(reverse("rulebook", args=["pt-chemin-de-fer"])).content.decode()
    assert 'lang="pt">Escrita.<' in shown
    assert 'lang="en">Seated pontos come first for banco' in shown


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize(
    ("book", "words", "cite"),
    [
        ("pt-chemin-de-fer", "banqueiro cagnotte", "47"),
        ("pt-chemin-de-fer", "banker cagnotte", "47"),
        ("pt-black-jack", "setes prémio", "35 s1"),
        ("pt-black-jack", "setes premio", "35 s1"),
        ("it-sanremo-chemin-de-fer", "mascherina sabot", "7"),
        ("es-chemin-de-fer", "quinta carta", "1 p2-2,3 p1,3 p1-2"),
    ],
)
def test_words_are_found_in_english_and_as_the_tables_say_them(
    signed_in: SignedIn, language: str, book: str, words: str, cite: str
) -> None:
    page = _speaking(signed_in, language).get(reverse("rulebook", args=[book]), {"words": words})
    wanted = set(cite.split(","))
    assert {article.row.cite for article in page.context["articles"][: len(wanted)]} == wanted
    assert "<mark>" in page.content.decode()


def test_a_word_finds_the_clauses_that_have_it_and_marks_it(reader: Client) -> None:
    page = reader.get(reverse("rulebook", args=["pt-chemin-de-fer"]), {"words": "bancô"})
    assert 20 < len(page.context["articles"]) < 40
    assert page.context["articles"][0].row.cite.startswith(("96 a", "45", "55", "56"))


@pytest.mark.parametrize("path", ["nothing/", "pt-chemin-de-fer/999%20z/", "compare/?one=x&other=y"])
def test_what_is_not_there_is_not_found(reader: Client, path: str) -> None:
    assert reader.get(reverse("rulebooks") + path).status_code == 404


def test_portugal_and_sanremo_differ_on_a_bound_banker(reader: Client) -> None:
    found = comparison.differences("pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "en")
    assert len(found) > 10
    for difference in found:
        assert all(first != second for _question, first, second in difference.decisions)
    assert reader.get(reverse("compare_rulebooks")).context["compared"].differing


def test_a_rulebook_that_stands_alone_is_not_offered_to_compare(
    reader: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = RULEBOOKS["pt-roleta-francesa"]
    monkeypatch.setattr(alone.game, "books", (alone,))
    for page in (reader.get(reverse("compare_rulebooks")), reader.get(reverse("rulebook", args=[alone.id]))):
        assert f"one={alone.id}" not in page.content.decode()
        assert f'value="{alone.id}"' not in page.content.decode()
    asked = reader.get(reverse("compare_rulebooks"), {"one": alone.id})
    assert (asked.status_code, asked.context["others"], asked.context["compared"]) == (200, [], None)


def test_the_two_portuguese_texts_of_chemin_de_fer_rule_alike() -> None:
    found = comparison.differences("pt-chemin-de-fer", "pt-chemin-de-fer-1995", "en")
    assert found == ()


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ({"one": "pt-roleta-francesa"}, "pt-roleta-americana"),
        ({"one": "pt-roleta-americana", "other": "pt-chemin-de-fer"}, "pt-roleta-francesa"),
        ({"one": "pt-ponto-banca-1995", "other": "pt-ponto-banca-1995"}, "pt-ponto-banca-macau"),
        ({"one": "pt-chemin-de-fer", "other": "es-chemin-de-fer"}, "es-chemin-de-fer"),
    ],
)
def test_only_rulebooks_of_one_game_are_compared(reader: Client, asked: dict[str, str], other: str) -> None:
    response = reader.get(reverse("compare_rulebooks"), asked)
    assert (response.context["one"], response.context["other"]) == (asked["one"], other)
    game = RULEBOOKS[asked["one"]].game
    [(_game, listed)] = response.context["others"]
    assert {id for id, _name in listed} == {book.id for book in game.books} - {asked["one"]}


@pytest.mark.parametrize(
    ("one", "other", "money", "not_money", "historical"),
    [
        ("pt-ponto-banca-1995", "pt-ponto-banca-macau", "$00", "€", True),
        ("pt-ponto-banca-1995", "pt-ponto-banca-macau", "€", "$00", False),
        ("pt-ponto-banca-macau", "pt-ponto-banca-1995", "€", "$00", False),
    ],
)
def test_sums_are_in_the_money_of_the_first_table_of_the_house(
    reader: Client, one: str, other: str, money: str, not_money: str, historical: bool
) -> None:
    instructor = PersonFactory(roles=[Role.INSTRUCTOR])
    for table in RULEBOOKS[one].tables:
        acts.switch(instructor, one, f"shipped-{table.name}", active=table.historical == historical)
    compared = reader.get(reverse("compare_rulebooks"), {"one": one, "other": other}).content.decode()
    played = reader.get(reverse("compared_case", args=[one, other, "coup_over"])).content.decode()
    assert not_money not in compared + played
    assert money in played


def test_a_case_that_two_rulebooks_rule_differently_is_played_by_both(reader: Client) -> None:
    one, other = "pt-chemin-de-fer", "it-sanremo-chemin-de-fer"
    compared = reader.get(reverse("compare_rulebooks"), {"one": one, "other": other}).context["compared"]
    assert compared.differing[0].id == "third_card" and compared.alike
    kind = compared.differing[0].differences[0].kind
    page = reader.get(reverse("compared_case", args=[one, other, kind]))
    assert page.content.decode().count('class="compared-table"') == 3
    assert [side.decisions != [] for side in page.context["played"]] == [True, True]
    assert reader.get(reverse("compared_case", args=[one, "pt-craps", kind])).status_code == 404
    assert reader.get(reverse("compared_case", args=[one, other, "no_such_kind"])).status_code == 404


@pytest.mark.parametrize("words", ["banqueiro", "banker", "banchiere", "BANQUERO"])
def test_search_finds_the_banker_in_every_language(reader: Client, words: str) -> None:
    page = reader.get(reverse("rulebook", args=["it-sanremo-chemin-de-fer"]), {"words": words})
    found = [article.row.cite for article in page.context["articles"]]
    assert 20 < len(found) < len(RULEBOOKS["it-sanremo-chemin-de-fer"].law.clauses)


def test_what_an_article_pays_is_a_table(reader: Client) -> None:
    prizes = reader.get(reverse("article", args=["pt-roleta-francesa", "X 27 s1"])).context["prizes"]
    assert [len(table.rows) for table in prizes] == [9]
    assert reader.get(reverse("article", args=["pt-roleta-francesa", "X 22 s2"])).context["payment_order"]


def test_an_article_counts_the_readers_own_answers_or_those_of_the_house(signed_in: SignedIn) -> None:
    RuleTally.objects.create(rulebook="pt-chemin-de-fer", cite="67 d", answers=9, perfect=4)
    page = reverse("article", args=["pt-chemin-de-fer", "67 d"])
    counts = [signed_in(role).get(page).context["article"].practised for role in (Role.TRAINEE, Role.INSTRUCTOR)]
    assert counts == [0, 9]


def test_a_comparison_follows_the_readings_of_the_house_and_names_its_record(reader: Client) -> None:
    one, other = "pt-chemin-de-fer", "pt-chemin-de-fer-1995"
    page = reverse("compare_rulebooks") + f"?one={one}&other={other}"
    assert reader.get(page).context["compared"].differing == []
    instructor = PersonFactory(roles=[Role.INSTRUCTOR])
    reason = "Nada se joga depois de fechado."
    said: dict[str, Any] = {"decided_by": "Inspeção", "decided_on": date(2026, 11, 3), "reason": reason}
    ruling = rulings.adopt(rulebook=one, question="PT51", choice="closing_words", by=instructor, **said)
    (topic,) = reader.get(page).context["compared"].differing
    played = reader.get(reverse("compared_case", args=[one, other, topic.differences[0].kind])).content.decode()
    assert played.count(reason) == 1
    rulings.withdraw(ruling.pk, instructor, "Outra inspeção.")
    assert reader.get(page).context["compared"].differing == []
