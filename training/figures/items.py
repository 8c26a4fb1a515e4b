"""The keys of item figures: a version in the library, or a kind of generated scenario.

Later moments of a story have their own figures; those of the first moment are the version's.
"""

VERSION = "version:"


def version_key(version_id: int, moment: int = 1) -> str:
    return f"{VERSION}{version_id}" if moment == 1 else f"{VERSION}{version_id}/{moment}"


def kind_key(rulebook: str, topic: str, difficulty: int) -> str:
    return f"{rulebook}/{topic}/{difficulty}"


def version_of(key: str) -> int | None:
    """The version of a key; None if it is the key of a kind."""
    return int(key.removeprefix(VERSION).partition("/")[0]) if key.startswith(VERSION) else None


def moment_of(key: str) -> int:
    """The moment of a version key."""
    return int(key.partition("/")[2] or 1)


def kind_of(key: str) -> tuple[str, str, int]:
    """The rulebook, topic and difficulty of the key of a kind."""
    rulebook, topic, difficulty = key.split("/")
    return rulebook, topic, int(difficulty)
