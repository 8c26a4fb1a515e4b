"""What the database refuses to change of exam items and closed sittings."""

from training.guards import Guard

GUARDS = (
    Guard(
        "exam_item_never_changes",
        "sittings_examitem",
        "an exam item never changes but for corrections and voiding",
        frozen=("session_id", "section", "line", "points", "scenario_document", "fingerprint", "version_id"),
    ),
    Guard(
        "sitting_keeps_its_name",
        "sittings_sitting",
        "a sitting keeps the name it was begun under",
        frozen=("candidate_id", "name"),
    ),
    Guard(
        "closed_sitting_stays_closed",
        "sittings_sitting",
        "a closed sitting stays closed",
        while_="OLD.closed_at IS NOT NULL",
        frozen=("candidate_id", "started_at", "deadline_at", "closed_at", "closed_by"),
    ),
    Guard(
        "annulled_sitting_stays_annulled",
        "sittings_sitting",
        "an annulled sitting stays annulled",
        while_="OLD.annulled_at IS NOT NULL",
        frozen=("annulled_at",),
    ),
    Guard(
        "try_given_back_stays_so",
        "sittings_sitting",
        "a try that was given back stays so",
        when="OLD.try_back AND NOT NEW.try_back",
    ),
)
