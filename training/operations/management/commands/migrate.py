"""`manage.py migrate`: Django's own, for databases that migrations can bring up to date."""

from typing import Any

from django.core.management.commands import migrate

from training.operations.old_database import refuse_old_database


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        refuse_old_database()
        super().handle(*args, **options)
