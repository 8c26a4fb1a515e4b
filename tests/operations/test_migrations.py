"""During an update the code of before works on the tables of after, so migrations may add and must not take away.

What cannot be told by looking at it says in the migration why the code of before bears it: `borne_because = "…"`.
"""

from collections.abc import Iterator

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

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
    """Why the code of before may not bear this."""
    if isinstance(operation, TAKING_AWAY):
        yield f"{type(operation).__name__}: {operation.describe()}"
    if isinstance(operation, migrations.AddField):
        field = operation.field
        known = field.null or field.many_to_many or field.db_default is not models.NOT_PROVIDED
        if not known:
            yield f"{operation.describe()}: whoever does not know it leaves it out, so it needs null or db_default"


def test_migrations_after_the_first_are_borne_by_the_code_of_before() -> None:
    found = []
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        later = migration.__module__.startswith(OURS) and not migration.initial
        if later and not getattr(migration, "borne_because", ""):
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
def test_what_takes_away_is_told_from_what_adds(operation: Operation, borne: bool) -> None:
    assert (not list(faults(operation))) is borne
