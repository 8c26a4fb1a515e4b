"""Rows that the database itself refuses to change, whoever asks and by whatever way.

A migration that alters a table makes it anew on SQLite and loses its triggers, so they are put back after every
migration (`protect` in an app's `ready`) instead of once in one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.signals import post_migrate

SQLITE = (
    "DROP TRIGGER IF EXISTS {name}",
    "CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {when} BEGIN SELECT RAISE(ABORT, '{refusal}'); END",
)
POSTGRESQL = (
    "CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION '{refusal}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    "CREATE OR REPLACE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION {name}()",
)


@dataclass(frozen=True)
class Guard:
    """A change the database refuses, with IntegrityError: an `event` (UPDATE, DELETE or INSERT) on `table`, `while_`
    something holds, if one of the `frozen` columns differs or `when` is true; without either, always.

    `while_` and `when` are SQL over OLD and NEW that both databases understand.
    """

    name: str
    table: str
    refusal: str
    event: str = "UPDATE"
    while_: str = "TRUE"
    when: str = ""
    frozen: tuple[str, ...] = ()


def protect(config: AppConfig, guards: Sequence[Guard]) -> None:
    """Keep these guards in place after every migration. For `AppConfig.ready`."""
    handler = partial(_after_migrate, guards=guards)
    post_migrate.connect(handler, sender=config, weak=False, dispatch_uid=f"guards of {config.label}")


def _after_migrate(using: str, guards: Sequence[Guard], **_: Any) -> None:
    install(using, guards)


def lift(schema_editor: BaseDatabaseSchemaEditor, guards: Sequence[Guard]) -> None:
    """Take guards away for the rest of a migration that must change what they protect; they come back after it."""
    for guard in guards:
        on = f" ON {guard.table}" if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {guard.name}{on}")


def install(using: str, guards: Sequence[Guard]) -> None:
    """Put the triggers in place; doing it again changes nothing."""
    connection = connections[using]
    differs, statements = {
        "sqlite": ("IS NOT", SQLITE),
        "postgresql": ("IS DISTINCT FROM", POSTGRESQL),
    }[connection.vendor]
    there = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for guard in guards:
            if guard.table not in there:
                continue
            # Going back to an older migration takes columns away.
            columns = {column.name for column in connection.introspection.get_table_description(cursor, guard.table)}
            changes = [f"NEW.{column} {differs} OLD.{column}" for column in guard.frozen if column in columns]
            what = " OR ".join([*([f"({guard.when})"] if guard.when else []), *changes]) or "TRUE"
            when = f"({guard.while_}) AND ({what})"
            for statement in statements:
                cursor.execute(
                    statement.format(
                        name=guard.name, table=guard.table, event=guard.event, when=when, refusal=guard.refusal
                    )
                )
