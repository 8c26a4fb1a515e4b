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
from importlib.resources.abc import Traversable
from typing import Literal

from msgspec import Struct
from text_to_num import alpha2digit  # type: ignore[import-untyped]

from rules_engine.errors import EngineError
from rules_engine.ruling import Utterance
from rules_engine.words import grouped

SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
# Words the number reader leaves alone because they are also articles.
ONE = {"um", "uma", "one", "un", "une", "uno", "una"}
ZERO = {"zero", "cero"}
CURRENCY = re.compile(r"€|\beuros?\b|\beur\b|\$00\b|\$|\bescudos?\b")
THOUSANDS = re.compile(r"(?<=\d)[.,\s ](?=\d{3}(?!\d))")
CENTS = re.compile(r"(?<=\d)[.,]0{1,2}(?!\d)")
# A thousand escudos, as they were counted aloud: «dez contos», «17 contos e 500», «dois contos e meio».
CONTOS = re.compile(r"\b(?:(\d+|um|dois|tres)\s+)?contos?(?:\s+e\s+(\d{1,3}|meio))?\b")
FEW = {"um": 1, "dois": 2, "duas": 2, "tres": 3}  # the number reader leaves these alone where they stand by themselves


class ScoreName(Struct, frozen=True):
    """A score that is called by a name: how it is said in each language, and what else is heard for it."""

    score: int
    said: dict[str, str]
    heard: frozenset[str]


class Formula(Struct, frozen=True):
    """A fixed form of words of one rulebook. `text` is the canonical form by language, `accept` other good forms."""

    name: str
    cite: str
    text: dict[str, str]
    by: str = "croupier"
    accept: dict[str, tuple[str, ...]] = {}
    scores: tuple[ScoreName, ...] = ()

    @property
    def slots(self) -> dict[str, str]:
        """The slots of all its forms by name, each with its kind: score, amount or plain."""
        forms = [*self.text.values(), *(form for accepted in self.accept.values() for form in accepted)]
        return {slot[1]: slot[2] or "" for form in forms for slot in SLOT.finditer(form)}

    def forms(self, language: str) -> tuple[str, ...]:
        return (self.text[language], *self.accept.get(language, ())) if language in self.text else ()


class Hearing(Struct, frozen=True):
    """What the listener makes of some words. `problem` is the catalogue id of the reason, empty when all is well."""

    problem: str = ""
    values: dict[str, str | int] = {}

    @property
    def ok(self) -> bool:
        return not self.problem


def load_formulas(source: Traversable, scores: tuple[ScoreName, ...] = ()) -> dict[str, Formula]:
    tables = tomllib.loads(source.read_text("utf-8"))
    return {
        name: Formula(
            name=name,
            cite=table["cite"],
            text=table["text"],
            by=table.get("by", "croupier"),
            accept={language: tuple(forms) for language, forms in table.get("accept", {}).items()},
            scores=scores,
        )
        for name, table in tables.items()
    }


def speak(formula: Formula, said: Utterance, language: str) -> str:
    """The canonical words, for showing."""
    return fill(formula, formula.text[language], said, language)


def fill(formula: Formula, form: str, said: Utterance, language: str) -> str:
    """One form of words with its slots filled."""
    return SLOT.sub(lambda slot: _spoken(formula, slot[2] or "", said.slots[slot[1]], language), form)


def _spoken(formula: Formula, kind: str, value: int | str, language: str) -> str:
    if kind == "score":
        return next((name.said[language] for name in formula.scores if name.score == value), str(value))
    if kind == "amount":
        return grouped(int(value), language)
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
    if problem is not None and (problem.ok or not _elsewhere(formulas, expected, words, home, fixed=True)):
        return problem
    if other := _elsewhere(formulas, expected, words, home, fixed=False):
        return Hearing("heard.wrong_moment", {"cite": other.cite})
    for language in formulas[expected.formula].text:
        found = _match(formulas[expected.formula], expected, plain(text, language), language)
        if found is not None and language != home:
            return Hearing("heard.wrong_language", {"language": home})
    missing = missing_words(formulas[expected.formula], expected, words, home)
    return Hearing("heard.missing", {"words": " ".join(missing)}) if missing else Hearing("heard.too_much")


def _elsewhere(
    formulas: dict[str, Formula], expected: Utterance, words: str, language: str, *, fixed: bool
) -> Formula | None:
    """Another formula that these words belong to; a `fixed` one has no slots that anything could fill."""
    for formula in formulas.values():
        if formula.name == expected.formula or (fixed and formula.slots):
            continue
        if any(_pattern(form, language).fullmatch(words) for form in formula.forms(language)):
            return formula
    return None


def _match(formula: Formula, expected: Utterance, words: str, language: str) -> Hearing | None:
    """None when the words do not have the formula's form at all."""
    wrong: Hearing | None = None
    for form in formula.forms(language):
        match = _pattern(form, language).fullmatch(words)
        if match:
            said = {name: _number(formula, word) for name, word in match.groupdict().items()}
            heard = _check_slots(formula, expected, said)
            if heard.ok:
                return heard
            wrong = wrong or heard
    return wrong


def _check_slots(formula: Formula, expected: Utterance, said: dict[str, int | str]) -> Hearing:
    right = {name: folded(value) if isinstance(value, str) else value for name, value in expected.slots.items()}
    wrong = [name for name, value in said.items() if value != right[name]]
    if not wrong:
        return Hearing()
    if len(wrong) == 2 and [said[name] for name in wrong] == [right[name] for name in reversed(wrong)]:
        return Hearing("heard.wrong_side")
    name = wrong[0]
    values = {"slot": name, "said": said[name], "right": expected.slots[name], "kind": formula.slots[name]}
    return Hearing("heard.wrong_slot", values)


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
    """The words of a formula that were not said, as they are written."""
    said = {_number(formula, word) for word in words.split()}
    written = _written(formula, speak(formula, expected, language), language)
    return [word.strip(".,") for word, key in written if key not in said]


class Word(Struct, frozen=True):
    """One word of an announcement compared with the formula: said as it should be, missing, or said beyond it."""

    text: str
    state: Literal["said", "missing", "extra"]


def word_by_word(formula: Formula, expected: Utterance, text: str, language: str) -> tuple[Word, ...]:
    """What was said beside the form of words that comes nearest to it."""
    heard = plain(text, language).split()
    said = [_number(formula, word) for word in heard]
    forms = [_written(formula, fill(formula, form, expected, language), language) for form in formula.forms(language)]
    matchers = [SequenceMatcher(None, [key for _, key in form], said, autojunk=False) for form in forms]
    nearest = max(range(len(forms)), key=lambda index: matchers[index].ratio())
    words: list[Word] = []
    for tag, start, end, said_start, said_end in matchers[nearest].get_opcodes():
        shown = [written for written, _ in forms[nearest][start:end]]
        words += [Word(written, "said" if tag == "equal" else "missing") for written in shown]
        if tag != "equal":
            words += [Word(_readable(word, language), "extra") for word in heard[said_start:said_end]]
    return tuple(words)


def _readable(word: str, language: str) -> str:
    return grouped(int(word), language) if word.isdigit() else word


def _written(formula: Formula, text: str, language: str) -> list[tuple[str, int | str]]:
    """The words as they are written, each with what the listener hears; numbers in several words count as one."""
    heard = plain(text, language).split()
    written = [word for word in text.split(" ") if re.search(r"\w", word)]
    keys = [_number(formula, word) for word in heard]
    readable = [_readable(word, language) for word in heard]
    return list(zip(written if len(written) == len(heard) else readable, keys, strict=True))


def _number(formula: Formula, word: str) -> int | str:
    for name in formula.scores:
        if word in name.heard:
            return name.score
    if word in ZERO:
        return 0
    if word in ONE:
        return 1
    if word in FEW:
        return FEW[word]
    return int(word) if word.isdigit() else word


@cache
def _pattern(form: str, language: str) -> re.Pattern[str]:
    """A regular expression over plain words; slots take one word each, and a sum only a number."""
    pieces = []
    for index, piece in enumerate(re.split(r"(\{[^}]*\})", form)):
        if index % 2:
            slot = SLOT.match(piece)
            if slot is None:
                raise EngineError("bad slot {piece} in {form!r}", piece=piece, form=form)
            kind = r"\d+" if slot[2] == "amount" else r"\w+"
            pieces.append(rf"(?P<{slot[1]}>{kind})")
        else:
            pieces.extend(re.escape(word) for word in plain(piece, language).split())
    return re.compile(" ".join(pieces))


def plain(text: str, language: str) -> str:
    """Words without case, accents, punctuation or currency, numbers as digits."""
    digits = alpha2digit(text.replace("\N{NO-BREAK SPACE}", " "), language) if re.search(r"\w", text) else ""
    bare = CENTS.sub("", THOUSANDS.sub("", CURRENCY.sub(" ", folded(digits))))
    return " ".join(re.findall(r"\w+", CONTOS.sub(_escudos, bare) if language == "pt" else bare))


def _escudos(contos: re.Match[str]) -> str:
    """Contos, and what is said after them, as one number."""
    said = contos[1] or "um"
    whole = FEW[said] if said in FEW else int(said)
    rest = 500 if contos[2] == "meio" else int(contos[2] or 0)
    return str(1_000 * whole + rest)


def folded(text: str) -> str:
    """Without case and accents."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in bare if not unicodedata.combining(letter))
