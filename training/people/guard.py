"""Triggers that protect the records of what was done to an account."""

from training.platform.guards import Guard

GUARDS = (
    Guard("account_act_never_changes", "people_accountact", "what was done to an account never changes"),
    Guard(
        "account_act_is_never_removed",
        "people_accountact",
        "what was done to an account is never removed",
        event="DELETE",
    ),
)
