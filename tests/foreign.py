"""Text of another language than the page's: a sentence of a catalogue that reads otherwise in the page's language, or a
word that only another language has.

What is marked with another `lang` is meant: the calls that a regulation prescribes, and the names of the languages.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

from babel.messages.pofile import read_po

from rules_engine import GAMES, RULEBOOKS
from rules_engine.words import LANGUAGES, SHARED

LOCALE = Path(__file__).parents[1] / "training/locale"
VOID = "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"
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


@dataclass
class Element:
    """An open element: the language of its words, whether it is in the log of the table, and whether it is left out."""

    tag: str
    language: str
    in_log: bool
    left_out: bool


class Texts(HTMLParser):
    """Collects the language and the words of every text on a page, with its labels, shown or waiting to be shown. What
    was said at the table is left out: its words are those of the table."""

    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", "", False, False)]
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        around, named = self.open[-1], dict(attrs)
        said = around.in_log and "lang" in named
        left_out = around.left_out or said or tag in UNSEEN
        one = Element(tag, named.get("lang") or around.language, around.in_log or "data-says" in named, left_out)
        labels = [*SAID_BY, "value"] if tag == "input" and named.get("type") in ("submit", "button") else SAID_BY
        if not left_out and tag != "meta":
            for name in labels:
                self._add(one.language, named.get(name))
        if tag not in VOID:
            self.open.append(one)

    def handle_endtag(self, tag: str) -> None:
        tags = [one.tag for one in self.open]
        if tag in tags:
            del self.open[len(tags) - 1 - tags[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if not self.open[-1].left_out:
            self._add(self.open[-1].language, data)

    def _add(self, language: str, text: str | None) -> None:
        if text and (plain := squeezed(OPEN.sub("", text))):
            self.found.append((language, plain))


def texts(page: str) -> list[tuple[str, str]]:
    reader = Texts()
    reader.feed(page)
    reader.close()
    return reader.found


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
