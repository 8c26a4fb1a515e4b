"""Text without case and accents, to search, sort and compare words."""

import unicodedata

MOST_KEPT = 30_000  # letters; input may contain any character


class _Bare(dict[int, str]):
    """Each letter without its accents, computed on first use."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        bare = "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))
        if len(self) < MOST_KEPT:
            self[code] = bare
        return bare


_BARE = _Bare()


def folded(text: str) -> str:
    """The text without case and accents. Works letter by letter: normalising a whole text takes quadratic time when
    many accents follow one another."""
    return text.casefold().translate(_BARE)
