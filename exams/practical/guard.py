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
_OF_NEW = "SELECT 1 FROM practical_marking own WHERE own.id = NEW.marking_id AND own.handed_in_at IS NOT NULL"
_OF_OLD = "SELECT 1 FROM practical_marking own WHERE own.id = OLD.marking_id AND own.handed_in_at IS NOT NULL"
FAR_GUARDS = tuple(
    FarGuard(
        name,
        "practical_tick",
        "what an examiner has handed in never changes",
        event=event,
        found=found,
        needs=("practical_tick", "practical_marking"),
    )
    for name, event, found in (
        ("tick_is_not_added_late", "INSERT", _OF_NEW),
        ("tick_stays_handed_in", "UPDATE", _OF_OLD),
        ("tick_is_never_removed", "DELETE", _OF_OLD),
    )
)
