"""Names that read everywhere as they are stored: nothing in them is invisible or turns what follows around."""

# Letters and marks that print as nothing; what is no letter at all `str.isprintable` knows.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}


def one_spaced(name: str) -> str:
    """With one plain space between its parts, whatever kind and number of them were typed."""
    return " ".join(name.split())


def is_plain(name: str) -> bool:
    return name.isprintable() and BLANK.isdisjoint(name)
