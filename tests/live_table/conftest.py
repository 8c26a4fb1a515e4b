"""The table takes the next act at once, so that tests need not wait between two coups."""

from collections.abc import Callable

import pytest
from django.test import Client

from training.live_table import planning
from training.people.models import Role


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "REST", 0.0)


@pytest.fixture
def client(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)
