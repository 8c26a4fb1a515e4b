"""Database triggers that keep published versions from being changed."""

from dataclasses import replace

from training.platform.guards import FarGuard, Guard

# The facts, the ruling, the texts and the people responsible. Only the state may still change.
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
    "moments",
    "search_text",
    "accepted",
    "author_id",
    "published_by_id",
    "created_at",
    "published_at",
)
GUARDS = (
    Guard(
        name="published_version_never_changes",
        table="library_version",
        refusal="a published version never changes; make a new version",
        while_="OLD.state IN ('published', 'suspended', 'retired')",
        frozen=FROZEN,
        when="""NOT (
            NEW.state = OLD.state
            OR (OLD.state = 'published' AND NEW.state IN ('suspended', 'retired'))
            OR (OLD.state = 'suspended' AND NEW.state = 'retired'))""",
    ),
    Guard(
        name="practised_version_is_never_reserved",
        table="library_version",
        refusal="a version in practice is never reserved for exams again",
        while_="OLD.state IN ('published', 'suspended', 'retired')",
        when="NEW.reserved AND NOT OLD.reserved",
    ),
)
# For each table of contributors: what one is called, the name used in guards on the publisher, and the refusal.
CONTRIBUTORS = (
    ("library_coauthor", "co_author", "no_co_author", "a co-author never publishes"),
    (
        "library_origin",
        "origin",
        "none_of_its_origins",
        "who wrote the facts that it was copied from never publishes",
    ),
)
PUBLISHER = "SELECT 1 FROM {table} WHERE version_id = NEW.id AND person_id = NEW.published_by_id"
PUBLISHED = "SELECT 1 FROM library_version WHERE published_at IS NOT NULL AND id IN ({versions})"


def _of_publisher(table: str, called: str, refusal: str) -> tuple[FarGuard, FarGuard]:
    """A contributor never publishes the version, even if they become a contributor after being named as publisher."""
    same = PUBLISHER.format(table=table)
    named = FarGuard(
        name=f"published_by_{called}",
        table="library_version",
        refusal=refusal,
        found=same,
        needs=(table,),
        changed="published_by_id",
    )
    found = f"{same} AND NEW.state = 'published'"
    return named, replace(named, name=f"put_to_use_by_{called}", found=found, changed="state")


def _of_writers(table: str, one: str) -> tuple[FarGuard, ...]:
    """The contributors of a published version never change."""
    return tuple(
        FarGuard(
            name=name,
            table=table,
            refusal="who wrote a published version never changes",
            found=PUBLISHED.format(versions=versions),
            needs=("library_version",),
            event=event,
        )
        for name, event, versions in (
            (f"no_{one}_of_what_is_published", "INSERT", "NEW.version_id"),
            (f"{one}_of_what_is_published_stays", "UPDATE", "OLD.version_id, NEW.version_id"),
            (f"{one}_of_what_is_published_is_never_removed", "DELETE", "OLD.version_id"),
        )
    )


FAR_GUARDS = tuple(
    guard
    for table, one, called, refusal in CONTRIBUTORS
    for guard in (*_of_publisher(table, called, refusal), *_of_writers(table, one))
)
