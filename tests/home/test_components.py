"""The component page: for builders in the demo, for administrators elsewhere."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from training.people.models import Role

pytestmark = pytest.mark.django_db


def test_everybody_sees_it_in_the_demo(client: Client) -> None:
    page = client.get(reverse("components"))
    kinds = {question.kind for question in page.context["questions"]}
    assert kinds >= {"words", "choice", "amount", "player"}
    assert page.content.decode().count('aria-invalid="true"') >= 3


def test_elsewhere_only_administrators(signed_in: Callable[..., Client], client: Client, settings: Any) -> None:
    settings.DEMO = False
    assert client.get(reverse("components")).status_code == 404
    assert signed_in(Role.INSTRUCTOR).get(reverse("components")).status_code == 404
    assert signed_in(Role.ADMINISTRATOR).get(reverse("components")).status_code == 200
