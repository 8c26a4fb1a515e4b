"""Generate and pick: nothing is stored until it is kept, and only what was offered can be kept."""

import itertools
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

import rules_engine
from tests.library.versions import instructor
from training.library import generated
from training.library.generated import Wish
from training.library.models import Version
from training.people.models import Role
from training.platform.errors import Refused

WISH = Wish("pt-chemin-de-fer", "third_card", "67 d", 2, "offer")
ASKED = {"topic": "pt-chemin-de-fer/third_card", "article": " 67  d ", "difficulty": "3", "count": "4"}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def client(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.INSTRUCTOR)


def tokens(response: Any) -> list[str]:
    return [unescape(token) for token in re.findall(r'name="keep" value="([^"]*)"', response.content.decode())]


def test_an_offer_has_different_scenarios_that_turn_on_the_article() -> None:
    offered = generated.offer(WISH, 10)
    assert len({rules_engine.encode(item.scenario.situation) for item in offered}) == 10
    assert all("67 d" in item.scenario.solve().cites for item in offered)
    assert [item.scenario for item in generated.offer(WISH, 10)] == [item.scenario for item in offered]


def test_what_another_article_decides_is_not_offered() -> None:
    offered = generated.offer(Wish("pt-chemin-de-fer", None, "104 m", 2, "offer"), 6)
    assert offered and all("104 m" in item.scenario.solve().pivots for item in offered)


def test_where_there_are_few_the_offer_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    few = itertools.cycle([item.scenario for item in generated.offer(WISH, 3)])
    monkeypatch.setattr(rules_engine, "generate", lambda **_: next(few))
    assert len(generated.offer(WISH, 50)) == 3


def test_what_is_kept_is_what_was_offered() -> None:
    author, offered = instructor(), generated.offer(WISH, 3)
    kept = generated.keep(author, [offered[0].token, offered[2].token])
    assert [version.scenario for version in kept] == [offered[0].scenario, offered[2].scenario]
    assert {version.source for version in kept} == {"generated"}


def test_keeping_twice_keeps_one() -> None:
    author, (first, second) = instructor(), generated.offer(WISH, 2)
    generated.keep(author, [first.token, first.token])
    generated.keep(author, [first.token, second.token])
    assert Version.objects.count() == 2


def test_only_what_was_offered_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    author, (good,) = instructor(), generated.offer(WISH, 1)
    with pytest.raises(Refused, match="no longer valid"):
        generated.keep(author, [good.token, good.token[:-1]])
    with pytest.raises(Refused, match="no longer valid"):
        generated.keep(author, [signing.dumps([good.scenario.version, {}], salt="elsewhere")])
    monkeypatch.setattr(generated, "KEPT_FOR", -1)
    with pytest.raises(Refused, match="no longer valid"):
        generated.keep(author, [good.token])
    monkeypatch.undo()
    monkeypatch.setattr(good.scenario.book.game, "version", "99.0.0")
    with pytest.raises(Refused, match="updated"):
        generated.keep(author, [good.token])
    assert not Version.objects.exists()


def test_asking_shows_rulings_and_stores_nothing(client: Client) -> None:
    response = client.get(reverse("generate_scenarios"), ASKED, follow=True)
    shown = response.content.decode()
    assert "seed=" in response.redirect_chain[0][0]
    assert len(tokens(response)) == 4
    assert shown.count("art. 67 d") >= 4
    assert not Version.objects.exists()
    again = client.get(response.redirect_chain[0][0])
    assert re.sub(r'(value|hx-get|href)="[^"]*"', "", again.content.decode()) == re.sub(
        r'(value|hx-get|href)="[^"]*"', "", shown
    )


def test_the_picked_ones_become_drafts(client: Client) -> None:
    picked = tokens(client.get(reverse("generate_scenarios"), ASKED, follow=True))[:2]
    response = client.post(reverse("keep_candidates"), {"keep": picked, "back": ""})
    assert response.status_code == 302
    drafts = Version.objects.all()
    assert [draft.author for draft in drafts] == [client.person] * 2  # type: ignore[attr-defined]
    assert response["Location"] == f"/scenarios/?state=draft&author={client.person.pk}"  # type: ignore[attr-defined]


def test_one_can_be_kept_and_opened_at_once(client: Client) -> None:
    picked = tokens(client.get(reverse("generate_scenarios"), ASKED, follow=True))[1]
    response = client.post(reverse("keep_candidates"), {"edit": picked})
    assert response["Location"] == reverse("edit_version", args=[Version.objects.get().pk])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"count": "51"}, "50"),
        ({"count": "0"}, "1"),
        ({"topic": "pt-chemin-de-fer/poker"}, "poker"),
        ({"article": "999 z"}, "67 d"),
        ({"difficulty": "9"}, "9"),
    ],
)
def test_what_cannot_be_generated_is_refused_and_kept_on_the_form(
    client: Client, change: dict[str, str], told: str
) -> None:
    response = client.get(reverse("generate_scenarios"), ASKED | change)
    assert response.status_code == 422
    errors = re.findall(r'class="errors".*?</ul>', response.content.decode(), re.S)
    assert len(errors) == 1
    assert told in errors[0]


def test_picking_nothing_shows_the_same_offer_again(client: Client) -> None:
    offered = client.get(reverse("generate_scenarios"), ASKED, follow=True)
    back = unescape(re.findall(r'name="back" value="([^"]*)"', offered.content.decode())[0])
    response = client.post(reverse("keep_candidates"), {"back": back})
    assert response.status_code == 422
    assert len(tokens(response)) == 4
    assert client.post(reverse("keep_candidates"), {"keep": ["forged"], "back": back}).status_code == 422
    assert not Version.objects.exists()


def test_a_candidate_is_drawn(client: Client) -> None:
    (item,) = generated.offer(WISH, 1)
    assert "<svg" in client.get(reverse("candidate"), {"token": item.token}).content.decode()
    assert client.get(reverse("candidate"), {"token": "forged"}).status_code == 422
