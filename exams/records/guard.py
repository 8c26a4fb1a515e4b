"""Database triggers that protect exam items, closed sittings and names.

An account is only ever renamed to the last name two people agreed on; see `NameCorrection`.
"""

from training.platform.guards import FarGuard, Guard

CORRECTIONS = "certificates_namecorrection"

GUARDS = (
    Guard(
        "exam_item_never_changes",
        "records_examitem",
        "an exam item never changes, except by correction or voiding",
        frozen=("session_id", "section", "line", "points", "scenario_document", "fingerprint", "version_id"),
    ),
    Guard(
        "candidate_keeps_the_name",
        "records_candidate",
        "a candidate keeps the person and the name they were entered with",
        frozen=("person_id", "session_id", "entered_at", "name"),
    ),
    Guard(
        "kept_out_stays_on_record",
        "records_keptout",
        "who was kept out of a session, and why, stays on record",
        frozen=("session_id", "person_id", "kind", "reason", "by_id", "at"),
    ),
    Guard("kept_out_is_never_removed", "records_keptout", "who was kept out stays on record", event="DELETE"),
    Guard(
        "name_correction_stays_as_asked",
        CORRECTIONS,
        "a name correction keeps the name that was requested",
        frozen=("holder_id", "former", "before", "name", "reason", "asked_by_id", "asked_at"),
    ),
    Guard(
        "name_correction_is_decided_once",
        CORRECTIONS,
        "a name correction is decided only once",
        while_="OLD.decided_at IS NOT NULL",
        frozen=("decided_by_id", "decided_at", "accepted"),
    ),
    Guard("name_correction_is_never_removed", CORRECTIONS, "a name correction is never deleted", event="DELETE"),
    Guard(
        "sitting_keeps_its_name",
        "records_sitting",
        "a sitting keeps the name it was started with",
        frozen=("candidate_id", "name"),
    ),
    Guard(
        "closed_sitting_stays_closed",
        "records_sitting",
        "a closed sitting stays closed",
        while_="OLD.closed_at IS NOT NULL",
        frozen=("candidate_id", "started_at", "deadline_at", "closed_at", "closed_by"),
    ),
    Guard(
        "annulled_sitting_stays_annulled",
        "records_sitting",
        "an annulled sitting stays annulled",
        while_="OLD.annulled_at IS NOT NULL",
        frozen=("annulled_at",),
    ),
    Guard(
        "try_given_back_stays_so",
        "records_sitting",
        "an attempt that was given back cannot be taken away",
        when="OLD.try_back AND NOT NEW.try_back",
    ),
)
FAR_GUARDS = (
    FarGuard(
        "account_is_renamed_by_two",
        "people_user",
        "renaming an account takes two people",
        changed="name",
        # An erased account is named after its number.
        found="SELECT 1 WHERE NEW.name <> '#' || CAST(NEW.id AS text) "
        "AND NEW.name <> COALESCE((SELECT last.name FROM certificates_namecorrection last WHERE last.accepted "
        "AND last.holder_id = NEW.id ORDER BY last.decided_at DESC, last.id DESC LIMIT 1), '')",
        needs=(CORRECTIONS,),
    ),
    FarGuard(
        "candidate_is_called_as_the_account",
        "records_candidate",
        "a candidate is entered with the name of the account",
        event="INSERT",
        found="SELECT 1 FROM people_user account WHERE account.id = NEW.person_id "
        "AND NEW.name <> '' AND NEW.name <> account.name",
        needs=("people_user", "records_candidate.name"),
    ),
    FarGuard(
        "sitting_is_called_as_the_candidate",
        "records_sitting",
        "a sitting carries the name of its candidate",
        event="INSERT",
        found="SELECT 1 FROM records_candidate entered WHERE entered.id = NEW.candidate_id "
        "AND entered.name <> '' AND NEW.name <> entered.name",
        needs=("records_candidate.name",),
    ),
)
