"""How many times the stake each bet pays, and which bet a prize belongs to: VII 8."""

from functools import cache
from typing import Annotated

from msgspec import Meta, Struct

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.books import BOOKS, CUSSEC
from rules_engine.games.cussec.game import case_table, domain, rule
from rules_engine.games.cussec.layout import Chance
from rules_engine.games.cussec.setting import paid_by, within, worths
from rules_engine.games.cussec.settlement import prize_clause
from rules_engine.games.cussec.table import Incident, Prize, Situation
from rules_engine.games.layout_bets import incidents
from rules_engine.games.layout_bets.setting import seated
from rules_engine.games.layout_bets.settlement import whole

CLAUSES = tuple(dict.fromkeys(map(prize_clause, layout.SPOTS)))
# On how many dice the number of a winning bet may be seen, for chances whose price depends on it.
BY_DICE: dict[str, tuple[int, ...]] = {"single": (1, 2, 3), "double": (2, 3)}


def _multiple(book: Rulebook, chance: str, total: int, shown: int) -> int:
    if chance == "total":
        return whole(book.param("total_payouts")[str(total)])
    if chance in BY_DICE:
        return whole(book.param(f"{chance}_payouts")[str(shown)])
    return whole(book.param("payouts")[chance])


@cache
def multiples(book: Rulebook, clause: str) -> frozenset[int]:
    """What a clause of VII 8 pays."""
    spot = layout.SPOTS[paid_by(clause)[0]]
    shown = BY_DICE.get(spot.chance, (0,))
    return frozenset(_multiple(book, spot.chance, max(spot.numbers, default=0), count) for count in shown)


# Every multiple that is paid, lowest first.
MULTIPLES = tuple(map(str, sorted({times for clause in CLAUSES for times in multiples(BOOKS[0], clause)})))

domain("multiple", *MULTIPLES)
domain("at_most", *map(str, sorted({max(multiples(BOOKS[0], clause)) for clause in CLAUSES})))
domain("paid_chance", *MULTIPLES)


class Paid(Struct, frozen=True, kw_only=True):
    """A bet has won, so the dome is off. The dice are not shown."""

    def covered(self, situation: Situation) -> bool:
        return False


class ChanceAsked(Paid, Incident, frozen=True, tag="chance_asked"):
    """A bet has won. `total` is its total, if it is a bet on one; `shown` is on how many dice its number is seen."""

    chance: Chance
    total: Annotated[int, Meta(ge=0, le=17)] = 0
    shown: Annotated[int, Meta(ge=0, le=3)] = 0

    def check(self, situation: Situation) -> None:
        if self.total not in (layout.TOTALS if self.chance == "total" else (0,)):
            raise ImpossibleFacts("incident.total", "a bet on a total names one from 4 to 17, and no other bet does")
        if self.shown not in BY_DICE.get(self.chance, (0,)):
            raise ImpossibleFacts(
                "incident.shown",
                "{chance:spot} does not win on {shown} of the dice",
                chance=self.chance,
                shown=self.shown,
            )

    def narration(self) -> list[Sentence]:
        form = "total" if self.total else "shown" if self.shown else "plain"
        return [(f"incident.chance_asked_{form}", {"chance": self.chance, "total": self.total, "shown": self.shown})]


class PrizeSeen(Paid, incidents.PrizeSeen, Incident, frozen=True, kw_only=True, tag="prize_seen"):
    """A player with a single bet has been paid. `with_stake`: the sum includes the stake."""

    paid: Prize


@rule(ChanceAsked, CUSSEC)
def chance_asked(s: Situation, incident: ChanceAsked, r: Reasoning) -> None:
    multiple = _multiple(r.book, incident.chance, incident.total, incident.shown)
    spot = next(
        spot.key
        for spot in layout.SPOTS.values()
        if spot.chance == incident.chance and (not incident.total or spot.numbers == (incident.total,))
    )
    at = f" {incident.total}" if incident.total else ""
    r.pivot(prize_clause(spot), "pays_times", name=incident.chance, at=at, times=multiple)
    r.choice("multiple", str(multiple))


@rule(PrizeSeen, CUSSEC)
def prize_seen(s: Situation, incident: PrizeSeen, r: Reasoning) -> None:
    prize = incident.prize
    multiple, rest = divmod(prize, incident.stake)
    clauses = [clause for clause in CLAUSES if multiple in multiples(r.book, clause)]
    if rest or not clauses:
        raise ImpossibleFacts(
            "incident.paid", "no bet of {stake:amount} earns {prize:amount}", stake=incident.stake, prize=prize
        )
    for clause in clauses:
        chance = layout.SPOTS[paid_by(clause)[0]].chance
        r.pivot(clause, "paid_so", prize=prize, stake=incident.stake, chance=chance, times=multiple)
    r.choice("paid_chance", str(multiple))


def _asked(draw: Draw, book: Rulebook, difficulty: int, clause: str) -> Situation:
    spot = layout.SPOTS[draw.pick(paid_by(clause))]
    total = spot.numbers[0] if spot.chance == "total" else 0
    incident = ChanceAsked(chance=spot.chance, total=total, shown=draw.pick(BY_DICE.get(spot.chance, (0,))))
    return Situation(**seated(draw, book, difficulty), incident=incident)


def _seen(draw: Draw, book: Rulebook, difficulty: int, clause: str) -> Situation:
    """Easy: the prize alone on a round stake. Hard: several chips, and the stake included in what was paid."""
    multiple = draw.pick(sorted(multiples(book, clause)))
    value, count = draw.pick(worths(book, difficulty)), draw.number(1, 1 if difficulty == 1 else 2 * difficulty)
    stake = value * within(book, layout.SPOTS[paid_by(clause)[0]].chance, count, value)
    with_stake = difficulty >= 3 and draw.chance(0.6)
    paid = stake * (multiple + with_stake)
    return Situation(
        **seated(draw, book, difficulty), incident=PrizeSeen(stake=stake, paid=paid, with_stake=with_stake)
    )


for _clause in CLAUSES:
    _name = f"prize_{_clause.removeprefix('VII 8 ').replace('-', '_')}"
    for _suffix, _make in (("asked", _asked), ("seen", _seen)):
        case_table("multiples", variant(f"{_name}_{_suffix}", {CUSSEC: _clause}, clause=_clause))(_make)
