"""Tables of what an article pays or limits, from the numbers of the regulation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from rules_engine import Rulebook
from training.lessons.reference import bet_name, is_of, order_of_payment


@dataclass(frozen=True)
class PrizeTable:
    """`rows` are (bet or total, payout or limit)."""

    title: str
    rows: Sequence[tuple[str, str]]


def prize_tables(book: Rulebook, article: str, language: str) -> list[PrizeTable]:
    """The tables of an article, in the order of the regulation's numbers."""
    titles, found = _titles(), []
    for name, entry in book.law.numbers.items():
        if name in titles and is_of(entry["cite"], article):
            rows = _rows(book, name, entry["value"], language)
            found += [PrizeTable(titles[name], rows)] if rows else []
    return found


def payment_order(book: Rulebook, article: str, language: str) -> list[str]:
    entry = book.law.numbers.get("payment_order")
    return order_of_payment(book, language) if entry and is_of(entry["cite"], article) else []


def _titles() -> dict[str, str]:
    return {
        "payouts": _("Payouts"),
        "maximum_times_minimum": _("Largest bet, as a multiple of the minimum"),
        "odds": _("Odds"),
        "hardways": _("Hardways"),
        "totals": _("Totals in one throw"),
        "to_win": _("Numbers to win"),
        "to_lose": _("Numbers to lose"),
        "field": _("Field"),
        "single_payouts": _("One number, by how many dice show it"),
        "double_payouts": _("A pair, by how many dice show it"),
        "total_payouts": _("Totals"),
    }


def _rows(book: Rulebook, name: str, value: Mapping[str, Any] | int, language: str) -> list[tuple[str, str]]:
    """A row per bet; one row if the regulation gives one number for all bets."""
    if isinstance(value, int):
        return [(_("Every bet"), _times(value))]
    found = []
    for key, price in value.items():
        label = key if key.isdecimal() else bet_name(book, key, language)
        if label:
            found.append((label, _times(price) if name == "maximum_times_minimum" else _paid(price)))
    return found


def _times(price: Any) -> str:
    return f"{number_format(price)} ×"


def _paid(price: Any) -> str:
    prize, stake = price if isinstance(price, list) else (price, 1)
    return _("%(prize)s to %(stake)s") % {"prize": number_format(prize), "stake": number_format(stake)}
