"""What one looks up at the table: drawing tables, words to pronounce, payouts, the order of payment."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from rules_engine import Rulebook
from rules_engine.announcements import SLOT, Formula
from rules_engine.citations import citation
from rules_engine.errors import EngineError
from rules_engine.narration import chance_name, cited
from training.folding import folded
from training.mastery.programme import programme

# The topics whose clauses say what is paid and in which order.
PAYING = ("payment", "payout", "paying", "multiples")
NO_CARD = 10  # the column of a banker's table for a ponto who took none
GAP, NONE = "…", "–"
FOUND = 20  # clauses shown for some words


@dataclass(frozen=True)
class Cell:
    letter: str
    meaning: str


@dataclass(frozen=True)
class DrawingTable:
    """Who draws with what. `rows` are (heading, cells)."""

    name: str
    title: str
    cite: str
    corner: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    legend: Sequence[Cell]


@dataclass(frozen=True)
class Words:
    """Words to pronounce, what else is heard for them, who says them, and where the regulation has them."""

    text: str
    others: Sequence[str]
    cite: str
    by: str


@dataclass(frozen=True)
class Clause:
    cite: str
    cited: str
    text: str


@dataclass(frozen=True)
class Reference:
    tables: Sequence[DrawingTable]
    words: Sequence[Words]
    payouts: Sequence[tuple[str, str]]
    order: Sequence[str]
    paying: Sequence[Clause]
    clauses: Sequence[Clause]

    @property
    def empty(self) -> bool:
        return not any((self.tables, self.words, self.payouts, self.order, self.paying, self.clauses))


def reference(book: Rulebook, language: str, asked: str = "") -> Reference:
    """All of it or, for some words, what has them; then clauses of any topic too."""
    wanted = folded(asked).split()

    def fits(*told: str) -> bool:
        said = folded(" ".join(told))
        return all(word in said for word in wanted)

    spoken = _words(book, book.formulas.values())
    return Reference(
        tables=[table for table in drawing_tables(book) if fits(table.title, table.corner)],
        words=[one for one in spoken if fits(one.text, *one.others)],
        payouts=[line for line in payouts(book, language) if fits(line[0])],
        order=order_of_payment(book, language) if fits(_("Order of payment")) else [],
        paying=[clause for clause in _paying(book, language) if fits(clause.text, clause.cited)],
        clauses=[clause for clause in _all(book, language) if fits(clause.text, clause.cited)][:FOUND]
        if wanted
        else [],
    )


# ---- drawing tables


def drawing_tables(book: Rulebook, article: str = "") -> list[DrawingTable]:
    """The drawing tables of a rulebook; with an article, those that it says."""
    found = []
    for name, entry in book.law.numbers.items():
        if name.startswith(("ponto_table", "banker_table")) and _is_of(entry["cite"], article):
            found.append(_drawing_table(name, entry))
    return found


def _is_of(cite: str, article: str) -> bool:
    return not article or article in (part.split()[0] for part in _parts(cite))


def _parts(cite: str) -> list[str]:
    """The clauses that a number names, without the year of the text and our remarks."""
    plain = re.sub(r"\(.*?\)", "", cite).removeprefix("1995 ")
    return [part.strip() for part in re.split("[;,]", plain) if part.strip()]


def _drawing_table(name: str, entry: dict[str, Any]) -> DrawingTable:
    value, cite = entry["value"], citation(_parts(entry["cite"])[0])
    if isinstance(value, str):
        title = {
            "ponto_table_by_rule": _("The ponto, playing by the rule"),
            "ponto_table_with_third_parties": _("The ponto, playing for others too"),
        }.get(name, _("The ponto"))
        rows = [(_("does"), _cells(value))]
        return DrawingTable(name, title, cite, _("has"), [*map(str, range(len(value)))], rows, _legend(value))
    columns = [*map(str, range(NO_CARD)), NONE]
    title, corner = _("The banker, by the card the ponto took"), _("has")
    lines = [(score, line.replace(" ", "")) for score, line in value.items()]
    rows = [(str(score), _cells(line)) for score, line in lines]
    legend = [*_legend("".join(line for _score, line in lines)), Cell(NONE, _("the ponto took no card"))]
    return DrawingTable(name, title, cite, corner, columns, rows, legend)


def _cells(line: str) -> list[Cell]:
    meanings = _meanings()
    return [Cell(letter, meanings[letter]) for letter in line]


def _legend(line: str) -> list[Cell]:
    return [Cell(letter, meaning) for letter, meaning in _meanings().items() if letter in line]


def _meanings() -> dict[str, str]:
    return {"T": _("draws"), "F": _("stands"), "O": _("as he likes"), "N": _("shows a natural")}


# ---- words to pronounce


def words_of(book: Rulebook, cite: str) -> list[Words]:
    """What a clause has somebody say."""
    return _words(book, (formula for formula in book.formulas.values() if formula.cite == cite))


def _words(book: Rulebook, formulas: Iterable[Formula]) -> list[Words]:
    speakers = {"croupier": _("the croupier"), "ponto": _("the ponto"), "banker": _("the banker")}
    return [
        Words(
            text=open_form(formula.text[book.language]),
            others=[open_form(form) for form in formula.accept.get(book.language, ())],
            cite=formula.cite,
            by=speakers.get(formula.by, _("a player")),
        )
        for formula in formulas
        if book.language in formula.text
    ]


def open_form(form: str) -> str:
    """A form of words with gaps for what differs from coup to coup."""
    return SLOT.sub(GAP, form)


# ---- what is paid


def payouts(book: Rulebook, language: str) -> list[tuple[str, str]]:
    """What each bet wins for one, by the name of the bet."""
    entry = book.law.numbers.get("payouts", {"value": {}})
    found = []
    for bet, multiple in entry["value"].items():
        name = _bet_name(book, bet, language)
        if name:
            found.append((name, _("%(multiple)s to 1") % {"multiple": number_format(multiple)}))
    return found


def order_of_payment(book: Rulebook, language: str) -> list[str]:
    bets = book.law.numbers.get("payment_order", {"value": []})["value"]
    return [name for name in (_bet_name(book, bet, language) for bet in bets) if name]


def _bet_name(book: Rulebook, bet: str, language: str) -> str:
    """What a bet is called; some that the law pays alike have one name for all."""
    together = {
        "simple": _("Even chances"),
        "wins": _("Any other hand that wins"),
        "special": _("Special combinations"),
    }
    if bet in together:
        return together[bet]
    try:
        return chance_name(book.id, bet, language)
    except (EngineError, KeyError):
        return ""


def _paying(book: Rulebook, language: str) -> list[Clause]:
    return [_clause(book, rule.cite, language) for rule, topic in programme(book.id).items() if topic in PAYING]


def _all(book: Rulebook, language: str) -> list[Clause]:
    return [_clause(book, cite, language) for cite in book.law.clauses]


def _clause(book: Rulebook, cite: str, language: str) -> Clause:
    return Clause(cite, cited(cite, book, language), book.law.summary(cite, language))
