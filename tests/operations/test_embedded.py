"""`serve` without any server: it waits instead of looking, marks at once, and starts again what dies."""

import os
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import furnished
from tests.running import Installation, until

Install = Callable[..., Installation]
WATCHED = 12.0  # seconds
# Of a core. Below 0.02 on a machine that does nothing else; beside another test it may be somewhat more, and polling
# took 0.12.
IDLE = 0.04
# Answers as a web process stores them; it prints how many seconds each waited for its mark.
ANSWERS = """
import time
from rules_engine import Answer
from tests.practice.drills import make_drill
from training.practice.models import Mark
from training.people.models import User
from training.practice import services
trainee = User.objects.get(email="rui@sabot.example")
for _ in range(9):
    drill = make_drill(trainee)
    attempt = services.submit_answer(drill, Answer({}))
    stored = time.perf_counter()
    while not Mark.objects.filter(attempt=attempt).exists():
        time.sleep(0.005)
    print(time.perf_counter() - stored)
"""


@pytest.fixture
def running(install: Install) -> Iterator[Installation]:
    installation = install()
    furnished.with_people(installation)
    installation.start("serve")
    installation.wait_until_ready(within=120)
    yield installation


def cpu_seconds(installation: Installation) -> float:
    """That all processes have used so far."""
    ticks = 0
    for pid in installation.pids():
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def commanded(installation: Installation, word: str) -> list[int]:
    return [pid for pid in installation.pids() if word in Path(f"/proc/{pid}/cmdline").read_text().split("\0")]


def test_it_idles_marks_at_once_starts_again_what_dies_and_leaves_nothing_when_killed(running: Installation) -> None:
    waits = running.manage("shell", "-v0", "--no-imports", "-c", ANSWERS)
    assert waits.returncode == 0, waits.stderr
    # A tenth of a second where the machine is free; a queue that is looked at once in a second takes half of one.
    assert statistics.median(map(float, waits.stdout.split())) < 0.4, waits.stdout
    before = cpu_seconds(running)
    time.sleep(WATCHED)  # what is measured is what happens when nothing does
    assert (cpu_seconds(running) - before) / WATCHED < IDLE
    (beat,) = commanded(running, "beat")
    os.kill(beat, signal.SIGKILL)
    until("beat is started again", lambda: commanded(running, "beat") not in ([], [beat]))
    assert running.started["serve"].poll() is None
    assert "beat exited unexpectedly (status -9); starting it again" in running.output("serve")
    running.started["serve"].kill()
    running.started["serve"].wait()
    until("no process is left", lambda: not running.pids(), within=30)
