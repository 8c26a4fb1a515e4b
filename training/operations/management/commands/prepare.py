"""`manage.py prepare`: prepare the platform before the first start and after every update."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from training.operations.old_database import replace_old_demo
from training.platform import sealing
from training.platform.file_modes import make_private


class Command(BaseCommand):
    help = (
        "Migrate, create the cache table, check published scenarios, reseal secrets if there are former keys and, in a "
        "new demo, add people and their work."
    )

    def handle(self, **_: Any) -> None:
        if settings.DEMO:
            make_private()
            if told := replace_old_demo():
                self.stdout.write(told)
        call_command("migrate", verbosity=0, interactive=False)
        call_command("createcachetable", verbosity=0)
        call_command("check_published", stdout=self.stdout)
        if settings.SECRET_KEY_FALLBACKS:
            sealing.reseal_all()
        if settings.DEMO:
            call_command("demo_data", if_new=True, stdout=self.stdout)
            call_command("demo_exams", stdout=self.stdout)
