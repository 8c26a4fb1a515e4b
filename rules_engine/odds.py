"""Exact chances and what the house keeps, as every game that has them tells them."""

from collections.abc import Collection, Mapping
from fractions import Fraction

from msgspec import Struct

DIGITS = 6
# A chance, and how much it pays to one; a scale of prices is told in words, as `1, 2, 3`.
Price = tuple[str, Fraction | str]
Results = Mapping[Fraction, Fraction]  # how often one unit brings so much


class Result(Struct, frozen=True):
    """One way a bet of one unit ends: what it brings, less than nothing where it is lost, and how often."""

    brings: str
    often: str


class Edge(Struct, frozen=True):
    """What the house keeps, on average, of one unit bet on a chance that pays so much to one.

    `results` are all the ways it ends, where they are known: the edge is what they lose. `own` says whether this
    rulebook pays that price, or only another of its game.
    """

    chance: str
    pays: str
    edge: float
    exact: str
    results: tuple[Result, ...] = ()
    own: bool = True


class Odds(Struct, frozen=True, kw_only=True):
    """The chances of one coup, to six decimals and as exact fractions. `of` says what they were counted over, and
    `count` how many of those there are, for the words of the game (`odds.of`)."""

    rulebook: str
    of: str
    probability: dict[str, float]
    exact: dict[str, str]
    edges: tuple[Edge, ...]
    count: int = 0


def odds_of(
    rulebook: str,
    of: str,
    chances: Mapping[str, Fraction],
    edges: Mapping[Price, Fraction],
    *,
    results: Mapping[Price, Results] | None = None,
    own: Collection[Price] | None = None,
    count: int = 0,
) -> Odds:
    """The chances as fractions, and for each bet at each price the house's part. Results that are not given are those
    of a bet that is won or lost and nothing else, where the house's part is what that gives."""
    ends = {price: _plain(price, chances, edge) for price, edge in edges.items()} | dict(results or {})
    return Odds(
        rulebook=rulebook,
        of=of,
        probability={name: round(float(chance), DIGITS) for name, chance in chances.items()},
        exact={name: str(chance) for name, chance in chances.items()},
        edges=tuple(
            Edge(
                price[0],
                str(price[1]),
                round(float(edge), DIGITS),
                str(edge),
                results=tuple(Result(str(brings), str(often)) for brings, often in ends[price].items() if often),
                own=own is None or price in own,
            )
            for price, edge in edges.items()
        ),
        count=count,
    )


def _plain(price: Price, chances: Mapping[str, Fraction], edge: Fraction) -> Results:
    chance, pays = price
    won = chances.get(chance)
    if won is None or isinstance(pays, str) or edge != 1 - won - won * pays:
        return {}
    return {pays: won, Fraction(-1): 1 - won}
