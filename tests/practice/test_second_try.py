"""Trying again before the solution: what is told, what is kept back, and that the first try alone counts."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from rules_engine.narration import citation
from tests.practice.drills import form, make_drill, right_answer, wrong_answer
from training.mastery.models import Memory
from training.people.models import Role
from training.platform.errors import Refused
from training.practice import flags, services
from training.practice.models import Attempt, Drill, SecondTry

HELD = {"hold": "1"}


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


@pytest.fixture
def drill(trainee: Client) -> Drill:
    """Answered from the page with one thing wrong, and marked."""
    made = make_drill(trainee.person)  # type: ignore[attr-defined]
    trainee.post(reverse("drill", args=[made.pk]), form(wrong_answer(made.scenario)) | HELD)
    services.grade(Attempt.objects.get().pk)
    return made


def seen(client: Client, drill: Drill) -> str:
    return client.get(reverse("drill", args=[drill.pk])).content.decode()


def missed(drill: Drill) -> str:
    right, wrong = right_answer(drill.scenario), wrong_answer(drill.scenario)
    return next(key for key in right if right[key] != wrong[key])


def again(client: Client, drill: Drill, answer: dict[str, str]) -> int:
    return client.post(reverse("try_again", args=[drill.pk]), form(answer)).status_code


def test_what_was_right_is_told_and_nothing_of_the_solution(trainee: Client, drill: Drill) -> None:
    shown = seen(trainee, drill)
    assert shown.count('class="part right"') == len(drill.scenario.questions) - 1
    assert [question.key for question in drill.scenario.questions if f'name="q.{question.key}"' in shown] == [
        missed(drill)
    ]
    for trace in ('class="part wrong"', 'class="step', 'class="what-if', "table-after", "data-next>", "checked"):
        assert trace not in shown
    assert not any(f"art. {citation(step.cite)}" in shown for step in drill.scenario.solve().steps)
    with pytest.raises(Refused):
        flags.raise_flag(drill, "Falta uma carta.")
    copy = reverse("own_copy")
    assert trainee.get(copy).json()["practice.Mark"] == [], "nor does one's own data tell it"
    trainee.post(reverse("show_solution", args=[drill.pk]))
    assert trainee.get(copy).json()["practice.Mark"]


def test_a_second_try_is_told_beside_the_solution_and_counts_nowhere(trainee: Client, drill: Drill) -> None:
    before = list(Memory.objects.order_by("pk").values())
    first = Attempt.objects.get().mark
    assert again(trainee, drill, right_answer(drill.scenario)) == 302
    shown = seen(trainee, drill)
    assert 'class="step' in shown and "À segunda" in shown
    kept = Attempt.objects.get()
    assert (kept.mark.pk, kept.mark.points, kept.held) == (first.pk, first.points, False)
    assert kept.answer["parts"] == wrong_answer(drill.scenario)
    assert SecondTry.objects.get().engine_mark.perfect
    assert before and list(Memory.objects.order_by("pk").values()) == before


def test_only_what_was_missed_is_taken(trainee: Client, drill: Drill) -> None:
    """What was right stays, whatever a forged form says."""
    key = missed(drill)
    forged = {question.key: "" for question in drill.scenario.questions} | {key: right_answer(drill.scenario)[key]}
    assert again(trainee, drill, forged) == 302
    assert SecondTry.objects.get().engine_mark.perfect


def test_twice_the_same_is_one_try_and_another_is_refused(trainee: Client, drill: Drill) -> None:
    right = right_answer(drill.scenario)
    assert [again(trainee, drill, answer) for answer in (right, right, wrong_answer(drill.scenario))] == [302, 302, 409]
    assert SecondTry.objects.get().engine_mark.perfect


def test_once_the_solution_is_in_sight_going_back_does_not_help(trainee: Client, drill: Drill) -> None:
    assert trainee.post(reverse("show_solution", args=[drill.pk])).status_code == 302
    assert 'class="step' in seen(trainee, drill)
    assert again(trainee, drill, right_answer(drill.scenario)) == 409
    assert not SecondTry.objects.exists()


def test_nothing_is_kept_back_where_all_is_right_or_nothing_was_answered(trainee: Client) -> None:
    for answer in (lambda made: right_answer(made.scenario), lambda made: {}):
        made = make_drill(trainee.person)  # type: ignore[attr-defined]
        trainee.post(reverse("drill", args=[made.pk]), form(answer(made)) | HELD)
        services.grade(Attempt.objects.get(drill=made).pk)
        assert 'class="step' in seen(trainee, made)
        assert Attempt.objects.get(drill=made).withheld is False


def test_an_answer_that_is_not_marked_yet_cannot_be_tried_again_nor_its_solution_shown(trainee: Client) -> None:
    made = make_drill(trainee.person)  # type: ignore[attr-defined]
    assert again(trainee, made, right_answer(made.scenario)) == 409
    trainee.post(reverse("drill", args=[made.pk]), form(wrong_answer(made.scenario)) | HELD)
    assert again(trainee, made, right_answer(made.scenario)) == 409
    trainee.post(reverse("show_solution", args=[made.pk]))
    services.grade(Attempt.objects.get().pk)
    assert Attempt.objects.get().withheld


def test_a_mock_exam_holds_nothing(trainee: Client) -> None:
    made = make_drill(trainee.person, mode=Drill.Mode.MOCK)  # type: ignore[attr-defined]
    trainee.post(reverse("drill", args=[made.pk]), form(wrong_answer(made.scenario)) | HELD)
    assert Attempt.objects.get().held is False


def test_programs_may_try_again_too(trainee: Client) -> None:
    made = make_drill(trainee.person)  # type: ignore[attr-defined]
    address = f"/api/v1/drills/{made.pk}/"

    def post(path: str, body: object) -> tuple[int, dict[str, object]]:
        answer = trainee.post(address + path, body, content_type="application/json")
        return answer.status_code, answer.json()

    assert post("answer/", {"answer": wrong_answer(made.scenario), "hold": True})[0] == 202
    services.grade(Attempt.objects.get().pk)
    held = trainee.get(address).json()
    assert (held["held"], held["mark"], held["missed"]) == (True, None, [missed(made)])
    status, told = post("again/", {"answer": {missed(made): right_answer(made.scenario)[missed(made)]}})
    assert (status, told["held"]) == (200, False)
    assert told["mark"]["points"] < told["mark"]["of"] == told["second_try"]["points"]  # type: ignore[index]
    assert post("again/", {"answer": {}})[0] == 409
    assert post("solution/", {})[1]["mark"] == told["mark"]
