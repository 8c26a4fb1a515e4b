"""`manage.py rotate_signing_key`: sign credentials with a new key from now on."""

from typing import Any

from django.core.management.base import BaseCommand

from exams.certificates import keys


class Command(BaseCommand):
    help = "Make a new key for signing credentials. Those signed before stay valid: the old public key stays published."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(f"signing with {keys.rotate().kid} from now on")
