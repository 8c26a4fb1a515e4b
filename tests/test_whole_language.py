"""A page is in one language: the reader's or, if it tells a game that is not translated, English, and says why."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from rules_engine import GAMES
from rules_engine.law import Law
from rules_engine.words import SHARED, Words
from tests.factories import PersonFactory
from tests.house import House, all_routes, undone
from tests.permission_table import FORM, JSON
from training.library import editor_starts
from training.people.models import Role, User
from training.people.request import language_for
from training.rulebooks import comparison

READER = "it"
NAMES = ("game", "rulebook.", "topic.", "table_name.")
WHY = "This page is in English because its game has not been translated into your language yet."
HTMX = {"HX-Request": "true"}
CASE = {"rulebook": "pt-chemin-de-fer"}
QUERIES = {
    "search": {"q": "banco"},
    "odds": {"game": "roulette"},
    "compare_rulebooks": {"one": "pt-chemin-de-fer", "other": "it-sanremo-chemin-de-fer"},
    "new_scenario": CASE,
    "try_facts": CASE,
}


# What must have told something, of all that each of them can open.
TELLS = {
    "trainee": {"drill", "rules", "day", "look_up", "first_coup", "article", "sprint", "live_table", "mock_item"}
    | {"compare_rulebooks", "law_lesson", "own_result_item", "odds", "api_drill", "api_article"},
    "candidate": {"sitting_item", "exam_table"},
    "instructor": {"version", "edit_version", "new_scenario", "trial", "around_version", "flag", "item_figures"}
    | {"search", "watch_live_table", "examined_item", "house_readings"},
    "hr": {"law_changes"},
    "administrator": {"appeal", "decide_result", "house_readings", "house_procedures", "new_table"},
    "auditor": set[str](),
}


@dataclass
class Heard:
    """What the engine was asked to say of its games, apart from their names, by language."""

    said: dict[str, set[str]] = field(default_factory=dict)

    def hear(self, language: str, id: str) -> None:
        if not id.startswith(NAMES) and not SHARED.has(id):
            self.said.setdefault(language, set()).add(id)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """No game is translated into the reader's language."""
    found = Heard()
    for game in GAMES.values():
        monkeypatch.setattr(game, "languages", ("en", "pt"))
    text, summary = Words.text, Law.summary

    def text_heard(self: Words, id: str, language: str, /, **values: Any) -> str:
        found.hear(language, id)
        return text(self, id, language, **values)

    def summary_heard(self: Law, cite: str, language: str) -> str:
        found.hear(language, f"{self.rulebook} {cite}")
        return summary(self, cite, language)

    # What earlier tests of this process had put into words is put into words again.
    for kept in (*vars(comparison).values(), *vars(editor_starts).values()):
        if hasattr(kept, "cache_clear"):
            kept.cache_clear()
    monkeypatch.setattr(Words, "text", text_heard)
    monkeypatch.setattr(Law, "summary", summary_heard)
    return found


@pytest.fixture
def house(db: None) -> House:
    return House()


def readers(house: House) -> dict[str, Client]:
    """Everybody of the house, reading Italian."""
    people = {
        "trainee": house.trainee,
        "candidate": house.candidate,
        "instructor": house.instructor,
        "hr": house.hr,
        "administrator": PersonFactory(roles=[Role.ADMINISTRATOR]),
        "auditor": PersonFactory(roles=[Role.AUDITOR]),
    }
    User.objects.update(language=READER)
    found = {}
    for who, one in people.items():
        found[who] = Client()
        found[who].force_login(User.objects.get(pk=one.pk))
    return found


def visits(client: Client, house: House) -> Iterator[tuple[str, HttpResponse]]:
    """Every address of the platform in every way that shows something."""
    routes, parameters = all_routes(), house.parameters()
    own = {**parameters, "sitting_id": house.contestable.form.candidate.sitting.pk, "version_id": house.published.pk}
    for name, route in routes.items():
        if name in ("account_logout", "set_language"):
            continue
        sent = JSON if name.startswith("api_") else FORM
        for values in (parameters, own) if {"sitting_id", "version_id"} & {*route.parameters} else (parameters,):
            address = route.address(values)
            seen = undone(client, "GET", address, data=QUERIES.get(name))
            yield f"GET {name}", seen
            if seen.status_code in (403, 404):
                continue
            if seen.status_code == 200 and not name.startswith("api_"):
                yield f"GET {name} as a part", undone(client, "GET", address, data=QUERIES.get(name), headers=HTMX)
            yield f"POST {name}", undone(client, "POST", address, **sent)


def faults(response: HttpResponse, said: dict[str, set[str]]) -> Iterator[str]:
    if said.get(READER):
        yield f"says {sorted(said[READER])[:3]} in the language of the reader"
    if not response.get("Content-Type", "").startswith("text/html"):
        return
    page = b"".join(response).decode() if response.streaming else response.content.decode()
    lang = re.search(r'<html lang="(\w+)"', page)
    if not lang:
        return
    if response.get("Content-Language") != lang[1]:
        yield f"is in {lang[1]} and says {response.get('Content-Language')}"
    if "site-header" in page and (lang[1] == "en") != (why() in page):
        yield "does not say why it is in English"


def why() -> str:
    with translation.override(READER):
        return gettext(WHY)


@pytest.mark.parametrize("who", TELLS)
def test_a_page_about_a_game_that_is_not_translated_is_in_english_as_a_whole(
    house: House, heard: Heard, who: str
) -> None:
    client, wrong, told = readers(house)[who], [], set()
    for way, response in visits(client, house):
        if heard.said and response.status_code < 300:
            told.add(way)
        if way.startswith("GET search"):  # it looks before it knows what it tells
            heard.said.pop(READER, None)
        wrong += [f"{way}, {response.status_code}: {fault}" for fault in faults(response, heard.said)]
        heard.said.clear()
    assert not wrong, "\n".join(wrong)
    assert {f"GET {name}" for name in TELLS[who]} <= told


def test_what_is_translated_is_read_in_ones_own_language_and_a_list_of_games_too(house: House) -> None:
    client = readers(house)["trainee"]
    for name, lang in {"drill": "it", "live_table": "en", "home": "it", "rulebooks": "it"}.items():
        page = client.get(all_routes()[name].address(house.parameters())).content.decode()
        assert re.search(r'<html lang="(\w+)"', page)[1] == lang, name  # type: ignore[index]
        assert (why() in page) == (lang == "en"), name
        assert re.search(r'value="(\w+)"[^>]*aria-current', page)[1] == "it", name  # type: ignore[index]
    assert "Portogallo 1995 · roulette francese" in client.get("/rulebooks/").content.decode()


@pytest.mark.parametrize(
    ("books", "language"),
    [
        ([], "it"),
        (["pt-chemin-de-fer", "it-sanremo-chemin-de-fer"], "it"),
        (["pt-chemin-de-fer", "pt-roleta-francesa"], "en"),
        (["no-longer-there"], "it"),
    ],
)
def test_a_text_about_several_games_is_in_one_language(books: list[str], language: str) -> None:
    assert language_for("it", books) == language
    assert language_for("pt", books) == "pt"
