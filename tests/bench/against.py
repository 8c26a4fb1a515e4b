"""`make bench-against REF=<commit>`: the engine's speed beside that of an earlier release, topic by topic, in one run.

The earlier release is checked out into a temporary folder; both are measured in turns, in processes of their own, by
the time of the processor, and the best of each counts: another program on the machine disturbs both alike. Ends with 1
where a topic got slower than allowed, with 2 where there is no such commit.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = 0.9
# Ids of a game once had a prefix where they now have a folder.
PREFIX = "pb_"

MEASURE = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import rules_engine
from rules_engine.topics import topics
assert rules_engine.__file__.startswith(sys.argv[1]), rules_engine.__file__
times = int(sys.argv[2])
def best(work, times, rounds):
    found = []
    for _ in range(rounds):
        started = time.process_time()
        for number in range(times):
            work(number)
        found.append(time.process_time() - started)
    return times / min(found)
speeds = {}
for book in rules_engine.RULEBOOKS:
    for topic in topics(book):
        made = lambda seed: rules_engine.generate(book, topic, seed, 1 + seed % 5).solve()
        speeds[f"{book} {topic}"] = best(made, times, 3)
plain = rules_engine.generate("pt-chemin-de-fer", "third_card", 7, article="67 d")
book, facts = plain.book, plain.situation
speeds["solve a plain third card"] = best(lambda _: book.rule(facts), times * 7, 6)
print(json.dumps(speeds))
"""


def measured(folder: Path, times: int) -> dict[str, float]:
    command = [sys.executable, "-c", MEASURE, str(folder), str(times)]
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder).stdout
    return {name.replace(f" {PREFIX}", " "): speed for name, speed in json.loads(found).items()}


def fastest(runs: list[dict[str, float]]) -> dict[str, float]:
    return {name: max(run[name] for run in runs) for name in runs[0]}


def git(*command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *command], cwd=ROOT, capture_output=True, check=False)


def lacking(ref: str) -> str:
    """Why there is no such commit to measure, or nothing."""
    if not ref:
        return "name an earlier commit: make bench-against REF=<commit>"
    if git("rev-parse", "--git-dir").returncode:
        return "this is no git checkout, so it holds no earlier release"
    if git("rev-parse", "--quiet", "--verify", "--end-of-options", f"{ref}^{{commit}}").returncode == 0:
        return ""
    if git("rev-parse", "--is-shallow-repository").stdout.strip() == b"true":
        return f"{ref} is not in this clone, which is shallow: git fetch --unshallow"
    return f"{ref} is no commit of this clone; git fetch may bring it"


def check_out(ref: str, folder: Path) -> None:
    archive = subprocess.run(["git", "archive", ref], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    folder.mkdir()
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)


def compare(ref: str, *, turns: int, times: int, allowed: float) -> int:
    """Print how fast every topic is and how much faster than at `ref`; 1 where one is slower than allowed."""
    with tempfile.TemporaryDirectory() as folder:
        earlier = Path(folder) / "earlier"
        check_out(ref, earlier)
        runs = [(measured(earlier, times), measured(ROOT, times)) for _ in range(turns)]
    before, now = fastest([run[0] for run in runs]), fastest([run[1] for run in runs])
    slower = 0
    for name, speed in now.items():
        ratio = f"{speed / before[name]:6.2f} ×" if name in before else "     new"
        slower += name in before and speed / before[name] < allowed
        print(f"{name:52}{speed:10,.0f}/s  {ratio}")
    print(f"{slower} slower than {allowed} of {ref}")
    return 1 if slower else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.bench.against", description="The engine beside an earlier release.")
    parser.add_argument("ref", nargs="?", default="", help="the commit to compare with")
    parser.add_argument("--turns", type=int, default=3, help="how often each is measured")
    parser.add_argument("--times", type=int, default=300, help="scenarios of each topic in one measure")
    parser.add_argument("--allowed", type=float, default=ALLOWED, help="the ratio below which a topic is slower")
    options = parser.parse_args()
    missing = lacking(options.ref)
    if missing:
        print(f"Sabot: {missing}", file=sys.stderr)
        return 2
    return compare(options.ref, turns=options.turns, times=options.times, allowed=options.allowed)


if __name__ == "__main__":
    sys.exit(main())
