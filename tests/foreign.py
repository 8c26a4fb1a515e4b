"""Text of another language than the page's: a sentence of a catalogue that reads otherwise in the page's language, or a
word that only another language has.

What is marked with another `lang` is meant: the calls that a regulation prescribes, and the names of the languages.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from pathlib import Path
from typing import cast

from babel.messages.pofile import read_po
from lxml import html

from rules_engine import GAMES, RULEBOOKS
from rules_engine.words import LANGUAGES, SHARED

LOCALE = Path(__file__).parents[1] / "training/locale"
UNSEEN = "script", "style", "template", "kbd"
SAID_BY = "aria-label", "title", "alt", "placeholder", "data-label", "content"
# Everyday words of one language that none of the others has.
WORDS = {
    "en": "the of and with your you this that from was were has have not which there they its are it by been",
    "pt": "não são das ou pelo pela à às seu um uma em foi ao aos mais está também é já só até do dos da nos nas na",
    "it": "il di che gli della dell è non sono alla nel delle dei per più un una dello degli ha le ai se da de la con"
    " del su al è",
    "es": "el los las y con del una un su está para por más sus de que se al como le la ha has di dos nos da",
}
SWITCH = {"PT", "EN", "IT", "ES", "Português", "English", "Italiano", "italiano", "Español", "español"}
TOO_SHORT = 4  # letters: «No», «Sim», «OK»
PLACE = re.compile(r"%\(\w+\)[sd]|%d|\{\w+(?::[\w.]+)?\}")
OPEN = re.compile(r"\{\w+\}")  # values that a script puts in
TAG = re.compile(r"<[^>]+>")
SPACE = re.compile(r"\s+")


def texts(page: str) -> Iterator[tuple[str, str]]:
    """The language and the words of every text on a page, with its labels, shown or waiting to be shown. What was said
    at the table is left out: its words are those of the table."""
    tree = html.document_fromstring(page)
    for one in tree.iter():
        if not isinstance(one.tag, str) or one.tag in UNSEEN:
            continue
        if one.xpath("self::*[@lang]/ancestor::*[@data-says]"):
            continue
        code = cast("list[str]", one.xpath("ancestor-or-self::*[@lang][1]/@lang"))[0]
        said = [one.text, *(child.tail for child in one), *(one.get(name) for name in SAID_BY if one.tag != "meta")]
        if one.tag == "input" and one.get("type") in ("submit", "button"):
            said.append(one.get("value"))
        for text in said:
            if text and (plain := squeezed(OPEN.sub("", text))):
                yield code, plain


def squeezed(text: str) -> str:
    return SPACE.sub(" ", text).strip()


def length(text: str) -> int:
    """In letters."""
    return sum(map(str.isalpha, text))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@dataclass
class Sentences:
    """The sentences of a language: whole ones, and those with values in them by their longest piece."""

    whole: set[str] = field(default_factory=set)
    open: list[tuple[str, re.Pattern[str], int]] = field(default_factory=list)

    def add(self, sentence: str) -> None:
        for part in TAG.split(unescape(sentence.replace("%%", "%"))):
            pieces = [squeezed(piece) for piece in PLACE.split(part)]
            letters = sum(map(length, pieces))
            if letters < TOO_SHORT:
                continue
            if len(pieces) == 1:  # also a rulebook, “where · game”, by the name of its game
                names = [one for one in (pieces[0], *pieces[0].split(" · ")) if length(one) >= TOO_SHORT]
                self.whole.update(names, map(capital, names))
            elif letters > 2 * TOO_SHORT and max(piece.count(" ") for piece in pieces):
                pattern = r"\s?.*?\s?".join(map(re.escape, pieces))
                self.open.append((max(pieces, key=len), re.compile(pattern, re.DOTALL), letters))

    def weight(self, text: str) -> int:
        """How many letters of the text are a sentence of this language; 0 if it is none."""
        if text in self.whole:
            return len(text)
        return max((got for piece, way, got in self.open if piece in text and way.fullmatch(text)), default=0)


@cache
def sentences(language: str) -> Sentences:
    """Of the pages, of the engine and of the regulations' summaries."""
    found = Sentences()
    for folder in LOCALE.iterdir() if language == "en" else [LOCALE / language]:
        with (folder / "LC_MESSAGES/django.po").open("rb") as file:
            for message in read_po(file):
                said = message.id if language == "en" else message.string
                for form in [said] if isinstance(said, str) else said:
                    found.add(form)
    for words in (SHARED, *(game.words for game in GAMES.values())):
        for sentence in words.catalogue(language).values():
            found.add(sentence)
    for book in RULEBOOKS.values():
        told = (
            {row.cite: row.text for row in book.law.clauses.values()}
            if language == "en"
            else book.law.summaries(language)
        )
        for sentence in told.values():
            found.add(sentence)
    return found


@cache
def only(language: str) -> dict[str, re.Pattern[str]]:
    """By each other language, its everyday words that this one does not have."""
    own = set(WORDS[language].split())
    return {
        other: re.compile(rf"(?<![\w’'.@/-])({'|'.join(sorted(set(words.split()) - own))})(?![\w’'@/-])")
        for other, words in WORDS.items()
        if other != language
    }


@cache
def foreign(text: str, language: str) -> str:
    """The language of a text that is not the one of its page, and why; empty if it fits."""
    own = sentences(language).weight(text)
    for other in LANGUAGES:
        if other != language and not own and sentences(other).weight(text) > own:
            return f"{other}: {text}"
    for other, words in only(language).items():
        if found := words.search(text):
            return f"{other} ({found[1]}): {text}"
    return ""


def other_languages(page: str, language: str) -> list[str]:
    """What a page says in another language than this one."""
    found = []
    for code, text in texts(page):
        if code == language:
            found.append(foreign(text, language))
        elif text not in SWITCH:
            found.append(f"marked {code}: {text}")
    return [one for one in dict.fromkeys(found) if one]
