"""Flagging a scenario: once, with words, and only when its solution is shown."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from tests.practice.drills import form, make_drill, right_answer
from training.people.models import Role
from training.practice import services
from training.practice.models import Attempt, Drill, Flag


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


@pytest.fixture
def graded(trainee: Client) -> Drill:
    drill = make_drill(trainee.person)  # type: ignore[attr-defined]
    trainee.post(reverse("drill", args=[drill.pk]), form(right_answer(drill.scenario)))
    services.grade(Attempt.objects.get().pk)
    return drill


def flag(client: Client, drill: Drill, text: str, **headers: str) -> tuple[int, str]:
    response = client.post(reverse("flag_drill", args=[drill.pk]), {"text": text}, headers=headers, follow=True)
    return response.status_code, response.content.decode()


def test_a_flag_is_kept_and_shown(trainee: Client, graded: Drill) -> None:
    status, shown = flag(trainee, graded, "  A aposta da linha não conta aqui.  ")
    assert status == 200
    assert Flag.objects.get().text == "A aposta da linha não conta aqui."
    assert "Sinalizou este cenário." in shown
    assert 'id="flag-text"' not in shown


def test_an_htmx_flag_gets_only_its_own_part_of_the_page(trainee: Client, graded: Drill) -> None:
    status, shown = flag(trainee, graded, "Falta uma carta.", **{"HX-Request": "true"})
    assert (status, Flag.objects.count()) == (200, 1)
    assert shown.strip().startswith('<div id="flag">')


def test_before_the_solution_there_is_nothing_to_flag(trainee: Client) -> None:
    drill = make_drill(trainee.person)  # type: ignore[attr-defined]
    status, shown = flag(trainee, drill, "Isto está mal.")
    assert status == 422
    assert not Flag.objects.exists()
    assert drill.scenario.solve().steps[0].text not in shown
    trainee.post(reverse("drill", args=[drill.pk]), form(right_answer(drill.scenario)))
    status, shown = flag(trainee, drill, "Isto está mal.")
    assert status == 422
    assert not Flag.objects.exists()


def test_the_first_flag_stands(trainee: Client, graded: Drill) -> None:
    flag(trainee, graded, "Primeiro.")
    status, shown = flag(trainee, graded, "Segundo.")
    assert status == 409
    assert "vale o que escreveu primeiro" in shown
    assert Flag.objects.get().text == "Primeiro."


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_too_much_is_refused_and_not_lost(trainee: Client, graded: Drill, headers: dict[str, str]) -> None:
    text = "demasiado " * 201
    status, shown = flag(trainee, graded, text, **headers)
    assert status == 422
    assert "No máximo 2000 caracteres; aqui há 2009." in shown
    assert text in shown
    assert not Flag.objects.exists()


def test_nothing_is_no_flag(trainee: Client, graded: Drill) -> None:
    status, shown = flag(trainee, graded, "   ")
    assert status == 422
    assert "Diga o que está errado no cenário." in shown


def test_somebody_elses_drill_cannot_be_flagged(signed_in: Callable[..., Client], graded: Drill) -> None:
    other = signed_in(Role.TRAINEE)
    assert flag(other, graded, "Não é meu.")[0] == 404
    assert not Flag.objects.exists()
