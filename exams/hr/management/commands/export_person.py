"""`manage.py export_person`: everything the platform holds about somebody, for them."""

from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from exams.audit.services import record
from exams.hr.privacy import everything_about
from training.people.models import User


class Command(BaseCommand):
    help = "Write all data of one person to standard output, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")

    def handle(self, *, email: str, **_: Any) -> None:
        person = User.objects.filter(email__iexact=email.strip()).first()
        if person is None:
            raise CommandError(f"Nobody here has the address {email}.")
        told = msgspec.json.encode(everything_about(person), enc_hook=str)
        self.stdout.write(msgspec.json.format(told, indent=2).decode())
        record(None, "person.exported", f"person:{person.pk}")
