"""`manage.py demo_exams`: the exams of the demo, with their past, in a house that has no programmes yet."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from exams.demo.exam_data import furnish


class Command(BaseCommand):
    help = "Enter the exams of the demo where there are none (demo mode only)."

    def handle(self, **_: Any) -> None:
        if not settings.DEMO:
            raise CommandError("Demo exams belong to demo mode (SABOT_MODE=demo); this is production.")
        if furnish():
            self.stdout.write("Demo exams entered.")
