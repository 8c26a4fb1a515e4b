"""What the database refuses to change of the house: certificates are printed with the logo of their day for ever."""

from training.guards import Guard

GUARDS = (
    Guard("logo_never_changes", "house_logo", "a logo never changes"),
    Guard("logo_is_never_removed", "house_logo", "a logo is never removed", event="DELETE"),
)
