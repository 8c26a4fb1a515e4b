"""`manage.py reseal`: seal with the SECRET_KEY in use what an earlier one sealed, so that the earlier one may go."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from training.platform import sealing


class Command(BaseCommand):
    help = "Seal everything with SECRET_KEY; SECRET_KEY_FALLBACKS must hold the keys it is sealed with now."

    def handle(self, **_: Any) -> None:
        found = sealing.reseal_all()
        for kind in found:
            self.stdout.write(f"{kind.what}: {kind.sealed} sealed with the SECRET_KEY in use")
        if shut := [f"{kind.what}: {kind.shut}" for kind in found if kind.shut]:
            raise CommandError(
                f"Neither SECRET_KEY nor one of SECRET_KEY_FALLBACKS opens some ({'; '.join(shut)}). "
                "Give the key that they were sealed with as a fallback and run this again."
            )
