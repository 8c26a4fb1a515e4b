"""A trigger that stops a sent mail from being sent again."""

from training.platform.guards import Guard

GUARDS = [
    Guard(
        "mail_sent_once",
        "mail_mail",
        "A mail that was sent is not sent again.",
        while_="OLD.sent_at IS NOT NULL",
        frozen=("sent_at", "failed_at", "due_at", "address", "body"),
    ),
]
