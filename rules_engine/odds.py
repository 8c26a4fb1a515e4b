"""Exact probabilities and house edges, for the games that have them."""

from collections.abc import Collection, Mapping
from fractions import Fraction

from msgspec import Struct

DIGITS = 6
# A chance, and how much it pays to one; a scale of payouts is a text such as `1, 2, 3`.
Price = tuple[str, Fraction | str]
Results = Mapping[Fraction, Fraction]  # the probability of each return on one unit


class Result(Struct, frozen=True):
    """One outcome of a bet of one unit: what it returns (negative if lost), and how often."""

    brings: str
    often: str


class Edge(Struct, frozen=True):
    """What the house keeps on average of one unit bet on a chance that pays so much to one.

    `results` are all its outcomes, if they are known; the edge is their average loss. `own` says whether this rulebook
    pays that price, or only another rulebook of the game.
    """

    chance: str
    pays: str
    edge: float
    exact: str
    results: tuple[Result, ...] = ()
    own: bool = True


class Odds(Struct, frozen=True, kw_only=True):
    """The probabilities of one coup, to six decimals and as exact fractions. `of` says what was counted and `count` how
    many there are, for the words of the game (`odds.of`)."""

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
    """The probabilities as fractions, and the house edge of each bet at each price. A bet without results is simply won
    or lost, and its edge follows from that."""
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
