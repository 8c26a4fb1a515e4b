"""`manage.py createsuperuser`: there are none here, and it says what to do instead of Django's own."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Not used: there are roles here and no superusers. Use add_person."

    def run_from_argv(self, argv: list[str]) -> None:
        super().run_from_argv(argv[:2])  # whatever options Django's own command takes

    def handle(self, **_: Any) -> None:
        raise CommandError(
            "There are no superusers here, there are roles. Enter an administrator with "
            "“manage.py add_person EMAIL NAME --role administrator”."
        )
