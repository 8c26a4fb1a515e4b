"""The order in which stakes are paid and collected, how much each and in all, and how far the bank goes.

Portugal 95 and 95 open (43 s1 on line stakes); Sanremo 16 s1, 18 s1, 18 s2, 18 s3 and 114 s2.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Payment, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.order import by_house, from_right, seat_of
from rules_engine.games.chemin_de_fer.outcome import worth
from rules_engine.games.chemin_de_fer.setting import STANDING, coup
from rules_engine.games.chemin_de_fer.stakes.cover import Facts, closed, covered, stakes, table
from rules_engine.games.chemin_de_fer.table import SEATS, Incident, Place, Situation, Stake

LINE = {PT[0]: "43 s1", PT[1]: "43 s1", SANREMO: "16 s1"}
# The clause on how far a bank goes when the stakes exceed it.
REACH = {PT[0]: "95 open", PT[1]: "95 open", SANREMO: "18 s3"}


class StakesToSettle(Incident, frozen=True, tag="stakes_to_settle"):
    """The coup is decided and the stakes are to be paid or collected. `initial` holds the initial hand: the banker
    himself, or the seat whose turn it was before the hand was passed to him. `followers` stand and have shifted to
    follow the hand."""

    winner: Literal["ponto", "banker"]
    initial: Place
    followers: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        for place in self.followers:
            if place not in {stake.player for stake in situation.stakes} or place.isdigit():
                raise ImpossibleFacts("incident.followers", "nobody with a stake stands at {place}", place=place)
        if self.initial not in map(str, situation.seats):
            raise ImpossibleFacts("incident.initial", "nobody sits at {place}", place=self.initial)
        if not situation.stakes:
            raise ImpossibleFacts("stakes", "nothing is staked")
        if len({stake.player for stake in situation.stakes}) != len(situation.stakes):
            raise ImpossibleFacts("stakes", "a player is listed twice")

    def wording(self, name: str) -> str | None:
        """Says who won: the stakes are either paid or collected."""
        settles = ("settled_order", "settled_total", "stake_paid")
        return f"question.{name}_{self.winner}" if name in settles else super().wording(name)

    def narration(self) -> list[Sentence]:
        told = [("incident.stakes_followed", {"followers": self.followers})] if self.followers else []
        return [*told, (f"incident.stakes_to_settle_{self.winner}", {})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        whose = "own" if self.initial == situation.banker else "passed"
        hand: Sentence = (f"incident.settled_hand_{whose}", {"initial": self.initial})
        staked = sum(stake.amount // 2 if stake.line else stake.amount for stake in situation.stakes)
        over: list[Sentence] = [("incident.stakes_exceed_bank", {})] if staked > situation.bank else []
        return [*super().narrated(situation), *over, hand]


@rule(StakesToSettle, *PT)
def settle_in_order_pt(s: Situation, incident: StakesToSettle, r: Reasoning) -> None:
    if incident.followers:
        raise NotRegulated(
            "art. 93 forbids following the hand, and does not say when the stakes of whoever does are settled"
        )
    r.pivot("95", "settlement.from_bankers_right", banker=s.banker)
    _settle(s, incident, r, s.banker)


@rule(StakesToSettle, SANREMO)
def settle_in_order_sanremo(s: Situation, incident: StakesToSettle, r: Reasoning) -> None:
    r.pivot("18 s1", "settlement.from_initial_right", initial=incident.initial)
    gap = [stake.player for stake in s.stakes if _in_gap(stake.player, incident.initial)]
    if gap:
        r.pivot("18 s2", "settlement.gap_last", initial=incident.initial, gap=tuple(sorted(gap)))
    if incident.followers:
        if gap and incident.winner == "ponto":
            raise NotRegulated(
                "arts. 18 and 114 pay both the créneau and whoever follows the hand last: neither says which is first"
            )
        first = "collected_first" if incident.winner == "banker" else "paid_last"
        r.pivot("114 s2", f"settlement.follower_{first}", followers=incident.followers)
    _settle(s, incident, r, incident.initial)


def _in_gap(place: str, initial: str) -> bool:
    """Standing between the seat with the initial hand and the next to its right."""
    return not place.isdigit() and seat_of(place) == seat_of(initial)


def _settle(s: Situation, incident: StakesToSettle, r: Reasoning, origin: str) -> None:
    # At one seat the seated player comes first; those who stand behind `origin` come last of all, if the house agrees.
    places = [stake.player for stake in s.stakes]
    plain = by_house(r, origin, from_right(origin, places))
    last = incident.winner == "ponto"
    right = tuple(sorted(plain, key=lambda place: (place in incident.followers) == last))
    seated = tuple(place for place in right if place.isdigit())
    standing = tuple(place for place in right if not place.isdigit())
    gap_first = tuple(sorted(right, key=lambda place: not _in_gap(place, origin)))
    wrong = [gap_first, seated + standing, right[::-1], from_right(s.banker, places), tuple(sorted(places))]
    r.order(
        "settled_order", right, tempting=[plain, *wrong, from_right(incident.initial, places), (*right[1:], right[0])]
    )
    total = covered(s, r.book)
    if any(stake.line for stake in s.stakes):
        r.pivot(LINE[r.book.coded_as], "stakes.lines_play_half", won=total)
    plays = _each(s, r, right)
    chips = sum(stake.amount for stake in s.stakes)
    r.amount("settled_total", sum(plays.values()), tempting=[chips, total, s.bank, s.bank - total], critical=True)
    moved = [place for place in right if plays[place]]
    paid = (Payment("bank", place, plays[place]) if last else Payment(place, "bank", plays[place]) for place in moved)
    r.after(lying(payments=tuple(paid)))


def _each(s: Situation, r: Reasoning, served: tuple[str, ...]) -> dict[str, int]:
    """What each stake wins or loses: all it plays for, until the bank is exhausted. The stakes are listed in the order
    in which they were put down."""
    stakes = {stake.player: stake for stake in s.stakes}
    plays: dict[str, int] = {}
    placed = r.book.reads("PT95", "as_placed")
    served = tuple(stakes) if placed else served
    for place in served:
        plays[place] = min(worth(stakes[place], r.book), s.bank - sum(plays.values()))
    short = tuple(place for place in served if plays[place] < worth(stakes[place], r.book))
    if short and r.book.coded_as in PT:
        r.pivot("45 s2", "settlement.bank_is_the_limit", bank=s.bank)
    if short:
        r.pivot(
            REACH[r.book.coded_as],
            "settlement.bank_reached_placed" if placed else "settlement.bank_reached",
            bank=s.bank,
            last=short[0],
            left=plays[short[0]],
        )
    for place in s.every("stake_paid."):
        stake = stakes[place]
        r.amount(f"stake_paid.{place}", plays[place], tempting=[stake.amount, worth(stake, r.book)], critical=True)
    return plays


def _decided(draw: Draw, book: Rulebook, difficulty: int) -> Facts:
    facts = table(draw, book, difficulty)
    share = draw.pick((2, 3, 4))
    facts["stakes"] = stakes(draw, facts, min(5, difficulty + 1), facts["bank"] * share // 4, lines=draw.chance(0.6))
    return facts | {"calls": closed(facts)}


@case("payment", {PT[0]: "95", SANREMO: "18 s1"})
def who_is_paid_first(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _decided(draw, book, difficulty)
    return Situation(**facts, incident=StakesToSettle(winner=_winner(draw), initial=facts["banker"]))


@case("payment", {PT[0]: "95", SANREMO: "18 s1"})
def hand_was_passed_on(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker holds a hand that another seat began: the order starts from one or the other."""
    facts = _decided(draw, book, max(2, difficulty))
    initial = draw.pick([str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]])
    return Situation(**facts, incident=StakesToSettle(winner=_winner(draw), initial=initial))


@case("payment", {PT[0]: ("95", "95 open"), SANREMO: ("18 s1", "18 s3")})
def bank_does_not_reach(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """More is staked than the bank covers: one stake is met in part, and perhaps others not at all."""
    facts = _decided(draw, book, max(2, difficulty))
    down = [*facts["stakes"]]
    over = facts["unit"] * draw.number(1, 3) * (2 if down[-1].line else 1)
    short = facts["bank"] - sum(worth(stake, book) for stake in down)
    grown = down[-1].amount + short * (2 if down[-1].line else 1) + over
    down[-1] = Stake(down[-1].player, grown, line=down[-1].line)
    facts["stakes"] = tuple(down)
    return Situation(**facts, incident=StakesToSettle(winner=_winner(draw), initial=facts["banker"]))


@case("payment", {PT[0]: ("95", "24 open")})
def stake_behind_the_banker(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Somebody with a stake stands behind the banker's own seat, which is not the last, beside the croupier."""
    facts = _decided(draw, book, max(2, difficulty))
    while int(facts["banker"]) == SEATS:
        facts = _decided(draw, book, max(2, difficulty))
    near = f"{facts['banker']}a"
    down = [*facts["stakes"]]
    at = draw.number(0, len(down) - 1)
    down[at] = Stake(near, down[at].amount, line=down[at].line)
    facts |= {"standing": tuple(sorted((*facts["standing"], near))), "stakes": tuple(down)}
    return Situation(**facts, incident=StakesToSettle(winner=_winner(draw), initial=facts["banker"]))


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
    line = difficulty >= 3 and draw.chance(0.5)
    down = tuple(
        Stake(place, unit * draw.number(1, most) * (2 if line and not at else 1), line=line and not at)
        for at, place in enumerate(staking)
    )
    facts |= {"standing": tuple(sorted((*behind, *others))), "stakes": down, "holder": None, "claim": None}
    return Situation(**facts, incident=StakesToSettle(winner=_winner(draw), initial=initial))


@case("payment", {SANREMO: ("18 s1", "114 s2")})
def follower_is_settled(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """One of those who stand has shifted to follow the hand; nobody stands in the créneau."""
    facts = _decided(draw, book, max(2, difficulty))
    unit = facts["unit"]
    seats = [str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]]
    standing = tuple(sorted(f"{seat}a" for seat in draw.sample(seats, 2)))
    down = [Stake(place, unit * draw.number(1, 5)) for place in (*draw.sample(seats, 2), *standing)]
    if difficulty >= 3 and draw.chance(0.5):
        down[0] = Stake(down[0].player, down[0].amount * 2, line=True)
    facts |= {"standing": standing, "stakes": tuple(draw.shuffled(down))}
    incident = StakesToSettle(winner=_winner(draw), initial=facts["banker"], followers=(draw.pick(standing),))
    return Situation(**facts, incident=incident)


def _winner(draw: Draw) -> Literal["ponto", "banker"]:
    return draw.pick(("ponto", "banker"))
