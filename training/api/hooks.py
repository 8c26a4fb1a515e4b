"""Hooks that the API declares for higher packages."""

from dataclasses import dataclass

from training.people.models import User
from training.platform.hooks import Event


@dataclass(frozen=True)
class TokenChange:
    """Tokens that were issued or revoked, and by whom; None stands for the platform itself."""

    owner: User
    by: User | None
    made: bool
    tokens: list[int]
    scopes: list[str]


@Event
def tokens_changed(change: TokenChange) -> None:
    """Tokens were issued or revoked. Called in that transaction."""
