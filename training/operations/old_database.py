"""Databases made before version 1.0: no migration leads from there, so they are refused, and the demo's is replaced."""

from pathlib import Path
from time import time_ns

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

OLD_TABLE = "training_user"  # the people of every database before 1.0; today's are in people_user
REFUSAL = "This database was made before version 1.0 and cannot be used: nothing was changed. Start with an empty one."


def refuse_old_database() -> None:
    """Raise CommandError for a database made before version 1.0."""
    if _is_old():
        raise CommandError(REFUSAL)


def replace_old_demo() -> str:
    """Move the demo's own SQLite file aside if it is old; return what to tell the user, or an empty string.

    The file is kept, not deleted, because somebody may have practised in it. A demo on a database server is refused
    like any other: only the file in `var` is ours to move.
    """
    path = Path(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or path.parent != settings.VAR_DIR or not _is_old():
        return ""
    connection.close()
    aside = path.with_name(f"{path.stem}-before-1.0{path.suffix}")
    if aside.exists():  # an earlier one is kept too
        aside = path.with_name(f"{path.stem}-before-1.0-{time_ns()}{path.suffix}")
    for end in ("-wal", "-shm", ""):  # the file last: if this is interrupted, the next start does it again
        left = path.with_name(path.name + end)
        if left.exists():
            left.replace(aside.with_name(aside.name + end))
    return f"The demo database was made before version 1.0: it is now {aside}, and the demo starts with new data."


def _is_old() -> bool:
    return OLD_TABLE in connection.introspection.table_names()
