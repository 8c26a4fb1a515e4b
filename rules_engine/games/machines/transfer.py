"""A jackpot that cannot be awarded where it accumulated: VIII 6."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from msgspec import structs

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, chance, variant
from rules_engine.games.machines.books import MACHINES
from rules_engine.games.machines.game import case_table, domain, rule
from rules_engine.games.machines.setting import MODELS, STAKES, changed, facts, row
from rules_engine.games.machines.table import TYPES, AtMachine, Incident, Machine, Situation

Cause = Literal["fire", "flood", "storm", "little_play", "newer_model", "players_ask"]
MAJOR: tuple[Cause, ...] = ("fire", "flood", "storm")
MINOR: tuple[Cause, ...] = ("little_play", "newer_model", "players_ask")

domain("jackpot_goes", "same_sort", "authorised", "stays")


class JackpotStranded(AtMachine, Incident, frozen=True, tag="jackpot_stranded"):
    """It is said, rightly or not, that the jackpot of a machine can no longer be awarded there."""

    tells: ClassVar = ("jackpot",)

    cause: Cause

    def check(self, situation: Situation) -> None:
        super().check(situation)
        machine = situation.machine(self.machine)
        if not machine.jackpot:
            raise ImpossibleFacts("incident.machine", "the machine has no jackpot")
        if machine.won != "none":
            raise ImpossibleFacts("incident.machine", "a jackpot that has come up is awarded")

    def concerns(self, row: Situation) -> Sequence[Machine]:
        return row.machines

    def narration(self) -> list[Sentence]:
        return [(f"incident.stranded_{self.cause}", {"machine": self.machine})]


def alike(s: Situation, machine: Machine) -> list[Machine]:
    """Other machines in service of the same model and stake."""
    sort = (machine.model, machine.stake)
    return [one for one in s.machines if one is not machine and not one.out and (one.model, one.stake) == sort]


@rule(JackpotStranded, MACHINES)
def jackpot_stranded(s: Situation, incident: JackpotStranded, r: Reasoning) -> None:
    machine = s.machine(incident.machine)
    if incident.cause not in MAJOR:
        r.pivot("VIII 6 s1", "no_force_majeure", machine=machine.number, cause=incident.cause)
        r.choice("jackpot_goes", "stays", critical=True)
        return
    r.step("VIII 6 s1", "force_majeure", cause=incident.cause, pivot=True)
    found = alike(s, machine)
    if not found:
        r.pivot("VIII 6 s2", "authorised", model=machine.model, stake=machine.stake)
        r.choice("jackpot_goes", "authorised", critical=True)
        return
    receiver = min(found, key=lambda one: one.number)
    r.pivot("VIII 6 s1", "moves", receiver=receiver.number, model=machine.model, stake=machine.stake)
    total = receiver.jackpot + machine.jackpot
    r.choice("jackpot_goes", "same_sort", critical=True)
    r.number("moves_to", receiver.number, tempting=s.figures("moves_to"))
    r.amount("meter_then", total, tempting=s.figures("meter_then"))


@case_table(
    "jackpot",
    variant("moves_to_its_like", {MACHINES: "VIII 6 s1"}, major=True, same=True),
    variant("moves_where_authorised", {MACHINES: "VIII 6 s2"}, major=True, same=False),
    variant("no_force_majeure", {MACHINES: "VIII 6 s1"}, major=False, same=chance(0.6)),
)
def _stranded(draw: Draw, book: Rulebook, difficulty: int, *, major: bool, same: bool) -> Situation:
    """Hard: machines of the same type in another model, of the model at another stake, or alike but out of service."""
    machines = row(draw, difficulty, least=2)
    own = structs.replace(machines[0], jackpot=machines[0].stake * draw.number(50, 900) * 10, player=None, out=major)
    model = next(model for model in MODELS if model != own.model and TYPES[model] == own.type)
    stake = draw.pick([stake for stake in STAKES if stake != own.stake])
    near = [{"model": model, "stake": own.stake}, {"model": own.model, "stake": stake}]
    machines[0] = own
    for index in range(1, len(machines)):
        changed(machines, index, **(draw.pick(near) if difficulty >= 2 else {"model": model, "stake": stake}))
        if draw.chance(0.5):
            changed(machines, index, jackpot=machines[index].stake * draw.number(50, 900) * 10)
    if same:
        changed(machines, len(machines) - 1, model=own.model, stake=own.stake)
    if difficulty >= 4:
        changed(machines, 1, model=own.model, stake=own.stake, out=True, player=None)
    if same and difficulty >= 4 and draw.chance(0.5):
        changed(machines, 2, model=own.model, stake=own.stake)
    places = draw.shuffled([machine.number for machine in machines])
    placed = [
        structs.replace(machine, number=place, player=str(place) if machine.player else None)
        for machine, place in zip(machines, places, strict=True)
    ]
    cause = draw.pick(MAJOR if major else MINOR)
    return Situation(**facts(placed), incident=JackpotStranded(machine=placed[0].number, cause=cause))
