"""Marks per second of a real worker on PostgreSQL and RabbitMQ, beside a Celery task with one UPDATE in the same one.

All messages wait when the worker is let go, so that nothing but the worker is measured.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tests.bench.ground import platform, told
from tests.bench.table import Line, Target, in_turns
from tests.running import Installation, until
from training.operations.management.commands.serve import WORKER

ANSWERS, TRAINEES = 300, 60  # in each round
BARE = Target(0.6, at_least=True)
GRADE = "training.practice.tasks.grade_attempt"
# How each task that is still to be done is known.
TASKS = {"tests.bench.touch": "failures = 0", GRADE: "state <> 'graded'"}
FILL = "import json; from tests.bench.inside import answers; print(json.dumps(answers({count}, {trainees})))"
SEND = "from tests.bench.inside import send; send({task!r}, {attempts!r})"


def lines(*, rounds: int, full: bool) -> list[Line]:
    with platform() as installation, workers(installation, 1, processes=2):
        attempts = told(installation, FILL.format(count=(rounds + 1) * ANSWERS, trainees=TRAINEES))
        batches = {task: iter(_batches(attempts)) for task in TASKS}
        found = in_turns(
            {task: lambda task=task: answer_rate(installation, task, next(batches[task])) for task in TASKS},  # type: ignore[misc]
            rounds,
        )
    bare, graded = found.values()
    gap = "a mark is one INSERT of two documents and eight counts and memories more"
    return [Line("answers graded by two processes", "/s", graded, "a task with one UPDATE", bare, BARE, gap)]


def _batches(attempts: list[int]) -> list[list[int]]:
    return [attempts[start : start + ANSWERS] for start in range(0, len(attempts), ANSWERS)]


@contextmanager
def workers(installation: Installation, count: int, *, processes: int, queue: str = "practice") -> Iterator[None]:
    """So many workers of a queue, which know the bare task too."""
    named = f"{installation.environment['CELERY_QUEUE_PREFIX']}{queue}"
    command = [*WORKER, "-I", "tests.bench.tasks", "--queues", named, f"--concurrency={processes}"]
    names = [f"worker {queue} {number}" for number in range(count)]
    for name in names:
        installation.start(name, command)
    for name in names:
        until(f"{name} is ready", lambda name=name: "ready." in installation.output(name), within=180)  # type: ignore[misc]
    try:
        yield
    finally:
        for name in names:
            process = installation.started.pop(name)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def held(installation: Installation) -> Iterator[None]:
    """The workers stand still until what is sent to them is complete."""
    groups = [process.pid for name, process in installation.started.items() if name.startswith("worker")]
    for group in groups:
        os.killpg(group, signal.SIGSTOP)
    yield
    for group in groups:
        os.killpg(group, signal.SIGCONT)


def rate(installation: Installation, order: str, left: str, count: int) -> float:
    """How many of the tasks that `order` sends all workers together do in a second; `left` counts those to be done."""
    with psycopg.connect(installation.environment["DATABASE_URL"], autocommit=True) as database:
        with held(installation):
            installation.run(order)
        started = time.perf_counter()
        until("all tasks are done", lambda: database.execute(left).fetchone() == (0,), within=600)
        return count / (time.perf_counter() - started)


def answer_rate(installation: Installation, task: str, attempts: list[int]) -> float:
    left = f"SELECT count(*) FROM practice_attempt WHERE {TASKS[task]} AND id BETWEEN {attempts[0]} AND {attempts[-1]}"
    return rate(installation, SEND.format(task=task, attempts=attempts), left, len(attempts))
