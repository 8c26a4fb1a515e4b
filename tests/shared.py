"""What a run of the tests makes once for all its processes: a database with tables takes each of them many seconds."""

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

VARIABLE = "SABOT_TEST_SHARED"


def directory() -> Path:
    """Made by the first process that asks, which is the one that starts the others, and gone with it."""
    if VARIABLE not in os.environ:
        os.environ[VARIABLE] = made = tempfile.mkdtemp(prefix="sabot-shared-")
        atexit.register(_clear, Path(made))
    return Path(os.environ[VARIABLE])


def _clear(made: Path) -> None:
    if any(made.glob("*.database")):
        from tests import furnished  # which stands on this module

        furnished.drop_databases(made)
    shutil.rmtree(made, ignore_errors=True)


def once(name: str, make: Callable[[Path], None]) -> Path:
    """The file or directory of this name, made by whoever comes first while the others wait."""
    place, half = directory() / name, directory() / f"{name}.half"
    with (directory() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            if half.is_dir():  # whoever came first has failed, and says so
                shutil.rmtree(half)
            half.unlink(missing_ok=True)
            make(half)
            half.rename(place)
    return place
