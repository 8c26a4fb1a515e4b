"""Spots of a layout in words: what a game calls them, and which spots a written answer means."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache

from rules_engine.folding import folded
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Payment
from rules_engine.words import LANGUAGES

BETWEEN_SPOTS = re.compile(r"[,;>\n]+")
BETWEEN_NUMBERS = re.compile(r"[-/+]")
NUMBERS = re.compile(r"\d+(-\d+)*")
ORDINAL = re.compile(r"\b([123])\W{0,2}(?:a|st|nd|rd)\b")  # 1.ª, folded; 1st


def spot_name(spot: str, book: Rulebook, language: str) -> str:
    """What the game calls a spot: its own name, or its chance and numbers."""
    if book.words.has(f"spot.{spot}"):
        return book.text(f"spot.{spot}", language)
    found = book.game.spot(spot)
    return f"{book.text(f'spot.{found.chance}', language)} {'-'.join(map(str, found.numbers))}"


def in_order(payments: Iterable[Payment], layout: Container[str]) -> list[Payment]:
    """Payments in the order in which they are made: on a layout, losing bets are collected before winning ones are
    paid."""
    return sorted(payments, key=lambda payment: payment.spot not in layout or payment.payer == "house")


def spots_meant(given: str | Sequence[str], book: Rulebook) -> tuple[str, ...]:
    """The keys of the spots in an answer: `20/17, Encarnado` is `17-20` and `red`. Text that names no spot is
    unchanged.

    One spot that covers few numbers equals those numbers one by one.
    """
    pieces = BETWEEN_SPOTS.split(given) if isinstance(given, str) else given
    found = [spot for piece in pieces for spot in _meant(str(piece).strip(), book)]
    return tuple(found[0].split("-")) if len(found) == 1 and found[0][:1].isdigit() else tuple(found)


def _meant(piece: str, book: Rulebook) -> list[str]:
    if piece in book.game.spots:
        return [piece]
    text = _bare(piece)
    if (spot := _names(book).get(text)) is not None:
        return [spot]
    # Numbers may be written in any order, separated in any way, and with the name of their chance.
    words = "-".join(part.strip() for part in BETWEEN_NUMBERS.split(text)).split()
    return [_in_order(word) for word in words if NUMBERS.fullmatch(word)] or words


def _bare(text: str) -> str:
    """Without case, accents, article and the endings of ordinals."""
    return ORDINAL.sub(r"\1", folded(text)).removeprefix("the ")


def _in_order(numbers: str) -> str:
    return "-".join(map(str, sorted(map(int, numbers.split("-")))))


@cache
def _names(book: Rulebook) -> dict[str, str]:
    """Every spot that has its own name, by its names in every language, without case and accents."""
    return {_bare(name): spot for spot in book.game.spots for name in _called(spot, book)}


def _called(spot: str, book: Rulebook) -> Iterator[str]:
    """`primeira dúzia`, `dúzia 1`, `1 dúzia`; `cavalo 17-20`; `encarnado` and `vermelho`."""
    found, words = book.game.spot(spot), book.words
    for language in LANGUAGES:
        for id in (f"spot.{spot}", f"chance.{spot}", f"spoken.also_{spot}"):
            if words.has(id):
                yield book.text(id, language)
        if found.numbers and words.has(f"spot.{found.chance}"):
            which, name = "-".join(map(str, found.numbers)), book.text(f"spot.{found.chance}", language)
            yield from (f"{name} {which}", f"{which} {name}")
