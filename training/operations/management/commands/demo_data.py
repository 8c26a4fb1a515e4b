"""`manage.py demo_data`: add the fictional people of the demo and their work; `--retire` closes their accounts."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from training.demo.training_data import furnish
from training.people.demo import PASSWORD, enter_demo_people, retire_demo_people
from training.people.models import User


class Command(BaseCommand):
    help = "Add the demo people and, in an empty database, their work (demo mode only), or retire them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--retire", action="store_true", help="close the demo accounts, keep their work")
        parser.add_argument("--if-new", action="store_true", help="do nothing unless the database has no people")

    def handle(self, *, retire: bool, if_new: bool, **_: Any) -> None:
        if retire:
            self.stdout.write(f"{retire_demo_people()} demo accounts closed.")
            return
        if not settings.DEMO:
            raise CommandError("Demo people are for demo mode only (SABOT_MODE=demo); this is production.")
        if if_new and User.objects.exists():
            return
        entered = enter_demo_people()
        furnish()
        self.stdout.write(f"{len(entered)} demo people entered; password: {PASSWORD}")
