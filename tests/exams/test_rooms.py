"""A room knows what it stands on and nothing above it, not even by the names of tables."""

import re
from pathlib import Path

import pytest

EXAMS = Path(__file__).parents[2] / "exams"
BELOW_RESULTS = ("records", "papers", "sittings", "invigilation")
# A lookup or a reverse name that leads from a sitting or a form item up to what was made of it.
UPWARDS = re.compile(r"(?:\b|__)(results|marks|appeal|certificates?)__\w|__(results|marks|appeal|certificates?)\b")


@pytest.mark.parametrize("room", BELOW_RESULTS)
def test_nothing_below_results_reads_them_through_the_tables(room: str) -> None:
    found = [
        f"{path.name}: {line.strip()}"
        for path in (EXAMS / room).glob("*.py")
        for line in path.read_text().splitlines()
        if UPWARDS.search(line)
    ]
    assert found == []


def test_such_a_lookup_would_be_noticed() -> None:
    assert UPWARDS.search("Q(results__in_force=True)") and UPWARDS.search('Max("sitting__results__released_at")')
