"""During an update the code of before works on the tables of after, so migrations may add and must not take away.

What cannot be told by looking at it says in the migration why the code of before bears it: `borne_because = "…"`.
"""

from collections.abc import Iterator

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

OURS = ("training", "exams")
# What was there when the rule came; newer ones keep it.
BEFORE = {
    "api": 2, "appeals": 2, "audit": 1, "certificates": 1, "classes": 3, "figures": 2, "hr": 1, "library": 5,
    "mastery": 2, "programmes": 2, "regrading": 2, "results": 1, "sittings": 3, "training": 3,
}  # fmt: skip
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


def test_migrations_since_the_rule_are_borne_by_the_code_of_before() -> None:
    loader = MigrationLoader(None)
    looked_at, found = set(), []
    for (app, name), migration in loader.disk_migrations.items():
        if not migration.__module__.startswith(OURS):
            continue
        looked_at.add(app)
        if int(name[:4]) > BEFORE.get(app, 0) and not getattr(migration, "borne_because", ""):
            found += [f"{app}.{name}: {fault}" for operation in migration.operations for fault in faults(operation)]
    assert looked_at >= set(BEFORE)
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
