"""The odds page: exact, told with its sum, in words of the game, and for everybody who reads the rulebooks."""

import re
from collections.abc import Callable
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import translation

from rules_engine import GAMES, rulebook
from rules_engine.narration import chance_name
from rules_engine.odds import Edge, odds_of
from training.people.models import Role
from training.platform.line_breaks import breaking
from training.rulebooks import odds

pytestmark = pytest.mark.django_db
SignedIn = Callable[..., Client]
WITH_ODDS = [game.id for game in odds.games()]
languages = pytest.mark.parametrize("language", ["pt", "en"])
every_game = pytest.mark.parametrize("game", WITH_ODDS)


@pytest.fixture
def teacher(signed_in: SignedIn) -> Client:
    return signed_in(Role.INSTRUCTOR)


def read(client: Client, language: str, **asked: str) -> str:
    client.person.language = language  # type: ignore[attr-defined]
    client.person.save()  # type: ignore[attr-defined]
    page = client.get(reverse("odds"), asked)
    assert page.status_code == 200
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode().replace("<wbr>", ""))).split())


# ---------- what the engine says ----------


@every_game
def test_the_ways_a_bet_ends_are_all_of_them_and_make_its_edge(game: str) -> None:
    for found in odds.odds_of_books(GAMES[game]):
        for edge in found.edges:
            ends = [(Fraction(each.brings), Fraction(each.often)) for each in edge.results]
            if not ends:
                continue
            assert sum(often for _brings, often in ends) == 1
            assert -sum(brings * often for brings, often in ends) == Fraction(edge.exact)
            assert sum(often for brings, often in ends if brings > 0) == Fraction(found.exact[edge.chance])


@pytest.mark.parametrize("game", ["ponto_banca", "roulette"])
def test_these_games_tell_every_way_a_bet_ends(game: str) -> None:
    assert all(edge.results for found in odds.odds_of_books(GAMES[game]) for edge in found.edges)


def test_a_bet_that_is_won_or_lost_needs_no_results_of_its_own() -> None:
    plain, other = ("six", Fraction(4)), ("seven", Fraction(4))
    chances = {"six": Fraction(1, 6), "seven": Fraction(1, 6)}
    found = odds_of("book", "36 throws", chances, {plain: Fraction(1, 6), other: Fraction(1, 12)})
    assert [(each.brings, each.often) for each in found.edges[0].results] == [("4", "1/6"), ("-1", "5/6")]
    assert found.edges[1].results == (), "it ends in other ways that were not given"


# ---------- how it is told ----------


def edge_with(pays: str, exact: str, *ends: tuple[str, str]) -> Edge:
    price = ("chance", Fraction(pays))
    results = {Fraction(brings): Fraction(often) for brings, often in ends}
    return odds_of("book", "", {}, {price: Fraction(exact)}, results={price: results}).edges[0]


@pytest.mark.parametrize(
    ("edge", "english", "portuguese", "sum"),
    [
        (
            edge_with("1", "1/37", ("1", "18/37"), ("-1", "19/37")),
            "won 18 of 37, lost 19 of 37",
            "ganha 18 em 37, perde 19 em 37",
            "(19 − 18)/37 = 1/37",
        ),
        (
            edge_with("35", "1/37", ("35", "1/37"), ("-1", "36/37")),
            "won 1 of 37, lost 36 of 37",
            "ganha 1 em 37, perde 36 em 37",
            "(36 − 1 × 35)/37 = 1/37",
        ),
        (
            edge_with("1", "3/220", ("1", "949/1980"), ("0", "55/1980"), ("-1", "976/1980")),
            "won 949 of 1980, stake back 55 of 1980, lost 976 of 1980",
            "ganha 949 em 1980, devolvida 55 em 1980, perde 976 em 1980",
            "(976 − 949)/1980 = 3/220",
        ),
        (
            edge_with("1", "1/74", ("1", "18/37"), ("-1/2", "1/37"), ("-1", "18/37")),
            "won 18 of 37, lost in part, 1/2, 1 of 37, lost 18 of 37",
            "ganha 18 em 37, perde 1/2 da aposta 1 em 37, perde 18 em 37",
            "(1 × 1/2 + 18 − 18)/37 = 1/74",
        ),
        (
            edge_with("1", "1/40", ("19/20", "1/2"), ("-1", "1/2")),
            "won 1 of 2 at 19 to 20, lost 1 of 2",
            "ganha 1 em 2 a 19 para 20, perde 1 em 2",
            "(1 − 1 × 19/20)/2 = 1/40",
        ),
        (edge_with("1", "1/40"), "", "", ""),
    ],
    ids=["even", "straight", "push", "half", "commission", "unknown"],
)
def test_the_sum_is_told(edge: Edge, english: str, portuguese: str, sum: str) -> None:
    for language, words in (("en", english), ("pt", portuguese)):
        with translation.override(language):
            assert (odds.Ends(edge).told(), odds.Ends(edge).sum()) == (words, sum)


def test_a_fraction_breaks_after_its_stroke_and_nothing_in_it_is_markup() -> None:
    assert breaking("1/37") == "1/<wbr>37"
    assert breaking("https://x.example/<b>") == "https:/<wbr>/<wbr>x.example/<wbr>&lt;b&gt;"


def test_many_digits_are_told_in_per_cent_first(teacher: Client) -> None:
    page = read(teacher, "en", game="ponto_banca")
    assert "won 45.8597% at 19 to 20, stake back 9.5156%, lost 44.6247%" in page
    assert "44.6247% − 45.8597% × 19/20 ≈ 1.0579%" in page
    assert "In exact numbers" in page
    assert "45,8597 %" in read(teacher, "pt", game="ponto_banca")


# ---------- the page ----------


@languages
@every_game
def test_every_bet_has_a_name_and_no_code_is_shown(teacher: Client, language: str, game: str) -> None:
    page = read(teacher, language, game=game)
    assert not re.search(r"\b\w+_\w+\b", page), "an id is shown"
    for found in odds.odds_of_books(GAMES[game]):
        for edge in found.edges:
            name = chance_name(found.rulebook, edge.chance, language)
            assert not edge.own or name in page
            assert not edge.own or edge.exact in page


@languages
def test_roulette_is_told_whole(teacher: Client, language: str) -> None:
    page = read(teacher, language, game="roulette")
    red = {"pt": "Encarnado 48,6486 % 18/37 1 para 1", "en": "Red 48.6486% 18/37 1 to 1"}
    assert red[language] in page
    assert "(19 − 18)/37 = 1/37" in page
    # Two dozens pay half the stake.
    assert {"pt": "1 para 2", "en": "1 to 2"}[language] in page
    sheets = odds.sheets(GAMES["roulette"], language)
    assert [len(sheet.rulebooks) for sheet in sheets] == [2], "both wheels have 37 pockets and pay alike"
    assert "37" in sheets[0].over


def test_a_rulebook_shows_only_the_prices_it_pays(teacher: Client) -> None:
    sheets = {name: sheet for sheet in odds.sheets(GAMES["ponto_banca"], "en") for name in sheet.rulebooks}
    for book in GAMES["ponto_banca"].books:
        pays = {bet.name: bet.pays for bet in sheets[book.name("en")].bets}
        assert pays == {
            chance_name(book.id, chance, "en"): f"{times} para 1" for chance, times in book.param("payouts").items()
        }


def test_a_game_without_odds_is_not_found(teacher: Client) -> None:
    assert "chemin_de_fer" not in WITH_ODDS
    assert teacher.get(reverse("odds"), {"game": "chemin_de_fer"}).status_code == 404
    assert teacher.get(reverse("odds"), {"game": "nothing"}).status_code == 404


@pytest.mark.parametrize("role", [Role.TRAINEE, Role.INSTRUCTOR])
def test_who_reads_the_rulebooks_finds_the_odds(signed_in: SignedIn, role: Role) -> None:
    client, address = signed_in(role), reverse("odds")
    assert address in client.get(reverse("rulebooks")).content.decode()
    assert client.get(address).status_code == 200


def test_they_are_worked_out_once_for_each_version(monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = GAMES["roulette"], []
    known = game.odds
    assert known is not None
    monkeypatch.setattr(game, "odds", lambda book: asked.append(book.id) or known(book))
    first = odds.odds_of_books(game)
    assert odds.odds_of_books(game) == first
    assert asked == [book.id for book in game.books]
    monkeypatch.setattr(game, "version", "99.0.0")
    odds.odds_of_books(game)
    assert asked == [book.id for book in game.books] * 2


def test_the_queries_do_not_grow(teacher: Client, django_assert_num_queries: Callable[..., Any]) -> None:
    cache.clear()
    with django_assert_num_queries(4):  # session, person, roles, an open exam
        teacher.get(reverse("odds"), {"game": "ponto_banca"})
    with django_assert_num_queries(4):
        teacher.get(reverse("odds"), {"game": "roulette"})


def test_a_bet_without_a_name_as_a_chance_is_called_by_its_spot(monkeypatch: pytest.MonkeyPatch) -> None:
    words = rulebook("pt-roleta-francesa").game.words
    known = words.has
    monkeypatch.setattr(words, "has", lambda id, language="en": id != "chance.red" and known(id, language))
    assert chance_name("pt-roleta-francesa", "red", "pt") == "Encarnado"


@pytest.mark.parametrize(
    ("language", "said"), [("pt", "1 para 1 menos 5 % do prémio"), ("en", "1 to 1 less 5% of the prize")]
)
def test_what_is_kept_back_of_a_prize_stands_beside_the_price(teacher: Client, language: str, said: str) -> None:
    page = read(teacher, language, game="ponto_banca").replace("\xa0", " ")
    assert page.count(said) == 2, "the bank's, under either set of rules, and no other bet's"
