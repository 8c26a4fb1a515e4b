"""`manage.py createsuperuser`: replaces Django's command and says what to do instead."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Not used: Sabot has roles and no superusers. Use add_person."

    def run_from_argv(self, argv: list[str]) -> None:
        super().run_from_argv(argv[:2])  # ignore the options of Django's own command

    def handle(self, **_: Any) -> None:
        raise CommandError(
            "Sabot has roles and no superusers. Add an administrator with "
            "“manage.py add_person EMAIL NAME --role administrator”."
        )
