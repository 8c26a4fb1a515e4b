"""Cards, places and articles as people write them, and incidents as people look for them."""

import pytest

from rules_engine.game import GAMES, RULEBOOKS, rulebook
from training.library import editor_starts, incident_search
from training.library.editor_typing import cards, places
from training.library.generated import articles


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("R♣ D♦ V♠", "Kc Qd Js"),
        ("rei de paus, 10♥; Kc", "Kc, Th; Kc"),
        ("Rc Dh Dd", "Kc Qh Qd"),
        ("dama de copas* 7h", "Qh* 7h"),
        ("ÁS de Espadas", "As"),
        ("sete de ouros 7e 7o 7p", "7d 7s 7d 7c"),
        ("10h qD As 2s", "Th Qd As 2s"),
        ("king of clubs", "Kc"),
        ("1z", "1z"),
    ],
)
def test_cards_as_people_type_them(typed: str, meant: str) -> None:
    assert cards(typed) == meant


@pytest.mark.parametrize(
    ("typed", "seated", "standing"),
    [
        ("4 7a", "4 7a", "4a 7a"),
        ("lugar 4, em pé", "4a", "4a"),
        ("lugar 4, em pé e lugar 7 em pé", "4a 7a", "4a 7a"),
        ("4 4a", "4 4a", "4b 4a"),
        ("12", "12", "12"),
        ("4x", "4x", "4x"),
    ],
)
def test_places_as_people_type_them(typed: str, seated: str, standing: str) -> None:
    assert places(typed) == seated
    assert places(typed, standing=True) == standing


@pytest.mark.parametrize("typed", ["67 d", "art. 67 d)", "67d", "Artigo 67.º d)", "ART 67 D"])
def test_an_article_as_it_is_printed(typed: str) -> None:
    assert incident_search.article(typed, articles("pt-chemin-de-fer")) == "67 d"
    assert incident_search.article("999 z", articles("pt-chemin-de-fer")) is None


def test_every_incident_has_a_short_title_of_its_own() -> None:
    for book in RULEBOOKS.values():
        for language in {"pt", "en", book.language}:
            words = book.game.words.catalogue(language)
            titles = [words.get(f"title.{kind}", "") for kind in book.kinds()]
            assert all(titles) and len(set(titles)) == len(titles), (book.id, language)
            assert max(map(len, titles)) <= 48
            assert not any("…" in title or "{" in title for title in titles)
    for game in GAMES.values():
        known = {f"title.{kind}" for book in game.books for kind in book.kinds()}
        assert {id for id in game.words.catalogue("en") if id.startswith("title.")} <= known


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("deixou cair", "card_on_floor"),
        ("104 e", "banker_takes_two"),
        ("art. 104 e)", "banker_takes_two"),
        ("104", "banker_takes_two"),
        ("DUAS CARTAS", "banker_takes_two"),
        ("tiragem ponto", "ponto_false_draw"),
    ],
)
def test_an_incident_is_found_by_word_and_by_article(asked: str, kind: str) -> None:
    found = incident_search.search("pt-chemin-de-fer", "pt", asked)
    assert kind in [one.kind for one in found]
    assert len(found) < len(incident_search.happenings("pt-chemin-de-fer", "pt"))
    assert incident_search.search("pt-chemin-de-fer", "pt", "zebra") == []


@pytest.mark.parametrize(
    ("language", "asked"), [("pt", "on the floor"), ("en", "deixou cair"), ("pt", "floor carta"), ("en", "CHÃO")]
)
def test_an_incident_is_found_by_its_words_in_the_other_language_too(language: str, asked: str) -> None:
    found = incident_search.search("pt-chemin-de-fer", language, asked)
    assert "card_on_floor" in [one.kind for one in found]
    listed = incident_search.happenings("pt-chemin-de-fer", language)
    assert set(found) < set(listed), "told in the language of the page"


def test_what_the_language_of_the_page_says_comes_first() -> None:
    portuguese = incident_search.search("pt-chemin-de-fer", "pt", "banco")
    english = incident_search.search("pt-chemin-de-fer", "en", "banco")
    assert portuguese and english
    assert [one.kind for one in portuguese] != [one.kind for one in english]


@pytest.mark.parametrize("book_id", ["pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "pt-roleta-americana"])
def test_every_incident_is_in_the_list(book_id: str) -> None:
    listed = {one.kind for one in incident_search.happenings(book_id, "pt")}
    assert listed == set(rulebook(book_id).kinds()) & {
        kind for kinds in editor_starts.kinds_by_topic(rulebook(book_id)).values() for kind in kinds
    }
