"""Triggers that protect logos, with which certificates are printed again, house rulings and tables."""

from training.platform.guards import Guard

KEPT = (
    *("rulebook", "question", "choice", "number", "words", "decided_by", "decided_on", "reason"),
    *("recorded_by_id", "recorded_at"),
)

GUARDS = (
    Guard("logo_never_changes", "house_logo", "a logo never changes"),
    Guard("logo_is_never_removed", "house_logo", "a logo is never removed", event="DELETE"),
    # Marks refer to the house ruling they are based on.
    Guard("house_ruling_keeps_its_words", "house_houseruling", "a house ruling never changes", frozen=KEPT),
    Guard(
        "house_ruling_is_signed_once",
        "house_houseruling",
        "a signature is never changed",
        while_="OLD.signed_by_id IS NOT NULL",
        frozen=("signed_by_id", "signed_at"),
    ),
    Guard(
        "house_ruling_stays_withdrawn",
        "house_houseruling",
        "a house ruling that is withdrawn stays so",
        while_="OLD.withdrawn_at IS NOT NULL",
    ),
    Guard("house_ruling_is_never_removed", "house_houseruling", "a house ruling is never removed", event="DELETE"),
    Guard("house_table_is_never_removed", "house_housetable", "a table is taken out of use", event="DELETE"),
)
