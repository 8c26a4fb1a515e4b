"""Feedback on a marked answer: what was right, why, and how other rulebooks would have ruled."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules_engine import DOES_NOT_ARISE, Mark, Rulebook, Ruling, Scenario, Utterance
from rules_engine.announcements import Word, word_by_word
from rules_engine.grading import Part
from rules_engine.narration import ask, cited, lost, show
from rules_engine.paying import awkward, chips_in
from rules_engine.ruling import After, Payment
from rules_engine.spots import in_order, spot_name
from rules_engine.words import FALLBACK, money
from training.drawing import chip_rack
from training.library.author_texts import Worded
from training.practice.presentation import authored
from training.practice.reasoning import Elsewhere, ReasonStep, elsewhere, steps

Standing = Literal["full", "nearly", "partly", "not"]
NEARLY = 0.7
NOT_SAID = (None, "", DOES_NOT_ARISE)
# Reasons that the word-by-word comparison already shows.
SHOWN_BY_WORDS = ("heard.missing", "heard.too_much", "heard.wrong_slot", "lost.unanswered")


class Graded(Protocol):
    """A mark of the engine with the ruling it was measured against, from practice or from an exam."""

    @property
    def engine_mark(self) -> Mark: ...

    @property
    def ruling(self) -> Ruling: ...


@dataclass(frozen=True)
class Clause:
    """A clause that a wrong part broke. `text` is empty if an earlier part already shows it."""

    rulebook: str
    cite: str
    shown: str
    text: str
    language: str


@dataclass(frozen=True)
class GradedPart:
    """One part of the answer.

    `hint`: what is wrong with words, if the word-by-word comparison does not show it; `again`: the answer of the second
    try; `mended`: whether that was right; `remark`: what could be better about a payment, whatever its amount;
    `given_language`, `right_language`: of words that were said or prescribed, empty for anything else.
    """

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
    remark: str = ""
    given_language: str = ""
    right_language: str = ""


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
        """How many missed parts were right at the second try."""
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
        steps=steps(scenario, ruling, language),
        payments=_payments(ruling.after, scenario, language) if ruling.after else [],
        elsewhere=elsewhere(scenario, ruling, language),
        note=authored(version, "note", language),
    )


def right_so_far(scenario: Scenario, mark: Graded, language: str) -> tuple[str, list[GradedPart]]:
    """A line on how the first try went, and the parts that were right, without the solution."""
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
    """All parts in the order of the form: words come first."""
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
    if isinstance(expected, Utterance) and part.given not in NOT_SAID and not part.correct:
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
        remark=_of_chips(part, book) if kind == "amount" else "",
        words=words,
        given_language=book.language_of(part.key) if kind == "words" and part.given not in NOT_SAID else "",
        right_language=book.language_of(part.key) if isinstance(expected, Utterance) else "",
        clauses=() if part.correct else tuple(_clause(cite, book, language) for cite in ruling.rests_on(part.key)),
    )


def _of_chips(part: Part, book: Rulebook) -> str:
    """What could be better about a payment in chips: more of them than needed."""
    chips = chips_in(part.given) if isinstance(part.given, str) else None
    better = awkward(chips, chip_rack.values(book)) if chips else {}
    if not chips or not better:
        return ""
    told = _("You paid with %(used)d chips; %(enough)d are enough: %(chips)s.")
    listed = ", ".join(f"{count} × {value}" for value, count in better.items())
    return told % {"used": sum(chips.values()), "enough": sum(better.values()), "chips": listed}


def _hint(part: Part, expected: object, book: Rulebook, language: str) -> str:
    if part.reason in SHOWN_BY_WORDS:
        return ""
    if part.reason == "heard.wrong_moment" and isinstance(expected, Utterance):
        cites = (part.values["cite"], book.formula(expected.formula).cite)
        if len({cited(cite, book, language) for cite in cites}) == 1:  # both cite the article named beside it
            return _("Those words belong to the same article, but to another result.")
    return lost(part, book, language)


def _in_line(shown: str, kind: str) -> str:
    """With a lower-case first letter for use inside a line, if it names people."""
    return shown[:1].lower() + shown[1:] if kind in ("player", "order") else shown


def _told_once(parts: Sequence[GradedPart]) -> list[GradedPart]:
    """Show the text of each clause only with the first part that broke it."""
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
    """How it went, in one line."""
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
