"""`make run`, without any server: from answer to mark, what it uses while nothing happens, and its memory."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.ground import embedded
from tests.bench.table import Line, Target, in_turns
from tests.running import Installation
from tests.visitor import Visitor

WATCHED = 20.0  # seconds
MARKED, IDLE = Target(150, of="figure"), Target(2.0, of="figure")
TARGETS = {"web process": Target(120, of="figure")}
PLAIN = "a process with bare Django"
# A word of the command line by which each program is known.
PROGRAMS = {"web process": "gunicorn", "exam worker": "--hostname=exams@%h", "other worker": "--hostname=worker@%h"}
PROGRAMS |= {"beat": "beat", "supervisor": "serve"}
# Answers as a web process stores them, and heartbeats, which are a task with one UPDATE: how long each took.
WAITS = """
import json, time
from rules_engine import Answer
from tests.practice.drills import make_drill
from training.celery import app
from training.practice.models import Mark
from training.people.models import User
from training.operations.models import WorkerSeen
from training.practice import services
trainee = User.objects.get(email="rui@sabot.example")
def waited(ask, done):
    started = time.perf_counter()
    asked = ask()
    while not done(asked):
        time.sleep(0.002)
    return (time.perf_counter() - started) * 1000
def marked():
    drill, found = make_drill(trainee), Mark.objects.filter
    return waited(lambda: services.submit_answer(drill, Answer({{}})), lambda stored: found(attempt=stored).exists())
def beaten():
    before = WorkerSeen.objects.get(worker="practice").seen_at
    def beat():
        app.send_task("training.operations.tasks.worker_heartbeat", ("practice",))
    return waited(beat, lambda _: WorkerSeen.objects.get(worker="practice").seen_at != before)
rounds = [(marked(), beaten()) for _ in range({rounds} + 1)][1:]
print(json.dumps(rounds))
"""
BARE = "import django; from django.conf import settings; settings.configure(); django.setup(); input()"


def lines(*, rounds: int, full: bool) -> list[Line]:
    with embedded() as installation, _bare_django() as bare:
        waits = json.loads(installation.run(WAITS.format(rounds=3 * rounds)).splitlines()[-1])
        visitor = Visitor(installation.url)
        for address in ("/", "/practice/", "/practice/rules/", "/rulebooks/") * 4:
            visitor.get(address)
        measures: dict[str, Callable[[], float]] = {
            "idle": lambda: _idle(installation),
            "bare": lambda: _memory([bare.pid]),
        }
        measures |= {name: lambda word=word: _memory(_pids(installation, word)) for name, word in PROGRAMS.items()}  # type: ignore[misc]
        found = in_turns(measures, rounds)
        bare.kill()
    idle, django = found.pop("idle"), found.pop("bare")
    marked, beaten = zip(*waits, strict=True)
    sizes = [Line(f"memory, {name}", "MB", taken, PLAIN, django, TARGETS.get(name)) for name, taken in found.items()]
    return [
        Line("from answer to mark", "ms", marked, "a task with one UPDATE, sent and done", beaten, MARKED),
        Line("all processes when idle", "% of a core", idle, "one per cent", (1.0,) * rounds, IDLE),
        *sizes,
    ]


def _bare_django() -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", BARE], stdin=subprocess.PIPE)


def _pids(installation: Installation, word: str) -> list[int]:
    """The processes of a program that do its work: where there are children, these."""
    found = [pid for pid in installation.pids() if word in Path(f"/proc/{pid}/cmdline").read_text().split("\0")]
    children = [pid for pid in found if _parent(pid) in found]
    return children or found


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _memory(pids: list[int]) -> float:
    """Megabytes of the largest, with its part of what it shares with others."""
    sizes = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids]
    return max(int(size.partition("\nPss:")[2].split()[0]) for size in sizes) / 1024


def _idle(installation: Installation) -> float:
    before = _cpu(installation)
    time.sleep(WATCHED)
    return (_cpu(installation) - before) / WATCHED * 100


def _cpu(installation: Installation) -> float:
    """Seconds that all processes have used so far."""
    ticks = 0
    for pid in installation.pids():
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
