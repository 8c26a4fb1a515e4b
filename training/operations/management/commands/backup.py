"""`manage.py backup DIR`: back up the database and the signing key into a new folder under DIR."""

import os
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from training.operations import heartbeats
from training.operations.backups import services
from training.operations.backups.errors import Unfit


class Command(BaseCommand):
    help = "Back up into a new folder under DIR while the platform runs. SECRET_KEY is not included: keep it elsewhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIR")
        parser.add_argument("--keep", type=int, default=0, metavar="N", help="delete all but the newest N backups")

    def handle(self, *, directory: Path, keep: int, **_: Any) -> None:
        os.umask(0o077)  # readable by the owner only
        try:
            made = services.back_up(directory, keep=keep)
        except (Unfit, OSError, DatabaseError) as error:
            with suppress(DatabaseError):  # the database may be why it failed
                heartbeats.leave(heartbeats.FAILED_BACKUP)
            raise CommandError(f"No backup was made: {error}.") from error
        heartbeats.leave(heartbeats.BACKUP)
        self.stdout.write(str(made))
