"""A jackpot that cannot be awarded where it accumulated: VIII 6."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from msgspec import structs

from rules_engine.authoring import (
    Draw,
    ImpossibleFacts,
    NotRegulated,
    Reasoning,
    Rulebook,
    Seat,
    Sentence,
    chance,
    variant,
)
from rules_engine.games.machines.books import MACHINES
from rules_engine.games.machines.game import case_table, domain, rule
from rules_engine.games.machines.setting import MODELS, changed, facts, row, stakes, superjackpot
from rules_engine.games.machines.table import TYPES, Incident, Machine, Situation

Cause = Literal["fire", "flood", "storm", "little_play", "newer_model", "players_ask"]
MAJOR: tuple[Cause, ...] = ("fire", "flood", "storm")
MINOR: tuple[Cause, ...] = ("little_play", "newer_model", "players_ask")

domain("jackpot_goes", "same_sort", "authorised", "stays")


class JackpotStranded(Incident, frozen=True, tag="jackpot_stranded"):
    """It is said, rightly or not, that the jackpot of a machine or, without a machine, the superjackpot of the linked
    ones can no longer be awarded there."""

    tells: ClassVar = ("jackpot", "linked")

    cause: Cause
    machine: Seat | None = None

    def check(self, situation: Situation) -> None:
        if self.machine is None and not (situation.superjackpot and self.stranded(situation)):
            raise ImpossibleFacts("superjackpot", "no machines are linked for a superjackpot")
        if self.machine is not None and not situation.machine(self.machine).jackpot:
            raise ImpossibleFacts("incident.machine", "the machine has no jackpot")
        won = "superjackpot" if self.machine is None else "jackpot"
        if any(one.won == won for one in self.stranded(situation)):
            raise ImpossibleFacts("incident.machine", "a jackpot that has come up is awarded")

    def stranded(self, row: Situation) -> list[Machine]:
        """The machine or the linked machines that can no longer award it."""
        return [one for one in row.machines if (one.linked if self.machine is None else one.number == self.machine)]

    def concerns(self, row: Situation) -> Sequence[Machine]:
        return row.machines

    def asked(self, name: str, row: Situation) -> Sentence | None:
        return ("question.jackpot_goes_group", {}) if name == "jackpot_goes" and self.machine is None else None

    def narration(self) -> list[Sentence]:
        whose = "group" if self.machine is None else "stranded"
        return [(f"incident.{whose}_{self.cause}", {"machine": self.machine})]


def alike(s: Situation, stranded: Sequence[Machine]) -> list[Machine]:
    """Other machines in service of the same model and stake."""
    sorts = {(one.model, one.stake) for one in stranded}
    if len(sorts) > 1:
        raise NotRegulated("art. VIII 6 does not say what is like a group of several models or stakes")
    return [one for one in s.machines if one not in stranded and not one.out and (one.model, one.stake) in sorts]


@rule(JackpotStranded, MACHINES)
def jackpot_stranded(s: Situation, incident: JackpotStranded, r: Reasoning) -> None:
    stranded = incident.stranded(s)
    group, machine = incident.machine is None, stranded[0]
    if incident.cause not in MAJOR:
        text = "no_force_majeure_group" if group else "no_force_majeure"
        r.pivot("VIII 6 s1", text, machine=machine.number, cause=incident.cause)
        r.choice("jackpot_goes", "stays", critical=True)
        return
    r.step("VIII 6 s1", "force_majeure", cause=incident.cause, pivot=True)
    found = alike(s, stranded)
    only_group = group and bool(found) and r.book.reads("VIII6G", "group")
    if group and found:
        r.pivot("VIII 6 s1-group", "only_to_a_group" if only_group else "group_to_machine")
    if not found or only_group:
        text = "authorised_group" if only_group else "authorised"
        r.pivot("VIII 6 s2", text, model=machine.model, stake=machine.stake)
        r.choice("jackpot_goes", "authorised", critical=True)
        return
    receiver = min(found, key=lambda one: one.number)
    r.pivot("VIII 6 s1", "moves", receiver=receiver.number, model=machine.model, stake=machine.stake)
    total = receiver.jackpot + (s.superjackpot if group else machine.jackpot)
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
    machines = _row(draw, book, difficulty, major=major, same=same)
    placed = _moved(draw, machines)
    cause = draw.pick(MAJOR if major else MINOR)
    return Situation(**facts(placed), incident=JackpotStranded(machine=placed[0].number, cause=cause))


def _row(draw: Draw, book: Rulebook, difficulty: int, *, major: bool, same: bool) -> list[Machine]:
    """The machine with the stranded jackpot first. Hard: machines of the same type in another model, of the model at
    another stake, or alike but out of service."""
    machines = row(draw, book, difficulty, least=2)
    own = structs.replace(machines[0], jackpot=machines[0].stake * draw.number(50, 900) * 10, player=None, out=major)
    model = next(model for model in MODELS if model != own.model and TYPES[model] == own.type)
    stake = draw.pick([stake for stake in stakes(book) if stake != own.stake])
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
    return machines


def _moved(draw: Draw, machines: list[Machine]) -> list[Machine]:
    """The same machines in other places along the row."""
    places = draw.shuffled([machine.number for machine in machines])
    return [
        structs.replace(machine, number=place, player=str(place) if machine.player else None)
        for machine, place in zip(machines, places, strict=True)
    ]


@case_table(
    "jackpot",
    variant("group_to_a_machine", {MACHINES: "VIII 6 s1-group"}, major=True, same=True),
    variant("group_where_authorised", {MACHINES: "VIII 6 s2"}, major=True, same=False),
    variant("group_without_force_majeure", {MACHINES: "VIII 6 s1"}, major=False, same=chance(0.6)),
)
def _group(draw: Draw, book: Rulebook, difficulty: int, *, major: bool, same: bool) -> Situation:
    """Two linked machines of one model and stake lose their superjackpot together."""
    own, *others = _row(draw, book, difficulty, major=major, same=same)
    linked = structs.replace(own, jackpot=0, linked=True)
    machines = _moved(draw, [linked, structs.replace(linked, number=len(others) + 2), *others])
    cause = draw.pick(MAJOR if major else MINOR)
    more = facts(machines, superjackpot=superjackpot(draw, book))
    return Situation(**more, incident=JackpotStranded(cause=cause))
