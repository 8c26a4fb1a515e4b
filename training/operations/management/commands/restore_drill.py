"""`manage.py restore_drill DIR --into DATABASE_URL`: rehearse a restore, and print a report to file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from training.operations import software_release
from training.operations.backups import drill
from training.operations.backups.errors import Unfit


class Command(BaseCommand):
    help = "Restore the newest backup of DIR into an empty database, check it, print a report, and empty it again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIR")
        parser.add_argument("--into", required=True, metavar="DATABASE_URL", help="an empty database")
        parser.add_argument(
            "--seal", default="", metavar="NUMBER:SEAL", help="the seal of the audit log that was noted"
        )

    def handle(self, *, directory: Path, into: str, seal: str, **_: Any) -> None:
        self.stdout.write(f"Restore drill of {timezone.now():%Y-%m-%d %H:%M %Z}, release {software_release.version()}")
        try:
            for line in drill.rehearse(directory, into, seal=seal):
                self.stdout.write(f"  {line}")
        except (Unfit, OSError, DatabaseError) as error:
            raise CommandError(f"The drill failed: {error}.") from error
        self.stdout.write("The drill succeeded.")
