"""`manage.py reseal`: seal all secrets with the current SECRET_KEY, so that an earlier one can be removed."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from training.platform import sealing


class Command(BaseCommand):
    help = "Seal all secrets with SECRET_KEY; SECRET_KEY_FALLBACKS must contain the keys they are sealed with now."

    def handle(self, **_: Any) -> None:
        found = sealing.reseal_all()
        for kind in found:
            self.stdout.write(f"{kind.what}: {kind.sealed} sealed with the current SECRET_KEY")
        if shut := [f"{kind.what}: {kind.shut}" for kind in found if kind.shut]:
            raise CommandError(
                f"Neither SECRET_KEY nor any of SECRET_KEY_FALLBACKS opens some secrets ({'; '.join(shut)}). "
                "Add the key they were sealed with as a fallback and run this again."
            )
