"""Limits how many files all web processes of a machine read at once. Imports no Django: gunicorn's parent makes them.

A slot is an empty file; locking it takes the slot. The lock ends with the process.
"""

import contextlib
import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# Made before gunicorn forks its web processes, so that they share it.
_shared: Path | None = None


class NoneFree(Exception):
    """All slots are taken."""


def make(number: int) -> Path:
    """Create this many slots for this process and those it forks. Returns their folder."""
    global _shared
    _shared = Path(tempfile.mkdtemp(prefix="sabot-readers-"))
    for place in range(1, number + 1):
        (_shared / str(place)).touch()
    return _shared


def remove() -> None:
    global _shared
    if _shared is not None:
        shutil.rmtree(_shared, ignore_errors=True)
        _shared = None


@contextlib.contextmanager
def turn() -> Iterator[None]:
    """Hold a slot. Raises NoneFree at once if none is free: waiting would keep a web process from answering pages."""
    for path in sorted((_shared or Path(_own().name)).iterdir()):
        with path.open("rb") as slot:
            if _lock(slot.fileno()):
                yield
                return
    raise NoneFree


def _lock(slot: int) -> bool:
    try:
        fcntl.flock(slot, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@cache
def _own() -> tempfile.TemporaryDirectory[str]:
    """The only slot of a process that gunicorn did not start, such as a command."""
    folder = tempfile.TemporaryDirectory(prefix="sabot-readers-")
    (Path(folder.name) / "1").touch()
    return folder
