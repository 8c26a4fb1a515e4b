"""What the croupier must say: formulas with slots, and a listener that is free about form and strict about content.

A formula is one line for each language, `{ponto:score} no ponto, {banker:score} na banca`. The listener forgives
case, accents, punctuation and the way numbers are written; it never forgives a wrong number or words meant for
another moment.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from typing import Literal

from msgspec import Struct
from text_to_num import alpha2digit  # type: ignore[import-untyped]

from rules_engine.errors import EngineError
from rules_engine.ruling import Utterance

SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
# Words the number reader leaves alone because they are also articles.
ONE = {"um", "uma", "one", "un", "une", "uno", "una"}
BACCARA = {"bacara", "baccara", "baccarat", "zero", "cero"}
CURRENCY = re.compile(r"€|\beuros?\b|\beur\b|\$00\b|\$|\bescudos?\b")
THOUSANDS = re.compile(r"(?<=\d)[.,\s ](?=\d{3}(?!\d))")
CENTS = re.compile(r"(?<=\d)[.,]0{1,2}(?!\d)")


class Formula(Struct, frozen=True):
    """A fixed form of words of one rulebook. `text` is the canonical form by language, `accept` other good forms."""

    name: str
    cite: str
    text: dict[str, str]
    by: str = "croupier"
    accept: dict[str, tuple[str, ...]] = {}

    @property
    def slots(self) -> dict[str, str]:
        """The slots by name, each with its kind: score, amount or plain."""
        return {slot[1]: slot[2] or "" for form in self.text.values() for slot in SLOT.finditer(form)}

    def forms(self, language: str) -> tuple[str, ...]:
        return (self.text[language], *self.accept.get(language, ())) if language in self.text else ()


class Hearing(Struct, frozen=True):
    """What the listener makes of some words. `problem` is the catalogue id of the reason, empty when all is well."""

    problem: str = ""
    values: dict[str, str | int] = {}

    @property
    def ok(self) -> bool:
        return not self.problem


def load_formulas(rulebook: str) -> dict[str, Formula]:
    source = files("rules_engine") / "law" / f"{rulebook}.formulas.toml"
    tables = tomllib.loads(source.read_text("utf-8"))
    return {
        name: Formula(
            name=name,
            cite=table["cite"],
            text=table["text"],
            by=table.get("by", "croupier"),
            accept={language: tuple(forms) for language, forms in table.get("accept", {}).items()},
        )
        for name, table in tables.items()
    }


def speak(formula: Formula, said: Utterance, language: str) -> str:
    """The canonical words, for showing."""
    return fill(formula.text[language], said, language)


def fill(form: str, said: Utterance, language: str) -> str:
    """One form of words with its slots filled."""
    return SLOT.sub(lambda slot: _spoken(slot[2] or "", said.slots[slot[1]], language), form)


def _spoken(kind: str, value: int | str, language: str) -> str:
    if kind == "score" and value == 0:
        return {"pt": "bacará", "it": "baccarà", "es": "bacará", "fr": "baccara"}.get(language, "baccara")
    if kind == "amount":
        return f"{value:,}".replace(",", "\N{NO-BREAK SPACE}")
    return str(value)


def hear(formulas: dict[str, Formula], expected: Utterance, text: str, languages: Iterable[str]) -> Hearing:
    """Compare what was said with what should have been. The first language is obligatory, the others may follow it."""
    home, *others = languages
    words = plain(text, home)
    if not words:
        return Hearing("heard.nothing")
    problem = _match(formulas[expected.formula], expected, words, home)
    if problem is None:
        problem = _followed_by_translation(formulas[expected.formula], expected, text, home, others)
    if problem is not None:
        return problem
    for formula in formulas.values():
        if formula.name != expected.formula and any(
            _pattern(form, home).fullmatch(words) for form in formula.forms(home)
        ):
            return Hearing("heard.wrong_moment", {"cite": formula.cite})
    for language in ("fr", "en"):
        found = _match(formulas[expected.formula], expected, plain(text, language), language)
        if found is not None and language != home:
            return Hearing("heard.wrong_language", {"language": home})
    missing = missing_words(formulas[expected.formula], expected, words, home)
    return Hearing("heard.missing", {"words": " ".join(missing)}) if missing else Hearing("heard.too_much")


def _match(formula: Formula, expected: Utterance, words: str, language: str) -> Hearing | None:
    """None when the words do not have the formula's form at all."""
    wrong: Hearing | None = None
    for form in formula.forms(language):
        match = _pattern(form, language).fullmatch(words)
        if match:
            heard = _check_slots(expected, {name: _number(said) for name, said in match.groupdict().items()})
            if heard.ok:
                return heard
            wrong = wrong or heard
    return wrong


def _check_slots(expected: Utterance, said: dict[str, int | str]) -> Hearing:
    wrong = [name for name, value in said.items() if value != expected.slots[name]]
    if not wrong:
        return Hearing()
    sides = ("ponto", "banker")
    if set(sides) <= set(wrong) and [said[side] for side in sides] == [
        expected.slots[side] for side in reversed(sides)
    ]:
        return Hearing("heard.wrong_side")
    name = wrong[0]
    return Hearing("heard.wrong_slot", {"slot": name, "said": said[name], "right": expected.slots[name]})


def _followed_by_translation(
    formula: Formula, expected: Utterance, text: str, home: str, others: list[str]
) -> Hearing | None:
    parts = text.split()
    for cut in range(1, len(parts)):
        first = _match(formula, expected, plain(" ".join(parts[:cut]), home), home)
        if first is None:
            continue
        for other in others:
            second = _match(formula, expected, plain(" ".join(parts[cut:]), other), other)
            if second is not None:
                return second if first.ok else first
    return None


def missing_words(formula: Formula, expected: Utterance, words: str, language: str) -> list[str]:
    said = words.split()
    wanted = plain(speak(formula, expected, language), language).split()
    return [word for word in wanted if word not in said]


class Word(Struct, frozen=True):
    """One word of an announcement compared with the formula: said as it should be, missing, or said beyond it."""

    text: str
    state: Literal["said", "missing", "extra"]


def word_by_word(formula: Formula, expected: Utterance, text: str, language: str) -> tuple[Word, ...]:
    """What was said beside the form of words that comes nearest to it."""
    heard = plain(text, language).split()
    said = [_number(word) for word in heard]
    forms = [_written(fill(form, expected, language), language) for form in formula.forms(language)]
    matchers = [SequenceMatcher(None, [key for _, key in form], said, autojunk=False) for form in forms]
    nearest = max(range(len(forms)), key=lambda index: matchers[index].ratio())
    words: list[Word] = []
    for tag, start, end, said_start, said_end in matchers[nearest].get_opcodes():
        shown = [written for written, _ in forms[nearest][start:end]]
        words += [Word(written, "said" if tag == "equal" else "missing") for written in shown]
        if tag != "equal":
            words += [Word(word, "extra") for word in heard[said_start:said_end]]
    return tuple(words)


def _written(text: str, language: str) -> list[tuple[str, int | str]]:
    """The words as they are written, each with what the listener hears; numbers in several words count as one."""
    heard = plain(text, language).split()
    written = [word for word in text.split(" ") if re.search(r"\w", word)]
    return list(zip(written if len(written) == len(heard) else heard, map(_number, heard), strict=True))


def _number(word: str) -> int | str:
    if word in BACCARA:
        return 0
    if word in ONE:
        return 1
    return int(word) if word.isdigit() else word


@cache
def _pattern(form: str, language: str) -> re.Pattern[str]:
    """A regular expression over plain words; slots take one word each, and a sum only a number."""
    pieces = []
    for index, piece in enumerate(re.split(r"(\{[^}]*\})", form)):
        if index % 2:
            slot = SLOT.match(piece)
            if slot is None:
                raise EngineError(f"bad slot {piece} in {form!r}")
            kind = r"\d+" if slot[2] == "amount" else r"\w+"
            pieces.append(rf"(?P<{slot[1]}>{kind})")
        else:
            pieces.extend(re.escape(word) for word in plain(piece, language).split())
    return re.compile(" ".join(pieces))


def plain(text: str, language: str) -> str:
    """Words without case, accents, punctuation or currency, numbers as digits."""
    digits = alpha2digit(text.replace("\N{NO-BREAK SPACE}", " "), language) if re.search(r"\w", text) else ""
    bare = unicodedata.normalize("NFKD", digits.casefold())
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    bare = CENTS.sub("", THOUSANDS.sub("", CURRENCY.sub(" ", bare)))
    return " ".join(re.findall(r"\w+", bare))
