"""What the figures of an item are kept under: a version of the library, or a kind of generated scenario.

A later moment of a story has figures of its own; those of the first are the version's.
"""

VERSION = "version:"


def version_key(version_id: int, moment: int = 1) -> str:
    return f"{VERSION}{version_id}" if moment == 1 else f"{VERSION}{version_id}/{moment}"


def kind_key(rulebook: str, topic: str, difficulty: int) -> str:
    return f"{rulebook}/{topic}/{difficulty}"


def version_of(key: str) -> int | None:
    """The version that a key stands for, or None where it stands for a kind."""
    return int(key.removeprefix(VERSION).partition("/")[0]) if key.startswith(VERSION) else None


def moment_of(key: str) -> int:
    """Which moment of its version a key stands for."""
    return int(key.partition("/")[2] or 1)


def kind_of(key: str) -> tuple[str, str, int]:
    """Rulebook, topic and difficulty of the kind that a key stands for."""
    rulebook, topic, difficulty = key.split("/")
    return rulebook, topic, int(difficulty)
