"""Database triggers that protect published programmes."""

from training.platform.guards import Guard

GUARDS = (
    Guard(
        "programme_in_force_never_changes",
        "programmes_programmeversion",
        "a published programme never changes; make a new version",
        while_="OLD.state IN ('published', 'retired')",
        frozen=("programme_id", "number", "names", "rules_document", "author_id", "published_by_id", "published_at"),
        when="NOT (NEW.state = OLD.state OR (OLD.state = 'published' AND NEW.state = 'retired'))",
    ),
    Guard(
        "programme_in_force_is_never_removed",
        "programmes_programmeversion",
        "a published programme is never deleted",
        event="DELETE",
        while_="OLD.state IN ('published', 'retired')",
    ),
)
