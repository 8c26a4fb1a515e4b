"""Text without case and accents."""

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from rules_engine.folding import folded


def of_the_whole(text: str) -> str:
    """The same by the book: all of the text normalised at once."""
    return "".join(one for one in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(one))


def test_every_letter_is_folded_as_by_the_book() -> None:
    letters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    assert [one for one in letters if folded(one) != of_the_whole(one)] == []


@given(st.text())
def test_so_is_every_text(text: str) -> None:
    assert folded(text) == of_the_whole(text)
