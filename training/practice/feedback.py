"""A mark made ready to learn from: what was right, why, and what other rulebooks would have ruled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules_engine import Mark, Rulebook, Ruling, Scenario, Step, Utterance, rulebook
from rules_engine.announcements import Word, word_by_word
from rules_engine.compare import compare
from rules_engine.grading import Part
from rules_engine.law import Reading
from rules_engine.narration import ask, book_name, cited, lost, reason, show, turned_on
from rules_engine.ruling import After, Payment
from rules_engine.spots import spot_name
from rules_engine.words import money
from training.library.models import Version
from training.practice.presentation import authored

NOTHING = "–"  # how an empty answer is shown
IN_SHOE = "shoe"  # what is left there is not drawn


class Graded(Protocol):
    """Whatever keeps a mark of the engine with the ruling it was measured against, in practice or in an exam."""

    @property
    def engine_mark(self) -> Mark: ...

    @property
    def ruling(self) -> Ruling: ...


@dataclass(frozen=True)
class GradedPart:
    question: str
    given: str
    right: str
    correct: bool
    critical: bool
    is_words: bool
    reason: str
    words: tuple[Word, ...]


@dataclass(frozen=True)
class ReasonStep:
    """`lit` and `lit_after` name what it turned on, on the table as it was and as it should end."""

    cite: str
    text: str
    pivot: bool
    reading: Reading | None
    lit: str
    lit_after: str


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
    line: str
    parts: list[GradedPart]
    steps: list[ReasonStep]
    payments: list[str]
    elsewhere: list[Elsewhere]
    note: SafeString


def feedback(scenario: Scenario, mark: Graded, language: str, *, version: Version | None = None) -> Feedback:
    result, ruling = mark.engine_mark, mark.ruling
    kinds = {question.key: question.kind for question in scenario.questions}
    parts = [_part(part, kinds[part.key], ruling, scenario, language) for part in result.parts]
    parts.sort(key=lambda part: not part.is_words)  # in the order in which they were asked
    return Feedback(
        points=result.points,
        of=result.of,
        perfect=result.perfect,
        line=_line(parts),
        parts=parts,
        steps=_steps(scenario, ruling, language),
        payments=_payments(ruling.after, scenario, language) if ruling.after else [],
        elsewhere=_elsewhere(scenario, ruling, language),
        note=authored(version, "note", language),
    )


def _part(part: Part, kind: str, ruling: Ruling, scenario: Scenario, language: str) -> GradedPart:
    expected = ruling.get(part.key)
    book = scenario.book
    words: tuple[Word, ...] = ()
    if isinstance(expected, Utterance) and part.given and not part.correct:
        words = word_by_word(book.formula(expected.formula), expected, str(part.given), book.language_of(part.key))
    return GradedPart(
        question=ask(part.key, scenario.situation, book, language),
        given=show(part.key, kind, part.given, book, language),
        right=show(part.key, kind, part.right, book, language),
        correct=part.correct,
        critical=part.critical,
        is_words=kind == "words",
        reason=lost(part, book, language),
        words=words,
    )


def _line(parts: Sequence[GradedPart]) -> str:
    """What happened, in one line: how the words were, then the ruling that was missed."""
    wrong = sorted((part for part in parts if not part.correct), key=lambda part: not part.critical)
    if not wrong:
        return _("All of it is right.")
    spoken = [part for part in parts if part.is_words]
    missed = [part for part in wrong if not part.is_words]
    said = []
    if spoken and all(part.correct for part in spoken):
        said.append(_("The words were right."))
    elif spoken:
        said.append(_("The ruling was right; the words were not.") if not missed else _("The words were not right."))
    if missed:
        first = missed[0]
        right = first.right[:1].upper() + first.right[1:]
        if first.given != NOTHING:
            right = _("%(right)s, not %(given)s") % {"right": right, "given": first.given}
        said.append(f"{first.question} {right}.")
        if more := len(missed) - 1:
            said.append(ngettext("%(count)d more was missed.", "%(count)d more were missed.", more) % {"count": more})
    return " ".join(said)


def _steps(scenario: Scenario, ruling: Ruling, language: str) -> list[ReasonStep]:
    recorded = scenario.book.game.readings(language) if any(step.reading for step in ruling.steps) else {}
    return [_step(step, scenario, ruling.after, recorded, language) for step in ruling.steps]


def _step(
    step: Step, scenario: Scenario, after: After | None, recorded: dict[str, Reading], language: str
) -> ReasonStep:
    lit = turned_on(step, scenario.situation, scenario.book)
    return ReasonStep(
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
    """On a layout what is collected before what is paid, as at the table."""
    in_order = sorted(after.payments, key=lambda payment: not payment.spot or payment.payer == "house")
    return [_payment(payment, scenario, language) for payment in in_order]


def _payment(payment: Payment, scenario: Scenario, language: str) -> str:
    if payment.spot:
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
    for book, other in compare(scenario.situation).rulings.items():
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
