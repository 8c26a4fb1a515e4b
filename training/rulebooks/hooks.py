"""What higher packages tell the rulebook pages."""

from collections.abc import Collection

from training.platform.hooks import OneAnswer


@OneAnswer
def programmes_examining(rulebook: str, topics: Collection[str], language: str) -> list[str]:
    """The names of the programmes in force that ask about one of these topics. Called by the page of a clause."""
    return []
