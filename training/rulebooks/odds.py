"""The odds of a game: how often a bet wins, what it pays, the house edge, and the calculation behind it."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import msgspec
from django.core.cache import cache
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from rules_engine import GAMES, Game, Rulebook
from rules_engine.narration import book_name, chance_name
from rules_engine.odds import Edge, Odds, Result
from training.platform.line_breaks import breaking
from training.platform.storable import share

# Version of the cached data: raise it when their format changes.
SHAPE = 1
# Up to this denominator the calculation is shown in whole numbers, otherwise in per cent.
READABLE = 10_000
LOST = Fraction(-1)


@dataclass(frozen=True)
class Bet:
    """One bet: each share as a fraction and in per cent, and the calculation in words and in figures."""

    name: str
    pays: str
    less: str  # what is deducted from the prize, if anything
    chance: str
    chance_percent: str
    edge: str
    edge_percent: str
    told: str
    sum: str
    exact_sum: str


@dataclass(frozen=True)
class Sheet:
    """The odds shared by these rulebooks."""

    rulebooks: list[str]
    over: str
    bets: list[Bet]


def games() -> list[Game[Any]]:
    """The games that have odds."""
    return [game for game in GAMES.values() if game.odds]


def sheets(game: Game[Any], language: str) -> list[Sheet]:
    alike: dict[bytes, list[Odds]] = {}
    for odds in odds_of_books(game):
        own = [edge for edge in odds.edges if edge.own]
        alike.setdefault(msgspec.json.encode((own, odds.exact, odds.count)), []).append(odds)
    return [
        Sheet(
            rulebooks=[book_name(odds.rulebook, language) for odds in same],
            over=_over(game, same[0], language),
            bets=[_bet(edge, same[0], language) for edge in _in_order(same[0]) if edge.own],
        )
        for same in alike.values()
    ]


def odds_of_books(game: Game[Any]) -> list[Odds]:
    """The odds under every rulebook of a game. They may take a while to compute, so they are cached."""
    keys = {_key(book): book for book in game.books}
    kept = cache.get_many(keys)
    made = {key: _worked_out(book) for key, book in keys.items() if key not in kept}
    if made:
        cache.set_many(made, None)
    return [msgspec.json.decode((kept | made)[key], type=Odds) for key in keys]


def _key(book: Rulebook) -> str:
    return f"odds/{SHAPE}/{book.id}/{book.game.version}/{book.edition}"


def _worked_out(book: Rulebook) -> bytes:
    if book.game.odds is None:
        raise LookupError(f"{book.game.id} has no odds")
    return msgspec.json.encode(book.game.odds(book))


def _in_order(odds: Odds) -> list[Edge]:
    """The bets in the order of the chances; last those that are a choice and not a bet, such as even money."""
    order = {chance: place for place, chance in enumerate(odds.exact)}
    return sorted(odds.edges, key=lambda edge: order.get(edge.chance, len(order)))


def _over(game: Game[Any], odds: Odds, language: str) -> str:
    known = odds.count and game.words.has("odds.of")
    return game.words.text("odds.of", language, count=odds.count) if known else ""


def _bet(edge: Edge, odds: Odds, language: str) -> Bet:
    won = Fraction(odds.exact[edge.chance]) if edge.chance in odds.exact else None
    ends = Ends(edge)
    return Bet(
        name=chance_name(odds.rulebook, edge.chance, language),
        pays=_prices(edge.pays),
        less=_kept_back(edge),
        chance="" if won is None else breaking(str(won)),
        chance_percent="–" if won is None else _percent(won),
        edge=breaking(edge.exact),
        edge_percent=_percent(Fraction(edge.exact)),
        told=ends.told(),
        sum=breaking(ends.sum()),
        exact_sum="" if ends.readable else breaking(ends.exact_sum()),
    )


def _prices(pays: str) -> str:
    """What a bet pays; if that depends on the result, each price: `1 to 1, 2 to 1`."""
    return ", ".join(_ratio(Fraction(price)) for price in pays.split(", "))


def _kept_back(edge: Edge) -> str:
    """The deduction from a prize, such as the commission on the bank's; empty if there is none."""
    won = {Fraction(each.brings) for each in edge.results if Fraction(each.brings) > 0}
    if len(won) != 1 or ", " in edge.pays or won == {Fraction(edge.pays)}:
        return ""
    kept = 1 - won.pop() / Fraction(edge.pays)
    return _("less %(share)s of the prize") % {"share": share(number_format(f"{float(kept * 100):g}"))}


def _ratio(pays: Fraction) -> str:
    return _("%(prize)d to %(stake)d") % {"prize": pays.numerator, "stake": pays.denominator}


class Ends:
    """All outcomes of a bet, and the calculation of the edge: losses minus wins, divided by all outcomes."""

    def __init__(self, edge: Edge) -> None:
        self.pays, self.edge = edge.pays, Fraction(edge.exact)
        self.results = [(Fraction(each.brings), Fraction(each.often)) for each in _ordered(edge.results)]
        self.of = lcm(*(often.denominator for _brings, often in self.results))
        self.readable = self.of <= READABLE

    def told(self) -> str:
        return ", ".join(self._told(brings, often) for brings, often in self.results)

    def _told(self, brings: Fraction, often: Fraction) -> str:
        values = {"times": self._times(often), "part": str(abs(brings)), "ratio": _ratio(brings) if brings > 0 else ""}
        if not brings:
            return _("stake back %(times)s") % values
        if brings > 0:
            return (_("won %(times)s") if str(brings) == self.pays else _("won %(times)s at %(ratio)s")) % values
        return (_("lost %(times)s") if brings == LOST else _("lost in part, %(part)s, %(times)s")) % values

    def _times(self, often: Fraction) -> str:
        if self.readable:
            return _("%(ways)d of %(all)d") % {"ways": self._ways(often), "all": self.of}
        return _percent(often)

    def _ways(self, often: Fraction) -> int:
        return int(often * self.of)

    def sum(self) -> str:
        """The calculation, such as `(19 − 18)/37 = 1/37`."""
        if not self.results:
            return ""
        if self.readable:
            return self.exact_sum()
        return f"{self._terms([_percent(often) for _brings, often in self.results])} ≈ {_percent(self.edge)}"

    def exact_sum(self) -> str:
        return f"({self._terms([str(self._ways(often)) for _brings, often in self.results])})/{self.of} = {self.edge}"

    def _terms(self, counts: list[str]) -> str:
        """Losses first, then wins; a returned stake adds nothing."""
        counted = [(brings, count) for (brings, _often), count in zip(self.results, counts, strict=True) if brings]
        counted.sort(key=lambda term: term[0] > 0)
        signed = [("−" if brings > 0 else "+", _product(count, abs(brings))) for brings, count in counted]
        return " ".join(f"{sign} {term}" for sign, term in signed).removeprefix("+ ")


def _product(count: str, factor: Fraction) -> str:
    return count if factor == 1 else f"{count} × {factor}"


def _ordered(results: tuple[Result, ...]) -> list[Result]:
    """The best result first."""
    return sorted(results, key=lambda each: -Fraction(each.brings))


def _percent(part: Fraction) -> str:
    return share(number_format(round(float(part * 100), 4), 4))
