"""Recognises the number of an article in what somebody types, in any usual way of writing it."""

import re
from typing import NamedTuple

from rules_engine.citations import citation
from rules_engine.folding import folded

CITED = (
    r"(?:[ivx]{1,6}\s{1,3})?\d{1,4}(?:\.?[ºo°](?=\W|$))?\.?"
    r"(?:[\s,-]{0,4}(?:(?:al|n|par|lett?)\.?\s{0,3})?§?[a-z]{0,2}\d{0,3}(?:-\w{1,8})?\)?)?"
)
WHOLE = re.compile(rf"(?:art(?:s|igo|icle|icolo|iculo)?\.?\s*)?(?P<cite>{CITED})")
NAMED = re.compile(
    r"\bart(?:s|igo|icle|icolo|iculo)?\.?\s*(?P<cite>(?:[ivx]+\s+)?\d+(?:\.?[ºo°])?(?:\s*[a-z]\)?(?!\w))?)"
)
PLAIN = re.compile(r"[^0-9a-z]")


class Asked(NamedTuple):
    """The key of the article (`cite_key`), and the words besides it."""

    key: str
    words: str


def asked_article(asked: str) -> Asked | None:
    """The article that was typed alone (`104 m`) or by its name among words (`carta no chão art. 104 m)`)."""
    plain = folded(asked).strip()
    if whole := WHOLE.fullmatch(plain):
        return Asked(cite_key(whole["cite"]), "")
    if named := NAMED.search(plain):
        return Asked(cite_key(named["cite"]), (plain[: named.start()] + plain[named.end() :]).strip())
    return None


def cite_key(cite: str) -> str:
    """A key that is equal for different ways to write a citation: `67 d)`, `67.º d`, `67d`."""
    return PLAIN.sub("", re.sub(r"(?<=\d)\.?[ºo°](?=\W|$)", "", folded(cite)))


def names(cite: str, key: str) -> int:
    """How exactly a key means this clause: 3 the clause itself, 2 as printed, 1 its whole article, 0 not at all."""
    if key == cite_key(cite):
        return 3
    if key == cite_key(citation(cite)):
        return 2
    article = cite.rpartition(" ")[0] or cite
    return int(key in (cite_key(article), cite_key(article.rpartition(" ")[2])))
