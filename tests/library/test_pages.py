"""The library's pages: who sees them, what they show and what they refuse."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.library.versions import instructor, make_draft, make_in_review, make_published, make_scenario
from training.library import authors, drafts, services
from training.library.models import Version
from training.people.models import Role

SignedIn = Callable[..., Client]

PAGES = [
    "library",
    "generate_scenarios",
    "import_scenarios",
    "export_scenarios_json",
    "export_scenarios_csv",
    "scenario_file_schema",
    "suspended",
]


@pytest.fixture
def client(signed_in: SignedIn) -> Client:
    client = signed_in(Role.INSTRUCTOR)
    client.post(reverse("set_language"), {"language": "en"})
    return client


def page_of(version: Version) -> str:
    return reverse("version", args=[version.pk])


def act(client: Client, version: Version, name: str, comment: str = "") -> Any:
    return client.post(reverse("act_on_version", args=[version.pk]), {"act": name, "comment": comment})


def titles(response: Any) -> list[str]:
    return re.findall(r'<a href="/scenarios/\d+/">([^<]*)</a>', response.content.decode())


@pytest.mark.parametrize("role", [Role.TRAINEE, Role.HR, Role.ADMINISTRATOR])
def test_only_instructors_come_in(signed_in: SignedIn, role: Role) -> None:
    stranger, version = signed_in(role), make_in_review()
    assert [stranger.get(reverse(name)).status_code for name in PAGES] == [403] * len(PAGES)
    assert stranger.get(page_of(version)).status_code == 403
    assert act(stranger, version, "publish").status_code == 403
    assert Version.objects.get().state == Version.State.IN_REVIEW


def test_every_page_opens(client: Client) -> None:
    make_draft()
    assert [client.get(reverse(name)).status_code for name in PAGES] == [200] * len(PAGES)


def test_a_version_that_is_not_there(client: Client) -> None:
    for number in (1, 10**30):
        assert client.get(f"/scenarios/{number}/").status_code == 404


def test_the_version_page_shows_facts_ruling_words_and_history(client: Client) -> None:
    draft = make_draft(words={"pt": {"title": "Mesa <cheia>", "story": "**Atenção** <script>alert(1)</script>"}})
    shown = client.get(page_of(draft)).content.decode()
    scenario = draft.scenario
    for step in scenario.solve().steps:
        assert f"art. {step.cite.split()[0]}" in shown
    assert "Mesa &lt;cheia&gt;" in shown
    assert "<strong>Atenção</strong>" in shown
    assert "<script>alert" not in shown
    assert draft.author.name in shown


def test_two_people_bring_a_draft_to_publication(client: Client, signed_in: SignedIn) -> None:
    draft = make_draft(client.person)  # type: ignore[attr-defined]
    assert act(client, draft, "submit").status_code == 302
    assert act(client, draft, "publish").status_code == 409
    reviewer = signed_in(Role.INSTRUCTOR)
    assert act(reviewer, draft, "publish").status_code == 302
    assert Version.objects.get().published_by == reviewer.person  # type: ignore[attr-defined]
    assert act(reviewer, draft, "publish").status_code == 409
    assert act(client, draft, "new_version").status_code == 302
    assert Version.objects.latest("pk").number == 2


@pytest.mark.parametrize(("name", "status"), [("send_back", 422), ("retire", 422), ("burn", 409), ("", 409)])
def test_a_refused_act_says_why_and_changes_nothing(client: Client, name: str, status: int) -> None:
    version = make_in_review()
    response = act(client, version, name, " ")
    assert response.status_code == status
    assert 'role="alert"' in response.content.decode()
    assert Version.objects.get().state == Version.State.IN_REVIEW


def test_a_refused_comment_is_not_lost(client: Client) -> None:
    version, comment = make_in_review(), "Falta o valor da banca. " * 100
    response = act(client, version, "send_back", comment)
    assert response.status_code == 422
    assert comment.strip() in response.content.decode()


def test_only_offered_acts_are_buttons(client: Client) -> None:
    shown = client.get(page_of(make_in_review())).content.decode()
    assert re.findall(r'name="act" value="(\w+)"', shown) == ["publish", "send_back", "retire"]
    own = make_draft(client.person, "2")  # type: ignore[attr-defined]
    offered = re.findall(r'name="act" value="(\w+)"', client.get(page_of(own)).content.decode())
    assert offered == ["submit", "retire", "add_author"]


def test_the_list_is_narrowed_by_its_address(client: Client) -> None:
    author = instructor(name="Berta Nogueira")
    draft = make_draft(author, "1", words={"pt": {"title": "Bancô tardio"}})
    make_published(seed="2", words={"pt": {"title": "Natural"}})
    retired = make_published(seed="3", words={"pt": {"title": "Antigo"}})
    services.retire(retired, author, "velho")
    other_book = drafts.create_draft(
        author, make_scenario("4", book_id="it-sanremo-chemin-de-fer", article=None), source="authored"
    )
    drafts.save_draft(other_book, author, words={"it": {"title": "Terza carta"}})

    def found(**filters: Any) -> list[str]:
        return sorted(titles(client.get(reverse("library"), filters)))

    assert found() == ["Bancô tardio", "Natural", "Terza carta"]
    assert found(state="any") == ["Antigo", "Bancô tardio", "Natural", "Terza carta"]
    assert found(state="draft") == ["Bancô tardio", "Terza carta"]
    assert found(state="retired") == ["Antigo"]
    assert found(topic="it-sanremo-chemin-de-fer/") == ["Terza carta"]
    assert found(topic="pt-chemin-de-fer/third_card") == ["Bancô tardio", "Natural"]
    assert found(author=author.pk) == ["Bancô tardio", "Terza carta"]
    assert found(q="BANCO TARD") == ["Bancô tardio"]
    assert found(q="xyzzy") == []
    assert client.get(reverse("library"), {"state": "burned"}).status_code == 422
    assert str(draft.pk) in client.get(reverse("library"), {"q": "bancô"}).content.decode()


def test_the_list_turns_pages_and_keeps_its_filters(client: Client) -> None:
    author = instructor()
    for number in range(26):
        make_draft(author, str(number))
    first = client.get(reverse("library"), {"state": "draft"})
    assert len(titles(first)) == 25
    assert "?state=draft&amp;page=2" in first.content.decode()
    assert len(titles(client.get(reverse("library"), {"state": "draft", "page": "2"}))) == 1


def test_pages_cost_the_same_queries_however_much_there_is(
    client: Client, django_assert_num_queries: Callable[..., Any]
) -> None:
    version = make_published()
    pages = {reverse("library"): 10, page_of(version): 13, reverse("suspended"): 5}
    for address in pages:
        client.get(address)

    def measure() -> None:
        for address, queries in pages.items():
            with django_assert_num_queries(queries):
                client.get(address)

    measure()
    for number in range(2, 8):
        make_published(seed=str(number))
    draft = drafts.new_version(version.item, version.author)
    drafts.save_draft(draft, version.author, words={})
    authors.add(draft, version.author, instructor())
    measure()


def test_a_list_shows_small_tables_that_come_when_they_are_seen(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    version = make_published()
    address = reverse("version_table", args=[version.pk])
    listed = client.get(reverse("library")).content.decode()
    assert f'hx-get="{address}" hx-trigger="intersect once"' in listed and "table-drawing" not in listed
    with django_assert_max_num_queries(6):
        assert 'class="table-drawing' in client.get(address, headers={"HX-Request": "true"}).content.decode()
