"""`manage.py export_person`: everything the platform holds about a person."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exams.hr.privacy import copy_of
from training.people.models import User


class Command(BaseCommand):
    help = "Write all data of one person to standard output, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")

    def handle(self, *, email: str, **_: Any) -> None:
        person = User.objects.filter(email__iexact=email.strip()).first()
        if person is None:
            raise CommandError(f"Nobody has the address {email}.")
        self.stdout.write(copy_of(person, by=None).decode())
