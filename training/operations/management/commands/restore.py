"""`manage.py restore FOLDER`: load a backup into the configured database and verify the audit log."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from training.operations.backups import manifest, services
from training.operations.backups.errors import Unfit


class Command(BaseCommand):
    help = "Load a backup into an empty database. SECRET_KEY must be the one it was made with."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="the folder that `backup` printed")
        parser.add_argument("--replace", action="store_true", help="replace everything in the database")
        parser.add_argument("--other-key", action="store_true", help="restore although SECRET_KEY is different")

    def handle(self, *, folder: Path, replace: bool, other_key: bool, **_: Any) -> None:
        try:
            found = services.restore(folder, replace=replace, other_key=other_key)
        except (Unfit, OSError) as error:
            raise CommandError(f"Nothing was restored: {error}.") from error
        self.stdout.write(f"Restored: made {found.made_at:%Y-%m-%d %H:%M:%S %Z} by release {found.made_by}.")
        if services.CERTIFICATE_KEY in found.files:
            self.stdout.write(f"Set CERTIFICATE_SIGNING_KEY to a copy of {folder / services.CERTIFICATE_KEY}.")
        if manifest.is_current(found):
            call_command("verify_audit", stdout=self.stdout, stderr=self.stderr)
        else:
            self.stdout.write("It is from an earlier release: run `manage.py prepare`, then `manage.py verify_audit`.")
