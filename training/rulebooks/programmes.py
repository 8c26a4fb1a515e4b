"""Which programmes examine a clause. Exams are not known here: they say at the start that they are to be asked."""

from collections.abc import Callable, Collection

# (rulebook, topics, language) → the names of the programmes in force that ask about one of these topics.
Asked = Callable[[str, Collection[str], str], list[str]]
_asked: list[Asked] = []


def ask_for_programmes(asked: Asked) -> None:
    """For `AppConfig.ready`."""
    if asked not in _asked:
        _asked.append(asked)


def examining(rulebook: str, topics: Collection[str], language: str) -> list[str]:
    return next((asked(rulebook, topics, language) for asked in _asked), []) if topics else []
