"""What every test of the library may use."""

from collections.abc import Iterator

import pytest
from django.utils import translation


@pytest.fixture
def in_english() -> Iterator[None]:
    with translation.override("en"):
        yield
