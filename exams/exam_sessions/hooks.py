"""Hooks that other packages subscribe to."""

from collections.abc import Collection, Sequence

from training.platform.hooks import OneAnswer


@OneAnswer
def holders(people: Sequence[int], rulebooks: Collection[str]) -> frozenset[int]:
    """Those of these people who have a valid certificate on one of these rulebooks, in one query. Called when
    candidates of a refresher exam are checked."""
    return frozenset()
