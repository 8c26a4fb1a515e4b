"""Keeps the files of the demo (database, mail, key) readable by their owner only."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

UMASK = 0o077


def repair(var: Path) -> None:
    """Remove access for others from the files of an earlier start."""
    own = os.getuid()
    for path in _kept(var):
        found = path.lstat()
        mode = stat.S_IMODE(found.st_mode)
        # Leave shared folders such as /tmp alone, and do not follow links out of the directory.
        if found.st_uid == own and not mode & stat.S_ISVTX and not path.is_symlink() and mode & UMASK:
            path.chmod(mode & ~UMASK)


def _kept(var: Path) -> Iterator[Path]:
    yield var
    yield from var.glob("*")
    yield from var.glob("mail/*")


def make_private() -> None:
    """Make new files of this process and its children accessible to their owner only."""
    os.umask(UMASK)
