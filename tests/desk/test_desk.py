"""The instructor's desk: figures to read, flags to answer."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import rules_engine
from tests.library.versions import make_published
from tests.practice.drills import make_drill, wrong_answer
from training.figures.items import version_key
from training.figures.models import ItemTally, WrongAnswer
from training.people.models import Role
from training.practice import services
from training.practice.flags import raise_flag
from training.practice.models import Drill, Flag

pytestmark = pytest.mark.django_db
SignedIn = Callable[..., Client]


def graded_drill() -> Drill:
    drill = make_drill()
    services.grade(services.submit_answer(drill, rules_engine.answer_from({"parts": wrong_answer(drill.scenario)})).pk)
    return Drill.objects.get(pk=drill.pk)


@pytest.fixture
def flag() -> Flag:
    return raise_flag(graded_drill(), "O banqueiro tinha seis.")


def test_items_show_with_their_wrong_answers_in_a_fixed_number_of_queries(
    signed_in: SignedIn, django_assert_num_queries: Callable[..., Any]
) -> None:
    client = signed_in(Role.INSTRUCTOR)
    graded_drill()
    client.get(reverse("item_figures"))
    with django_assert_num_queries(8):
        shown = client.get(reverse("item_figures")).content.decode()
    assert "A terceira carta do banqueiro" in shown
    for difficulty in (1, 3, 4):
        drill = make_drill(difficulty=difficulty)
        services.grade(services.submit_answer(drill, rules_engine.answer_from({"parts": {}})).pk)
    with django_assert_num_queries(8):
        client.get(reverse("item_figures"))


def test_what_is_said_again_in_a_foreign_language_is_a_question_of_its_own(signed_in: SignedIn) -> None:
    client = signed_in(Role.INSTRUCTOR)
    graded_drill()
    item = ItemTally.objects.get().item
    for question in ("announcement", "announcement.en"):
        WrongAnswer.objects.create(item=item, question=question, given="", times=2)
    assert "E aos jogadores estrangeiros, em inglês?" in client.get(reverse("item_figures")).content.decode()


@pytest.mark.parametrize("query", ["sort=nonsense", "rulebook=nonsense", "page=9999", "page=x", "sort=facility"])
def test_a_strange_address_is_no_error(signed_in: SignedIn, query: str) -> None:
    assert signed_in(Role.INSTRUCTOR).get(f"{reverse('item_figures')}?{query}").status_code == 200


def test_a_flag_is_answered_once(signed_in: SignedIn, flag: Flag) -> None:
    first, second = signed_in(Role.INSTRUCTOR), signed_in(Role.INSTRUCTOR)
    address = reverse("flag", args=[flag.pk])
    assert "O banqueiro tinha seis." in first.get(reverse("flags")).content.decode()
    assert "O banqueiro tinha seis." in first.get(address).content.decode()
    assert first.post(address, {"reply": ""}).status_code == 422
    assert first.post(address, {"reply": "Tinha cinco: veja a carta."}).status_code == 302
    second.post(address, {"reply": "Outra resposta"})
    flag.refresh_from_db()
    assert flag.reply == "Tinha cinco: veja a carta."
    assert flag.settled_by == first.person  # type: ignore[attr-defined]


def test_a_flag_that_is_none_is_not_found(signed_in: SignedIn) -> None:
    assert signed_in(Role.INSTRUCTOR).get(reverse("flag", args=[999])).status_code == 404


def test_trainees_do_not_see_the_desk(signed_in: SignedIn, flag: Flag) -> None:
    client = signed_in(Role.TRAINEE)
    for address in (reverse("item_figures"), reverse("flags"), reverse("flag", args=[flag.pk])):
        assert client.get(address).status_code == 403


def test_figures_lead_to_the_case_name_the_question_and_mark_what_tells_little(signed_in: SignedIn) -> None:
    version = make_published()
    kept = version_key(version.pk)
    sums = {"answers": 40, "compared": 40, "share_sum": 20, "share_squares": 20, "points": 20, "of": 40}
    ItemTally.objects.create(item=kept, ability_sum=20, ability_squares=12, product_sum=9, **sums)
    [draw] = [question.key for question in version.scenario.questions if question.key == "banker_draw"]
    WrongAnswer.objects.create(item=kept, question=draw, given="", times=6)
    WrongAnswer.objects.create(item=f"{version.rulebook}/{version.topic}/2", question="stake_paid.4", given="", times=2)
    ItemTally.objects.create(item=f"{version.rulebook}/{version.topic}/2", ability_sum=20, product_sum=12, **sums)
    client = signed_in(Role.INSTRUCTOR)
    page = client.get(reverse("item_figures"), {"rulebook": version.rulebook}).content.decode()
    assert reverse("version", args=[version.pk]) in page
    assert "A terceira carta do banqueiro:" in page and "sem resposta × 6" in " ".join(page.split())
    assert page.count("ao contrário") == 1
    address = f"{reverse('generate_scenarios')}?topic={version.rulebook}%2F{version.topic}&difficulty=2&count=5"
    assert address.replace("&", "&amp;") in page
    assert client.get(address, follow=True).status_code == 200
    assert "KeyError" not in page and "stake_paid" not in page
