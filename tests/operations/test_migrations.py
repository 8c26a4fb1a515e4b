"""During an update the old code runs on the new tables, so a migration may add but not remove or change anything.

If the test cannot tell that the old code works with a migration, the migration says why: `borne_because = "…"`. One
that the old code cannot work with says `needs_stop = "…"`, and `migrate` announces it before it changes anything.
"""

from collections.abc import Iterator
from importlib import import_module
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder

from training.operations.management.commands.migrate import needing_a_stop

initial = import_module("training.operations.migrations.0001_initial")

OURS = ("training", "exams")
TAKING_AWAY = (
    migrations.DeleteModel,
    migrations.RemoveField,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
    migrations.AlterField,
    migrations.RunPython,
    migrations.RunSQL,
)


def faults(operation: Operation) -> Iterator[str]:
    """Why the old code may fail after this operation."""
    if isinstance(operation, TAKING_AWAY):
        yield f"{type(operation).__name__}: {operation.describe()}"
    if isinstance(operation, migrations.AddField):
        field = operation.field
        known = field.null or field.many_to_many or field.db_default is not models.NOT_PROVIDED
        if not known:
            yield f"{operation.describe()}: the old code writes rows without it, so it needs null or db_default"


def test_old_code_works_with_every_migration_after_the_first() -> None:
    found = []
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        later = migration.__module__.startswith(OURS) and not migration.initial
        explained = getattr(migration, "borne_because", "") or getattr(migration, "needs_stop", "")
        if later and not explained:
            found += [f"{app}.{name}: {fault}" for operation in migration.operations for fault in faults(operation)]
    assert found == []


@pytest.mark.parametrize(
    ("operation", "borne"),
    [
        (migrations.AddField("user", "nickname", models.TextField(null=True)), True),
        (migrations.AddField("user", "nickname", models.TextField(db_default="")), True),
        (migrations.AddField("user", "friends", models.ManyToManyField("people.User")), True),
        (migrations.AddField("user", "nickname", models.TextField(default="")), False),
        (migrations.CreateModel("nickname", [("id", models.BigAutoField(primary_key=True))]), True),
        (migrations.DeleteModel("nickname"), False),
        (migrations.RemoveField("user", "nickname"), False),
        (migrations.RenameField("user", "nickname", "alias"), False),
        (migrations.AlterField("user", "nickname", models.TextField()), False),
    ],
)
def test_only_additions_pass(operation: Operation, borne: bool) -> None:
    assert (not list(faults(operation))) is borne


@pytest.fixture
def unapplied(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release whose last migration of this package takes something away."""
    monkeypatch.setattr(initial.Migration, "needs_stop", "the heartbeats move to another table", raising=False)
    MigrationRecorder(connection).record_unapplied("operations", "0001_initial")


def test_what_the_running_code_cannot_bear_is_announced_and_waits(
    unapplied: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.operations.management.commands.migrate.others_at_work", lambda: 3)
    told = StringIO()
    with pytest.raises(CommandError, match="Nothing was changed: 3 other connections"):
        call_command("migrate", stdout=told)
    assert "operations.0001_initial: the heartbeats move to another table" in told.getvalue()


def test_once_everything_is_stopped_it_runs(unapplied: None) -> None:
    told = StringIO()
    call_command("migrate", "operations", fake=True, stdout=told)
    assert "the heartbeats move to another table" in told.getvalue()
    assert needing_a_stop() == []
