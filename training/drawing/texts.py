"""How wide a text is, by the widths of letters in the widest font that a reader may have."""

from functools import cache

# Widths as parts of the font size.
_NARROW = dict.fromkeys("ijlI.,:;'!|()[]", 0.40) | dict.fromkeys(
    "frt-\N{NARROW NO-BREAK SPACE}\N{NO-BREAK SPACE} ", 0.42
)
_WIDE = dict.fromkeys("mwMWO@%", 0.98) | dict.fromkeys("ABCDGHKNQRUVXYZ&+\N{MINUS SIGN}€", 0.80)
LETTER, BOLD = 0.63, 1.11


@cache
def width(text: str, size: float, *, bold: bool = False) -> int:
    """The width of a line of text, rounded up."""
    plain = sum(_NARROW.get(letter) or _WIDE.get(letter) or LETTER for letter in text)
    return int(plain * size * (BOLD if bold else 1)) + 1


def lines(text: str, size: float, room: int) -> list[str]:
    """The text on one line, or broken into two lines of about the same width if it is wider than `room`."""
    words = text.split(" ")
    if len(words) == 1 or width(text, size) <= room:
        return [text]
    breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return list(min(breaks, key=lambda pair: max(width(part, size) for part in pair)))
