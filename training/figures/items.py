"""What the figures of an item are kept under: a version of the library, or a kind of generated scenario."""

VERSION = "version:"


def version_key(version_id: int) -> str:
    return f"{VERSION}{version_id}"


def kind_key(rulebook: str, topic: str, difficulty: int) -> str:
    return f"{rulebook}/{topic}/{difficulty}"


def version_of(key: str) -> int | None:
    """The version that a key stands for, or None where it stands for a kind."""
    return int(key.removeprefix(VERSION)) if key.startswith(VERSION) else None


def kind_of(key: str) -> tuple[str, str, int]:
    """Rulebook, topic and difficulty of the kind that a key stands for."""
    rulebook, topic, difficulty = key.split("/")
    return rulebook, topic, int(difficulty)
