"""Triggers by which the database itself refuses changes to certain rows.

On SQLite a migration that alters a table recreates it without its triggers, so they are installed after every migrate
(`protect` in an app's `ready`) and not by a migration.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.signals import post_migrate, pre_migrate

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
    """A change that the database refuses with IntegrityError.

    Refuses `event` (UPDATE, DELETE or INSERT) on `table` while `while_` is true, if one of the `frozen` columns changes
    or `when` is true; without either, always. `while_` and `when` are SQL over OLD and NEW for both databases.
    """

    name: str
    table: str
    refusal: str
    event: str = "UPDATE"
    while_: str = "TRUE"
    when: str = ""
    frozen: tuple[str, ...] = ()


FAR_SQLITE = (
    "CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {changed} AND EXISTS ({found}) "
    "BEGIN SELECT RAISE(ABORT, '{refusal}'); END",
)
FAR_POSTGRESQL = (
    "CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF EXISTS ({found}) THEN "
    "RAISE EXCEPTION '{refusal}' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN {row}; END $$",
    "CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW WHEN ({changed}) EXECUTE FUNCTION {name}()",
)


@dataclass(frozen=True)
class FarGuard:
    """A change that the database refuses if `found`, a query over OLD and NEW, finds rows in other tables.

    With `changed`, only if that column changes. `needs` are the tables, or `table.column`, that must exist for the
    guard to be installed. PostgreSQL reads other tables only inside a trigger's function, and SQLite cannot rename a
    table while a trigger names a missing one; so these guards are removed during migrations.
    """

    name: str
    table: str
    refusal: str
    found: str
    needs: tuple[str, ...]
    event: str = "UPDATE"
    changed: str = ""


def protect(config: AppConfig, guards: Sequence[Guard]) -> None:
    """Install these guards after every migrate. Call it in `AppConfig.ready`."""
    handler = partial(_after_migrate, guards=guards)
    post_migrate.connect(handler, sender=config, weak=False, dispatch_uid=f"guards of {config.label}")


def _after_migrate(using: str, guards: Sequence[Guard], **_: Any) -> None:
    install(using, guards)


def protect_far(config: AppConfig, guards: Sequence[FarGuard]) -> None:
    """Install guards that read other tables after every migrate, and remove them before."""
    for signal, act in ((pre_migrate, _lift_far), (post_migrate, _install_far)):
        handler = partial(act, guards=guards)
        signal.connect(handler, sender=config, weak=False, dispatch_uid=f"far guards of {config.label}")


def _lift_far(using: str, guards: Sequence[FarGuard], **_: Any) -> None:
    connection = connections[using]
    there = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for guard in guards:
            if guard.table in there:
                where = f" ON {guard.table}" if connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER IF EXISTS {guard.name}{where}")


def _install_far(using: str, guards: Sequence[FarGuard], **_: Any) -> None:
    _lift_far(using, guards)
    connection = connections[using]
    differs, statements = {
        "sqlite": ("IS NOT", FAR_SQLITE),
        "postgresql": ("IS DISTINCT FROM", FAR_POSTGRESQL),
    }[connection.vendor]
    with connection.cursor() as cursor:
        there = _tables_and_columns(using, {need.partition(".")[0] for guard in guards for need in guard.needs})
        for guard in guards:
            if not there >= {guard.table, *guard.needs}:
                continue  # migrating back to before it
            changed = f"NEW.{guard.changed} {differs} OLD.{guard.changed}" if guard.changed else "TRUE"
            for statement in statements:
                cursor.execute(
                    statement.format(
                        name=guard.name,
                        table=guard.table,
                        event=guard.event,
                        changed=changed,
                        found=guard.found,
                        row="OLD" if guard.event == "DELETE" else "NEW",
                        refusal=guard.refusal,
                    )
                )


def _tables_and_columns(using: str, tables: set[str]) -> set[str]:
    """The names of all tables, and `table.column` for the columns of the given ones."""
    connection = connections[using]
    found = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for table in tables & found:
            columns = connection.introspection.get_table_description(cursor, table)
            found |= {f"{table}.{column.name}" for column in columns}
    return found


def lift(schema_editor: BaseDatabaseSchemaEditor, guards: Sequence[Guard]) -> None:
    """Remove guards for a migration that must change protected rows. They are installed again after it."""
    for guard in guards:
        on = f" ON {guard.table}" if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {guard.name}{on}")


def install(using: str, guards: Sequence[Guard]) -> None:
    """Create the triggers; idempotent."""
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
            # Migrating back removes columns.
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
