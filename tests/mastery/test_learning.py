"""A mark moves the memory of the rules its scenario turned on, once, whoever else is at work."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from fsrs import Rating

import rules_engine
from tests.factories import PersonFactory
from tests.practice.drills import make_drill, right_answer, wrong_answer
from training.mastery import memory
from training.mastery.models import Memory
from training.mastery.services import learn
from training.people.models import User
from training.practice import services
from training.practice.models import Drill

AT = datetime(2026, 3, 2, 18, tzinfo=UTC)
BOOK = "pt-chemin-de-fer"


def answer(drill: Drill, parts: dict[str, str], *, picked: bool = False) -> None:
    attempt = services.submit_answer(drill, rules_engine.answer_from({"parts": parts}), picked_words=picked)
    for _ in range(2):  # a second grading must not count again
        services.grade(attempt.pk)


@pytest.mark.django_db
def test_grading_remembers_every_rule_the_scenario_turned_on() -> None:
    drill = make_drill()
    answer(drill, right_answer(drill.scenario))
    stored = Memory.objects.filter(trainee=drill.trainee)
    assert {row.cite for row in stored} == set(drill.scenario.solve().pivots)
    assert {(row.reviews, row.lapses) for row in stored} == {(1, 0)}


@pytest.mark.django_db
def test_a_critical_mistake_is_a_lapse_and_comes_back_sooner() -> None:
    right, wrong = make_drill(), make_drill()
    answer(right, right_answer(right.scenario))
    answer(wrong, wrong_answer(wrong.scenario))
    known, missed = (Memory.objects.get(trainee=drill.trainee, cite="67 d") for drill in (right, wrong))
    assert missed.lapses == 1
    assert missed.due < known.due


@pytest.mark.django_db
def test_forgotten_words_do_not_cost_the_table() -> None:
    drill = make_drill()
    answer(drill, right_answer(drill.scenario) | {"announcement": "nada"})
    words = drill.scenario.solve().rests_on("announcement")[0]
    lapses = dict(Memory.objects.filter(trainee=drill.trainee).values_list("cite", "lapses"))
    assert lapses == dict.fromkeys(drill.scenario.solve().pivots, 0) | {words: 1}


@pytest.mark.django_db
def test_a_rule_behind_a_right_answer_counts_once_it_was_met() -> None:
    drill, again = make_drill(), None
    words = drill.scenario.solve().rests_on("announcement")[0]
    answer(drill, right_answer(drill.scenario))
    assert not Memory.objects.filter(trainee=drill.trainee, cite=words).exists()
    learn(drill.trainee, BOOK, {words: Rating.Again}, at=AT)
    while again is None or again.scenario.solve().rests_on("announcement")[0] != words:
        again = make_drill(drill.trainee)
    answer(again, right_answer(again.scenario))
    assert Memory.objects.get(trainee=drill.trainee, cite=words).reviews == 2


@pytest.mark.django_db
def test_picked_words_count_less_than_said_words() -> None:
    said, picked = make_drill(), make_drill()
    for drill in (said, picked):
        for cite in ("96 b-2", "96 b-3"):
            learn(drill.trainee, BOOK, {cite: Rating.Good}, at=AT)
    answer(said, right_answer(said.scenario))
    answer(picked, right_answer(picked.scenario), picked=True)
    table = [Memory.objects.get(trainee=drill.trainee, cite="67 d").card["stability"] for drill in (said, picked)]
    assert table[0] == table[1]
    words = [
        Memory.objects.get(trainee=drill.trainee, reviews=2, cite__startswith="96 b").card["stability"]
        for drill in (said, picked)
    ]
    assert words[1] < words[0]


@pytest.mark.django_db
def test_a_second_answer_builds_on_the_first() -> None:
    trainee = PersonFactory()
    learn(trainee, BOOK, {"67 d": Rating.Good}, at=AT)
    learn(trainee, BOOK, {"67 d": Rating.Good}, at=AT + timedelta(days=3))
    stored = Memory.objects.get()
    by_hand = memory.review(memory.review(None, Rating.Good, AT), Rating.Good, AT + timedelta(days=3))
    assert stored.card == by_hand
    assert (stored.reviews, stored.due) == (2, memory.due(by_hand))


@pytest.mark.django_db
def test_a_mark_given_late_does_not_turn_a_memory_back() -> None:
    trainee = PersonFactory()
    learn(trainee, BOOK, {"67 d": Rating.Good}, at=AT)
    learn(trainee, BOOK, {"67 d": Rating.Good}, at=AT - timedelta(hours=1))
    assert Memory.objects.get().last_review == AT


@pytest.mark.django_db
def test_what_cannot_be_tested_is_not_remembered() -> None:
    learn(PersonFactory(), BOOK, {"1": Rating.Good, "no such article": Rating.Good}, at=AT)
    assert not Memory.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_count_both_marks() -> None:
    trainee: User = PersonFactory()
    ready = threading.Barrier(3)

    def work(number: int) -> None:
        ready.wait()
        with transaction.atomic():
            learn(trainee, BOOK, dict.fromkeys(("67 d", "104 e"), Rating.Good), at=AT + timedelta(minutes=number))
        connection.close()

    threads = [threading.Thread(target=work, args=[number]) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(Memory.objects.values_list("cite", "reviews")) == [("104 e", 3), ("67 d", 3)]
