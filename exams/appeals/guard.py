"""Database triggers that protect appeals from changes after the fact and from partial reviewers."""

from training.platform.guards import FarGuard, Guard

GUARDS = (
    Guard(
        "appeal_stays_as_lodged",
        "appeals_appeal",
        "an appeal keeps what was lodged",
        frozen=("number", "form_item_id", "mark_id", "appellant_id", "text", "lodged_at", "decide_by"),
    ),
    Guard(
        "appeal_stays_as_decided",
        "appeals_appeal",
        "an appeal is decided only once",
        while_="OLD.state <> 'lodged'",
        frozen=("state", "remedy", "accepted", "reviewer_id", "decided_at", "reply"),
        when="OLD.carried_out_at IS NOT NULL AND NEW.carried_out_at IS NULL",
    ),
    Guard(
        "objection_stays_as_lodged",
        "appeals_objection",
        "an objection keeps what was lodged",
        frozen=(*("number", "kind", "person_id", "about", "about_key", "doers", "text", "lodged_at", "decide_by"),),
    ),
    Guard(
        "objection_stays_as_decided",
        "appeals_objection",
        "an objection is decided only once",
        while_="OLD.state <> 'lodged'",
        frozen=("state", "reviewer_id", "decided_at", "reply"),
    ),
    Guard(
        "objection_is_carried_out_once",
        "appeals_objection",
        "what was done about an objection stays on record",
        while_="OLD.done_at IS NOT NULL",
        frozen=("done", "done_by_id", "done_at"),
    ),
    Guard("objection_is_never_removed", "appeals_objection", "an objection is never deleted", event="DELETE"),
    Guard("appeal_is_never_removed", "appeals_appeal", "an appeal is never deleted", event="DELETE"),
)

# Most of the rules of `reviewers.py` in SQL.
PARTIAL = {
    "reviewer_did_not_write_the_item": """
        SELECT 1 FROM records_formitem placed
        JOIN records_examitem item ON item.id = placed.item_id
        JOIN library_version used ON used.id = item.version_id
        JOIN library_version written ON written.item_id = used.item_id
        LEFT JOIN library_coauthor shared ON shared.version_id = written.id AND shared.person_id = NEW.reviewer_id
        LEFT JOIN library_act act ON act.version_id = written.id AND act.actor_id = NEW.reviewer_id
            AND act.kind IN ('created', 'edited')
        WHERE placed.id = NEW.form_item_id
            AND (NEW.reviewer_id IN (written.author_id, written.published_by_id)
                OR shared.id IS NOT NULL OR act.id IS NOT NULL)""",
    "reviewer_did_not_have_the_item": """
        SELECT 1 FROM records_formitem placed
        JOIN records_formitem own ON own.item_id = placed.item_id
        JOIN records_form paper ON paper.id = own.form_id
        JOIN records_candidate candidate ON candidate.id = paper.candidate_id
        WHERE placed.id = NEW.form_item_id AND candidate.person_id = NEW.reviewer_id""",
    "reviewer_did_not_teach": """
        SELECT 1 FROM classes_taught taught
        WHERE taught.trainee_id = NEW.appellant_id AND taught.teacher_id = NEW.reviewer_id""",
    "reviewer_did_not_examine": """
        SELECT 1 FROM records_candidate candidate
        JOIN records_session session ON session.id = candidate.session_id
        JOIN records_sitting sitting ON sitting.candidate_id = candidate.id
        LEFT JOIN records_session_invigilators watching
            ON watching.session_id = session.id AND watching.user_id = NEW.reviewer_id
        LEFT JOIN results_result result
            ON result.sitting_id = sitting.id AND result.decided_by_id = NEW.reviewer_id
        WHERE candidate.person_id = NEW.appellant_id
            AND (session.created_by_id = NEW.reviewer_id OR watching.id IS NOT NULL OR result.id IS NOT NULL)""",
    "reviewer_did_not_mark_at_the_table": """
        SELECT 1 FROM practical_examtable dealt
        JOIN records_candidate candidate ON candidate.id = dealt.candidate_id
        LEFT JOIN practical_marking marked ON marked.table_id = dealt.id AND marked.examiner_id = NEW.reviewer_id
        LEFT JOIN practical_settlement settled ON settled.table_id = dealt.id AND settled.by_id = NEW.reviewer_id
        WHERE candidate.person_id = NEW.appellant_id AND (marked.id IS NOT NULL OR settled.id IS NOT NULL)""",
}
REFUSAL = "an appeal is not decided by anybody who wrote or had the item, or taught or examined the appellant"
REVIEWS = tuple(
    FarGuard(
        name,
        "appeals_appeal",
        REFUSAL,
        found=partial,
        needs=(
            "library_version",
            "library_coauthor",
            "library_act",
            "classes_taught",
            "results_result",
            "practical_marking",
            "practical_settlement",
        ),
        changed="reviewer_id",
    )
    for name, partial in PARTIAL.items()
)
