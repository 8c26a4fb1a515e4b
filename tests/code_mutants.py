"""`make mutants`, second part: change one comparison, permission or option of the code at a time; a test must notice.

`python -m tests.code_mutants --sample 60 --seed 1` takes the same mutants every time. Each is made in a copy of the
tree. The tests that mention its module run first, then those that mention its package.
"""

import argparse
import ast
import importlib.util
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WANTED = 0.95
PATIENCE = 600  # seconds for the tests of one mutant; a mutant that never ends counts as noticed
RULES = "rules_engine"
# Not sampled: invented data, drawings (compared as pictures), processes, and texts.
LEFT_OUT = {"demo", "drawing", "formats", "management", "migrations", "operations"}
NOT_RUN = {"bench", "browser", "chaos", "look"}
COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "and": "or", "or": "and"}
ROLES = ("TRAINEE", "INSTRUCTOR", "HR", "ADMINISTRATOR")
ENGINE_TESTS = ("tests/engine/test_versions.py", "tests/engine/test_cases.py")
SLOW = "tests/engine/test_properties.py"
# Mutants that change nothing anybody can see, with the reason: (file, line of code, replacement).
EQUIVALENT = {
    (
        "rules_engine/games/black_jack/play.py",
        "for seat in [seat for seat in skipped if seat < asked]:",
        "<=",
    ): "the seat that is asked is never among those skipped",
}


@dataclass(frozen=True)
class Mutant:
    path: str
    kind: str
    line: int
    start: int  # offsets in the bytes of the file
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {self.before} -> {self.after}"

    @property
    def is_equivalent(self) -> bool:
        code = (ROOT / self.path).read_text("utf-8").splitlines()[self.line - 1].strip()
        return (self.path, code, self.after) in EQUIVALENT


class Source:
    """A file, with the places of its syntax nodes as offsets in its bytes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.content = (ROOT / path).read_bytes()
        self.tree = ast.parse(self.content)
        self.starts = [0]
        for line in self.content.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def mutants(self) -> Iterator[Mutant]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Compare) and len(node.ops) == 1:
                yield from self._operator(node.left, node.comparators[0])
            elif isinstance(node, ast.BoolOp):
                yield from self._operator(*node.values[:2])
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "allow":
                yield from self._roles(node)
            elif isinstance(node, ast.Call) and self.path.startswith(RULES):
                yield from self._options(node)

    def _operator(self, left: ast.expr, right: ast.expr) -> Iterator[Mutant]:
        start, end = self._span(left)[1], self._span(right)[0]
        found = re.search(rb"[<>=!]=?|\b(?:and|or)\b", self.content[start:end])
        if found and (after := COMPARED.get(found[0].decode())):
            yield self._mutant("comparison", start + found.start(), start + found.end(), after)

    def _roles(self, call: ast.Call) -> Iterator[Mutant]:
        given = {role.attr for role in call.args if isinstance(role, ast.Attribute)}
        for role in call.args:
            if isinstance(role, ast.Attribute):
                other = next(name for name in ROLES if name not in given)
                yield self._mutant("permission", *self._span(role), f"Role.{other}")

    def _options(self, call: ast.Call) -> Iterator[Mutant]:
        """A wrong answer that is not offered, or a critical question that is not."""
        for option in call.keywords:
            if option.arg == "tempting" and isinstance(option.value, ast.Tuple | ast.List) and option.value.elts:
                yield self._mutant("option", *self._span(option.value.elts[0]), "*()")
            elif option.arg == "critical" and isinstance(option.value, ast.Constant):
                yield self._mutant("option", *self._span(option.value), str(not option.value.value))

    def _span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        first, last = self.starts[node.lineno - 1], self.starts[node.end_lineno - 1]
        return first + node.col_offset, last + node.end_col_offset

    def _mutant(self, kind: str, start: int, end: int, after: str) -> Mutant:
        line = self.content[:start].count(b"\n") + 1
        return Mutant(self.path, kind, line, start, end, self.content[start:end].decode(), after)


def sample(size: int, seed: int) -> list[Mutant]:
    """As many of rules as of services, and of each as many of every kind, as far as there are."""
    groups: dict[tuple[bool, str], list[Mutant]] = {}
    for path in sorted(path for top in (RULES, "training", "exams") for path in (ROOT / top).rglob("*.py")):
        name = path.relative_to(ROOT)
        if LEFT_OUT.isdisjoint(name.parts):
            for mutant in Source(name.as_posix()).mutants():
                if not mutant.is_equivalent:
                    groups.setdefault((mutant.path.startswith(RULES), mutant.kind), []).append(mutant)
    draw = random.Random(seed)
    piles = [draw.sample(groups[key], len(groups[key])) for key in sorted(groups)]
    return [pile.pop() for number in range(size) if (pile := piles[number % len(piles)])]


def tests_of(mutant: Mutant) -> list[list[str]]:
    """The tests to run, the likeliest first."""
    if mutant.path.startswith(RULES):
        others = [
            path for path in _test_files("engine") if path not in (*ENGINE_TESTS, "tests/engine/test_properties.py")
        ]
        return [list(ENGINE_TESTS), others]
    first = ["tests/test_permissions.py"] if mutant.kind == "permission" else []
    *package, module = Path(mutant.path).with_suffix("").parts
    dotted = ".".join(package)
    of_module = re.compile(rf"{re.escape(dotted)}(\.| import .*\b){module}\b")
    texts = {path: (ROOT / path).read_text("utf-8") for path in _test_files()}
    near = [path for path, text in texts.items() if of_module.search(text)]
    folder = f"tests/{package[1]}/" if len(package) > 1 else ""
    own = [path for path in texts if folder and path.startswith(folder)]
    own = own or [path for path, text in texts.items() if dotted in text]
    groups = [first, near, [path for path in own if path not in near]]
    return [group for group in groups if group] or [["tests/test_permissions.py"]]


def _test_files(under: str = "") -> list[str]:
    found = (path.relative_to(ROOT) for path in sorted((ROOT / "tests" / under).rglob("test_*.py")))
    return [path.as_posix() for path in found if NOT_RUN.isdisjoint(path.parts)]


class Copy:
    """A copy of the tree in which one mutant at a time is alive."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        self.broken: set[str] = set()  # tests that fail without any change too
        ignored = shutil.ignore_patterns(".git", ".venv", "var", "*.egg-info", ".*_cache")
        shutil.copytree(ROOT, self.root, ignore=ignored)

    def notices(self, mutant: Mutant) -> bool:
        """Whether a test fails with the mutant that passes without it."""
        return any(self._notice(mutant, tests) for tests in tests_of(mutant))

    def _notice(self, mutant: Mutant, tests: list[str]) -> bool:
        while (failed := self._first_failure(tests, mutant)) and failed not in self.broken:
            if not self._first_failure([failed]):
                return True
            print(f"fails without any change: {failed}", flush=True)
            self.broken.add(failed)
        return False

    def _first_failure(self, tests: list[str], mutant: Mutant | None = None) -> str:
        """The test that fails first, with a mutant if there is one; empty if none does."""
        if mutant is None:
            return self._run(tests)
        path = self.root / mutant.path
        kept = path.read_bytes()
        self._write(path, kept[: mutant.start] + mutant.after.encode() + kept[mutant.end :])
        try:
            return self._run(tests)
        finally:
            self._write(path, kept)

    def _write(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        # Bytecode is taken for fresh if time and size agree, which they may here.
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)

    def _run(self, tests: list[str]) -> str:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not services"]
        command += [word for test in sorted(self.broken.difference(tests)) for word in ("--deselect", test)]
        try:
            done = subprocess.run(
                [*command, *tests], cwd=self.root, capture_output=True, text=True, check=False, timeout=PATIENCE
            )
        except subprocess.TimeoutExpired:
            return tests[0]
        named = re.search(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
        # 5: no test was selected.
        return "" if done.returncode in (0, 5) else named[1] if named else tests[0]


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.code_mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=60, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    given = parser.parse_args()
    chosen, survivors = sample(given.sample, given.seed), []
    with tempfile.TemporaryDirectory(prefix="sabot-mutants-") as folder:
        copy = Copy(Path(folder))
        for mutant in chosen:
            noticed = copy.notices(mutant)
            print(f"{'noticed' if noticed else 'SURVIVED'}  {mutant}", flush=True)
            if not noticed:
                survivors.append(mutant)
    rate = 1 - len(survivors) / len(chosen)
    print(f"{len(chosen)} changes of code tried, {rate:.0%} noticed ({WANTED:.0%} wanted); survivors:")
    print("\n".join(f"  {mutant}" for mutant in survivors) or "  none")
    return 0 if rate >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
