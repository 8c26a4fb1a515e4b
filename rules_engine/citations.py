"""How a clause is cited: `67 c-1` is article 67 c)."""

import re
from collections.abc import Iterable
from functools import cache

CITED = re.compile(r"(?P<part>[IVX]+ )?(?P<article>\S+)(?: (?P<clause>.+))?")


@cache
def citation(cite: str) -> str:
    """A citation the way the regulation numbers it, with letters and paragraphs but without our own division of a
    paragraph."""
    found = CITED.fullmatch(cite)
    if found is None:
        return cite
    article = f"{found['part'] or ''}{found['article']}"
    letter = re.fullmatch(r"([a-z])(-\w+)?", found["clause"] or "")
    paragraph = re.fullmatch(r"p(\d+)(-\d+)?", found["clause"] or "")
    if letter:
        return f"{article} {letter[1]})"
    return f"{article} §{paragraph[1]}" if paragraph else article


def combined(cites: Iterable[str]) -> bool:
    """Whether they are of two provisions of the regulation: two articles, or two letters or paragraphs of one.

    Letters count because texts differ in what they put into one article: Portugal 104 has as letters what are sixteen
    articles at Sanremo.
    """
    return len({citation(cite) for cite in cites}) > 1
