"""Recognises the game that a search names (`late bet roulette`), so that it is looked for only there."""

import re
from functools import cache
from typing import NamedTuple

from rules_engine import GAMES
from rules_engine.folding import folded
from rules_engine.words import LANGUAGES

# What people call a game besides its names in the catalogues.
ALSO = {
    "ponto_banca": ("punto banco", "punto y banca", "ponto banca"),
    "chemin_de_fer": ("chemin", "shimmy", "ferrovia"),
    "roulette": ("roleta", "roulette", "ruleta", "rolet"),
    "black_jack": ("blackjack",),
    "cussec": ("sic bo", "sicbo"),
    "machines": ("slot machine", "slot", "slots"),
}


class Named(NamedTuple):
    """The rulebooks of the game that was named, empty if none was, and the other words."""

    books: frozenset[str]
    words: str


def named_game(asked: str) -> Named:
    """The game named in a search and the words besides its name; all words if there are no others."""
    plain = f" {_plain(asked)} "
    for name, books in _names():
        if f" {name} " in plain and (rest := plain.replace(f" {name} ", " ").strip()):
            return Named(books, rest)
    return Named(frozenset(), asked)


@cache
def _names() -> list[tuple[str, frozenset[str]]]:
    """Every name of a game with its rulebooks, the longest first."""
    found: dict[str, frozenset[str]] = {}
    for game in GAMES.values():
        books = frozenset(book.id for book in game.books)
        called = {game.name(language) for language in LANGUAGES if game.words.catalogue(language).get("game")}
        for name in (*called, *ALSO.get(game.id, ())):
            found[_plain(name)] = books
    return sorted(found.items(), key=lambda one: -len(one[0]))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", folded(text)))
