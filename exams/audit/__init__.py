"""The audit log: append-only, each entry sealed by the previous one."""
