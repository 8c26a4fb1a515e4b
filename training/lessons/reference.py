"""The reference of a rulebook: drawing tables, words to pronounce, payouts, the order of payment."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine import Rulebook, game, rulebook
from rules_engine.announcements import SLOT, Formula
from rules_engine.citations import citation
from rules_engine.errors import EngineError
from rules_engine.folding import folded
from rules_engine.forms import first_wording
from rules_engine.narration import chance_name, cited
from rules_engine.words import FALLBACK, LANGUAGES
from training.mastery.rules_to_learn import rules_of_law

# Topics whose clauses say what is paid, and in which order.
PAYING = ("payment", "payout", "paying", "multiples")
NO_CARD = 10  # the column of the banker's table for a ponto who took no card
GAP, NONE = "…", "–"
ARTICLES = frozenset(["the", "o", "a", "os", "as", "il", "lo", "la", "i", "gli", "le", "el", "los", "las"])
FOUND = 20  # clauses shown for a search


@dataclass(frozen=True)
class Cell:
    """`code` is the letter in the tables of the law, `letter` the one in the reader's language."""

    code: str
    letter: str
    meaning: str


@dataclass(frozen=True)
class DrawingTable:
    """When a side draws. `rows` are (heading, cells)."""

    name: str
    title: str
    cite: str
    corner: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    legend: Sequence[Cell]


@dataclass(frozen=True)
class Words:
    """Words to pronounce: the text, accepted variants, the clause, and who says them."""

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
    """The whole reference or, for a search, what matches, with matching clauses of any topic."""
    wanted = folded(asked).split()

    def fits(*told: str) -> bool:
        said = folded(" ".join(told))
        return all(word in said for word in wanted)

    def has(clause: Clause) -> bool:
        return says(book, f"{in_all_languages(book, clause.cite)} {folded(clause.cited)}", asked)

    spoken = _words(book, book.formulas.values())
    return Reference(
        tables=[table for table in drawing_tables(book) if fits(table.title, table.corner)],
        words=[one for one in spoken if fits(one.text, *one.others)],
        payouts=[line for line in payouts(book, language) if fits(line[0])],
        order=order_of_payment(book, language) if fits(_("Order of payment")) else [],
        paying=[clause for clause in _paying(book, language) if has(clause)],
        clauses=[clause for clause in _all(book, language) if has(clause)][:FOUND] if wanted else [],
    )


@cache
def _said_of_clauses(book_id: str) -> dict[str, str]:
    book = rulebook(book_id)
    spoken = [book.law.summaries(language) for language in LANGUAGES if language != FALLBACK]
    formulas: dict[str, list[str]] = {}
    for formula in book.formulas.values():
        formulas.setdefault(formula.cite, []).extend(formula.text.values())
    topics = {rule.cite: topic for rule, topic in rules_of_law(book_id).items()}
    return {
        cite: folded(
            " ".join(
                (
                    row.text,
                    *(summaries.get(cite, "") for summaries in spoken),
                    *formulas.get(cite, ()),
                    *(book.topic_name(topics[cite], language) for language in LANGUAGES if cite in topics),
                )
            )
        )
        for cite, row in book.law.clauses.items()
    }


@cache
def _synonyms(game_id: str) -> dict[str, frozenset[str]]:
    """Each single word of the game's catalogue with its translations, articles removed."""
    words = game(game_id).words
    found: dict[str, frozenset[str]] = {}
    for id in words.catalogue(FALLBACK):
        said = [folded(words.catalogue(language).get(id, "")).split() for language in LANGUAGES]
        plain = [name[1:] if name and name[0] in ARTICLES else name for name in said]
        named = frozenset(name[0] for name in plain if len(name) == 1 and name[0].isalpha() and len(name[0]) > 3)
        for name in named if len(named) > 1 else ():
            found[name] = found.get(name, frozenset()) | named
    return found


def says(book: Rulebook, told: str, words: str) -> bool:
    """Whether a folded text contains all of the words, each in any language."""
    alike = _synonyms(book.game.id)
    return all(any(one in told for one in alike.get(word, {word})) for word in folded(words).split())


def in_all_languages(book: Rulebook, cite: str) -> str:
    """The folded text of a clause in all languages, with its words to pronounce and the name of its topic.

    So a search for «banqueiro» finds clauses about the banker."""
    return _said_of_clauses(book.id)[cite]


# ---- drawing tables


def drawing_tables(book: Rulebook, article: str = "") -> list[DrawingTable]:
    """The drawing tables of a rulebook; with an article, only those from it."""
    found = []
    for name, entry in book.law.numbers.items():
        if name.startswith(("ponto_table", "banker_table")) and is_of(entry["cite"], article):
            found.append(_drawing_table(name, entry, book))
    return found


def is_of(cite: str, article: str) -> bool:
    """Whether a number with this citation comes from the article."""
    return not article or any(part == article or part.startswith(f"{article} ") for part in _parts(cite))


def _parts(cite: str) -> list[str]:
    """The clauses in a citation, without the year of the text and our remarks."""
    plain = re.sub(r"\([^()]*\)", "", cite).removeprefix("1995 ")
    return [part.strip() for part in re.split("[;,]", plain) if part.strip()]


def _drawing_table(name: str, entry: dict[str, Any], book: Rulebook) -> DrawingTable:
    value, cite = entry["value"], citation(_parts(entry["cite"])[0])
    if isinstance(value, str):
        title = {
            "ponto_table_by_rule": _("The ponto, playing by the rules"),
            "ponto_table_with_third_parties": _("The ponto, playing for others too"),
        }.get(name, _("The ponto"))
        rows = [(_("does"), _cells(value))]
        return DrawingTable(name, title, cite, _("has"), [*map(str, range(len(value)))], rows, _legend(value))
    columns = [*map(str, range(NO_CARD)), NONE]
    banker, bank = _("The banker, by the card the ponto took"), _("The bank, by the card the ponto took")
    title = banker if book.game.banker_is_player else bank
    lines = [(score, line.replace(" ", "")) for score, line in value.items()]
    rows = [(str(score), _cells(line)) for score, line in lines]
    legend = [*_legend("".join(line for _score, line in lines)), Cell(NONE, NONE, _("the ponto took no card"))]
    return DrawingTable(name, title, cite, _("has"), columns, rows, legend)


def _cells(line: str) -> list[Cell]:
    cells = {cell.code: cell for cell in _all_cells()}
    return [cells[code] for code in line]


def _legend(line: str) -> list[Cell]:
    return [cell for cell in _all_cells() if cell.code in line]


def _all_cells() -> list[Cell]:
    return [
        Cell("T", pgettext("in a drawing table", "D"), _("draws")),
        Cell("F", pgettext("in a drawing table", "S"), _("stands")),
        Cell("O", pgettext("in a drawing table", "C"), _("choice")),
        Cell("N", pgettext("in a drawing table", "N"), _("shows a natural")),
    ]


# ---- words to pronounce


def words_of(book: Rulebook, cite: str) -> list[Words]:
    """The words that a clause prescribes."""
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
    """Prescribed words with gaps for what varies; if there are several wordings, the first."""
    return SLOT.sub(GAP, first_wording(form))


# ---- what is paid


def payouts(book: Rulebook, language: str) -> list[tuple[str, str]]:
    """The name of each bet with its payout."""
    entry = book.law.numbers.get("payouts", {"value": {}})
    found = []
    for bet, multiple in entry["value"].items():
        name = bet_name(book, bet, language)
        if name:
            found.append((name, _("%(multiple)s to 1") % {"multiple": number_format(multiple)}))
    return found


def order_of_payment(book: Rulebook, language: str) -> list[str]:
    bets = book.law.numbers.get("payment_order", {"value": []})["value"]
    return [name for name in (bet_name(book, bet, language) for bet in bets) if name]


def bet_name(book: Rulebook, bet: str, language: str) -> str:
    """The name of a bet or of a group that the law pays alike; empty if it has none."""
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
    return [_clause(book, rule.cite, language) for rule, topic in rules_of_law(book.id).items() if topic in PAYING]


def _all(book: Rulebook, language: str) -> list[Clause]:
    return [_clause(book, cite, language) for cite in book.law.clauses]


def _clause(book: Rulebook, cite: str, language: str) -> Clause:
    return Clause(cite, cited(cite, book, language), book.law.summary(cite, language))
