"""The demonstration keeps its database, mails and key in files: nobody but their owner reads them."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

UMASK = 0o077


def repair(var: Path) -> None:
    """Take away what others may do with the files of an earlier start."""
    own = os.getuid()
    for path in _kept(var):
        found = path.lstat()
        mode = stat.S_IMODE(found.st_mode)
        # Leave a shared folder such as /tmp alone, and follow no link: what it leads to is not ours to change.
        if found.st_uid == own and not mode & stat.S_ISVTX and not path.is_symlink() and mode & UMASK:
            path.chmod(mode & ~UMASK)


def _kept(var: Path) -> Iterator[Path]:
    yield var
    yield from var.glob("*")
    yield from var.glob("mail/*")


def make_private() -> None:
    """Files that this process and its children make from now on are their owner's alone."""
    os.umask(UMASK)
