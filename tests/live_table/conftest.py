"""The table takes the next act at once, so that tests need not wait between two coups."""

import pytest

from training.live_table import planning


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "REST", 0.0)
