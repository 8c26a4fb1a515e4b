"""Words reduced to their stems, so that «apostas» finds «aposta» and "bets" finds "bet"."""

import re
from collections.abc import Callable
from functools import cache, lru_cache

from rules_engine.folding import folded

WORD = re.compile(r"[a-z0-9]+")
STEMMERS = {"pt": "portuguese", "en": "english", "it": "italian", "es": "spanish", "fr": "french"}
# Words that say nothing about what is wanted, without accents.
STOP = frozenset(
    """
    a ao aos as com da das de do dos e em entre era foi ja lhe mas na nao nas no nos o os ou para pela pelo por qual
    quando que quem se sem ser seu sua te tem um uma uns
    an and at be by for from has in is it not of on or that the to was what when which who with
    al all dall dell nell sull che chi con dal dei del della di gli i il le lo ma nei nel non per si su un una
    como el en es la las los sin y
    au aux ce dans du est et la les ne pas pour qui sur un une
    """.split()  # noqa: SIM905 (easier to read)
)
# Plurals whose letters change once the accents are gone: -ções, -ões, -ães, -ais, -éis, -óis.
PLURALS = ((re.compile(r"(?:o|a)es$"), "ao"), (re.compile(r"ais$"), "al"), (re.compile(r"(?<=[^aeiou])eis$"), "el"))


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    # Loaded on first use: it costs memory that most processes never need.
    import snowballstemmer

    found: Callable[[str], str] = snowballstemmer.stemmer(STEMMERS[language]).stemWord
    return found


@lru_cache(maxsize=20_000)
def stem(word: str, language: str) -> str:
    """The stem of a word without case and accents."""
    if language in ("pt", "es"):
        for plural, single in PLURALS:
            word = plural.sub(single, word)
    return _stemmer(language)(word)


def words(text: str) -> list[str]:
    """The words of a text without case and accents; words that say nothing are left out, if any others remain."""
    every = WORD.findall(folded(text))
    return [word for word in every if word not in STOP] or every


def all_stems(word: str) -> frozenset[str]:
    """What a word may be reduced to, with the language: `pt:apost`."""
    return frozenset(f"{language}:{stem(word, language)}" for language in STEMMERS)
