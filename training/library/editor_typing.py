"""Converts cards and places as people type them (rei de paus, 10♥, Rc, Kc; lugar 4, em pé) to the engine's form."""

import re

from rules_engine.folding import folded

RANKS = {
    **dict.fromkeys(("a", "as", "ace", "asso"), "A"),
    **dict.fromkeys(("k", "r", "rei", "king", "re", "rey"), "K"),
    **dict.fromkeys(("q", "d", "dama", "queen", "donna", "reina"), "Q"),
    **dict.fromkeys(("j", "v", "f", "valete", "jack", "fante", "jota", "sota"), "J"),
    **dict.fromkeys(("t", "10", "dez", "ten", "dieci", "diez"), "T"),
    **{str(number): str(number) for number in range(2, 10)},
    **dict(zip(("dois", "tres", "quatro", "cinco", "seis", "sete", "oito", "nove"), "23456789", strict=True)),
    **dict(zip(("duque", "terno", "quadra", "quina", "sena", "bisca"), "234567", strict=True)),
    **dict(zip(("two", "three", "four", "five", "six", "seven", "eight", "nine"), "23456789", strict=True)),
}
SUITS = {
    **dict.fromkeys(("s", "e", "♠", "espadas", "spades", "picche", "picas"), "s"),
    **dict.fromkeys(("h", "♥", "copas", "hearts", "cuori", "corazones"), "h"),
    **dict.fromkeys(("d", "o", "♦", "ouros", "diamonds", "quadri", "diamantes"), "d"),
    **dict.fromkeys(("c", "p", "♣", "paus", "clubs", "fiori", "treboles"), "c"),
}


def _one_of(words: dict[str, str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


CARD = re.compile(
    rf"(?<![0-9a-z])(?P<rank>{_one_of(RANKS)})\s*(?:(?:de|of|di|da)\s+)?(?P<suit>{_one_of(SUITS)})(?=[\s,;*]|$)"
)
SEAT = r"(?:lugar|lugares|seat|seats|posto|posti|puesto|asiento|jogador|player)"
# Possessive quantifiers: otherwise a long line of spaces would make the pattern backtrack exponentially.
STANDING = r"(?:\s*+(?:,\s*+)?(?:(?:em|de|in|en)\s*+)?(?:pe|standing|piedi|pie))"
PLACE = re.compile(
    rf"(?:{SEAT}\s*)?(?P<seat>(?<![0-9])[1-9](?![0-9]))(?P<letter>[a-i](?![a-z]))?(?P<standing>{STANDING}(?![a-z]))?"
)
BETWEEN = re.compile(r"(?:[\s,;]|\be\b|\band\b|\by\b)*")


def cards(line: str) -> str:
    """A line of cards in the engine's form. Anything that is not a card stays as typed and is refused later."""
    return CARD.sub(lambda found: RANKS[found["rank"]] + SUITS[found["suit"]], folded(line))


def places(line: str, *, standing: bool = False) -> str:
    """A line of places in the engine's form. With `standing`, a bare seat is the next person standing there."""
    plain = folded(line)
    if not BETWEEN.fullmatch(PLACE.sub(" ", plain)):
        return line
    found: list[str] = []
    lettered = {match[0] for match in re.finditer(r"[1-9][a-i](?![a-z])", plain)}
    for match in PLACE.finditer(plain):
        seat, letter = match["seat"], match["letter"] or ""
        if not letter and (standing or match["standing"]):
            free = (one for one in "abcdefghi" if seat + one not in {*found, *lettered})
            letter = next(free, "a") if standing else "a"
        found.append(seat + letter)
    return " ".join(found)
