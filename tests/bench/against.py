"""`make bench-against REF=<commit>`: the engine's speed beside that of an earlier release, topic by topic, in one run.

The earlier release is checked out into a temporary folder; both are measured in turns, in processes of their own, by
the time of the processor, and the best of each counts: another program on the machine disturbs both alike.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TURNS = 3
ALLOWED = 0.9
# Ids of a game once had a prefix where they now have a folder.
PREFIX = "pb_"

MEASURE = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import rules_engine
from rules_engine.topics import topics
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
        speeds[f"{book} {topic}"] = best(made, 300, 3)
plain = rules_engine.generate("pt-chemin-de-fer", "third_card", 7, article="67 d")
speeds["solve a plain third card"] = best(lambda _: plain.solve(), 2000, 6)
print(json.dumps(speeds))
"""


def measured(folder: Path) -> dict[str, float]:
    command = [sys.executable, "-c", MEASURE, str(folder)]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout
    return {name.replace(f" {PREFIX}", " "): speed for name, speed in json.loads(found).items()}


def fastest(runs: list[dict[str, float]]) -> dict[str, float]:
    return {name: max(run[name] for run in runs) for name in runs[0]}


def main(ref: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        earlier = Path(folder) / "earlier"
        archive = subprocess.run(["git", "archive", ref], cwd=ROOT, capture_output=True, check=True).stdout
        earlier.mkdir()
        subprocess.run(["tar", "-x", "-C", str(earlier)], input=archive, check=True)
        runs = [(measured(earlier), measured(ROOT)) for _ in range(TURNS)]
    before, now = fastest([run[0] for run in runs]), fastest([run[1] for run in runs])
    slower = 0
    for name, speed in now.items():
        ratio = f"{speed / before[name]:6.2f} ×" if name in before else "     new"
        slower += name in before and speed / before[name] < ALLOWED
        print(f"{name:52}{speed:10,.0f}/s  {ratio}")
    print(f"{slower} slower than {ALLOWED} of {ref}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
