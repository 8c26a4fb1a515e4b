"""A payment plan submitted for a model: what it must return, and a jackpot besides. VIII 2, VIII 3, VIII 4."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, Sum, variant
from rules_engine.games.machines.books import MACHINES
from rules_engine.games.machines.game import case, case_table, domain, rule
from rules_engine.games.machines.setting import facts, row
from rules_engine.games.machines.table import Incident, Machine, Situation

Played = Annotated[int, Meta(ge=1, le=10_000_000)]

domain("plan", "good", "not_good")


class PlanSubmitted(Incident, frozen=True, tag="plan_submitted"):
    """Of every `played` a plan returns `prizes`, and sends amounts to the machine's jackpot and to a superjackpot."""

    played: Played
    prizes: Sum
    jackpot: Sum = 0
    superjackpot: Sum = 0

    def check(self, situation: Situation) -> None:
        if self.prizes + self.deducted > self.played:
            raise ImpossibleFacts("incident.prizes", "a plan gives out no more than is played")

    @property
    def deducted(self) -> int:
        return self.jackpot + self.superjackpot

    def concerns(self, row: Situation) -> Sequence[Machine]:
        return ()

    def narration(self) -> list[Sentence]:
        found: list[Sentence] = [("incident.plan_submitted", {"played": self.played, "prizes": self.prizes})]
        if self.jackpot:
            found.append(("incident.plan_jackpot", {"sum": self.jackpot}))
        if self.superjackpot:
            found.append(("incident.plan_superjackpot", {"sum": self.superjackpot}))
        return found


@rule(PlanSubmitted, MACHINES)
def plan_submitted(s: Situation, incident: PlanSubmitted, r: Reasoning) -> None:
    least_return = r.book.number("least_return")
    least = -(-incident.played * least_return // 100)
    counted = r.book.reads("VIII3", "counted")
    good = incident.prizes + (incident.deducted if counted else 0) >= least
    r.pivot("VIII 2 s1", "plan_least", least_return=least_return, played=incident.played, least=least)
    if incident.jackpot:
        r.pivot("VIII 3 s1", "jackpot_beside", sum=incident.jackpot)
    if incident.superjackpot:
        r.pivot("VIII 4", "superjackpot_beside", sum=incident.superjackpot)
    if incident.prizes < least <= incident.prizes + incident.deducted:
        text = "deduction_counted" if counted else "deduction_not_counted"
        r.pivot("VIII 3 s2", text, prizes=incident.prizes, least=least)
    else:
        r.step("VIII 2 s1", "plan_gives", prizes=incident.prizes, least=least)
    r.choice("plan", "good" if good else "not_good", critical=True)
    short = incident.prizes - least
    wrong = [incident.played - least, least - incident.deducted, least + incident.deducted]
    r.amount("least_sum", least, tempting=wrong)
    other, unit = (abs(short + incident.deducted), abs(short - incident.deducted)), incident.played // 100
    r.amount("margin", abs(short), tempting=[*other, unit, 0, 2 * unit])


@case_table(
    "plan",
    variant("plan_alone", {MACHINES: "VIII 2 s1"}, jackpot=False, superjackpot=False, held=False),
    variant("plan_with_jackpot", {MACHINES: ("VIII 2 s1", "VIII 3 s1")}, jackpot=True, superjackpot=False, held=False),
)
def _plan(draw: Draw, book: Rulebook, difficulty: int, *, jackpot: bool, superjackpot: bool, held: bool) -> Situation:
    """Easy: far from the limit. Harder: just below, at and just above it, with a jackpot to mislead."""
    played = draw.pick((10_000, 50_000, 100_000)) if difficulty <= 2 else draw.number(12, 240) * 1_000
    least = -(-played * book.number("least_return") // 100)
    unit = played // 100
    near = (-unit, -1, 0, 0, 1, unit) if difficulty >= 3 else (-8 * unit, -4 * unit, 3 * unit, 6 * unit)
    to_jackpot = draw.number(1, 5) * unit if jackpot else 0
    to_super = draw.number(1, 4) * unit if superjackpot else 0
    deducted = to_jackpot + to_super
    prizes = least + draw.pick(near)
    if held:
        prizes = least - draw.pick((deducted, max(1, deducted // 2), 1))
    elif deducted and prizes < least:
        prizes = least - deducted - draw.pick((1, unit))
    incident = PlanSubmitted(played=played, prizes=prizes, jackpot=to_jackpot, superjackpot=to_super)
    return Situation(**facts(row(draw, book, 1)), incident=incident)


@case("plan", {MACHINES: ("VIII 2 s1", "VIII 4")})
def plan_with_superjackpot(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _plan(draw, book, difficulty, jackpot=difficulty >= 4, superjackpot=True, held=False)


@case("plan", {MACHINES: "VIII 3 s2"})
def plan_good_only_with_jackpot(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _plan(draw, book, difficulty, jackpot=True, superjackpot=difficulty >= 4, held=True)
