"""Database triggers that protect marks, results and annulments."""

from training.platform.guards import FarGuard, Guard

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
    Guard("exam_mark_is_never_removed", "results_mark", "a mark is never deleted", event="DELETE"),
    Guard(
        "exam_result_never_changes",
        "results_result",
        "a result never changes; a regrade adds a new one",
        frozen=("sitting_id", "number", "programme_version_id", "score", "passed", "outcome", "computed_at"),
        when="(NEW.in_force AND NOT OLD.in_force) OR (OLD.decided_at IS NOT NULL AND NEW.decided_at IS NULL)",
    ),
    Guard("exam_result_is_never_removed", "results_result", "a result is never deleted", event="DELETE"),
    Guard(
        "annulment_stays_as_asked",
        "results_annulment",
        "an annulment keeps what was requested",
        frozen=("sitting_id", "remedy", "reason", "by_two", "asked_by_id", "asked_at"),
    ),
    Guard(
        "annulment_is_decided_once",
        "results_annulment",
        "an annulment is decided only once",
        while_="OLD.decided_at IS NOT NULL",
        frozen=("decided_by_id", "decided_at", "accepted"),
    ),
    Guard("annulment_is_never_removed", "results_annulment", "an annulment is never deleted", event="DELETE"),
)
FAR_GUARDS = (
    FarGuard(
        "annulled_sitting_has_no_result",
        "results_result",
        "an annulled sitting has no result",
        event="INSERT",
        found="SELECT 1 FROM records_sitting sat WHERE sat.id = NEW.sitting_id AND sat.annulled_at IS NOT NULL",
        needs=("records_sitting.annulled_at",),
    ),
)
