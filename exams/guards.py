"""What the database refuses to change of exams, whoever asks: each sub-package's apps.py puts its part in place."""

from training.guards import Guard

AUDIT = (
    Guard("audit_entry_never_changes", "audit_entry", "the audit log is append-only"),
    Guard("audit_entry_is_never_removed", "audit_entry", "the audit log is append-only", event="DELETE"),
)
PROGRAMMES = (
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
        "a published programme is never removed",
        event="DELETE",
        while_="OLD.state IN ('published', 'retired')",
    ),
)
SITTINGS = (
    Guard(
        "exam_item_never_changes",
        "sittings_examitem",
        "an exam item never changes but for corrections and voiding",
        frozen=("session_id", "section", "line", "points", "scenario_document", "fingerprint", "version_id"),
    ),
    Guard(
        "closed_sitting_stays_closed",
        "sittings_sitting",
        "a closed sitting stays closed",
        while_="OLD.closed_at IS NOT NULL",
        frozen=("candidate_id", "started_at", "deadline_at", "closed_at", "closed_by"),
    ),
)
RESULTS = (
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
