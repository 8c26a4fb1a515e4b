"""Words reduced to their stems, so that «apostas» finds «aposta» and "bets" finds "bet"."""

import re
from collections.abc import Callable
from functools import cache, lru_cache

from rules_engine.folding import folded

WORD = re.compile(r"[^\W_]+")
PLAIN = re.compile(r"[^a-z0-9]")
STEMMERS = {"pt": "portuguese", "en": "english", "it": "italian", "es": "spanish", "fr": "french"}
# Words that say nothing about what is wanted, with and without accents: «as» is one, «ás» (ace) is not.
STOP = frozenset(
    """
    a ao aos as com da das de do dos e em entre era foi ja lhe mas na nao nas no nos o os ou para pela pelo por qual
    quando que quem se sem ser seu sua te tem um uma uns
    an and at be by for from has in is it not of on or that the to was what when which who with
    al all dall dell nell sull che chi con dal dei del della di gli i il le lo ma nei nel non per si su un una
    como el en es la las los sin y
    against contra contro
    à às é já não são è né più él où
    au aux ce dans du est et la les ne pas pour qui sur un une
    """.split()  # noqa: SIM905 (easier to read)
)
# Plurals whose letters change once the accents are gone: -ções, -ões, -ães, -ais, -éis, -óis.
PLURALS = ((re.compile(r"(?:o|a)es$"), "ao"), (re.compile(r"ais$"), "al"), (re.compile(r"(?<=[^aeiou])eis$"), "el"))
# Numbers are the same in all languages. Words for two numbers or for something else (Spanish «once») are left out.
NUMBERS = {
    word: str(number)
    for number, names in {
        0: "zero zeros zeroes cero ceros",
        2: "two twos dois duas due deux",
        3: "three threes tres tre trois",
        4: "four fours quatro quatros quattro cuatro cuatros quatre",
        5: "five fives cinco cincos cinque cinq",
        6: "six sixes seis sei",
        7: "seven sevens sete setes sette siete sietes sept",
        8: "eight eights oito oitos otto ocho ochos huit",
        9: "nine nines nove noves nueve nueves neuf",
        10: "ten tens dez dieci diez dix",
        11: "eleven onze undici",
        12: "twelve doze dodici doce douze",
        13: "thirteen treze tredici trece treize",
        14: "fourteen catorze quattordici",
        15: "fifteen quinze quindici",
        16: "sixteen dezasseis sedici dieciseis seize",
        17: "seventeen dezassete diciassette diecisiete",
        18: "eighteen dezoito diciotto dieciocho",
        19: "nineteen dezanove diciannove diecinueve",
        20: "twenty vinte venti veinte vingt",
        21: "ventuno veintiuno",
    }.items()
    for word in names.split()
}
# An irregular plural, and whoever deals: the texts and the trade use different words for one person.
SAME = NUMBERS | {"dice": "die"} | dict.fromkeys(("dealer", "crupier", "pagador", "impiegato", "mazziere"), "croupier")
# Words that their stemmer would mix up with another word of the trade: bancô and banca.
APART = {("pt", "banco"): "banco", ("pt", "bancos"): "banco"}


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    # Loaded on first use: it costs memory that most processes never need.
    import snowballstemmer

    found: Callable[[str], str] = snowballstemmer.stemmer(STEMMERS[language]).stemWord
    return found


@lru_cache(maxsize=20_000)
def stem(word: str, language: str) -> str:
    """The stem of a word without case and accents."""
    if kept := APART.get((language, word)):
        return kept
    if language in ("pt", "es"):
        for plural, single in PLURALS:
            word = plural.sub(single, word)
    return _stemmer(language)(word)


def words(text: str) -> list[str]:
    """The words of a text without case and accents; words that say nothing are left out, if any others remain."""
    every = [(word, _plain(word)) for word in WORD.findall(text.casefold())]
    return [plain for word, plain in every if plain and word not in STOP] or [plain for _word, plain in every if plain]


def _plain(word: str) -> str:
    bare = PLAIN.sub("", folded(word))
    return SAME.get(bare, bare)


def all_stems(word: str) -> frozenset[str]:
    """What a word may be reduced to, with the language: `pt:apost`."""
    return frozenset(f"{language}:{stem(word, language)}" for language in STEMMERS)
