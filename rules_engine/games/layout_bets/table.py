"""Bets, and a table with bets on its layout."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, TypeVar

from msgspec import Meta, Struct

from rules_engine.authoring import After, ImpossibleFacts, Place, Seated, Sentence, staying
from rules_engine.games.layout_bets.layout import Layout

Count = Annotated[int, Meta(ge=1, le=500)]
Worth = Annotated[int, Meta(ge=1, le=10_000_000, description="what one chip is worth")]


class Bet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Chips of one player on one spot. Each game declares the fields, in the order in which the editor shows them."""

    if TYPE_CHECKING:
        player: Place
        count: Count
        value: Worth

        @property
        def chance(self) -> str: ...

        @property
        def spot(self) -> str:
            """The key of the spot on the layout."""

    @property
    def amount(self) -> int:
        return self.count * self.value


B = TypeVar("B", bound=Bet)


class LayoutTable(Seated, Generic[B], frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table with people at it and bets on its layout."""

    layout: ClassVar[Layout[Any]]

    if TYPE_CHECKING:
        bets: tuple[B, ...]

        def result(self) -> Any:
            """The number or the dice that decide the bets. Raises ImpossibleFacts if they are not known yet."""

    def left(self, after: After) -> dict[str, Any]:
        """Losing bets are collected; winning bets stay unless their owner takes them."""
        if not after.payments:
            return {}
        won = won_on(after)
        return {
            "bets": tuple(
                bet
                for bet in staying(self.bets, after.payments)
                if (bet.player, bet.spot) not in won or not self.taken(bet)
            )
        }

    def taken(self, bet: B) -> bool:
        """Whether the incident is that its owner takes this bet off the cloth."""
        wanted = tuple(getattr(self.incident, name, "") for name in ("wish", "player", "spot"))
        return wanted == ("take", bet.player, bet.spot)

    def on(self, spot: str) -> list[B]:
        """All bets on one spot."""
        return [bet for bet in self.bets if bet.spot == spot]

    def bets_of(self, player: str) -> list[B]:
        return [bet for bet in self.bets if bet.player == player]

    def spots_with_bets(self) -> list[str]:
        """The spots that have chips on them, in printed order."""
        return self.layout.in_order({bet.spot for bet in self.bets})

    def every(self, stem: str) -> Sequence[str]:
        """`prize.` stands for every player with a bet, `pays.` and `ends.` for every spot with chips on it."""
        if stem == "prize.":
            return sorted({bet.player for bet in self.bets})
        return self.spots_with_bets() if stem in ("ends.", "pays.") else super().every(stem)

    def about(self, name: str, ref: str) -> Sentence:
        if name in ("pays", "ends") and ref:
            return f"question.{name}", {"ref": ref, **self.layout.named(ref)}
        return super().about(name, ref)

    def offered(self, name: str) -> Sequence[str]:
        """A prize is traced to one of the spots with chips on them."""
        return self.spots_with_bets() if name == "paid_spot" else ()

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        """`spot` is a key of the layout. A bare `4` would be the player in seat 4."""
        if name == "spot" and value not in (None, ""):
            return [f"spot:{value}"]
        return super().pointed(name, kind, value)

    def told(self, bet: B) -> dict[str, Any]:
        """The values that tell of a bet in a sentence."""
        return {"count": bet.count, "value": bet.value, **self.layout.named(bet.spot)}

    def bets_told(self) -> list[Sentence]:
        """A sentence for each player with bets."""
        players = dict.fromkeys(bet.player for bet in self.bets)
        return [("table.bets", {"by": one, "bets": list(map(self.told, self.bets_of(one)))}) for one in players]

    def check_player(self, player: str) -> None:
        """Raise ImpossibleFacts if the player of an incident is not at the table."""
        if player not in self.people():
            raise ImpossibleFacts("incident.player", "nobody is at {place}", place=player)

    def check_bet(self, player: str, spot: str) -> None:
        """Raise ImpossibleFacts if the player of an incident has no bet on this spot."""
        self.layout.check(spot, "incident.spot")
        if not any(bet.player == player for bet in self.on(spot)):
            raise ImpossibleFacts(
                "incident.player",
                "{player:player} has no bet on {name:spot}{at}",
                player=player,
                **self.layout.named(spot),
            )

    def check_some_bet(self) -> None:
        """Raise ImpossibleFacts if nobody has bet."""
        if not self.bets:
            raise ImpossibleFacts("bets", "nobody has bet")


def won_on(after: After) -> set[tuple[str, str]]:
    """The winning bets that are paid, as pairs of player and spot."""
    return {(one.payee, one.spot) for one in after.payments if one.payer == "house"}


def check_minimum(minimum: int) -> None:
    if not minimum:
        raise ImpossibleFacts("minimum", "a table has a least bet")


def check_bets(bets: Iterable[Bet], present: set[str]) -> None:
    """Raise ImpossibleFacts if a bettor is absent, a spot does not exist, or one bet is listed as two."""
    seen: set[tuple[str, str, int]] = set()
    for index, bet in enumerate(bets):
        if bet.player not in present:
            raise ImpossibleFacts(f"bets[{index}].player", "nobody is at {place}", place=bet.player)
        try:
            chips = (bet.player, bet.spot, bet.value)
        except ImpossibleFacts as error:
            raise error.within(f"bets[{index}]") from None
        if chips in seen:
            raise ImpossibleFacts(f"bets[{index}]", "chips of one worth on one spot are one bet")
        seen.add(chips)
