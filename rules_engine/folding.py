"""Text without case and accents, as people search, sort and compare words."""

import unicodedata

MOST_KEPT = 30_000  # letters: somebody may send every one that there is


class _Bare(dict[int, str]):
    """What is left of each letter without its accents, found when it is first met."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        bare = "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))
        if len(self) < MOST_KEPT:
            self[code] = bare
        return bare


_BARE = _Bare()


def folded(text: str) -> str:
    """Letter by letter: to normalise a whole text takes the square of the number of accents that follow one another,
    as it puts them in order first."""
    return text.casefold().translate(_BARE)
