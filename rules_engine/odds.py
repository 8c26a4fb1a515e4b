"""Exact chances and what the house keeps, as every game that has them tells them."""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

DIGITS = 6


class Edge(Struct, frozen=True):
    """What the house keeps, on average, of one unit bet on a chance that pays so much to one."""

    chance: str
    pays: str
    edge: float
    exact: str


class Odds(Struct, frozen=True, kw_only=True):
    """The chances of one coup, to six decimals and as exact fractions. `of` says what they were counted over."""

    rulebook: str
    of: str
    probability: dict[str, float]
    exact: dict[str, str]
    edges: tuple[Edge, ...]


def odds_of(
    rulebook: str, of: str, chances: Mapping[str, Fraction], edges: Mapping[tuple[str, Fraction], Fraction]
) -> Odds:
    """The chances as fractions, and for each bet at each price the house's part."""
    return Odds(
        rulebook=rulebook,
        of=of,
        probability={name: round(float(chance), DIGITS) for name, chance in chances.items()},
        exact={name: str(chance) for name, chance in chances.items()},
        edges=tuple(
            Edge(chance, str(pays), round(float(edge), DIGITS), str(edge)) for (chance, pays), edge in edges.items()
        ),
    )
