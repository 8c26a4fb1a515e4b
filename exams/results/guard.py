"""What the database refuses to change of marks and results."""

from training.guards import Guard

GUARDS = (
    Guard(
        "exam_mark_never_changes",
        "results_mark",
        "a mark never changes; a regrade adds a new one",
        frozen=(
            *("form_item_id", "number", "cause", "engine", "edition", "points", "of", "critical_missed", "voided"),
            *("mark_document", "ruling_document", "graded_at"),
        ),
        when="NEW.in_force AND NOT OLD.in_force",
    ),
    Guard("exam_mark_is_never_removed", "results_mark", "a mark is never removed", event="DELETE"),
    Guard(
        "exam_result_never_changes",
        "results_result",
        "a result never changes; a regrade adds a new one",
        frozen=("sitting_id", "number", "programme_version_id", "score", "passed", "outcome", "computed_at"),
        when="(NEW.in_force AND NOT OLD.in_force) OR (OLD.decided_at IS NOT NULL AND NEW.decided_at IS NULL)",
    ),
    Guard("exam_result_is_never_removed", "results_result", "a result is never removed", event="DELETE"),
)
