"""Whether an answer can be guessed without reading the case: from which questions are asked and what they offer.

A predictor sees everything but the facts: the level, the questions of the scenario, their options and the order and
wording of these. It learns from half of the draws and is tested on the other half. It is a set of lookup tables: each
says how often an option with a certain property (`_marks`) is right if something else (`_seen`) is visible. The table
that does best on the first half is the one that counts. It may not do much better than always giving one answer.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import sqrt

from msgspec import Struct

from rules_engine.pool import Drawn, Pool
from rules_engine.questions import Question
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Ruling, Utterance

# How much better than the best constant answer the predictor may be, with 95 % certainty.
MOST_GAINED = 0.1
CERTAIN = 1.645
# So many cases settle it. With fewer, only an excess that is certain counts. A borderline question is drawn more often.
CASES = 400
BORDERLINE = 1600
# How many cases the measurement draws of a question, if its facts are not too rare.
WANTED = CASES
# A table entry counts as much as its average until it has been met a few times.
MET = 2.0
# How many of the phrases in the pick-lists are watched for: those that are offered in about half of the cases.
WATCHED = 8
FIGURE = re.compile(r"\d[\d.,  ]*\d|\d")
ANY = "always"


class Prediction(Struct, frozen=True):
    """How often the predictor is right about a question of a kind of incident, beside the best constant answer.

    `least` and `most` bound the difference, each with 95 % certainty. `told_by` says what gives the answer away.
    """

    topic: str
    kind: str
    question: str
    cases: int
    constant: float
    share: float
    least: float
    most: float
    told_by: str

    def __str__(self) -> str:
        gain = f"{100 * self.least:+.0f} to {100 * self.most:+.0f} points"
        shares = f"guessed {self.share:.0%} of {self.cases}, always the same {self.constant:.0%} ({gain})"
        return f"{self.name}: {shares}; {self.told_by}"

    @property
    def name(self) -> str:
        return f"{self.kind} {self.question}"

    @property
    def doubtful(self) -> bool:
        """Whether more draws could change the result."""
        borderline = self.least <= MOST_GAINED < self.most
        return self.cases < WANTED or (borderline and CASES <= self.cases < BORDERLINE)

    @property
    def too_good(self) -> bool:
        return (self.most if self.cases >= CASES else self.least) > MOST_GAINED


class _Asked(Struct):
    """A question of one draw, or of several that look alike: what is visible and which of the options is right.

    `weight` is the sum of the weights of the draws and `squares` that of their squares.
    """

    tested: bool
    right: str
    options: tuple[str, ...]
    marks: dict[str, dict[str, str]]
    seen: dict[str, str]
    weight: float = 0.0
    squares: float = 0.0
    often: int = 0

    def add(self, weight: float) -> None:
        self.weight += weight
        self.squares += weight**2
        self.often += 1


def predictions(pool: Pool, drawn: Iterable[Drawn]) -> dict[tuple[str, str], Prediction]:
    """The prediction for each question of each kind of incident in these draws."""
    groups: defaultdict[tuple[str, str], dict[object, _Asked]] = defaultdict(dict)
    often: Counter[tuple[str, str]] = Counter()
    for one in drawn:
        weight, visible = pool.weight(one), _visible(one, pool.book)
        names = Counter(question.key.partition(".")[0] for question in one.questions)
        often.update((one.kind, name) for name in names)
        for question in one.questions:
            name, right = question.key.partition(".")[0], said(question, one.ruling, pool.book)
            alike = (one.number % 2, right, question.options, *visible.values())
            found = groups[one.kind, name]
            if alike not in found:
                found[alike] = _asked(question, right, visible, pool.book, tested=one.number % 2 == 1)
            found[alike].add(weight / names[name])
    return {at: _predicted((pool.topic, *at), often[at], list(asked.values())) for at, asked in groups.items()}


def said(question: Question, ruling: Ruling, book: Rulebook) -> str:
    """The right answer as it is shown among the options."""
    value = ruling.get(question.key)
    if value is None:
        return DOES_NOT_ARISE
    return book.say(value, book.language_of(question.key)) if isinstance(value, Utterance) else str(value)


@lru_cache(maxsize=50_000)
def form(text: str, book: Rulebook) -> str:
    """A phrase without its figures and named scores."""
    return FIGURE.sub("#", _names(book).sub("#", text))


@cache
def _names(book: Rulebook) -> re.Pattern[str]:
    named = {word for item in book.formulas.values() for name in item.scores for word in name.said.values()}
    words = "|".join(map(re.escape, sorted(named, key=len, reverse=True)))
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE) if named else re.compile(r"(?!)")


def _visible(one: Drawn, book: Rulebook) -> dict[str, str]:
    """What can be seen of the whole scenario. Phrases are without figures: one list may give away another answer."""
    stems = Counter(question.key.partition(".")[0] for question in one.questions)
    asked = " ".join(f"{name}×{count}" if count > 1 else name for name, count in stems.items())
    lists = [
        f"{question.key}: {' | '.join(sorted(form(str(option), book) for option in question.options))}"
        for question in one.questions
        if question.kind == "words"
    ]
    return {"level": str(one.level), "questions": asked, "phrases": " / ".join(lists)}


def _asked(question: Question, right: str, visible: dict[str, str], book: Rulebook, *, tested: bool) -> _Asked:
    picked = question.kind in ("choice", "score", "player", "words")
    options = tuple(map(str, question.options)) if picked else (DOES_NOT_ARISE,) * question.may_not_arise
    own = " | ".join(sorted(form(option, book) for option in options))
    seen = visible | {
        ANY: "",
        "options": own,
        "number of options": str(len(options)),
        "questions and phrases": f"{visible['questions']} / {visible['phrases']}",
        "everything": " / ".join((*visible.values(), own)),
    }
    for phrase in re.split(r" / | \| |(?<=\w): ", visible["phrases"]):
        seen[f"offered: {phrase}"] = "yes"
    marks = _marks(options, book, words=question.kind == "words") if picked else {}
    return _Asked(tested=tested, right=right, options=options, marks=marks, seen=seen)


def _marks(options: tuple[str, ...], book: Rulebook, *, words: bool) -> dict[str, dict[str, str]]:
    """What one can see of each option, by name: its wording, its place, what it has in common with the others."""
    found = {"answer": {option: option for option in options}}
    found["place"] = {option: f"{at + 1} of {len(options)}" for at, option in enumerate(options)}
    if words:
        forms = {option: form(option, book) for option in options}
        often = Counter(forms.values())
        found["form"] = forms
        found["form, how often it is offered"] = {option: f"{often[one]}× {one}" for option, one in forms.items()}
        found["what most options share"] = _shared(options, FIGURE)
        found["words most options share"] = _shared(options, re.compile(r"\w+"))
    return found


def _shared(options: tuple[str, ...], part: re.Pattern[str]) -> dict[str, str]:
    parts = {option: set(part.findall(option)) for option in options}
    often = Counter(one for found in parts.values() for one in found)
    common = {option: sum(often[one] - 1 for one in found) for option, found in parts.items()}
    return {option: f"rank {sum(other > own for other in common.values()) + 1}" for option, own in common.items()}


class _Table:
    """How often an option with a mark is right where something is seen. Falls back on how often it is right at all."""

    def __init__(self, mark: str, sight: str, asked: Sequence[_Asked], typed: tuple[str, ...]) -> None:
        self.mark, self.sight, self._typed = mark, sight, typed
        self._right: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._met: defaultdict[tuple[str, str], float] = defaultdict(float)
        for one in asked:
            for option, own in self._marked(one):
                self._add(own, one, one.weight, right=option == one.right)

    def _marked(self, one: _Asked) -> list[tuple[str, str]]:
        marks = one.marks.get(self.mark)
        if marks is not None:
            return list(marks.items())
        return [(answer, answer) for answer in dict.fromkeys((*one.options, *self._typed))]

    def _add(self, own: str, one: _Asked, weight: float, *, right: bool) -> None:
        for seen in {ANY, one.seen.get(self.sight, "no")}:
            self._met[own, seen] += weight
            self._right[own, seen] += weight if right else 0

    def best(self, one: _Asked, *, without: bool = False) -> list[str]:
        """The options most likely to be right; `without` this question itself, if the table has learned it."""
        chances: dict[str, float] = {}
        seen, least = one.seen.get(self.sight, "no"), one.weight / one.often if without else 0.0
        for option, own in self._marked(one):
            hit = least if option == one.right else 0.0
            prior = (self._right[own, ANY] - hit) / max(self._met[own, ANY] - least, 1e-9)
            met = self._met[own, seen] - least
            chances[option] = (self._right[own, seen] - hit + MET * prior) / (met + MET)
        top = max(chances.values(), default=0.0)
        return [option for option, chance in chances.items() if chance >= top - 1e-9]

    def credit(self, one: _Asked, *, without: bool = False) -> float:
        found = self.best(one, without=without)
        return 1 / len(found) if one.right in found else 0.0


def _predicted(names: tuple[str, str, str], cases: int, asked: list[_Asked]) -> Prediction:
    mean = sum(one.weight for one in asked) / sum(one.often for one in asked) or 1.0
    for one in asked:
        one.weight /= mean
        one.squares /= mean**2
    learned, tested = ([one for one in asked if one.tested is half] for half in (False, True))
    if not sum(one.weight for one in learned) or not sum(one.weight for one in tested):
        return Prediction(*names, cases=cases, constant=1, share=1, least=0, most=0, told_by="")
    constant = _constant(asked, tested)
    table = max(_tables(learned), key=lambda one: sum(one.credit(q, without=True) * q.weight for q in learned))
    guessed = [table.credit(one) for one in tested]
    weights = [one.weight for one in tested]
    total = sum(weights)
    gains = [guess - always for guess, always in zip(guessed, constant, strict=True)]
    gain = sum(w * one for w, one in zip(weights, gains, strict=True)) / total
    squares = sum(one.squares * (got - gain) ** 2 for one, got in zip(tested, gains, strict=True))
    error = CERTAIN * sqrt(squares) / total
    return Prediction(
        *names,
        cases=cases,
        constant=sum(w * one for w, one in zip(weights, constant, strict=True)) / total,
        share=sum(w * one for w, one in zip(weights, guessed, strict=True)) / total,
        least=gain - error,
        most=gain + error,
        told_by=_told_by(table, tested, gains),
    )


def _constant(asked: list[_Asked], tested: list[_Asked]) -> list[float]:
    """How often each of the tested questions is answered right by the best of: one answer, one form of words, any."""

    def form_of(one: _Asked, option: str) -> str:
        return one.marks.get("form", {}).get(option, option)

    answers: defaultdict[str, float] = defaultdict(float)
    forms: defaultdict[str, float] = defaultdict(float)
    for one in asked:
        answers[one.right] += one.weight
        own = form_of(one, one.right)
        forms[own] += one.weight / max(1, sum(form_of(one, option) == own for option in one.options))
    answer, best = max(answers, key=lambda one: answers[one]), max(forms, key=lambda one: forms[one])
    alike = [sum(form_of(one, option) == best for option in one.options) or 1 for one in tested]
    ways = [
        [float(one.right == answer) for one in tested],
        [(form_of(one, one.right) == best) / count for one, count in zip(tested, alike, strict=True)],
        [1 / len(one.options) if one.right in one.options else 0.0 for one in tested],
    ]
    return max(ways, key=lambda way: sum(credit * one.weight for credit, one in zip(way, tested, strict=True)))


def _tables(learned: list[_Asked]) -> list[_Table]:
    answers: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for one in learned:
        answers[one.right] += one.often
        met.update(dict.fromkeys(one.seen, one.often))
    typed = () if learned[0].marks else (answers.most_common(1)[0][0],)
    offered = {sight: min(often, met[ANY] - often) for sight, often in met.items() if sight.startswith("offered")}
    watched = [sight for sight in sorted(offered, key=lambda one: -offered[one])[:WATCHED] if offered[sight]]
    # What always looks the same tells nothing.
    varied = [sight for sight in met if sight not in offered and len({one.seen[sight] for one in learned}) > 1]
    sights = [ANY, *varied, *watched]
    worded = [mark for mark in ("answer", "form") if mark in learned[0].marks] or ["answer"]
    tables = [_Table(mark, sight, learned, typed) for mark in worded for sight in sights]
    others = [mark for mark in learned[0].marks if mark not in worded]
    return tables + [_Table(mark, sight, learned, typed) for mark in others for sight in (ANY, "questions")]


def _told_by(table: _Table, tested: list[_Asked], gains: list[float]) -> str:
    """What gives the answer away, with the sight that does so most often."""
    gained: defaultdict[str, float] = defaultdict(float)
    for one, gain in zip(tested, gains, strict=True):
        gained[one.seen.get(table.sight, "no")] += gain * one.weight
    seen = max(gained, key=lambda at: gained[at])
    alike = [one for one in tested if one.seen.get(table.sight, "no") == seen]
    hits: Counter[str] = Counter()
    for one in alike:
        if one.right in table.best(one):
            hits[one.marks.get(table.mark, {}).get(one.right, one.right)] += one.often
    told = " or ".join(f"«{answer}»" for answer, _ in hits.most_common(2))
    return f"{table.mark} by {table.sight} «{seen}» → {told} ({hits.total()} of {sum(one.often for one in alike)})"
