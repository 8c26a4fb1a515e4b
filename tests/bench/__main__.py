"""`python -m tests.bench [--full] [--rounds 5] [--only site …] [--json FILE] [--doc FILE]`.

Each part is measured by a process of its own, one after the other. Ends with 1 where a target was missed.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from tests.bench.table import Line, machine, written

# In the order in which somebody reads them.
PARTS = {
    "engine": "The engine",
    "scheduler": "The scheduler of practice",
    "site": "Pages and answers, on PostgreSQL",
    "growth": "Growth: the same pages with few and with many answers",
    "grading": "Marks, on PostgreSQL and RabbitMQ",
    "embedded": "Without servers (`make run`)",
    "exams": "An exam that everybody begins at once",
    "certificates": "Certificates",
    "exports": "Exports",
    "regrade": "A shadow regrade",
}
ROOT = Path(__file__).resolve().parents[2]
ABOUT = """# Benchmarks

Written by `make bench DOC=docs/benchmarks.md`; nothing here is typed.

Machines differ and are noisy, so every line stands beside a yardstick of the same run: rounds of both in turns, the
median of the ratios, and the lowest and highest. What is wanted stands in the code beside the measure (`tests/bench/`).
Memory is what a process has for itself and its part of what it shares with others. A load above the number of cores
before the run means that others were at work: spreads are wide then.
"""


NOT = "Not measured in the last run."


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    asked.add_argument("--full", action="store_true", help="the sizes of the issue: a million answers, a full hall")
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    asked.add_argument("--json", type=Path, help="where to keep every round of every line")
    asked.add_argument("--doc", type=Path, help="where to keep the table")
    given = asked.parse_args()
    size = "full sizes" if given.full else "small sizes"
    print(head := f"{machine()}; {size}, {given.rounds} rounds", flush=True)
    lines: dict[str, list[Line]] = {}
    for part in given.only:
        lines[part] = _measured(part, given.full, given.rounds)
        print(f"\n{PARTS[part]}\n\n{written(lines[part])}", flush=True)
        _keep(given, head, lines)
    every = [line for found in lines.values() for line in found]
    missed = [line.name for line in every if line.met is False] + [part for part, found in lines.items() if not found]
    print(f"\n{len(every)} lines, {len(missed)} targets missed{': ' if missed else ''}{', '.join(missed)}")
    return 1 if missed else 0


def _keep(given: argparse.Namespace, head: str, lines: dict[str, list[Line]]) -> None:
    """After every part, so that a run that is broken off leaves what it found."""
    if given.json:
        kept = {part: [line.data() for line in found] for part, found in lines.items()}
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps({"head": head, "parts": kept}, indent=1))
    if given.doc:
        given.doc.write_text(_document(head, lines))


def _measured(part: str, full: bool, rounds: int) -> list[Line]:
    """By a process of its own."""
    command = [sys.executable, "-m", "tests.bench.part", part, str(rounds), *(["full"] if full else [])]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(f"bench: {part} could not be measured", file=sys.stderr)
        return []
    return [Line.of(data) for data in json.loads(done.stdout.splitlines()[-1])]


def _document(head: str, lines: dict[str, list[Line]]) -> str:
    parts = "\n\n".join(f"## {PARTS[part]}\n\n{written(found) if found else NOT}" for part, found in lines.items())
    return f"{ABOUT}\nThe last run: {head}.\n\n{parts}\n"


if __name__ == "__main__":
    sys.exit(main())
