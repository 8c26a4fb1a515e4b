"""Database triggers that protect what candidates did and examiners saw."""

from training.platform.guards import FarGuard, Guard

GUARDS = (
    Guard(
        "exam_act_never_changes",
        "practical_examact",
        "an act at an exam table never changes",
        frozen=("table_id", "number", "document", "received_at"),
    ),
    Guard("exam_act_is_never_removed", "practical_examact", "an act at an exam table is never deleted", event="DELETE"),
    Guard(
        "exam_table_keeps_its_setup",
        "practical_examtable",
        "an exam table keeps its candidate, setup and script",
        frozen=("candidate_id", "setup", "script", "in_room"),
    ),
    Guard(
        "marking_stays_handed_in",
        "practical_marking",
        "a marking that was handed in stays so",
        while_="OLD.handed_in_at IS NOT NULL",
        frozen=("table_id", "examiner_id", "place", "handed_in_at"),
    ),
    Guard(
        "settlement_never_changes",
        "practical_settlement",
        "what the examiners settled never changes",
        frozen=("table_id", "how", "marked", "by_id", "reason", "at"),
    ),
    Guard("settlement_is_never_removed", "practical_settlement", "a settlement is never deleted", event="DELETE"),
)
FAR_GUARDS = tuple(
    FarGuard(
        f"tick_stays_handed_in_{number}",
        "practical_tick",
        "what an examiner has handed in never changes",
        event=event,
        found="SELECT 1 FROM practical_marking own WHERE own.handed_in_at IS NOT NULL AND own.id = " + mine,
        needs=("practical_tick", "practical_marking"),
    )
    for number, (event, mine) in enumerate(
        (("INSERT", "NEW.marking_id"), ("UPDATE", "OLD.marking_id"), ("DELETE", "OLD.marking_id"))
    )
)
