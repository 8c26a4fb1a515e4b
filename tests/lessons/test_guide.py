"""The first coup, guided: at every rulebook's table, marked by the engine, and nothing of it is kept."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from fsrs import Rating

from rules_engine import RULEBOOKS
from tests.practice.drills import right_answer
from training.lessons.guide import halts
from training.mastery.services import learn
from training.people.models import Role
from training.practice.models import Attempt, Drill

BOOK = "pt-chemin-de-fer"
pytestmark = pytest.mark.django_db


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_every_rulebook_has_a_guide_that_asks_and_marks(trainee: Client, book: str) -> None:
    stops = halts(RULEBOOKS[book])
    asking = [number for number, halt in enumerate(stops, 1) if halt.key]
    assert len(asking) >= 2
    for number, halt in enumerate(stops, 1):
        address = f"{reverse('first_coup', args=[book])}?stop={number}"
        assert trainee.get(address).status_code == 200
        if halt.key:
            right = trainee.post(address, {f"q.{halt.key}": right_answer(halt.scenario)[halt.key]})
            assert right.context["told"].correct
            empty = trainee.post(address, {f"q.{halt.key}": ""})
            assert (empty.status_code, empty.context["told"]) == (422, None)  # a slip gives nothing away
    assert not Drill.objects.exists()
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("book", [BOOK, "pt-chemin-de-fer-1995", "it-sanremo-chemin-de-fer"])
def test_chemin_de_fer_has_an_announcement_a_third_card_and_a_fault(book: str) -> None:
    stops = halts(RULEBOOKS[book])
    assert {"announcement", "banker_draw"} <= {halt.key for halt in stops}
    assert "faults" in stops[-2].scenario.topic
    situation: Any = stops[1].scenario.situation
    banker, holder = situation.banker, situation.holder
    assert stops[1].lights == f"{banker} bank"
    assert stops[2].lights == holder
    assert str(banker) in stops[1].text


@pytest.mark.parametrize("asked", ["0", "99", "x", "-1", "²"])
def test_a_stop_that_is_none_leads_to_one_that_is(trainee: Client, asked: str) -> None:
    assert trainee.get(reverse("first_coup", args=[BOOK]), {"stop": asked}).status_code == 200
    assert trainee.get(reverse("first_coup", args=["poker"])).status_code == 404


def test_home_offers_it_until_something_was_answered(trainee: Client) -> None:
    address = reverse("first_coup", args=[BOOK])
    page = trainee.get(reverse("home")).content.decode()
    assert address in page
    assert "regras novas" not in page
    learn(trainee.person, BOOK, {"67 d": Rating.Good}, at=timezone.now())  # type: ignore[attr-defined]
    assert address not in trainee.get(reverse("home")).content.decode()
    assert address in trainee.get(reverse("practice")).content.decode()


@pytest.mark.parametrize("book", RULEBOOKS)
def test_where_something_went_wrong_it_did(book: str) -> None:
    (fault,) = [halt for halt in halts(RULEBOOKS[book]) if halt.stop.unless]
    assert right_answer(fault.scenario)[fault.key] not in ("allowed", "stands", "counts", "announce_result")


@pytest.mark.parametrize("game", ["roulette", "banca_francesa", "black_jack", "craps", "cussec"])
def test_the_chips_it_speaks_of_lie_there(game: str) -> None:
    book = next(book for book in RULEBOOKS.values() if book.game.id == game)
    table, chips = halts(book)[:2]
    situation: Any = table.scenario.situation
    assert situation.bets and chips.lights
