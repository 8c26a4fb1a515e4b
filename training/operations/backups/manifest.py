"""The manifest of a backup: when and by which release it was made, the kind of database, and file checksums."""

import hashlib
from datetime import datetime
from pathlib import Path

import msgspec
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.crypto import salted_hmac

from training.operations import software_release
from training.operations.backups.errors import Unfit

NAME = "manifest.json"
FORMAT = 1


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    made_at: datetime
    version: str
    database: str
    migrations: list[str]
    # A fingerprint of SECRET_KEY.
    key: str
    files: dict[str, str]
    # Empty if unknown.
    commit: str = ""

    @property
    def made_by(self) -> str:
        return f"{self.version} (commit {self.commit[:12]})" if self.commit else self.version


def write(folder: Path) -> None:
    manifest = Manifest(
        format=FORMAT,
        made_at=timezone.now(),
        version=software_release.version(),
        commit=software_release.commit(),
        database=connection.vendor,
        migrations=applied(),
        key=fingerprint(settings.SECRET_KEY),
        files={path.name: checksum(path) for path in sorted(folder.iterdir())},
    )
    (folder / NAME).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))


def read(folder: Path) -> Manifest:
    """Read the manifest and verify the checksum of every file. Raises Unfit."""
    try:
        manifest = msgspec.json.decode((folder / NAME).read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise Unfit(f"{folder} is not a backup: it has no {NAME}") from None
    except msgspec.DecodeError as error:
        raise Unfit(f"{folder / NAME} cannot be read: {error}") from None
    if manifest.format != FORMAT:
        raise Unfit("the backup was made by a newer release; install that one first")
    for name, expected in manifest.files.items():
        path = folder / name
        if not path.is_file():
            raise Unfit(f"{name} is missing")
        if checksum(path) != expected:
            raise Unfit(f"{name} was changed: its checksum differs")
    return manifest


def checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(secret: str) -> str:
    return salted_hmac("sabot backup", "key", secret=secret, algorithm="sha256").hexdigest()


def applied() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationLoader(connection).applied_migrations)


def is_current(found: Manifest) -> bool:
    """Whether the backed-up database has all migrations of this release."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations} <= set(found.migrations)


def known() -> set[str]:
    loader = MigrationLoader(None)
    replaced = {key for migration in loader.disk_migrations.values() for key in migration.replaces}
    return {f"{app}.{name}" for app, name in {*loader.disk_migrations, *replaced}}
