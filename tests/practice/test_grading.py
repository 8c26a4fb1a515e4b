"""Marks: given once, whatever happens to the messages and to the workers."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

import rules_engine
from tests.practice.drills import form, make_drill, right_answer, wrong_answer
from tests.running import until
from training.people.models import Role
from training.practice import services, tasks
from training.practice.models import Attempt, Drill, Mark


def submit(drill: Drill, answer: dict[str, str]) -> Attempt:
    return services.submit_answer(drill, rules_engine.answer_from({"parts": answer}))


@pytest.mark.django_db
def test_grading_twice_leaves_one_mark() -> None:
    drill = make_drill()
    attempt = submit(drill, right_answer(drill.scenario))
    first, second = services.grade(attempt.pk), services.grade(attempt.pk)
    assert first == second
    mark = Mark.objects.get()
    assert (mark.points, mark.engine) == (mark.of, attempt.drill.scenario.version)
    assert Attempt.objects.get().state == Attempt.State.GRADED


@pytest.mark.django_db
def test_a_wrong_winner_costs_a_point_and_is_critical() -> None:
    drill = make_drill()
    mark = services.grade(submit(drill, wrong_answer(drill.scenario)).pk)
    assert mark is not None
    assert mark.of - mark.points == 1
    assert mark.critical_missed
    assert mark.ruling == drill.scenario.solve()


@pytest.mark.django_db(transaction=True)
def test_grading_at_the_same_time_leaves_one_mark() -> None:
    drill = make_drill()
    attempt = submit(drill, right_answer(drill.scenario))
    ready = threading.Barrier(4)

    def grade() -> None:
        ready.wait()
        services.grade(attempt.pk)
        connection.close()

    threads = [threading.Thread(target=grade) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Mark.objects.count() == 1


@pytest.mark.django_db
def test_the_sweep_takes_what_is_overdue_and_leaves_what_is_fresh() -> None:
    old, fresh = (submit(drill := make_drill(), right_answer(drill.scenario)) for _ in range(2))
    Attempt.objects.filter(pk=old.pk).update(submitted_at=timezone.now() - services.OVERDUE - timedelta(seconds=1))
    tasks.sweep()
    assert list(Mark.objects.values_list("attempt", flat=True)) == [old.pk]
    assert Attempt.objects.get(pk=fresh.pk).state == Attempt.State.SUBMITTED


@pytest.mark.django_db
def test_an_answer_that_cannot_be_graded_is_set_aside_and_said_so(
    monkeypatch: pytest.MonkeyPatch, signed_in: Callable[..., Client]
) -> None:
    client = signed_in(Role.TRAINEE)
    drill = make_drill(client.person)  # type: ignore[attr-defined]
    attempt = submit(drill, right_answer(drill.scenario))

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(rules_engine, "grade", broken)
    for _ in range(services.MAX_FAILURES):
        assert Attempt.objects.get().state == Attempt.State.SUBMITTED
        assert services.grade(attempt.pk) is None
    assert Attempt.objects.get().state == Attempt.State.FAILED
    shown = client.get(reverse("drill", args=[drill.pk])).content.decode()
    assert "could not be graded" in shown or "não foi possível corrigi-la" in shown


@pytest.mark.django_db(transaction=True)
def test_with_the_broker_away_an_answer_is_kept(
    monkeypatch: pytest.MonkeyPatch, signed_in: Callable[..., Client]
) -> None:
    client = signed_in(Role.TRAINEE)
    drill = make_drill(client.person)  # type: ignore[attr-defined]

    def away(*_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(tasks.grade_attempt, "apply_async", away)
    response = client.post(reverse("drill", args=[drill.pk]), form(right_answer(drill.scenario)))
    assert response.status_code == 302
    assert Attempt.objects.get().state == Attempt.State.SUBMITTED


@pytest.mark.usefixtures("worker")
def test_the_worker_grades_what_was_submitted(signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.TRAINEE)
    drill = make_drill(client.person)  # type: ignore[attr-defined]
    client.post(reverse("drill", args=[drill.pk]), form(right_answer(drill.scenario)))
    until("the mark", lambda: Mark.objects.filter(attempt__drill=drill).exists(), within=10)
    assert Mark.objects.get().points == Mark.objects.get().of
