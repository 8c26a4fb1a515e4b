"""Sentences: the engine uses ids with values, and the words of a game turn them into a language.

Sentences of every game are in `words/<language>/` here, those of one game in its own folder. In a sentence,
`{who:player}` or `{sum:amount}` says how a value is shown; any other format is a table of words in which the value is
looked up (`{fate:option.fate}` reads `option.fate.<value>`). `{bets:each.table.laid}` tells each of them with that
sentence; `{count:many.chips}` reads `chips.one` or `chips.many`, depending on the count.
"""

import re
import string
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from rules_engine.citations import CITED, citation
from rules_engine.errors import UnknownName

LANGUAGES = ("en", "pt", "it", "es")
FALLBACK = "en"
EACH = "each."
MANY = "many."
OF = {"en": "of", "pt": "de", "it": "di", "es": "de"}
AND = {"en": "and", "pt": "e", "it": "e", "es": "y"}
TO = {"en": "to", "pt": "a", "it": "a", "es": "a"}
# How an article contracts with the word before it.
MERGED = {
    "de o ": "do ",
    "di il ": "del ",
    "di l'": "dell'",
    "de el ": "del ",
    "a o ": "ao ",
    "a il ": "al ",
    "a l'": "all'",
    "a el ": "al ",
}
# In Italian an article before a number that is said with a vowel: «gli 800 €», «dall'8 %», «agli 11».
ELIDED = re.compile(r"\b(i|dei|ai|dai|nei|sui|il|del|al|dal|nel|sul) (?=(?:8[\d.]*|11(?:\.\d{3})*)\b)", re.IGNORECASE)
THOUSANDS = {"en": ",", "it": ".", "es": "."}
REFUSALS = "refusals.toml"
SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


class Words:
    """The sentences of one game in every language: the shared ones and its own. `names` maps the ids of sentences that
    name players to the game's own."""

    def __init__(self, *folders: Traversable, names: Mapping[str, str] | None = None) -> None:
        self._folders = folders
        self._names = names or {}
        self._catalogues: dict[str, dict[str, str]] = {}
        self._refusals: dict[str, dict[str, str]] = {}

    def catalogue(self, language: str) -> dict[str, str]:
        """Every sentence of a language by id. Raises an error if one is defined twice."""
        if language not in self._catalogues:
            self._catalogues[language] = self._load(language, _sentences)
        return self._catalogues[language]

    def amended(self, folder: Traversable) -> "Words":
        """The same with other sentences for some ids, from `<language>.toml` in a folder."""
        found = Words(*self._folders, names=self._names)
        for language in LANGUAGES:
            source = folder / f"{language}.toml"
            own = dict(_flat(tomllib.loads(source.read_text("utf-8")))) if source.is_file() else {}
            found._catalogues[language] = self.catalogue(language) | own
        return found

    def refusals(self, language: str) -> dict[str, str]:
        """The error messages in a language, by the English sentence."""
        if language not in self._refusals:
            self._refusals[language] = self._load(language, _refusals)
        return self._refusals[language]

    def _load(self, language: str, read: Callable[[Traversable], Iterable[tuple[str, str]]]) -> dict[str, str]:
        if language not in LANGUAGES:
            raise UnknownName("language", language, LANGUAGES)
        sentences: dict[str, str] = {}
        for folder in self._folders:
            for id, sentence in read(folder / language):
                if id in sentences:
                    raise UnknownName("second sentence for", id)
                sentences[id] = sentence
        return sentences

    def name(self, id: str, language: str, **values: str) -> str:
        """A sentence that names a player, the way this game says it."""
        return self.text(self._names.get(id, id), language, **values)

    def has(self, id: str, language: str = "en") -> bool:
        return id in self.catalogue(language)

    def pattern(self, id: str, language: str) -> str:
        """A sentence with its values still open."""
        return self.catalogue(language).get(id) or self.catalogue(FALLBACK)[id]

    def text(self, id: str, language: str, /, *, currency: str = "EUR", **values: Any) -> str:
        """The sentence of an id, in the language or, if it has no translation, in English."""
        pattern = self.catalogue(language).get(id)
        if pattern is None:
            language, pattern = FALLBACK, self.catalogue(FALLBACK).get(id)
        if pattern is None:
            raise UnknownName("sentence", id)
        said = _Formatter(self, language, currency).vformat(pattern, (), values)
        return ELIDED.sub(_before_vowel, said) if language == "it" else said

    def sentence(self, id: str, language: str, /, *, currency: str = "EUR", **values: Any) -> str:
        """The same text starting with a capital letter."""
        words = self.text(id, language, currency=currency, **values)
        return words[:1].upper() + words[1:]

    def refusal(self, template: str, language: str, /, *, currency: str = "EUR", **values: Any) -> str:
        """An error message. The English sentence is the key of its translations."""
        pattern = self.refusals(language).get(template)
        if pattern is None:
            language, pattern = FALLBACK, template
        return _Formatter(self, language, currency).vformat(pattern, (), values)

    def missing(self, language: str) -> list[str]:
        """Sentences that exist in English but not in a language."""
        return sorted(set(self.catalogue("en")) - set(self.catalogue(language)))


def _before_vowel(found: re.Match[str]) -> str:
    """«i» becomes «gli», «dei» «degli»; «il» becomes «l'», «del» «dell'»."""
    article = found[1]
    if article.endswith(("i", "I")):
        return ("Gli" if article == "I" else article[:-1] + "gli") + " "
    return ("L" if article == "Il" else "l" if article == "il" else article + "l") + "'"


def _sentences(place: Traversable) -> Iterator[tuple[str, str]]:
    for source in sorted(place.iterdir(), key=lambda item: item.name) if place.is_dir() else ():
        if source.name != REFUSALS:
            yield from _flat(tomllib.loads(source.read_text("utf-8")))


def _refusals(place: Traversable) -> Iterable[tuple[str, str]]:
    """The English sentences are the keys of one flat table."""
    source = place / REFUSALS
    found: dict[str, str] = tomllib.loads(source.read_text("utf-8")) if source.is_file() else {}
    return found.items()


def _flat(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, str):
            found.append((prefix + key, value))
        else:
            found.extend(_flat(value, f"{prefix}{key}."))
    return found


class _Formatter(string.Formatter):
    def __init__(self, words: Words, language: str, currency: str) -> None:
        self.words = words
        self.language = language
        self.currency = currency

    def format_field(self, value: Any, format_spec: str) -> Any:
        if not format_spec:
            return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        if format_spec.startswith(EACH):
            id = format_spec.removeprefix(EACH)
            return "; ".join(self.words.text(id, self.language, currency=self.currency, **one) for one in value)
        if format_spec.startswith(MANY):
            return self._so_many(format_spec.removeprefix(MANY), value)
        show = getattr(self, f"show_{format_spec}", None)
        return show(value) if show else self.words.text(f"{format_spec}.{value}", self.language)

    def show_card(self, card: str) -> str:
        return card_sign(card)

    def show_cards(self, cards: Sequence[str]) -> str:
        return " ".join(map(card_sign, cards)) or "–"

    def show_lying(self, ref: str) -> str:
        """A card by where it lies: «ponto, carta 3» for `ponto.3`, or only its number if the place has no name."""
        heap, _dot, number = ref.partition(".")
        if not self.words.has(f"choice.{heap}"):
            return self.words.text("lying.alone", self.language, number=number)
        return self.words.text(
            "lying.card", self.language, heap=self.words.text(f"choice.{heap}", self.language), number=number
        )

    def show_player(self, player: str) -> str:
        if not player[:1].isdigit():
            return self.words.text(f"player.{player}", self.language)
        if player.isdigit():
            return self.words.name("player.seat", self.language, seat=player)
        return self.words.name("player.standing", self.language, place=player, seat=player[:-1])

    def show_place(self, player: str) -> str:
        """A player in a list of places: «lugar 4» instead of «o jogador do lugar 4»."""
        return (
            self.words.name("place.seat", self.language, seat=player) if player.isdigit() else self.show_player(player)
        )

    def show_places(self, players: Sequence[str]) -> str:
        return ", ".join(map(self.show_place, players)) or self.words.text("player.nobody", self.language)

    def show_of_player(self, player: str) -> str:
        """A player as the owner of something: «do jogador do lugar 4», «del giocatore 4»."""
        return self._after(OF[self.language], player)

    def show_to_player(self, player: str) -> str:
        """A player as the receiver of something: «ao jogador do lugar 4», «al giocatore 4»."""
        return self._after(TO[self.language], player)

    def _after(self, word: str, player: str) -> str:
        said = f"{word} {self.show_player(player)}"
        return next((short + said[len(long) :] for long, short in MERGED.items() if said.startswith(long)), said)

    def show_players(self, players: Sequence[str]) -> str:
        return ", ".join(map(self.show_player, players)) or self.words.text("player.nobody", self.language)

    def show_cited(self, cite: str) -> str:
        """The number of an article, or its heading if the regulation does not number its articles."""
        if self.words.has(title := f"silence.{cite}.title"):
            return self.words.text("cited.procedure", self.language, name=self.words.text(title, self.language))
        found = CITED.fullmatch(cite)
        article = found["article"] if found else cite
        if article[:1].isdigit():
            return self.words.text("cited.article", self.language, cite=citation(cite))
        name = self.words.text(f"cited.headings.{article}", self.language)
        return self.words.text("cited.heading", self.language, name=name)

    def show_numbers(self, numbers: Sequence[int]) -> str:
        return ", ".join(map(str, numbers))

    def show_all_numbers(self, numbers: Sequence[int]) -> str:
        """In a sentence: «1, 3 and 4»."""
        return self._and([*map(str, numbers)])

    def show_all_players(self, players: Sequence[str]) -> str:
        return self._and([*map(self.show_player, players)])

    def _and(self, items: list[str]) -> str:
        return f" {AND[self.language]} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)

    def show_grouped(self, number: int) -> str:
        return grouped(number, self.language)

    def show_amount(self, amount: int) -> str:
        return money(amount, self.currency, self.language)

    def show_chips(self, count: int) -> str:
        return self._so_many("chips", count)

    def _so_many(self, table: str, them: int | Sequence[str]) -> str:
        """A count in words: one, many, or none if the table has a word for it. A list is counted, and `all` names its
        members."""
        count = them if isinstance(them, int) else len(them)
        number = "one" if count == 1 else "none" if not count and self.words.has(f"{table}.none") else "many"
        return self.words.text(f"{table}.{number}", self.language, currency=self.currency, count=count, all=them)

    def show_card_count(self, count: int) -> str:
        return self._counted("card_count", count)

    def show_coup_count(self, count: int) -> str:
        return self._counted("coup_count", count)

    def _counted(self, things: str, count: int) -> str:
        """A count, in words if it is zero or one."""
        number = {0: "none", 1: "one"}.get(count, "many")
        return self.words.text(f"{things}.{number}", self.language, count=count)

    def show_score(self, score: int) -> str:
        """A score by its name if it has one: zero is baccara."""
        named = f"score.{score}"
        return self.words.text(named, self.language) if self.words.has(named) else str(score)


def card_sign(card: str) -> str:
    """The short sign of a card: 10♥, K♠."""
    return ("10" if card[0] == "T" else card[0]) + SUIT_SIGNS[card[1]]


def grouped(number: int, language: str) -> str:
    """A number with its thousands separated as the language does."""
    return f"{number:,}".replace(",", THOUSANDS.get(language, "\N{NO-BREAK SPACE}"))


def money(amount: int, currency: str, language: str) -> str:
    number = grouped(amount, language)
    if language == "en":
        return f"€{number}" if currency == "EUR" else f"{number} escudos"
    return f"{number}\N{NO-BREAK SPACE}€" if currency == "EUR" else f"{number}$00"


CORE = files("rules_engine") / "words"
SHARED = Words(CORE)
