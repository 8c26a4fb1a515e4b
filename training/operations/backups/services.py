"""Making and restoring backups."""

import os
import shutil
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone

from training.operations.backups import manifest, stores
from training.operations.backups.errors import Unfit
from training.operations.backups.manifest import Manifest

DATABASE = "database.dump"
CERTIFICATE_KEY = "certificate-signing-key.p12"
PREFIX = "sabot-"


def back_up(directory: Path, *, keep: int = 0) -> Path:
    """Make a backup in a new folder, which gets its name once complete. Keeps only the newest `keep`, if given."""
    name = f"{PREFIX}{timezone.now():%Y%m%dT%H%M%S%fZ}"
    directory.mkdir(parents=True, exist_ok=True)
    part = directory / f".{name}.part"
    part.mkdir(mode=0o700)
    try:
        stores.dump(part / DATABASE)
        if settings.CERTIFICATE_SIGNING_KEY:
            shutil.copyfile(settings.CERTIFICATE_SIGNING_KEY, part / CERTIFICATE_KEY)
        manifest.write(part)
        _flush(part)
        whole = part.rename(directory / name)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    if keep:
        for old in sorted(directory.glob(f"{PREFIX}*/{manifest.NAME}"))[:-keep]:
            shutil.rmtree(old.parent)
    return whole


def _flush(folder: Path) -> None:
    """Flush all files to disk."""
    for path in (*folder.iterdir(), folder):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def restore(folder: Path, *, replace: bool = False, other_key: bool = False) -> Manifest:
    """Load a backup into the configured database. Checks everything before it changes anything; raises Unfit."""
    found = manifest.read(folder)
    verify_fits(found, other_key=other_key)
    if not stores.is_empty():
        if not replace:
            raise Unfit("the database is not empty; --replace replaces everything in it with the backup")
        if others := stores.others_at_work():
            raise Unfit(f"{others} other connections use the database; stop web, workers and beat first")
    stores.load(folder / DATABASE)
    return found


def verify_fits(found: Manifest, *, other_key: bool) -> None:
    vendor = connection.vendor
    if found.database != vendor:
        raise Unfit(f"the backup is for {found.database}, the database here is {vendor}")
    if newer := sorted(set(found.migrations) - manifest.known()):
        raise Unfit(f"the backup was made by a newer release ({newer[0]} is not known here); install that one first")
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if not other_key and found.key not in map(manifest.fingerprint, keys):
        raise Unfit(
            "the backup was made with another SECRET_KEY, which is needed to open the secrets in it; set that one, "
            "or use --other-key to restore without them"
        )
