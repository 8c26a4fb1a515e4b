"""A prize that was paid and is doubted later (banca francesa and cussec). What it should have been is for the law to
say; whether a difference is still put right is for the house."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rules_engine.authoring import Draw, Place, Reasoning, Sentence, SpotKey, kind_of
from rules_engine.games.layout_bets.table import LayoutTable

Found = Literal["prize_lying", "next_bets", "next_throw"]
FOUND: tuple[Found, ...] = ("prize_lying", "next_bets", "next_throw")
Paid = Annotated[int, Meta(ge=1, le=1_000_000_000_000)]
CORRECTIONS = ("taken_back", "paid_after", "stands")
# What a house may adopt: put right until the next throw; put right whatever can be proved; make good what a player got
# too little, and take back what he got too much only while it lies there.
OPTIONS = ("until_next_throw", "if_recorded", "against_player_only")


class PrizeDoubted(Struct, frozen=True, kw_only=True):
    """A player was paid this sum on a winning bet; a doubt comes up while the prize still lies beside the bet, while
    the next bets are made, or when the next dice are thrown."""

    player: Place
    spot: SpotKey
    paid: Paid
    found: Found
    recorded: bool = False

    def check(self, situation: LayoutTable[Any]) -> None:
        situation.result()
        situation.check_bet(self.player, self.spot)

    def narrated(self, situation: LayoutTable[Any]) -> list[Sentence]:
        named = situation.layout.named(self.spot)
        return [
            ("incident.prize_doubted", {"player": self.player, "paid": self.paid, **named}),
            (f"incident.doubt_{self.found}", {}),
            (f"incident.payment_{'recorded' if self.recorded else 'unrecorded'}", {}),
        ]


def decide_correction(r: Reasoning, incident: PrizeDoubted, right: int) -> None:
    """Decide by the procedure of the house whether a difference is put right."""
    kind, off = kind_of(incident), incident.paid - right
    if not off:
        r.pivot(kind, "paid_right")
        r.choice("correction", "stands", critical=True, tempting=["taken_back"])
        return
    mended = _mended(r.procedure, incident, off)
    r.pivot(kind, f"{r.procedure}_{_ground(r.procedure, incident, off) if mended else 'stands'}", amount=abs(off))
    way = "taken_back" if off > 0 else "paid_after"
    r.choice("correction", way if mended else "stands", critical=True, tempting=["stands" if mended else way])


def _mended(procedure: str, incident: PrizeDoubted, off: int) -> bool:
    if procedure == "until_next_throw":
        return incident.found != "next_throw"
    if procedure == "if_recorded":
        return incident.recorded or incident.found == "prize_lying"
    return off < 0 or incident.found == "prize_lying"


def _ground(procedure: str, incident: PrizeDoubted, off: int) -> str:
    """Why the difference is put right, where the procedure has two grounds."""
    if procedure == "until_next_throw":
        return "mended"
    if procedure == "against_player_only" and off < 0:
        return "mended_short"
    return "mended_lying" if incident.found == "prize_lying" else "mended_recorded"


def doubt(draw: Draw, right: int, over: list[int], under: list[int]) -> dict[str, Any]:
    """What was paid, and when and how it is found: right, or one of the sums that a hasty dealer pays."""
    over = [one for one in over if one > right]
    under = [one for one in under if 0 < one < right]
    pools = [pool for pool in (over, over, under, under, [right]) if pool]
    return {"paid": draw.pick(draw.pick(pools)), "found": draw.pick(FOUND), "recorded": draw.chance(0.5)}
