"""Database triggers that keep the record of who taught whom from being changed."""

from training.platform.guards import Guard

GUARDS = (
    Guard("taught_never_changes", "classes_taught", "who taught whom never changes"),
    Guard("taught_is_never_removed", "classes_taught", "who taught whom is never removed", event="DELETE"),
)
