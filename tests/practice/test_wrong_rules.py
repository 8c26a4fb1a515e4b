"""The misconception behind a trainee's answers: named in the feedback, counted on the class page."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from rules_engine import answer_from, generate
from rules_engine.misconceptions import believed, misconception
from tests.classes.rooms import make_class
from tests.factories import PersonFactory
from tests.practice.drills import put, right_answer
from training.people.models import Role, User
from training.practice import services, wrong_rules
from training.practice.models import Attempt

SignedIn = Callable[..., Client]
BOOK, ID = "pt-roleta-francesa", "split_as_straight"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    """SQLite reuses the ids of answers from earlier tests, and what an answer says is cached by id."""
    wrong_rules._known.clear()


def answers(trainee: User, count: int, *, wrong: bool) -> Attempt:
    """Answer cases about the price of a split, as somebody does who pays it like a straight up, or rightly."""
    one = misconception(BOOK, ID)
    assert one
    seed = 0
    while count:
        scenario = generate(BOOK, None, f"{trainee.pk}-{seed}", 2)
        seed += 1
        thought = believed(scenario, one)
        if not thought:
            continue
        count -= 1
        changed = {key: ", ".join(value) if isinstance(value, tuple) else str(value) for key, value in thought.items()}
        parts = right_answer(scenario) | (changed if wrong else {})
        found = services.submit_answer(put(scenario, trainee), answer_from({"parts": parts}))
        services.grade(found.pk)
    return found


def test_the_trainee_is_told_and_the_class_page_counts_it(signed_in: SignedIn) -> None:
    holder, other = PersonFactory(), PersonFactory()
    last = answers(holder, 3, wrong=True)
    answers(other, 3, wrong=False)
    told = wrong_rules.noticed(last.drill, last, "en")
    assert told and told.id == ID and told.cite == "X 20 a-cavalo"
    teacher = signed_in(Role.INSTRUCTOR)
    room = make_class(teacher.person, holder, other, rulebooks=[BOOK])  # type: ignore[attr-defined]
    ideas = teacher.get(reverse("class_ideas", args=[room.pk])).context["ideas"]
    assert [(count, idea.id) for count, idea in ideas] == [(1, ID)]


def test_one_click_sets_cases_that_undo_it_for_those_who_hold_it(signed_in: SignedIn) -> None:
    holder, other = PersonFactory(), PersonFactory()
    answers(holder, 3, wrong=True)
    answers(other, 3, wrong=False)
    teacher = signed_in(Role.INSTRUCTOR)
    room = make_class(teacher.person, holder, other, rulebooks=[BOOK])  # type: ignore[attr-defined]
    address = reverse("assign", args=[room.pk])
    shown = teacher.get(reverse("class_ideas", args=[room.pk])).content.decode()
    assert f"{address}?idea={BOOK}/{ID}" in shown
    page = teacher.get(address, {"idea": f"{BOOK}/{ID}"})
    assert {who.pk for who, ticked in page.context["people"] if ticked} == {holder.pk}
    line, one = page.context["lines"][0].initial, misconception(BOOK, ID)
    assert one and page.context["form"].initial["title"] == one.said["pt"]
    book, topic = line["topic"].split("/")
    made = [generate(book, topic, seed, int(line["difficulty"])) for seed in range(60)]
    revealing = sum(bool(believed(case, one)) for case in made) / len(made)
    assert revealing * int(line["count"]) >= 2, "the cases reveal the idea"
    for unknown in ("x/y", f"{BOOK}/nothing", "pt-craps/hard_alike"):
        assert teacher.get(address, {"idea": unknown}).context["lines"][0].initial == {}


def test_the_count_takes_the_same_queries_for_one_trainee_and_for_many(django_assert_num_queries: Any) -> None:
    people = [PersonFactory() for _ in range(3)]
    for trainee in people:
        answers(trainee, 1, wrong=True)
    for some in (people[:1], people):
        wrong_rules._known.clear()
        with django_assert_num_queries(2):
            wrong_rules.counted([who.pk for who in some], [BOOK], "pt")


def test_one_wrong_answer_is_no_wrong_rule() -> None:
    trainee = PersonFactory()
    last = answers(trainee, 1, wrong=True)
    assert wrong_rules.noticed(last.drill, last, "en") is None
