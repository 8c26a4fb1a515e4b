"""Hooks that other packages subscribe to."""

from collections.abc import Iterable

from training.platform.hooks import AllAnswers


@AllAnswers
def named_tables(trainee_id: int, rulebook: str) -> Iterable[str]:
    """The keys of the tables at which a trainee should practise a rulebook, if they have not chosen one."""
    return ()
