"""Golden cases as data in tests/cases/<rulebook>/<topic>.toml; `rules_engine.golden` says what a case may contain."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rules_engine import RULEBOOKS, rulebook
from rules_engine.golden import fault

ROOT = Path(__file__).parent.parent / "cases"


FILES = sorted(ROOT.glob("*/*.toml"))


@cache
def cases(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))["case"]
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_cases(path: Path) -> None:
    """All cases of a file; whatever fails is named by its article and its name."""
    book = rulebook(path.parent.name)
    failed = {f"{case['article']} {case['name']}": fault(book, case) for case in cases(path)}
    assert not any(failed.values()), "\n".join(f"{name}: {why}" for name, why in failed.items() if why)


@pytest.mark.parametrize("book_id", RULEBOOKS)
def test_every_row_of_a_checklist_has_a_golden_case(book_id: str) -> None:
    """A text that is like another needs cases of its own only for what it says itself."""
    book = rulebook(book_id)
    told = {
        case["article"] for path in FILES if path.parent.name == book_id for case in cases(path) if "expect" in case
    }
    assert {row.cite for row in book.law.rows.values() if row.tested} <= told
