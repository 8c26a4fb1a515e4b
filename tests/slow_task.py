"""A task that takes as long as one likes, for tests that stop the worker meanwhile."""

import time
from pathlib import Path

from celery import shared_task


@shared_task(name="tests.slow")
def slow(notes: str, seconds: float) -> None:
    with Path(notes).open("a") as file:
        file.write("begun\n")
        file.flush()
        time.sleep(seconds)
        file.write("done\n")
