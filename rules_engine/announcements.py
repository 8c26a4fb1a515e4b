"""What the croupier must say: formulas with slots, and a listener that is lenient about form and strict about content.

A formula is one line per language, `{ponto:score} no ponto, {banker:score} na banca`. The listener ignores case,
accents, punctuation and the way numbers are written. It rejects a wrong number and words meant for another moment. The
other accepted forms may contain choices, `[Mesmo|O mesmo] deitador` (see forms.py).
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from itertools import chain
from typing import Literal

from msgspec import Struct
from text_to_num import alpha2digit  # type: ignore[import-untyped]

from rules_engine.errors import EngineError
from rules_engine.folding import folded
from rules_engine.forms import CHOICE, apart, first_wording, in_full, options, tidy
from rules_engine.ruling import Utterance
from rules_engine.words import grouped

# The words of a formula as they are written, each with what the listener hears.
Written = list[tuple[str, int | str]]

SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
# Number words that are also articles: the number reader does not convert them.
ONE = {"um", "uma", "one", "un", "une", "uno", "una"}
ZERO = {"zero", "cero"}
NEAR = 2  # how many forms have their choices tried to find the nearest wording
# How choices are written in a form, and in a regular expression.
SIGNS = {"[": "(?:", "|": "|", "]": ")"}
ONE_EURO = re.compile(r"\b1 euros\b")
CURRENCY = re.compile(r"€|\beuros?\b|\beur\b|\$00\b|\$|\bescudos?\b")
ESCUDOS = re.compile(r"\$| escudos\b")
THOUSANDS = re.compile(r"(?<=\d)[.,\s ](?=\d{3}(?!\d))")
CENTS = re.compile(r"(?<=\d)[.,]0{1,2}(?!\d)")
# A conto is a thousand escudos, said as «dez contos», «17 contos e 500», «dois contos e meio».
CONTOS = re.compile(r"\b(?:(\d+|um|dois|tres)\s+)?contos?(?:\s+e\s+(\d{1,3}|meio))?\b")
FEW = {"um": 1, "dois": 2, "duas": 2, "tres": 3}  # the number reader does not convert these when they stand alone


class ScoreName(Struct, frozen=True):
    """A score with a name of its own: how each language says it, and what else counts as that name."""

    score: int
    said: dict[str, str]
    heard: frozenset[str]


class Formula(Struct, frozen=True):
    """A fixed announcement of one rulebook. `text` is the standard wording by language, `accept` lists other accepted
    forms. Only accepted forms may contain choices, because one wording is shown."""

    name: str
    cite: str
    text: dict[str, str]
    by: str = "croupier"
    accept: dict[str, tuple[str, ...]] = {}
    scores: tuple[ScoreName, ...] = ()

    @property
    def slots(self) -> dict[str, str]:
        """The slots of all its forms by name, each with its kind: score, amount or plain."""
        return dict(self._slots())

    def kind(self, name: str) -> str:
        """The kind of one slot. Reads only as many forms as it takes to find it."""
        return next(kind for slot, kind in self._slots() if slot == name)

    def _slots(self) -> Iterator[tuple[str, str]]:
        forms = chain(self.text.values(), *self.accept.values())
        return ((slot[1], slot[2] or "") for form in forms for slot in SLOT.finditer(form))

    def forms(self, language: str) -> tuple[str, ...]:
        return (self.text[language], *self.accept.get(language, ())) if language in self.text else ()


class Hearing(Struct, frozen=True):
    """What the listener understood. `problem` is the catalogue id of the reason, empty if nothing is wrong."""

    problem: str = ""
    values: dict[str, str | int] = {}

    @property
    def ok(self) -> bool:
        return not self.problem


def load_formulas(source: Traversable, scores: tuple[ScoreName, ...] = ()) -> dict[str, Formula]:
    """The formulas of a file. Its table `phrases` holds, by language, wording that several of them share: `<name>` in a
    form."""
    tables = tomllib.loads(source.read_text("utf-8"))
    phrases = tables.pop("phrases", {})
    return {
        name: Formula(
            name=name,
            cite=table["cite"],
            text=table["text"],
            by=table.get("by", "croupier"),
            accept={
                language: tuple(one for form in forms for one in apart(in_full(form, phrases.get(language, {}))))
                for language, forms in table.get("accept", {}).items()
            },
            scores=scores,
        )
        for name, table in tables.items()
    }


def speak(formula: Formula, said: Utterance, language: str, currency: str = "") -> str:
    """The standard wording. Where it has escudos and the table is in euro, euros are said."""
    form = formula.text[language]
    words = fill(formula, ESCUDOS.sub(" euros", form) if currency == "EUR" else form, said, language)
    return ONE_EURO.sub("1 euro", words)


def fill(formula: Formula, form: str, said: Utterance, language: str) -> str:
    """A form of words with its slots filled."""
    return SLOT.sub(lambda slot: _spoken(formula, slot[2] or "", said.slots[slot[1]], language), form)


def _spoken(formula: Formula, kind: str, value: int | str, language: str) -> str:
    if kind == "score":
        return next((name.said[language] for name in formula.scores if name.score == value), str(value))
    if kind == "amount":
        return grouped(int(value), language)
    return str(value)


def hear(formulas: dict[str, Formula], expected: Utterance, text: str, languages: Iterable[str]) -> Hearing:
    """Compare what was said with what should have been said. The first language is required; the others may follow
    it."""
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
    missing = missing_words(formulas[expected.formula], expected, text, home)
    return Hearing("heard.missing", {"words": " ".join(missing)}) if missing else Hearing("heard.too_much")


def _elsewhere(
    formulas: dict[str, Formula], expected: Utterance, words: str, language: str, *, fixed: bool
) -> Formula | None:
    """Another formula that these words belong to. A `fixed` formula has no slots to fill."""
    for formula in formulas.values():
        if formula.name == expected.formula or (fixed and formula.slots):
            continue
        if any(_pattern(form, language).fullmatch(f"{words} ") for form in formula.forms(language)):
            return formula
    return None


def heard_as(formula: Formula, expected: Utterance, text: str, language: str) -> bool:
    """Whether the listener accepts these words as a formula, with nothing wrong in them."""
    found = _match(formula, expected, plain(text, language), language)
    return found is not None and found.ok


def _match(formula: Formula, expected: Utterance, words: str, language: str) -> Hearing | None:
    """None if the words do not have the form of the formula at all."""
    wrong: Hearing | None = None
    for form in formula.forms(language):
        match = _pattern(form, language).fullmatch(f"{words} ")
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
    values = {"slot": name, "said": said[name], "right": expected.slots[name], "kind": formula.kind(name)}
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


def missing_words(formula: Formula, expected: Utterance, text: str, language: str) -> list[str]:
    """The words of a formula that were not said, as they are written."""
    compared = word_by_word(formula, expected, text, language)
    return [word.text.strip(".,") for word in compared if word.state == "missing"]


class Word(Struct, frozen=True):
    """One word of an announcement compared with the formula: correct, missing, or extra."""

    text: str
    state: Literal["said", "missing", "extra"]


def word_by_word(formula: Formula, expected: Utterance, text: str, language: str) -> tuple[Word, ...]:
    """What was said, compared word by word with the nearest wording of the formula."""
    heard = plain(text, language).split()
    said = [_number(formula, word) for word in heard]
    spelt = {folded(word): word for word in re.findall(r"[^\W\d]+", unicodedata.normalize("NFC", text))}
    nearest = _nearest(formula, expected, said, language)
    words: list[Word] = []
    for tag, start, end, said_start, said_end in _compared(nearest, said).get_opcodes():
        shown = [written for written, _ in nearest[start:end]]
        words += [Word(written, "said" if tag == "equal" else "missing") for written in shown]
        if tag != "equal":
            beyond = heard[said_start:said_end]
            words += [Word(spelt.get(word) or _readable(word, language), "extra") for word in beyond]
    return tuple(words)


def _nearest(formula: Formula, expected: Utterance, said: Sequence[int | str], language: str) -> Written:
    """The wording of a formula nearest to what was said. Its choices are settled one after the other."""

    def written(form: str) -> Written:
        return _written(formula, fill(formula, first_wording(form), expected, language), language)

    def likeness(form: str) -> float:
        return _compared(written(form), said).ratio()

    def taken(form: str) -> str:
        found = form
        while CHOICE.search(found):
            found = max(options(found), key=likeness)
        return found if found == form else tidy(found)

    # There are many choices, so they are tried only in the forms that are nearest before any choice is made.
    near = sorted(formula.forms(language), key=likeness, reverse=True)[:NEAR]
    return written(max(map(taken, near), key=likeness))


def _compared(written: Written, said: Sequence[int | str]) -> SequenceMatcher[int | str]:
    return SequenceMatcher(None, [key for _, key in written], said, autojunk=False)


def _readable(word: str, language: str) -> str:
    return grouped(int(word), language) if word.isdecimal() else word


def _written(formula: Formula, text: str, language: str) -> Written:
    """The words as they are written, each with what the listener hears. A number in several words counts as one."""
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
    return int(word) if word.isdecimal() else word


@cache
def _pattern(form: str, language: str) -> re.Pattern[str]:
    """A regular expression over plain words, each followed by a space. A slot takes one word; a sum takes only a
    number."""
    pieces = []
    for index, piece in enumerate(re.split(r"(\{[^{}]*\}|[\[|\]])", form)):
        if piece in SIGNS:
            pieces.append(SIGNS[piece])
        elif index % 2:
            slot = SLOT.match(piece)
            if slot is None:
                raise EngineError("bad slot {piece} in {form!r}", piece=piece, form=form)
            kind = r"\d+" if slot[2] == "amount" else r"\w+"
            # A slot that occurs twice must have the same value both times.
            again = f"(?P<{slot[1]}>" in "".join(pieces)
            pieces.append(rf"(?P={slot[1]}) " if again else rf"(?P<{slot[1]}>{kind}) ")
        else:
            pieces.extend(f"{re.escape(word)} " for word in plain(piece, language).split())
    return re.compile("".join(pieces))


@lru_cache(maxsize=10_000)
def plain(text: str, language: str) -> str:
    """Words without case, accents, punctuation or currency, with numbers as digits."""
    digits = alpha2digit(text.replace("\N{NO-BREAK SPACE}", " "), language) if re.search(r"\w", text) else ""
    bare = CENTS.sub("", THOUSANDS.sub("", CURRENCY.sub(" ", folded(digits))))
    return " ".join(re.findall(r"\w+", CONTOS.sub(_escudos, bare) if language == "pt" else bare))


def _escudos(contos: re.Match[str]) -> str:
    """Contos and what is said after them, as one number."""
    said = contos[1] or "um"
    whole = FEW[said] if said in FEW else int(said)
    rest = 500 if contos[2] == "meio" else int(contos[2] or 0)
    return str(1_000 * whole + rest)
