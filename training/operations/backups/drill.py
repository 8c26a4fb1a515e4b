"""A rehearsal: restores the newest backup into an empty database, checks it there, and empties that database again."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import connection, connections
from django.utils import timezone

from training.operations.backups import manifest, services
from training.operations.backups.errors import Unfit
from training.platform.environment import env

COPY = "drill"  # the alias of the empty database
COUNTED = {  # commands speak English, so these are not the models' names in the language of the site
    "people": "people.User",
    "answers": "practice.Attempt",
    "exams": "records.Sitting",
    "results": "results.Result",
    "certificates": "certificates.Certificate",
}


def newest(directory: Path) -> Path:
    """The newest complete backup in a folder, or the folder itself if it is one. Raises Unfit."""
    if (directory / manifest.NAME).exists():
        return directory
    found = sorted(directory.glob(f"{services.PREFIX}*/{manifest.NAME}"))
    if not found:
        raise Unfit(f"there is no complete backup in {directory}")
    return found[-1].parent


def rehearse(directory: Path, into: str, *, seal: str = "") -> Iterator[str]:
    """The lines of the report. Raises Unfit as soon as something fails; the database `into` is empty afterwards."""
    folder = newest(directory)
    _add_copy(into)
    made = manifest.read(folder)
    yield f"backup: {folder.name}, made by release {made.made_by}"
    yield f"age: {timedelta(seconds=round((timezone.now() - made.made_at).total_seconds()))}, lost in a disaster now"
    yield f"size: {sum(path.stat().st_size for path in folder.iterdir()):,} bytes, every checksum is right"
    started = time.monotonic()
    _manage(into, "restore", str(folder))
    try:
        if not manifest.is_current(made):
            _manage(into, "migrate", "--verbosity=0")
        yield f"restored in {time.monotonic() - started:.1f} s"
        yield f"audit log: {_manage(into, 'verify_audit', *(['--seal', seal] if seal else []))}"
        for name, of in COUNTED.items():
            model = apps.get_model(of)
            kept, now = model._base_manager.using(COPY).count(), model._base_manager.count()
            yield f"{name}: {kept:,} in the copy, {now:,} here"
    finally:
        _empty()


def _add_copy(into: str) -> None:
    found = {**connection.settings_dict, **env.db_url_config(into)}
    if all(found[part] == connection.settings_dict[part] for part in ("HOST", "PORT", "NAME")):
        raise Unfit("the rehearsal needs a database of its own, and this is the platform's")
    connections.databases[COPY] = found
    if connections[COPY].introspection.table_names():
        raise Unfit("the database for the rehearsal is not empty")


def _manage(into: str, *command: str) -> str:
    """Run a management command on the copy; its last line. Raises Unfit."""
    program = [sys.executable, str(settings.BASE_DIR / "manage.py"), *command]
    environment = os.environ | {"DATABASE_URL": into}
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unfit(f"“{command[0]}” failed: {(done.stderr or done.stdout).strip()}")
    return (done.stdout.strip().splitlines() or [""])[-1]


def _empty() -> None:
    with connections[COPY].cursor() as cursor:
        if connections[COPY].vendor == "postgresql":
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute("CREATE SCHEMA public")
    connections[COPY].close()
    if connections[COPY].vendor == "sqlite":
        Path(connections[COPY].settings_dict["NAME"]).unlink(missing_ok=True)
