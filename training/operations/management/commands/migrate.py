"""`manage.py migrate`: Django's command, which first lists the migrations that the running code cannot work with.

Such a migration declares `needs_stop = "why"`. It is not applied while anybody else is connected to the database.
"""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from training.operations.backups.stores import others_at_work
from training.operations.old_database import refuse_old_database


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        refuse_old_database()
        if found := needing_a_stop():
            self._announce(found)
        super().handle(*args, **options)

    def _announce(self, found: list[str]) -> None:
        self.stdout.write("The code that runs now cannot work with the new tables:")
        for line in found:
            self.stdout.write(f"  {line}")
        if others := others_at_work():
            raise CommandError(
                f"Nothing was changed: {others} other connections use the database. Make a backup, stop web, workers "
                "and beat on all machines (systemctl stop sabot.target), run this again, then start the new release."
            )


def needing_a_stop() -> list[str]:
    """The migrations that are to be applied and need everything stopped, with their reasons. None in an empty
    database."""
    executor = MigrationExecutor(connection)
    if not executor.loader.applied_migrations:
        return []
    planned = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{one.app_label}.{one.name}: {why}" for one, _ in planned if (why := getattr(one, "needs_stop", ""))]
