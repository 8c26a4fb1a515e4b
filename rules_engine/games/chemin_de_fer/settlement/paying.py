"""In which order stakes are paid and collected, and for how much.

Portugal 95 (43 s1 on line stakes); Sanremo 16 s1, 18 s1 and 18 s2.
"""

from typing import Literal

from rules_engine.errors import ImpossibleFacts, NotRegulated
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.order import from_right, seat_of
from rules_engine.games.chemin_de_fer.outcome import payments
from rules_engine.games.chemin_de_fer.setting import STANDING, coup
from rules_engine.games.chemin_de_fer.stakes.cover import Facts, closed, covered, stakes, table
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation, Stake
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning

LINE = {PT[0]: "43 s1", PT[1]: "43 s1", SANREMO: "16 s1"}


class StakesToSettle(Incident, frozen=True, tag="stakes_to_settle"):
    """The coup is decided and the stakes are to be paid or collected. `initial` holds the initial hand: the banker
    himself, or the seat whose turn it was before the hand was passed to him."""

    winner: Literal["ponto", "banker"]
    initial: Place

    def check(self, situation: Situation) -> None:
        if self.initial not in map(str, situation.seats):
            raise ImpossibleFacts("incident.initial", f"nobody sits at {self.initial}")
        if not situation.stakes:
            raise ImpossibleFacts("stakes", "nothing is staked")
        if len({stake.player for stake in situation.stakes}) != len(situation.stakes):
            raise ImpossibleFacts("stakes", "a player is listed twice")


@rule(StakesToSettle, *PT)
def settle_in_order_pt(s: Situation, incident: StakesToSettle, r: Reasoning) -> None:
    if any(seat_of(stake.player) == seat_of(s.banker) for stake in s.stakes):
        raise NotRegulated("the regulation does not rank a player who stands behind the banker's own seat")
    r.pivot("95", "settlement.from_bankers_right", banker=s.banker)
    _settle(s, incident, r, s.banker)


@rule(StakesToSettle, SANREMO)
def settle_in_order_sanremo(s: Situation, incident: StakesToSettle, r: Reasoning) -> None:
    r.pivot("18 s1", "settlement.from_initial_right", initial=incident.initial)
    gap = [stake.player for stake in s.stakes if _in_gap(stake.player, incident.initial)]
    if gap:
        r.pivot("18 s2", "settlement.gap_last", initial=incident.initial, gap=tuple(sorted(gap)))
    _settle(s, incident, r, incident.initial)


def _in_gap(place: str, initial: str) -> bool:
    """Standing between the initial hand's seat and the next to its right."""
    return not place.isdigit() and seat_of(place) == seat_of(initial)


def _settle(s: Situation, incident: StakesToSettle, r: Reasoning, origin: str) -> None:
    # Behind one seat the seated comes first, and who stands behind `origin` itself comes after everybody.
    places = [stake.player for stake in s.stakes]
    right = from_right(origin, places)
    seated = tuple(place for place in right if place.isdigit())
    standing = tuple(place for place in right if not place.isdigit())
    gap_first = tuple(sorted(right, key=lambda place: not _in_gap(place, origin)))
    wrong = [gap_first, seated + standing, right[::-1], from_right(s.banker, places), tuple(sorted(places))]
    r.order("settled_order", right, tempting=[*wrong, from_right(incident.initial, places), (*right[1:], right[0])])
    total = covered(s, r.book)
    if any(stake.line for stake in s.stakes):
        r.step(LINE[r.book.id], "stakes.lines_play_half", won=total)
    chips = sum(stake.amount for stake in s.stakes)
    r.amount("settled_total", total, tempting=[chips, s.bank, s.bank - total], critical=True)
    r.after(lying(payments=payments(s, r.book, incident.winner, origin=origin)))


def _decided(draw: Draw, book: Rulebook, difficulty: int) -> Facts:
    facts = table(draw, book, difficulty)
    share = draw.pick((2, 3, 4))
    facts["stakes"] = stakes(draw, facts, min(5, difficulty + 1), facts["bank"] * share // 4, lines=True)
    return facts | {"calls": closed(facts)}


@case("payment", {PT[0]: ("95",), SANREMO: ("18 s1",)})
def who_is_paid_first(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _decided(draw, book, difficulty)
    return Situation(**facts, incident=StakesToSettle(winner=_winner(draw), initial=facts["banker"]))


@case("payment", {PT[0]: ("95",), SANREMO: ("18 s1",)})
def hand_was_passed_on(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker holds a hand that another seat began: the order starts from one or the other."""
    facts = _decided(draw, book, max(2, difficulty))
    initial = draw.pick([str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]])
    return Situation(**facts, incident=StakesToSettle(winner=_winner(draw), initial=initial))


@case("payment", {SANREMO: ("18 s1", "18 s2")})
def stakes_in_the_gap(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Somebody stands between the initial hand and the next seat; harder, the hand was passed on to another."""
    facts = coup(draw, book, difficulty)
    initial = facts["banker"]
    if difficulty >= 3:
        initial = draw.pick([str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]])
    behind = tuple(f"{initial}{letter}" for letter in "ab"[: 1 + difficulty // 4])
    others = tuple(place for place in facts["standing"] if place[0] != initial)[: STANDING[difficulty][1]]
    unit, bank = facts["unit"], facts["bank"]
    players = draw.sample([str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]], 2)
    staking = draw.shuffled([*behind, *others[:2], *players])
    most = bank // unit // len(staking)
    down = tuple(Stake(place, unit * draw.number(1, most)) for place in staking)
    facts |= {"standing": tuple(sorted((*behind, *others))), "stakes": down, "holder": None, "claim": None}
    return Situation(**facts, incident=StakesToSettle(winner=_winner(draw), initial=initial))


def _winner(draw: Draw) -> Literal["ponto", "banker"]:
    return draw.pick(("ponto", "banker"))
