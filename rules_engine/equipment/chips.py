"""Chips after they were paid and collected: what still lies on the cloth."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct, structs

if TYPE_CHECKING:
    from rules_engine.ruling import Payment


class OnSpot(Protocol):
    """Chips of one value, of one player, on one spot."""

    @property
    def player(self) -> str: ...
    @property
    def spot(self) -> str: ...
    @property
    def value(self) -> int: ...
    @property
    def amount(self) -> int: ...


B = TypeVar("B", bound=OnSpot)


def collected(payments: "Iterable[Payment]") -> Counter[tuple[str, str]]:
    """What was taken from each player on each spot."""
    taken: Counter[tuple[str, str]] = Counter()
    for payment in payments:
        if payment.payee == "house":
            taken[payment.payer, payment.spot] += payment.amount
    return taken


def staying(bets: "Iterable[B]", payments: "Iterable[Payment]") -> tuple[B, ...]:
    """The bets that stay: a winning bet lies on beside its prize, a losing one is gone. If part of a bet was lost, the
    rest stays, as a single chip if it is not a whole number of chips."""
    taken, found = collected(payments), []
    for bet in bets:
        lost = min(taken[bet.player, bet.spot], bet.amount)
        taken[bet.player, bet.spot] -= lost
        rest = bet.amount - lost
        if lost and rest:
            whole, odd = divmod(rest, bet.value)
            found.append(_of(bet, 1, rest) if odd else _of(bet, whole, bet.value))
        elif rest:
            found.append(bet)
    return tuple(found)


def _of(bet: B, count: int, value: int) -> B:
    assert isinstance(bet, Struct)  # noqa: S101 (facts are)
    return structs.replace(bet, count=count, value=value)
