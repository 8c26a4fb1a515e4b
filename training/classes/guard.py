"""What the database refuses to change about classes: who has taught whom."""

from training.platform.guards import Guard

GUARDS = (
    Guard("taught_never_changes", "classes_taught", "who taught whom never changes"),
    Guard("taught_is_never_removed", "classes_taught", "who taught whom is never removed", event="DELETE"),
)
