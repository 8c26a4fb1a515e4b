"""The database itself refuses to change what was published, whoever asks and by whatever way.

A migration that alters a table makes it anew on SQLite and loses its triggers, so they are put back after every
migration instead of once in one.
"""

from django.db import connections

# The facts, the ruling and the words of a version, and who stands for them. Only its state may still move.
FROZEN = (
    "item_id",
    "number",
    "source",
    "rulebook",
    "topic",
    "difficulty",
    "scenario_document",
    "ruling_document",
    "words",
    "search_text",
    "author_id",
    "published_by_id",
    "created_at",
    "published_at",
)
REFUSAL = "a published version never changes; make a new version"

WHEN = """OLD.state IN ('published', 'suspended', 'retired') AND ({changes} OR NOT (
    NEW.state = OLD.state
    OR (OLD.state = 'published' AND NEW.state IN ('suspended', 'retired'))
    OR (OLD.state = 'suspended' AND NEW.state = 'retired')))"""
SQLITE = (
    "DROP TRIGGER IF EXISTS published_version_never_changes",
    "CREATE TRIGGER published_version_never_changes BEFORE UPDATE ON library_version "
    "WHEN {when} BEGIN SELECT RAISE(ABORT, '{refusal}'); END",
)
POSTGRESQL = (
    "CREATE OR REPLACE FUNCTION refuse_change_of_published_version() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION '{refusal}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    "CREATE OR REPLACE TRIGGER published_version_never_changes BEFORE UPDATE ON library_version "
    "FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION refuse_change_of_published_version()",
)


def install(using: str) -> None:
    """Put the triggers in place; doing it again changes nothing."""
    connection = connections[using]
    if "library_version" not in connection.introspection.table_names():
        return
    differs, statements = {
        "sqlite": ("IS NOT", SQLITE),
        "postgresql": ("IS DISTINCT FROM", POSTGRESQL),
    }[connection.vendor]
    with connection.cursor() as cursor:
        # Going back to an older migration takes columns away.
        there = {column.name for column in connection.introspection.get_table_description(cursor, "library_version")}
        changes = " OR ".join(f"NEW.{column} {differs} OLD.{column}" for column in FROZEN if column in there)
        for statement in statements:
            cursor.execute(statement.format(when=WHEN.format(changes=changes), refusal=REFUSAL))
