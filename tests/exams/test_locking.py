"""How rows are locked in exams, so that two acts never wait for each other."""

import re
from pathlib import Path

import pytest

EXAMS = Path(__file__).parents[2] / "exams"
SOURCES = sorted(path for path in EXAMS.rglob("*.py") if "migrations" not in path.parts)
LOCK = re.compile(r"select_for_update\(([^()]|\([^()]*\))*\)")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(EXAMS).as_posix())
def test_a_row_is_locked_without_its_key(path: Path) -> None:
    """An act that is audited holds the end of the chain while PostgreSQL checks, at the commit, the foreign keys of
    what it wrote. Whoever locks such a row whole and then waits for the chain would wait for ever: lock it with
    `no_key=True`, which lets others refer to it."""
    locks = [found.group() for found in LOCK.finditer(path.read_text())]
    assert [lock for lock in locks if "no_key=True" not in lock] == []


def test_the_rule_sees_what_it_looks_for() -> None:
    assert LOCK.search('User.objects.select_for_update(of=("self",)).get()')
