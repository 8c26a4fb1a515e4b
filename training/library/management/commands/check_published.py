"""`manage.py check_published`: suspend published scenarios whose ruling has changed."""

from typing import Any

from django.core.management.base import BaseCommand

from training.library.reruling import check_published


class Command(BaseCommand):
    help = "Rule again on every published scenario and suspend those whose ruling has changed."

    def handle(self, **_: Any) -> None:
        suspended = check_published()
        for version in suspended:
            self.stdout.write(f"scenario {version.pk} taken out of use: its ruling has changed")
        if suspended:
            self.stdout.write(f"{len(suspended)} in all; see /scenarios/suspended/")
