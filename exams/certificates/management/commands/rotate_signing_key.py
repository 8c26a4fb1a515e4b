"""`manage.py rotate_signing_key`: sign credentials with a new key from now on."""

from typing import Any

from django.core.management.base import BaseCommand

from exams.certificates import keys


class Command(BaseCommand):
    help = "Sign credentials with a new key. Existing ones stay valid, because old public keys stay published."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(f"Now signing with key {keys.rotate().kid}.")
