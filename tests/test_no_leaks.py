"""Nothing that a trainee can read before a mark is given contains the ruling, its parts or its citations.

What counts as giving it away, in any language of the pages:

- sentences: the steps of the reasoning, payments, what other rulebooks rule, the author's note, the line of the mark;
- on whatever is about the open scenario, the citations that its ruling rests on;
- in JSON, a filled field in which a ruling or a mark is told;
- markup in which the right option differs from the wrong ones;
- the secret seed, from which the scenario could be made again.

Every check is also run after grading, where it must find what it looks for.
"""

import html
import json
import re
from collections.abc import Callable, Collection, Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import translation

import rules_engine
from rules_engine import RULEBOOKS, Scenario, topics
from rules_engine.narration import ask, call_log, citation, narrate
from tests.house import NOTE, House, all_routes, graded, put, undone
from tests.samples import FULL
from training.people.models import Role
from training.platform.engine_json import document
from training.practice import services
from training.practice.feedback import feedback
from training.practice.models import Drill, Mark
from training.practice.presentation import story

LANGUAGES = ("pt", "en")
NOTHING = rules_engine.answer_from({"parts": {}})
HTMX = {"HX-Request": "true"}
# In JSON about a scenario these tell the ruling or how it was graded.
TELLING = {
    *("ruling", "decisions", "steps", "pivots", "pivot", "after", "exam_safe", "tempting", "right", "correct"),
    *("critical", "weight", "mark", "points", "reason", "elsewhere", "payments", "note", "cite", "cites", "aim"),
    *("seed", "formula", "slots", "feedback"),
}
# Pages that a trainee certainly reads, whatever else is asked for.
READ = ("drill", "api_drill", "home", "history", "article", "api_drills")
SHORTEST = 12  # characters; anything shorter may stand anywhere
# Every address is walked by one of the tests below, those about the drill by all; with SABOT_FULL=1 all by all.
WALKS = ("pt", "en", "waiting")


def told_by_the_mark(drill: Drill) -> set[str]:
    """Every sentence that an empty answer brings to light, less those that the facts and the questions say anyway."""
    scenario = drill.scenario
    result = rules_engine.grade(scenario, NOTHING)
    mark = Mark(mark_document=document(result), ruling_document=document(scenario.solve()))
    found: set[str] = {NOTE} if drill.version else set()
    for language in LANGUAGES:
        with translation.override(language):
            shown = feedback(scenario, mark, language, version=drill.version)
        found |= {step.text for step in shown.steps} | set(shown.payments) | {shown.line}
    known = facts_of(scenario)
    return {sentence for sentence in found if len(sentence) >= SHORTEST and sentence not in known}


def facts_of(scenario: Scenario) -> str:
    situation, book = scenario.situation, scenario.book
    lines: list[str] = []
    for language in LANGUAGES:
        lines += narrate(situation, book, language)
        lines += [f"{call.words} {call.meaning}" for call in call_log(situation, book, language)]
        lines += [ask(question.key, situation, book, language) for question in scenario.questions]
        lines.append(story(scenario, language).title)
    return "\n".join(lines)


def words_of(response: Any) -> str:
    """Body and headers as a reader or a program gets them: entities and escapes resolved, spaces single."""
    body = (response.getvalue() if response.streaming else response.content).decode(errors="replace")
    if response.headers.get("Content-Type", "").endswith("json"):
        body = json.dumps(json.loads(body), ensure_ascii=False)
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    return " ".join(html.unescape(f"{headers}\n{body}").split())


def citations(scenario: Scenario, words: str) -> Iterator[str]:
    """The articles of the ruling that are named, in the way pages and programs write them."""
    for step in scenario.solve().steps:
        for written in {step.cite, citation(step.cite)}:
            # A number alone may be anything, unless it is called an article.
            before = r"\barts?\.?\s*" if written.isdigit() else r"""(?:\barts?\.?\s*|["'>])"""
            if re.search(rf"{before}{re.escape(written)}(?![\w)])", words):
                yield f"citation {written}"


def telling_fields(value: Any, where: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in TELLING and inner not in (None, "", [], {}):
                yield f"field {where}.{name}"
            yield from telling_fields(inner, f"{where}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from telling_fields(inner, f"{where}[]")


class Controls(HTMLParser):
    """The controls of each question with everything about them but their value."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, set[tuple[tuple[str, str | None], ...]]] = {}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        own = dict(attributes)
        name = own.get("name") or ""
        # That a question does not arise is offered wherever it may not, so that this tells nothing.
        if name.startswith(("q.", "pick.")) and "data-idle" not in own:
            rest = tuple(sorted((key, value) for key, value in own.items() if key not in ("id", "value")))
            self.found.setdefault(name, set()).add(rest)


def uneven_controls(body: str) -> Iterator[str]:
    controls = Controls()
    controls.feed(body)
    for name, kinds in controls.found.items():
        if len(kinds) > 1:
            yield f"options of {name} differ"


def leaks(response: Any, drill: Drill, sentences: set[str]) -> list[str]:
    words, scenario = words_of(response), drill.scenario
    found = [f"sentence {sentence}" for sentence in sentences if sentence in words]
    if scenario.seed and re.search(rf"\b{re.escape(scenario.seed)}\b", words) and len(scenario.seed) >= SHORTEST:
        found.append("seed")
    about_it = str(drill.pk) in response.request["PATH_INFO"]
    body = response.content.decode(errors="replace") if not response.streaming else ""
    if response.headers.get("Content-Type", "").endswith("json"):
        data = json.loads(body)
        if about_it:
            found += telling_fields(data)
            found += citations(scenario, words)
        else:
            found += [leak for part in objects_of(data, str(drill.pk)) for leak in telling_fields(part)]
    elif about_it:
        found += citations(scenario, words)
        found += uneven_controls(body)
        found += [f"markup {mark}" for mark in ("data-graded", "data-lit", "table-after", "verdict") if mark in body]
    return found


def objects_of(data: Any, drill_id: str) -> Iterator[dict[str, Any]]:
    """The objects in a list that are about one drill."""
    if isinstance(data, dict):
        if drill_id in [str(value) for value in data.values() if not isinstance(value, dict | list)]:
            yield data
        for value in data.values():
            yield from objects_of(value, drill_id)
    elif isinstance(data, list):
        for value in data:
            yield from objects_of(value, drill_id)


@pytest.fixture
def house(db: None) -> House:
    return House()


@pytest.fixture
def trainee(house: House) -> Client:
    client = Client()
    client.force_login(house.trainee)
    return client


def walk(client: Client, house: House, drill: Drill, names: Collection[str]) -> Iterator[tuple[str, HttpResponse]]:
    """Ask for these addresses in every way a trainee's browser or program could."""
    parameters = house.parameters() | {"drill_id": drill.pk}
    routes = all_routes()
    for name in names:
        address = routes[name].address(parameters)
        yield f"GET {name}", undone(client, "GET", address)
        yield f"GET {name} as a part of a page", undone(client, "GET", address, headers=HTMX)
        if name.startswith("api_"):
            yield f"POST {name}", undone(client, "POST", address, data="{}", content_type="application/json")
            told = {"answer": {"no_such_question": "1"}}
            yield (
                f"POST {name} with a bad answer",
                undone(client, "POST", address, data=told, content_type="application/json"),
            )
        else:
            yield f"POST {name}", undone(client, "POST", address)
            yield f"POST {name} as a part of a page", undone(client, "POST", address, headers=HTMX)


def addresses_of(test: str) -> list[str]:
    """The names of the addresses that one of WALKS asks for."""
    routes = all_routes()
    return [
        name
        for number, (name, route) in enumerate(routes.items())
        if FULL or name in READ or "drill_id" in route.parameters or number % len(WALKS) == WALKS.index(test)
    ]


def found_by_walking(client: Client, house: House, drill: Drill, names: Collection[str]) -> dict[str, list[str]]:
    """What leaks at the addresses of these names, by the way of asking."""
    sentences = told_by_the_mark(drill)
    assert len(sentences) > 3
    found, seen = {}, set()
    for way, response in walk(client, house, drill, names):
        found[way] = leaks(response, drill, sentences)
        if response.status_code == 200:
            seen.add(way)
    assert {f"GET {name}" for name in READ} <= seen
    return {way: leaked for way, leaked in found.items() if leaked}


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest, house: House) -> str:
    house.trainee.language = request.param
    house.trainee.save()
    return str(request.param)


def test_no_address_gives_away_the_ruling_of_an_open_scenario(trainee: Client, house: House, language: str) -> None:
    assert found_by_walking(trainee, house, house.drill, addresses_of(language)) == {}


def test_no_address_gives_it_away_while_the_answer_waits_for_its_mark(trainee: Client, house: House) -> None:
    services.submit_answer(house.drill, NOTHING)
    assert found_by_walking(trainee, house, house.drill, addresses_of("waiting")) == {}


def test_every_address_is_walked() -> None:
    assert {name for test in WALKS for name in addresses_of(test)} == set(all_routes())


def test_after_grading_the_same_walk_finds_it(trainee: Client, house: House, language: str) -> None:
    graded(house.drill)
    found = found_by_walking(trainee, house, house.drill, all_routes() if FULL else READ)
    assert {"GET drill", "GET drill as a part of a page", "GET api_drill"} <= set(found)
    for way in ("GET drill", "GET api_drill"):
        kinds = {leak.partition(" ")[0] for leak in found[way]}
        assert {"sentence", "citation"} <= kinds, way
        assert f"sentence {NOTE}" in found[way], way
    assert any(leak.startswith("field") for leak in found["GET api_drill"])
    assert any(leak.startswith("markup") for leak in found["GET drill"])


def test_an_option_marked_in_any_way_is_found() -> None:
    plain = '<input type="radio" name="q.coup" value="{}" id="{}"{}>'
    options = [("stands", "a", ""), ("annulled", "b", "")]
    assert list(uneven_controls("".join(plain.format(*option) for option in options))) == []
    options[1] = ("annulled", "b", ' data-x="1"')
    assert list(uneven_controls("".join(plain.format(*option) for option in options))) == ["options of q.coup differ"]


EVERY_TOPIC = [(book, topic) for book in RULEBOOKS for topic in topics(book)]


@pytest.mark.parametrize(("book", "topic"), EVERY_TOPIC)
def test_no_topic_gives_its_ruling_away(signed_in: Callable[..., Client], book: str, topic: str) -> None:
    """The pages about the scenario itself, for every kind of scenario there is, as chosen by the scheduler."""
    client = signed_in(Role.TRAINEE)
    scenario = rules_engine.generate(book, topic, "a-secret-of-the-house", 3)
    aim = scenario.solve().pivots[0]
    drill = put(client.person, scenario, mode=Drill.Mode.SCHEDULED, aim=aim)  # type: ignore[attr-defined]
    sentences = told_by_the_mark(drill)
    for name in ("drill", "api_drill", "home", "practice", "api_drills"):
        route = all_routes()[name]
        response = client.get(route.address({"drill_id": drill.pk}))
        assert response.status_code == 200, name
        assert leaks(response, drill, sentences) == [], name
