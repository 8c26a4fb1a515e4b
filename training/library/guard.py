"""What the database refuses to change of a published version."""

from training.guards import Guard

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
