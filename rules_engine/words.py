"""Sentences: the engine speaks in ids with values, and the catalogues turn them into a language.

A catalogue is a folder of TOML files per language. In a sentence, `{who:player}` or `{sum:amount}` says how a value is
shown; any other format is a table of words to look the value up in (`{fate:option.fate}` reads `option.fate.<value>`).
"""

import string
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from rules_engine.errors import UnknownName

LANGUAGES = ("en", "pt", "it", "es")
FALLBACK = "en"
SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


@cache
def catalogue(language: str) -> dict[str, str]:
    """Every sentence of a language by id. A sentence defined twice is an error."""
    if language not in LANGUAGES:
        raise UnknownName("language", language, LANGUAGES)
    sentences: dict[str, str] = {}
    folder = files("rules_engine") / "catalogues" / language
    for source in sorted(folder.iterdir(), key=lambda item: item.name):
        for id, sentence in _flat(tomllib.loads(source.read_text("utf-8"))):
            if id in sentences:
                raise UnknownName("second sentence for", id)
            sentences[id] = sentence
    return sentences


def _flat(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, str):
            found.append((prefix + key, value))
        else:
            found.extend(_flat(value, f"{prefix}{key}."))
    return found


def has(id: str, language: str) -> bool:
    return id in catalogue(language)


def text(id: str, language: str, *, currency: str = "EUR", **values: Any) -> str:
    """The sentence of an id, in the language or, until it is translated, in English."""
    pattern = catalogue(language).get(id)
    if pattern is None:
        language, pattern = FALLBACK, catalogue(FALLBACK).get(id)
    if pattern is None:
        raise UnknownName("sentence", id)
    return _Formatter(language, currency).vformat(pattern, (), values)


def sentence(id: str, language: str, *, currency: str = "EUR", **values: Any) -> str:
    """The same with a capital letter first, for whatever value the sentence begins with."""
    words = text(id, language, currency=currency, **values)
    return words[:1].upper() + words[1:]


class _Formatter(string.Formatter):
    def __init__(self, language: str, currency: str) -> None:
        self.language = language
        self.currency = currency

    def format_field(self, value: Any, format_spec: str) -> Any:
        if not format_spec:
            return str(value)
        show = getattr(self, f"show_{format_spec}", None)
        return show(value) if show else text(f"{format_spec}.{value}", self.language)

    def show_card(self, card: str) -> str:
        return card_sign(card)

    def show_cards(self, cards: Sequence[str]) -> str:
        return " ".join(map(card_sign, cards)) or "–"

    def show_player(self, player: str) -> str:
        if not player[:1].isdigit():
            return text(f"player.{player}", self.language)
        if player.isdigit():
            return text("player.seat", self.language, seat=player)
        return text("player.standing", self.language, place=player, seat=player[:-1])

    def show_players(self, players: Sequence[str]) -> str:
        return ", ".join(map(self.show_player, players)) or text("player.nobody", self.language)

    def show_amount(self, amount: int) -> str:
        return money(amount, self.currency, self.language)

    def show_score(self, score: int) -> str:
        return text("score.baccara", self.language) if score == 0 else str(score)


def card_sign(card: str) -> str:
    """The short sign of a card: 10♥, K♠."""
    return ("10" if card[0] == "T" else card[0]) + SUIT_SIGNS[card[1]]


def money(amount: int, currency: str, language: str) -> str:
    grouped = f"{amount:,}"
    if language == "en":
        return f"€{grouped}" if currency == "EUR" else f"{grouped} escudos"
    spaced = grouped.replace(",", "\N{NO-BREAK SPACE}" if language == "pt" else ".")
    return f"{spaced}\N{NO-BREAK SPACE}€" if currency == "EUR" else f"{spaced}$00"
