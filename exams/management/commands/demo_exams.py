"""`manage.py demo_exams`: create the demo's exams and their history in a house without programmes."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from exams.demo.exam_data import furnish


class Command(BaseCommand):
    help = "Create the demo's exams if there are none (demo mode only)."

    def handle(self, **_: Any) -> None:
        if not settings.DEMO:
            raise CommandError("Demo exams need demo mode (SABOT_MODE=demo); this is production.")
        if furnish():
            self.stdout.write("Demo exams entered.")
