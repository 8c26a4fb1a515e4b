"""Players and chips for generated scenarios, by difficulty."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from rules_engine.authoring import Draw, Rulebook
from rules_engine.games.layout_bets.layout import Layout
from rules_engine.games.layout_bets.table import B

T = TypeVar("T")
Range = tuple[int, int]

# How many players sit, from and to, at each difficulty.
SEATED = {1: (2, 4), 2: (3, 5), 3: (4, 6), 4: (5, 7), 5: (6, 8)}


class Crowd(Struct, frozen=True):
    """How full the cloth is, as ranges: players with chips, winning spots, losing spots, chips on one spot."""

    players: Range
    won: Range
    lost: Range
    chips: Range


# For questions about each spot: few spots, because each one is a question.
FEW_SPOTS = {
    1: Crowd((1, 1), (1, 1), (1, 1), (1, 3)),
    2: Crowd((1, 2), (1, 2), (1, 1), (1, 5)),
    3: Crowd((2, 2), (2, 2), (1, 2), (1, 6)),
    4: Crowd((2, 3), (2, 3), (1, 2), (1, 8)),
    5: Crowd((3, 4), (3, 4), (1, 2), (1, 9)),
}


def seated(draw: Draw, book: Rulebook, difficulty: int, *, least: int = 1) -> dict[str, Any]:
    """Who sits at the table of the house."""
    count = min(len(places(book)), max(least, draw.number(*SEATED[difficulty])))
    return {"seats": tuple(sorted(draw.sample(places(book), count)))}


def places(book: Rulebook) -> range:
    """The seats of the table."""
    return range(1, book.table.seats + 1)


def table(draw: Draw, book: Rulebook, difficulty: int, *, least: int = 1) -> dict[str, Any]:
    """Who sits, and the least bet."""
    return seated(draw, book, difficulty, least=least) | {"minimum": book.table.minimum}


def one_of(draw: Draw, choices: T | tuple[T, ...]) -> T:
    """Draw from a tuple. A single value is returned as it is and uses no chance."""
    return draw.pick(choices) if isinstance(choices, tuple) else choices


def in_order(layout: Layout[Any], bets: Iterable[B]) -> tuple[B, ...]:
    """Sort bets by player, then in printed order, then by value."""
    return tuple(sorted(bets, key=lambda bet: (bet.player, layout.order(bet.spot), bet.value)))


def spread(
    draw: Draw,
    spots: Sequence[str],
    players: Sequence[str],
    chips: Range,
    lay: Callable[[str, str, Range], B],
    *,
    shared: Sequence[str] = (),
) -> list[B]:
    """A bet on each spot; every player has one as long as there are enough spots. `lay` takes player, spot and chips.

    If several players may share a spot, one of `shared` also bets on a spot that somebody else has chips on.
    """
    bets: dict[tuple[str, str, int], B] = {}
    for index, spot in enumerate(draw.shuffled(spots)):
        player = players[index] if index < len(players) else draw.pick(players)
        bet = lay(player, spot, chips)
        bets[player, spot, bet.value] = bet
    if len(shared) > 1:
        first, spot, _ = draw.pick(list(bets))
        second = draw.pick([player for player in shared if player != first])
        bet = lay(second, spot, (1, 4))
        bets[second, spot, bet.value] = bet
    return list(bets.values())
