"""Database triggers that keep the audit log append-only."""

from training.platform.guards import Guard

GUARDS = (
    Guard("audit_entry_never_changes", "audit_entry", "the audit log is append-only"),
    Guard("audit_entry_is_never_removed", "audit_entry", "the audit log is append-only", event="DELETE"),
)
