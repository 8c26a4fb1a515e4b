"""`manage.py forget_practice`: delete the practice data of people who left long enough ago."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exams import clock
from exams.hr import retention
from training.house.selectors import practice_kept_days


class Command(BaseCommand):
    help = "Delete the practice data of people who left. If configured, the platform does so every night."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, help="days since the last day at work (default: the house's setting)")
        parser.add_argument("--dry-run", action="store_true", help="only count the people")

    def handle(self, *, days: int | None, dry_run: bool, **_: Any) -> None:
        kept = practice_kept_days() if days is None else days
        if kept is None or kept < 0:
            raise CommandError("Set how many days to keep it: --days, the house's settings or PRACTICE_KEPT_DAYS.")
        count = retention.due(clock.today(), kept).count() if dry_run else retention.forget_due(kept)
        self.stdout.write(f"Practice of {count} people {'would be deleted' if dry_run else 'deleted'}.")
