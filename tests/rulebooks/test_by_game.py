"""Wherever rulebooks are listed they stand under the name of their game, in the reader's language."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from exams.hr.forms import FilterForm, RosterForm
from rules_engine import GAMES, RULEBOOKS
from rules_engine.__main__ import main
from rules_engine.narration import book_name, books_by_game
from tests.classes.rooms import make_class
from training.people.models import Role

pytestmark = pytest.mark.django_db
SignedIn = Callable[..., Client]

EVERY = [(game.id, [book.id for book in game.books]) for game in GAMES.values()]
# A page, who reads it, and the field its rulebooks are a choice of.
SELECTS = [
    ("rules", Role.TRAINEE, "rulebook"),
    ("item_figures", Role.INSTRUCTOR, "rulebook"),
    ("hr_desk", Role.HR, "rulebook"),
    ("hr_tonight", Role.HR, "rulebook"),
]
BOXES = [("study", Role.TRAINEE), ("new_class", Role.INSTRUCTOR), ("new_programme", Role.INSTRUCTOR)]
TOPICS = [
    ("library", Role.INSTRUCTOR, "topic"),
    ("generate_scenarios", Role.INSTRUCTOR, "topic"),
    ("new_programme", Role.INSTRUCTOR, r"part\d+-line\d+-topic"),
]
languages = pytest.mark.parametrize("language", ["pt", "en"])


def shown(client: Client, route: str, language: str) -> str:
    client.person.language = language  # type: ignore[attr-defined]
    client.person.save()  # type: ignore[attr-defined]
    response = client.get(reverse(route))
    assert response.status_code == 200
    return response.content.decode()


def groups(page: str, name: str) -> list[tuple[str, list[str]]]:
    """The options of a select by the label of their group."""
    found = re.search(rf'<select[^>]*name="{name}".*?</select>', page, re.S)
    assert found, name
    return [
        (unescape(label), re.findall(r'value="([^"]*)"', options))
        for label, options in re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', found[0], re.S)
    ]


def named(language: str) -> list[tuple[str, list[str]]]:
    return [(GAMES[game].name(language), books) for game, books in EVERY]


@languages
@pytest.mark.parametrize(("route", "role", "name"), SELECTS)
def test_a_select_groups_rulebooks_by_game(
    signed_in: SignedIn, language: str, route: str, role: Role, name: str
) -> None:
    assert groups(shown(signed_in(role), route, language), name) == named(language)


@languages
def test_only_rulebooks_that_have_others_beside_them_are_compared(signed_in: SignedIn, language: str) -> None:
    several = [(name, books) for name, books in named(language) if len(books) > 1]
    assert groups(shown(signed_in(Role.TRAINEE), "compare_rulebooks", language), "one") == several


@languages
@pytest.mark.parametrize(("route", "role"), BOXES)
def test_boxes_stand_under_their_game(signed_in: SignedIn, language: str, route: str, role: Role) -> None:
    page = shown(signed_in(role), route, language)
    found = [
        (unescape(title), re.findall(r'name="rulebooks" value="([^"]+)"', boxes))
        for title, boxes in re.findall(r'<p class="box-title"[^>]*>(.*?)</p>(.*?)</div>', page, re.S)
        if 'name="rulebooks"' in boxes
    ]
    assert found == named(language)


@languages
@pytest.mark.parametrize(("route", "role", "name"), TOPICS)
def test_topics_stand_under_a_rulebook_that_names_its_game(
    signed_in: SignedIn, language: str, route: str, role: Role, name: str
) -> None:
    found = groups(shown(signed_in(role), route, language), name)
    labels = [label for label, _topics in found]
    assert labels == [book_name(book, language) for book in RULEBOOKS]
    for label, book in zip(labels, RULEBOOKS.values(), strict=True):
        assert book.game.name(language).casefold() in label.casefold()


@languages
def test_links_stand_under_their_game(signed_in: SignedIn, language: str) -> None:
    teacher = signed_in(Role.INSTRUCTOR)
    page = shown(teacher, "new_scenario", language)
    found = [
        (unescape(title), re.findall(r'href="\?rulebook=([^"]+)"', links))
        for title, links in re.findall(r'<p class="box-title"[^>]*>(.*?)</p>(.*?)</ul>', page, re.S)
    ]
    assert found == named(language)


@languages
def test_a_class_of_several_games_shows_them_by_game(signed_in: SignedIn, language: str) -> None:
    teacher = signed_in(Role.INSTRUCTOR)
    trainee = signed_in(Role.TRAINEE).person  # type: ignore[attr-defined]
    mixed = ["pt-roleta-francesa", "pt-chemin-de-fer", "pt-roleta-americana"]
    room = make_class(teacher.person, trainee, rulebooks=mixed)  # type: ignore[attr-defined]
    wanted = books_by_game(language, mixed)
    assert [[book for book, _name in listed] for _game, listed in wanted] == [mixed[1:2], mixed[::2]]
    shown(teacher, "classes", language)
    grid = teacher.get(reverse("class", args=[room.pk]))
    assert grid.context["games"] == wanted
    set_work = teacher.get(reverse("assign", args=[room.pk])).content.decode()
    assert [label for label, _topics in groups(set_work, "fresh0-topic")] == [
        book_name(book, language) for book in RULEBOOKS if book in mixed
    ]
    record = teacher.get(reverse("class_trainee", args=[room.pk, trainee.pk])).content.decode()
    headings = re.findall(r"<h([23])>([^<]*)</h", record)[1:]
    assert [unescape(text) for level, text in headings if level == "2"] == [game for game, _books in wanted]
    assert [unescape(text) for level, text in headings if level == "3"] == [
        name for _game, listed in wanted for _book, name in listed
    ]


def test_hr_may_ask_for_any_rulebook_of_any_game() -> None:
    for book in RULEBOOKS:
        form = RosterForm({"on": "2026-07-01", "rulebook": book})
        assert form.is_valid(), form.errors
        assert FilterForm({"rulebook": book}).filters().rulebook == book


def test_a_name_leads_with_its_game_where_it_does_not_say_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert book_name("pt-roleta-francesa", "en") == "Portugal 1995 · French roulette"
    monkeypatch.setattr(RULEBOOKS["pt-roleta-francesa"], "name", lambda language: "Portugal 1995")
    assert book_name("pt-roleta-francesa", "en") == "Roulette: Portugal 1995"
    assert book_name("pt-roleta-francesa", "pt") == "Roleta: Portugal 1995"


@languages
def test_the_command_line_lists_them_by_game(capsys: pytest.CaptureFixture[str], language: str) -> None:
    assert main(["rulebooks", "--language", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    expected = [line for game, books in named(language) for line in (game, *books)]
    assert [line.split()[0] if line.startswith(" ") else line for line in lines] == expected


@languages
def test_programs_are_told_what_a_game_is_called(signed_in: SignedIn, language: str) -> None:
    client = signed_in(Role.TRAINEE)
    shown(client, "rulebooks", language)
    rows = client.get("/api/v1/rulebooks/").json()["results"]
    assert [(row["id"], row["game_name"]) for row in rows] == [
        (book, RULEBOOKS[book].game.name(language)) for book in RULEBOOKS
    ]
