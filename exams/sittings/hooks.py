"""Hooks that sittings declare for higher packages."""

from uuid import UUID

from training.platform.hooks import Event


@Event
def sitting_closed(sitting_id: UUID) -> None:
    """A sitting was closed, whoever closed it. Called in the transaction that closes it."""
