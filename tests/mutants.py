"""`make mutants`: change every number and every table cell of every rulebook, one at a time; a test must notice.

The golden cases are tried first, in this process; what they do not notice goes to the engine's tests in a process of
its own, which gets the change through the environment (see tests/engine/conftest.py).
"""

import copy
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

from rules_engine import RULEBOOKS, Rulebook, rulebook
from rules_engine.golden import fault
from tests.engine.test_cases import FILES, cases

VARIABLE = "SABOT_MUTANT"
LETTERS = {"T": "FO", "F": "TO", "O": "TF", "N": "TF"}
Path = tuple[str | int, ...]


@cache
def all_cases() -> list[tuple[str, dict[str, Any]]]:
    """Every golden case with the rulebook it belongs to."""
    return [(path.parent.name, case) for path in FILES for case in cases(path)]


def mutants(book: Rulebook) -> Iterator[tuple[Path, Any]]:
    """Every place of the rulebook's own numbers, with a value it should not have."""
    inherited = book.like.law.numbers if book.like else {}
    for name, entry in book.law.numbers.items():
        if inherited.get(name) is not entry:
            yield from _changes(entry["value"], (name, "value"))


def _changes(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int):
        yield from ((path, value + change) for change in (1, -1))
    elif isinstance(value, float):
        yield path, value * 2
    elif isinstance(value, str) and value and set(value) <= set("TFON "):
        for index, letter in enumerate(value):
            for other in LETTERS.get(letter, ""):
                yield path, value[:index] + other + value[index + 1 :]
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _changes(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _changes(inner, (*path, index))


def apply(book: Rulebook, path: Path, value: Any) -> None:
    """Put the change in place of the law's numbers, here and in the rulebooks that inherit them."""
    changed = copy.deepcopy(book.law.numbers)
    entry: Any = changed
    for key in path[:-1]:
        entry = entry[key]
    entry[path[-1]] = value
    book.law.__dict__["numbers"] = changed
    for heir in RULEBOOKS.values():
        if heir.like is book:
            heir.law.__dict__.pop("numbers", None)


def golden_cases_notice(book: Rulebook) -> bool:
    """The rulebook's own cases first: one of them nearly always notices."""
    for owner, case in sorted(all_cases(), key=lambda one: one[0] != book.id):
        try:
            if fault(rulebook(owner), case):
                return True
        except Exception:  # the changed number broke the rule itself
            return True
    return False


def engine_tests_notice(book: Rulebook, path: Path, value: Any) -> bool:
    environment = os.environ | {VARIABLE: repr((book.id, path, value))}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "tests/engine"]
    skipped = ("test_properties", "test_cases", "test_documents")
    command += [f"--ignore=tests/engine/{name}.py" for name in skipped]
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 1


def main() -> int:
    tried, unnoticed = 0, []
    for book in RULEBOOKS.values():
        numbers = book.law.numbers
        for path, value in mutants(book):
            tried += 1
            apply(book, path, value)
            noticed = golden_cases_notice(book)
            book.law.__dict__["numbers"] = numbers
            for heir in RULEBOOKS.values():
                if heir.like is book:
                    heir.law.__dict__.pop("numbers", None)
            if not noticed:
                unnoticed.append((book, path, value))
    print(f"{tried} changes tried, {tried - len(unnoticed)} noticed by the golden cases", flush=True)
    survivors = [mutant for mutant in unnoticed if not engine_tests_notice(*mutant)]
    for book, path, value in survivors:
        print(f"not noticed: {book.id} {'.'.join(map(str, path))} = {value!r}")
    print(f"{len(survivors)} not noticed by any test")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
