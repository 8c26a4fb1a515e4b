"""Notes and favourites, and the history that reads like a diary."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

import rules_engine
from tests.practice.drills import make_drill, right_answer
from training.people.models import Role
from training.practice import services
from training.practice.models import Drill, Note

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


def answered(client: Client) -> Drill:
    drill = make_drill(client.person)  # type: ignore[attr-defined]
    answer = rules_engine.answer_from({"parts": right_answer(drill.scenario)})
    services.grade(services.submit_answer(drill, answer).pk)
    return drill


def test_a_note_is_kept_shown_and_forgotten(client: Client) -> None:
    drill, address = answered(client), ""
    address = reverse("note_drill", args=[drill.pk])
    client.post(address, {"text": "Cuidado <b>com</b> o cinco.", "favourite": "1"})
    for page in (reverse("drill", args=[drill.pk]), reverse("history"), reverse("history") + "?favourites=1"):
        assert "Cuidado &lt;b&gt;com" in client.get(page).content.decode()
    client.post(address, {"text": " "})
    assert not Note.objects.exists()


def test_favourites_alone(client: Client) -> None:
    kept, other = answered(client), answered(client)
    client.post(reverse("note_drill", args=[kept.pk]), {"favourite": "1"})
    page = client.get(reverse("history"), {"favourites": "1"}).content.decode()
    assert str(kept.pk) in page
    assert str(other.pk) not in page


def test_a_choice_that_nothing_fits_says_so_and_not_that_nothing_was_answered(client: Client) -> None:
    answered(client)
    page = client.get(reverse("history"), {"favourites": "1"}).content.decode()
    assert "Ainda não há respostas" not in page
    assert "Nenhuma das suas respostas corresponde" in page
    assert f'href="{reverse("history")}">Mostrar tudo' in page


def test_topics_to_filter_by_have_no_levels(client: Client) -> None:
    answered(client)
    (group,) = client.get(reverse("history")).context["subjects"]
    assert [name for _value, name in group[1]] == ["A terceira carta do banqueiro"]


def test_nothing_is_noted_before_the_answer_or_about_somebody_elses(client: Client) -> None:
    open_one = make_drill(client.person)  # type: ignore[attr-defined]
    client.post(reverse("note_drill", args=[open_one.pk]), {"text": "x"})
    assert client.post(reverse("note_drill", args=[make_drill().pk]), {"text": "x"}).status_code == 404
    client.post(reverse("note_drill", args=[answered(client).pk]), {"text": "x" * 2001})
    assert not Note.objects.exists()


def test_the_history_is_told_by_day_in_sentences(client: Client) -> None:
    answered(client)
    page = " ".join(client.get(reverse("history")).content.decode().split())
    assert "tudo certo" in page
    assert 'class="card diary"' in page
    assert "<table" not in page
