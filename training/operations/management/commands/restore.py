"""`manage.py restore FOLDER`: put a backup into the database of the settings, and prove that it is whole."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from training.operations.backups import manifest, services
from training.operations.backups.errors import Unfit


class Command(BaseCommand):
    help = "Put a backup into an empty database, with the SECRET_KEY that it was made with."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="the folder that `backup` printed")
        parser.add_argument("--replace", action="store_true", help="in the place of all that is in the database")
        parser.add_argument("--other-key", action="store_true", help="although SECRET_KEY is another one")

    def handle(self, *, folder: Path, replace: bool, other_key: bool, **_: Any) -> None:
        try:
            found = services.restore(folder, replace=replace, other_key=other_key)
        except (Unfit, OSError) as error:
            raise CommandError(f"Nothing was restored: {error}.") from error
        self.stdout.write(f"Restored: made {found.made_at:%Y-%m-%d %H:%M:%S %Z} by release {found.made_by}.")
        if services.CERTIFICATE_KEY in found.files:
            self.stdout.write(f"CERTIFICATE_SIGNING_KEY is to name a copy of {folder / services.CERTIFICATE_KEY}.")
        if manifest.is_current(found):
            call_command("verify_audit", stdout=self.stdout, stderr=self.stderr)
        else:
            self.stdout.write("It is of an earlier release: run `manage.py prepare`, then `manage.py verify_audit`.")
