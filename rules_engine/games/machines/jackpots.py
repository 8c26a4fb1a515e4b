"""Jackpots: how they grow, and whose money it is until they are won. VIII 3, VIII 4, VIII 5."""

from math import gcd
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from rules_engine.authoring import (
    After,
    Draw,
    Fact,
    ImpossibleFacts,
    NotRegulated,
    Reasoning,
    Rulebook,
    Seat,
    Sentence,
)
from rules_engine.games.machines.books import MACHINES
from rules_engine.games.machines.game import case, rule
from rules_engine.games.machines.paying import payer, payment, show_jackpot
from rules_engine.games.machines.setting import changed, facts, row, some, superjackpot
from rules_engine.games.machines.table import AtMachine, Incident, Machine, Situation, Tokens

Percent = Annotated[int, Meta(ge=0, le=20)]
Hundredths = Annotated[int, Meta(ge=0, le=99, description="hundredths of a percent besides")]
Use = Literal["hand_over_now", "hand_over_later", "keep_ready", "cash_float", "income"]
OF_WON: tuple[Use, ...] = ("hand_over_now", "hand_over_later")
OF_KEPT: tuple[Use, ...] = ("keep_ready", "cash_float", "income")
HUNDRED = 100
# A percentage is a multiple of a tenth: of a thousand, it is a whole sum.
THOUSAND, FINEST = 1_000, 10
GOOD: tuple[Use, ...] = ("hand_over_now", "keep_ready")


class Run(Struct, frozen=True, kw_only=True):
    """Tokens played on one machine."""

    machine: Seat
    tokens: Tokens


class MetersRun(Incident, frozen=True, tag="meters_run"):
    """So much has been played since; the machines deduct a percentage of it for a jackpot: `percent` and
    `hundredths`, 1 and 25 for 1.25 %.

    `machine` is the machine whose own jackpot it is; without one, it is the superjackpot of the linked machines.
    """

    tells: ClassVar = ("jackpot", "linked")

    percent: Percent
    runs: tuple[Run, ...]
    machine: Seat | None = None
    hundredths: Hundredths = 0

    def check(self, situation: Situation) -> None:
        if len({run.machine for run in self.runs}) != len(self.runs):
            raise ImpossibleFacts("incident.runs", "a machine is listed twice")
        for index, run in enumerate(self.runs):
            situation.machine(run.machine, f"incident.runs[{index}].machine")
        if not self.rate:
            raise ImpossibleFacts("incident.percent", "nothing is deducted")
        if self.machine is not None and not situation.machine(self.machine).jackpot:
            raise ImpossibleFacts("incident.machine", "the machine has no jackpot")
        if self.machine is None and not (situation.superjackpot and any(one.linked for one in situation.machines)):
            raise ImpossibleFacts("superjackpot", "no machines are linked for a superjackpot")

    def narration(self) -> list[Sentence]:
        runs: list[Sentence] = [("incident.runs", {"runs": self.runs})] if self.runs else []
        whose = "linked" if self.machine is None else "own"
        values = {"machine": self.machine, "percent": self.percent, "decimals": self.decimals}
        return [*runs, (f"incident.meters_run_{whose}{'_exact' if self.decimals else ''}", values)]

    @property
    def rate(self) -> int:
        """What is deducted, in hundredths of a percent."""
        return HUNDRED * self.percent + self.hundredths

    @property
    def decimals(self) -> str:
        """The digits after the point: `5` for a half, `05` for a twentieth."""
        return f"{self.hundredths:02}".rstrip("0")

    def deducted(self, played: int) -> int:
        """What is deducted from a sum."""
        fed, rest = divmod(played * self.rate, HUNDRED * HUNDRED)
        if rest:
            raise NotRegulated(
                "arts. VIII 3 and VIII 4 do not say how a deduction from {played:amount} is rounded", played=played
            )
        return fed


class TrustUsed(AtMachine, Incident, frozen=True, tag="trust_used"):
    """What the operator wants to do with the money of a machine's jackpot."""

    tells: ClassVar = ("jackpot", "linked", "prize")

    use: Use

    def check(self, situation: Situation) -> None:
        super().check(situation)
        machine = situation.machine(self.machine)
        if not machine.jackpot:
            raise ImpossibleFacts("incident.machine", "the machine has no jackpot")
        if (machine.won == "jackpot") != (self.use in OF_WON):
            raise ImpossibleFacts("incident.use", "a jackpot is handed over when it is won, and kept until then")

    def concerns(self, row: Situation) -> tuple[Machine, ...]:
        return row.machines

    def narration(self) -> list[Sentence]:
        return [(f"incident.trust_{self.use}", {"machine": self.machine})]


@rule(MetersRun, MACHINES)
def meters_run(s: Situation, incident: MetersRun, r: Reasoning) -> None:
    feeding = {
        one.number for one in s.machines if (one.linked if incident.machine is None else one.number == incident.machine)
    }
    sums = {run.machine: run.tokens * s.machine(run.machine).stake for run in incident.runs}
    played = sum(amount for number, amount in sums.items() if number in feeding)
    fed = incident.deducted(played)
    values: dict[str, Fact] = {"percent": incident.percent, "decimals": incident.decimals, "played": played, "fed": fed}
    exact = "_exact" if incident.decimals else ""
    if incident.machine is None:
        before = s.superjackpot
        r.pivot("VIII 4", f"fed_by_linked{exact}", **values)
    else:
        before = s.machine(incident.machine).jackpot
        r.pivot("VIII 3 s1", f"fed_by_machine{exact}", machine=incident.machine, **values)
    held = s.held() + fed
    r.pivot("VIII 5", "all_is_held", held=held)
    everything = sum(sums.values()) * incident.rate // HUNDRED**2
    r.amount("meter", before + fed, tempting=[before + everything, fed, before + played, before])
    r.amount("held", held, tempting=[held - fed, before + fed, s.held() + everything])


@rule(TrustUsed, MACHINES)
def trust_used(s: Situation, incident: TrustUsed, r: Reasoning) -> None:
    machine = s.machine(incident.machine)
    won = machine.won == "jackpot"
    r.pivot("VIII 5", f"trust_{incident.use}", machine=machine.number, sum=machine.jackpot)
    # Once the jackpot is awarded the money belongs to the winner, whenever the operator pays it.
    held = s.held() - sum(s.prize_of(one) for one in s.machines if one.won != "none")
    r.step("VIII 5", "left_in_trust", held=held)
    r.choice("allowed", "allowed" if incident.use in GOOD else "refused", critical=True)
    r.amount("kept", held, tempting=[held + machine.jackpot, max(0, held - machine.jackpot), machine.jackpot, 0])
    if won:
        r.after(After(payments=(payment(machine, machine.jackpot, payer(machine, machine.jackpot)),)))


def _jackpots(draw: Draw, book: Rulebook, difficulty: int, *, linked: bool) -> tuple[list[Machine], dict[str, Any]]:
    """Machines that all or partly have a jackpot and, if asked for, some that are linked."""
    machines = row(draw, book, difficulty, least=2 if linked else 1)
    for index, machine in enumerate(machines):
        if index == 0 or difficulty <= 2 or draw.chance(0.7):
            changed(machines, index, jackpot=machine.stake * draw.number(50, 900) * 10)
    if not linked:
        return machines, {}
    count = len(machines) if len(machines) <= 2 else draw.number(2, len(machines) - 1)
    for index in draw.sample(range(len(machines)), count):
        changed(machines, index, linked=True)
    return machines, {"superjackpot": superjackpot(draw, book)}


def _runs(draw: Draw, machines: list[Machine], difficulty: int) -> tuple[Run, ...]:
    """Tokens in hundreds, or in thousands where they are worth little, so that the deduction is a whole sum."""
    most = 9 if difficulty <= 2 else 48
    return tuple(
        Run(machine=machine.number, tokens=THOUSAND // gcd(machine.stake, FINEST) * draw.number(1, most))
        for machine in machines
    )


def _rate(draw: Draw, difficulty: int) -> dict[str, int]:
    """A percentage; harder: with decimals, such that the deduction is still a whole sum."""
    if difficulty <= 2:
        return {"percent": draw.pick((1, 2, 5))}
    percent, hundredths = divmod(draw.pick((50, 120, 150, 180, 200, 250, 300)), HUNDRED)
    return {"percent": percent, "hundredths": hundredths}


@case("jackpot", {MACHINES: ("VIII 3 s1", "VIII 5")})
def jackpot_grows(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Hard: other machines were played too, and feed their own jackpots."""
    machines, more = _jackpots(draw, book, difficulty, linked=difficulty >= 4)
    runs = _runs(draw, machines, difficulty)
    number = draw.pick([machine.number for machine in machines if machine.jackpot])
    incident = MetersRun(**_rate(draw, difficulty), runs=runs, machine=number)
    return Situation(**facts(machines, **more), incident=incident)


@case("jackpot", {MACHINES: ("VIII 4", "VIII 5")})
def superjackpot_grows(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Hard: machines that are not linked were played too."""
    machines, more = _jackpots(draw, book, difficulty, linked=True)
    incident = MetersRun(**_rate(draw, difficulty), runs=_runs(draw, machines, difficulty))
    return Situation(**facts(machines, **more), incident=incident)


@case("jackpot", {MACHINES: "VIII 5"})
def money_in_trust(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Won or not, and what the operator would do with the money. Hard: several jackpots to count, and a
    superjackpot."""
    machines, more = _jackpots(draw, book, difficulty, linked=difficulty >= 3)
    index = some(draw, machines)
    show_jackpot(draw, machines, index)
    if draw.chance(0.5):
        use = draw.pick(OF_WON)
    else:
        changed(machines, index, won="none")
        use = draw.pick(("keep_ready", "keep_ready", "cash_float", "income"))
    return Situation(**facts(machines, **more), incident=TrustUsed(machine=machines[index].number, use=use))
