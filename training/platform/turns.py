"""Limits how many web processes of a machine do one kind of work at once. No Django: gunicorn's parent makes them.

A slot is an empty file; locking it takes the slot. The lock ends with the process.
"""

import contextlib
import fcntl
import shutil
import tempfile
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import IO

PAUSE = 0.01  # seconds between two attempts to take a slot


class NoneFree(Exception):
    """All slots are taken."""


class Turns:
    """The slots for one kind of work."""

    def __init__(self, name: str) -> None:
        self.name = name
        # Made before gunicorn forks its web processes, so that they share it.
        self._shared: Path | None = None

    def make(self, number: int) -> Path:
        """Create this many slots for this process and those it forks. Returns their folder."""
        self._shared = Path(tempfile.mkdtemp(prefix=f"sabot-{self.name}-"))
        for place in range(1, number + 1):
            (self._shared / str(place)).touch()
        return self._shared

    def remove(self) -> None:
        if self._shared is not None:
            shutil.rmtree(self._shared, ignore_errors=True)
            self._shared = None

    @contextlib.contextmanager
    def turn(self, *, within: float = 0.0) -> Iterator[None]:
        """Hold a slot. Raises NoneFree if none gets free `within` so many seconds: a web process that waits answers
        no page."""
        deadline = time.monotonic() + within
        with contextlib.ExitStack() as held:
            while not self._take(held):
                if time.monotonic() >= deadline:
                    raise NoneFree
                time.sleep(PAUSE)
            yield

    def _take(self, held: contextlib.ExitStack) -> bool:
        for path in sorted((self._shared or Path(self._own.name)).iterdir()):
            slot = path.open("rb")
            if _lock(slot):
                held.enter_context(slot)
                return True
            slot.close()
        return False

    @cached_property
    def _own(self) -> tempfile.TemporaryDirectory[str]:
        """The only slot of a process that gunicorn did not start, such as a command."""
        folder = tempfile.TemporaryDirectory(prefix=f"sabot-{self.name}-")
        (Path(folder.name) / "1").touch()
        return folder


def _lock(slot: IO[bytes]) -> bool:
    try:
        fcntl.flock(slot.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


# With two or more web processes, each kind of work leaves one of them free, so that pages are always answered.
reading = Turns("readers")  # uploaded files
signing_in = Turns("sign-ins")  # checking a password takes most of a sign-in
