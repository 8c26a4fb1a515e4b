"""A mark made ready to learn from: what was right, why, and what other rulebooks would have ruled."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules_engine import DOES_NOT_ARISE, Mark, Rulebook, Ruling, Scenario, Step, Utterance, rulebook
from rules_engine.announcements import Word, word_by_word
from rules_engine.compare import compare
from rules_engine.grading import Part
from rules_engine.law import Reading
from rules_engine.narration import ask, book_name, cited, lost, reason, show, turned_on
from rules_engine.ruling import After, Payment
from rules_engine.spots import in_order, spot_name
from rules_engine.words import FALLBACK, money
from training.house.models import HouseRuling
from training.house.readings import practised_by_book, records
from training.library.author_texts import Worded
from training.practice.presentation import authored

IN_SHOE = "shoe"  # what is left there is not drawn
# How an answer went: 7 points of 8 are not 0 of 4.
Standing = Literal["full", "nearly", "partly", "not"]
NEARLY = 0.7
# What is wrong with the words and is plain from the comparison word by word.
SHOWN_BY_WORDS = ("heard.missing", "heard.too_much", "heard.wrong_slot", "lost.unanswered")


class Graded(Protocol):
    """Whatever keeps a mark of the engine with the ruling it was measured against, in practice or in an exam."""

    @property
    def engine_mark(self) -> Mark: ...

    @property
    def ruling(self) -> Ruling: ...


@dataclass(frozen=True)
class Clause:
    """A clause that a lost part broke, with what it says; nothing where a part before has told it."""

    rulebook: str
    cite: str
    shown: str
    text: str
    language: str


@dataclass(frozen=True)
class GradedPart:
    """`hint` says about words what the comparison word by word does not; `again` is what was answered at a second try,
    and `mended` whether that was right."""

    key: str
    question: str
    given: str
    right: str
    correct: bool
    critical: bool
    is_words: bool
    reason: str
    hint: str
    words: tuple[Word, ...]
    clauses: tuple[Clause, ...]
    again: str = ""
    mended: bool = False


@dataclass(frozen=True)
class ReasonStep:
    """`lit` and `lit_after` name what it turned on, on the table as it was and as it should end."""

    rulebook: str
    article: str
    cite: str
    text: str
    pivot: bool
    reading: Reading | None
    lit: str
    lit_after: str
    # What the house has recorded about it, where it has.
    house: HouseRuling | None = None

    @property
    def read_so(self) -> str:
        return self.reading.told(self.house.choice if self.house else "") if self.reading else ""


@dataclass(frozen=True)
class Elsewhere:
    """What other rulebooks would have ruled instead: (question, ruling)."""

    rulebooks: str
    rulings: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Feedback:
    points: int
    of: int
    perfect: bool
    standing: Standing
    line: str
    parts: list[GradedPart]  # in the order in which they were asked
    steps: list[ReasonStep]
    payments: list[str]
    elsewhere: list[Elsewhere]
    note: SafeString

    @property
    def right(self) -> list[GradedPart]:
        return [part for part in self.parts if part.correct]

    @property
    def wrong(self) -> list[GradedPart]:
        return [part for part in self.parts if not part.correct]

    @property
    def tried_again(self) -> bool:
        return any(part.again for part in self.parts)

    @property
    def mended(self) -> int:
        """How many of what was missed were right at the second try."""
        return sum(part.mended for part in self.parts)

    @property
    def percent(self) -> int:
        return round(100 * self.points / self.of) if self.of else 100


def feedback(
    scenario: Scenario, mark: Graded, language: str, *, version: Worded | None = None, second: Mark | None = None
) -> Feedback:
    result, ruling = mark.engine_mark, mark.ruling
    parts = _parts(scenario, mark, language, second)
    standing = _standing(result.points, result.of)
    return Feedback(
        points=result.points,
        of=result.of,
        perfect=result.perfect,
        standing=standing,
        line=_line(standing, parts),
        parts=_told_once(parts),
        steps=_steps(scenario, ruling, language),
        payments=_payments(ruling.after, scenario, language) if ruling.after else [],
        elsewhere=_elsewhere(scenario, ruling, language),
        note=authored(version, "note", language),
    )


def right_so_far(scenario: Scenario, mark: Graded, language: str) -> tuple[str, list[GradedPart]]:
    """How a first try went and what of it was right; nothing of the solution."""
    parts = _parts(scenario, mark, language)
    right = [part for part in parts if part.correct]
    if not right:
        return _("Not yet. Look at the table once more."), []
    told = ngettext(
        "%(right)d of %(all)d are right. %(open)d is missing.",
        "%(right)d of %(all)d are right. %(open)d are missing.",
        len(parts) - len(right),
    )
    return told % {"right": len(right), "all": len(parts), "open": len(parts) - len(right)}, right


def _parts(scenario: Scenario, mark: Graded, language: str, second: Mark | None = None) -> list[GradedPart]:
    """The words first, as they were asked."""
    kinds = {question.key: question.kind for question in scenario.questions}
    parts = [_part(part, kinds[part.key], mark.ruling, scenario, language) for part in mark.engine_mark.parts]
    tried = {part.key: part for part in second.parts} if second else {}
    parts = [_again(part, kinds[part.key], tried.get(part.key), scenario, language) for part in parts]
    return sorted(parts, key=lambda part: not part.is_words)


def _again(told: GradedPart, kind: str, tried: Part | None, scenario: Scenario, language: str) -> GradedPart:
    if told.correct or tried is None:
        return told
    given = _in_line(show(tried.key, kind, tried.given, scenario.book, language), kind)
    return replace(told, again=given, mended=tried.correct)


def _part(part: Part, kind: str, ruling: Ruling, scenario: Scenario, language: str) -> GradedPart:
    expected = ruling.get(part.key)
    book = scenario.book
    words: tuple[Word, ...] = ()
    if isinstance(expected, Utterance) and part.given not in (None, "", DOES_NOT_ARISE) and not part.correct:
        words = word_by_word(book.formula(expected.formula), expected, str(part.given), book.language_of(part.key))
    return GradedPart(
        key=part.key,
        question=ask(part.key, scenario.situation, book, language),
        given=_in_line(show(part.key, kind, part.given, book, language), kind),
        right=_in_line(show(part.key, kind, part.right, book, language), kind),
        correct=part.correct,
        critical=part.critical,
        is_words=kind == "words",
        reason=lost(part, book, language),
        hint=_hint(part, expected, book, language) if kind == "words" else "",
        words=words,
        clauses=() if part.correct else tuple(_clause(cite, book, language) for cite in ruling.rests_on(part.key)),
    )


def _hint(part: Part, expected: object, book: Rulebook, language: str) -> str:
    if part.reason in SHOWN_BY_WORDS:
        return ""
    if part.reason == "heard.wrong_moment" and isinstance(expected, Utterance):
        cites = (part.values["cite"], book.formula(expected.formula).cite)
        if len({cited(cite, book, language) for cite in cites}) == 1:  # the article that is named beside it
            return _("Those words belong to the same article, but to another result.")
    return lost(part, book, language)


def _in_line(shown: str, kind: str) -> str:
    """As it stands within a line; words to pronounce keep the form they have."""
    return shown[:1].lower() + shown[1:] if kind in ("player", "order") else shown


def _told_once(parts: Sequence[GradedPart]) -> list[GradedPart]:
    """A table of payments may lose six parts to one clause: it is told with the first, the others only name it."""
    told: set[str] = set()
    found: list[GradedPart] = []
    for part in parts:
        clauses = tuple(replace(one, text="") if one.cite in told else one for one in part.clauses)
        told |= {one.cite for one in clauses}
        found.append(replace(part, clauses=clauses))
    return found


def _clause(cite: str, book: Rulebook, language: str) -> Clause:
    told = language if cite in book.law.summaries(language) else FALLBACK
    return Clause(book.id, cite, cited(cite, book, language), book.law.summary(cite, language), told)


def _standing(points: int, of: int) -> Standing:
    share = points / of if of else 1.0
    return "full" if share == 1 else "nearly" if share >= NEARLY else "partly" if points else "not"


def _line(standing: Standing, parts: Sequence[GradedPart]) -> str:
    """How it went, in one line; what was missed stands below, once."""
    wrong = sum(not part.correct for part in parts)
    if standing == "full":
        return _("All of it is right.")
    if standing == "nearly":
        told = ngettext(
            "Nearly all of it is right: %(count)d thing to put right.",
            "Nearly all of it is right: %(count)d things to put right.",
            wrong,
        )
        return told % {"count": wrong}
    if standing == "partly":
        return _("Part of it is right: %(right)d of %(all)d.") % {"right": len(parts) - wrong, "all": len(parts)}
    return _("Not this time. Here is the ruling.")


def _steps(scenario: Scenario, ruling: Ruling, language: str) -> list[ReasonStep]:
    recorded = scenario.book.game.readings(language) if any(step.reading for step in ruling.steps) else {}
    by_house = records(ruling.steps)
    return [
        replace(
            _step(step, scenario, ruling.after, recorded, language),
            house=by_house.get(step.adopted.record) if step.adopted else None,
        )
        for step in ruling.steps
    ]


def _step(
    step: Step, scenario: Scenario, after: After | None, recorded: dict[str, Reading], language: str
) -> ReasonStep:
    lit = turned_on(step, scenario.situation, scenario.book)
    return ReasonStep(
        rulebook=scenario.rulebook,
        article=step.cite,
        cite=cited(step.cite, scenario.book, language),
        text=reason(step, scenario.book, language),
        pivot=step.pivot,
        reading=recorded.get(step.reading),
        lit=" ".join(lit),
        lit_after=" ".join(_moved(ref, scenario.situation, after) for ref in lit) if after else "",
    )


def _moved(ref: str, situation: Any, after: After) -> str:
    """Where a card lies in the end, its own heap first; places and spots stay where they are."""
    home, dot, _number = ref.partition(".")
    if not dot or ":" in ref:
        return ref
    card = situation.card(ref)
    drawn = {name: heap for name, heap in after.heaps.items() if name != IN_SHOE}
    for name, heap in sorted(drawn.items(), key=lambda item: item[0] != home):
        if card in heap:
            return f"{name}.{heap.index(card) + 1}"
    return ""


def _payments(after: After, scenario: Scenario, language: str) -> list[str]:
    return [_payment(payment, scenario, language) for payment in in_order(after.payments, scenario.book.game.spots)]


def _payment(payment: Payment, scenario: Scenario, language: str) -> str:
    if payment.spot in scenario.book.game.spots:
        return _bet_settled(payment, scenario, language)
    payer, payee = (_party(who, scenario.book, language) for who in (payment.payer, payment.payee))
    amount = money(payment.amount, scenario.book.currency, language)
    told = f"{payer} → {payee}: {amount}"
    return told[:1].upper() + told[1:]


def _bet_settled(payment: Payment, scenario: Scenario, language: str) -> str:
    """A bet by its player and its spot."""
    paid = payment.payer == "house"
    told = _("%(who)s, %(spot)s: %(sum)s paid") if paid else _("%(who)s, %(spot)s: %(sum)s collected")
    values = {
        "who": _party(payment.payee if paid else payment.payer, scenario.book, language),
        "spot": spot_name(payment.spot, scenario.book, language),
        "sum": money(payment.amount, scenario.book.currency, language),
    }
    line = told % values
    return line[:1].upper() + line[1:]


def _party(who: str, book: Rulebook, language: str) -> str:
    names = {"bank": _("the bank"), "house": _("the house")}
    return names.get(who) or book.text("value.player", language, value=who)


def _elsewhere(scenario: Scenario, ruling: Ruling, language: str) -> list[Elsewhere]:
    """The rulings of other rulebooks where they differ from this one, alike ones together."""
    found: dict[tuple[tuple[str, str], ...], list[str]] = {}
    readings = practised_by_book(book.id for book in scenario.book.game.books)
    for book, other in compare(scenario.situation, readings=readings).rulings.items():
        differing = tuple(
            _ruled(decision.key, decision.kind, decision.value, book, scenario, language)
            for decision in other.decisions
            if ruling.get(decision.key) not in (None, decision.value)
        )
        if book != scenario.rulebook and differing:
            found.setdefault(differing, []).append(book_name(book, language))
    return [Elsewhere("; ".join(books), differing) for differing, books in found.items()]


def _ruled(key: str, kind: str, value: Any, book: str, scenario: Scenario, language: str) -> tuple[str, str]:
    # The sums are those of the table at hand, whatever money the other rulebook counts in.
    speaking = rulebook(book) if isinstance(value, Utterance) else scenario.book
    return ask(key, scenario.situation, scenario.book, language), show(key, kind, value, speaking, language)
