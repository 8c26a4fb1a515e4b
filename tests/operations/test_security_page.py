"""SECURITY.md names what defends and what tests it: every file that it names is there."""

import re

import pytest

from tests.running import ROOT

TEXT = (ROOT / "SECURITY.md").read_text()
ROWS = [
    line.split("|")[1:-1] for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| attack")
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip())
def test_every_defence_names_tests_that_are_there(row: list[str]) -> None:
    folder, named = "", re.findall(r"`([^`]+)`", row[-1])
    assert named
    for name in named:
        if "/" in name:
            folder = name.rpartition("/")[0]
            assert (ROOT / name).exists(), name
        else:  # beside the one before it
            assert (ROOT / folder / name).exists(), name


def test_every_file_that_it_names_is_there() -> None:
    named = set(re.findall(r"`((?:training|exams|docs|deploy)/[^`]+)`", TEXT))
    assert len(named) > 5
    assert {name for name in named if not (ROOT / name).exists()} == set()
