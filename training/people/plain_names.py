"""Checks names for invisible characters and characters that change the writing direction."""

# Letters and marks that are invisible although `str.isprintable` accepts them.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}


def one_spaced(name: str) -> str:
    """Replace every run of whitespace by one plain space."""
    return " ".join(name.split())


def is_plain(name: str) -> bool:
    return name.isprintable() and BLANK.isdisjoint(name)
