"""`manage.py erase_person`: delete a person's data except evidence."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from exams.hr import retention
from training.people.models import User
from training.platform.errors import Refused


class Command(BaseCommand):
    help = "Erase a person whose account is closed. Exams, appeals, certificates and the audit log stay as evidence."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--reason", required=True, help="who asked for it and when; kept in the audit log for ever")

    def handle(self, *, email: str, reason: str, **_: Any) -> None:
        person = User.objects.filter(email__iexact=email.strip()).first()
        if person is None:
            raise CommandError(f"Nobody has the address {email}.")
        try:
            erased = retention.erase(person, by=None, reason=reason)
        except Refused as refusal:
            with translation.override("en"):
                raise CommandError(str(refusal.reason)) from refusal
        self.stdout.write(f"Erased. The remaining evidence refers to person {erased.pk}.")
