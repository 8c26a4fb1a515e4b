"""A row of gaming machines: the facts that every incident, drawing and narration shares.

Machines are numbered along the row. A player's place has the number of the machine they sit at, whichever others they
use; `4a` stands behind machine 4 and waits. A token is worth the stake of its machine.
"""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, structs

from rules_engine import situation
from rules_engine.authoring import (
    PLACE,
    After,
    ImpossibleFacts,
    Place,
    Seat,
    Seated,
    Sentence,
    check_calls,
    check_present,
    manner,
)

Model = Literal["caravela", "sereia", "valete", "dama"]
Type = Literal["reels", "poker"]
# The models are invented; everybody can see the type of each.
TYPES: dict[Model, Type] = {"caravela": "reels", "sereia": "reels", "valete": "poker", "dama": "poker"}
Won = Literal["none", "jackpot", "superjackpot"]
Stake = Annotated[int, Meta(ge=1, le=100_000, description="what one token is worth")]
Tokens = Annotated[int, Meta(ge=0, le=10_000_000)]
# Superjackpots reach sums that no bet at a table does.
Money = Annotated[int, Meta(ge=0, le=999_999_999)]

PARTS = ("attendant", "cashier")


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done in turn."""

    by: Annotated[str, Meta(pattern=f"^({'|'.join(PARTS)}|{PLACE})$")]
    says: Literal["calls_attendant", "waits_for_machine", "fills_in_slip"]
    amount: None = None  # nobody calls a sum


class Machine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One machine and what its panel shows. `pays_up_to` is the most tokens it can pay out itself.

    `prize` are the tokens of a winning sequence that is not paid yet; `won` says that its jackpot, or the superjackpot
    of the linked machines, has come up. The counters are in tokens.
    """

    number: Seat
    model: Model
    stake: Stake
    player: Place | None = None
    out: bool = False
    pays_up_to: Tokens = 200
    credits: Tokens = 0
    prize: Tokens = 0
    won: Won = "none"
    jackpot: Money = 0
    linked: bool = False
    tokens_in: Tokens = 0
    prizes_paid: Tokens = 0
    tokens_kept: Tokens = 0

    @property
    def type(self) -> Type:
        return TYPES[self.model]

    @property
    def sort(self) -> tuple[Type, int]:
        """What makes two machines equally good for a player."""
        return self.type, self.stake

    @property
    def free(self) -> bool:
        return self.player is None and not self.out

    @property
    def wins(self) -> bool:
        return bool(self.prize) or self.won != "none"


# Facts of a machine that the story of an incident may need.
Told = Literal["limit", "prize", "jackpot", "linked", "counters"]


class Incident(situation.Incident, frozen=True):
    """Something that happened in a room of machines.

    `tells` names the facts of the machines that its story needs, besides what they are and who plays them.
    """

    tells: ClassVar[tuple[Told, ...]] = ()

    def concerns(self, row: "Situation") -> Sequence[Machine]:
        """The machines in its story."""
        return row.machines

    def panel(self, machine: Machine) -> Machine:
        """A machine as its panel shows it at this moment."""
        return machine

    def handed_over(self) -> int:
        """How many tokens of the prize are paid already."""
        return 0

    def asked(self, name: str, row: "Situation") -> Sentence | None:
        """The sentence of a question that it words itself, if any."""
        return None


class AtMachine(Struct, frozen=True, kw_only=True):
    """Base of the incidents that happen at one machine."""

    machine: Seat

    def check(self, situation: "Situation") -> None:
        situation.machine(self.machine)

    def concerns(self, row: "Situation") -> Sequence[Machine]:
        return (row.machine(self.machine),)


class Situation(Seated, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment. `superjackpot` is what the linked machines have collected."""

    game: ClassVar[str] = "machines"

    machines: tuple[Machine, ...]
    superjackpot: Money = 0
    calls: tuple[Call, ...] = ()
    incident: Incident

    def __post_init__(self) -> None:
        present = check_present(self.seats, self.standing)
        if len({machine.number for machine in self.machines}) != len(self.machines):
            raise ImpossibleFacts("machines", "a machine is listed twice")
        for seat in self.seats:
            if self.player_of(seat) != str(seat):
                raise ImpossibleFacts("seats", "whoever sits at machine {number} plays it", number=seat)
        for index, machine in enumerate(self.machines):
            _check(machine, f"machines[{index}]", self)
        if sum(machine.won == "superjackpot" for machine in self.machines) > 1:
            raise ImpossibleFacts("machines", "a superjackpot comes up once")
        check_calls(self.calls, present, parts=PARTS)
        self.incident.check(self)

    def machine(self, number: int, fact: str = "incident.machine") -> Machine:
        for machine in self.machines:
            if machine.number == number:
                return machine
        raise ImpossibleFacts(fact, "there is no machine {number}", number=number)

    def player_of(self, number: int) -> str | None:
        return next((machine.player for machine in self.machines if machine.number == number), None)

    def used_by(self, player: str) -> list[Machine]:
        return [machine for machine in self.machines if machine.player == player]

    def free_of(self, sort: tuple[Type, int]) -> list[Machine]:
        """Free machines of a type and stake."""
        return [machine for machine in self.machines if machine.free and machine.sort == sort]

    def held(self) -> int:
        """What the operator holds for future winners: every jackpot, and the superjackpot."""
        return sum(machine.jackpot for machine in self.machines) + self.superjackpot

    def prize_of(self, machine: Machine) -> int:
        """What a machine owes for what it shows, in money."""
        jackpots = {"none": 0, "jackpot": machine.jackpot, "superjackpot": self.superjackpot}
        return machine.prize * machine.stake + jackpots[machine.won]

    def opening(self) -> list[Sentence]:
        """Each machine, then each fact the story needs, for all machines that have it."""
        told, tells = self.incident.concerns(self), self.incident.tells
        found = [_presented(machine) for machine in told]
        if "limit" in tells:
            found += _of_each("limits", [machine for machine in told if machine.wins] or told)
        if "counters" in tells:
            found += [("table.counters", structs.asdict(machine)) for machine in told]
        if "jackpot" in tells:
            found += _of_each("jackpots", [one for one in told if one.jackpot and one.won != "jackpot"])
        if "linked" in tells and (numbers := [machine.number for machine in told if machine.linked]):
            found.append(("table.linked", {"numbers": numbers}))
        if self.superjackpot and told and {"linked", "prize"} & set(tells):
            found.append(("table.superjackpot", {"sum": self.superjackpot}))
        if "limit" in tells:
            found += _of_each("credits", [machine for machine in told if machine.wins and machine.credits])
        if "prize" in tells:
            found += _of_each("prizes", [machine for machine in told if machine.prize])
            found += [(f"table.shows_{one.won}", structs.asdict(one)) for one in told if one.won != "none"]
        return found

    def left(self, after: After) -> dict[str, Any]:
        """A prize or jackpot that was paid no longer shows."""
        paid = {(one.payee, one.amount) for one in after.payments}
        meant, handed = getattr(self.incident, "machine", None), self.incident.handed_over()
        over = [
            one.number
            for one in self.machines
            if one.wins
            and meant in (None, one.number)
            and (one.player, self.prize_of(one) - handed * one.stake) in paid
        ]
        if not over:
            return {}
        machines = tuple(_paid_out(one) if one.number in over else one for one in self.machines)
        gone = any(one.won == "superjackpot" and one.number in over for one in self.machines)
        return {"machines": machines, "superjackpot": 0 if gone else self.superjackpot}

    def every(self, stem: str) -> Sequence[str]:
        """`paid_by.` stands for every machine that shows a prize."""
        if stem == "paid_by.":
            return [str(machine.number) for machine in self.machines if machine.wins]
        return super().every(stem)

    def figures(self, name: str) -> Sequence[int]:
        """Any machine may be meant, and a jackpot that moves may be added to any other. The machines most like the one
        in question come first, so that the few that are offered give nothing away."""
        meant = next((one for one in self.machines if one.number == getattr(self.incident, "machine", 0)), None)
        sort = (getattr(self.incident, "type", ""), getattr(self.incident, "stake", 0))
        model = (meant.model, meant.stake) if meant else ("", 0)
        near = sorted(
            (one for one in self.machines if one is not meant),
            key=lambda one: (one.sort != sort, (one.model, one.stake) != model, one.number),
        )
        if name != "meter_then":
            return [one.number for one in near]
        moved = meant.jackpot if meant else self.superjackpot
        return [moved, *(moved + one.jackpot for one in near), moved // 2]

    def involved(self) -> set[str]:
        """Adds how it happened, what came up, and which figures the incident has."""
        found = super().involved() | manner(self.incident, self.people())
        found |= {f"won {one.won}" for one in self.machines if one.wins} | {"out" for one in self.machines if one.out}
        for field in structs.fields(type(self.incident)):
            value = getattr(self.incident, field.name)
            if isinstance(value, tuple):
                found.add(f"{field.name}: {min(3, len(value))}")
                found |= {f"{one.counter} off" for one in value if field.name == "tries" and one.went != one.moved}
            elif field.default in (0, None) and value:
                found.add(f"with {field.name}")
        return found

    def candidates(self, name: str) -> Sequence[str]:
        """Only players at a machine: nobody else has one to give up."""
        return [who for who in self.people() if name != "gives_way" or self.used_by(who)]

    def about(self, name: str, ref: str) -> Sentence:
        if name == "meter":
            machine = getattr(self.incident, "machine", None)
            return ("question.meter", {"machine": machine}) if machine else ("question.meter_linked", {})
        if name == "held" and not self.superjackpot:
            return "question.held_jackpots", {}
        if name == "paid_by" and not ref:
            return "question.paid_by_claim", {}
        if name in ("settled", "settled_sum"):
            bets = getattr(self.incident, "about", "") == "bets"
            return f"question.{name}_{'bets' if bets else 'due'}", {}
        return self.incident.asked(name, self) or super().about(name, ref)

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        if name in ("machine", "receiver") and value is not None:
            return [f"spot:{value}"]
        return super().pointed(name, kind, value)


def _paid_out(machine: Machine) -> Machine:
    jackpot = 0 if machine.won == "jackpot" else machine.jackpot
    return structs.replace(machine, prize=0, won="none", jackpot=jackpot)


def _presented(machine: Machine) -> Sentence:
    who = "out" if machine.out else "played" if machine.player else "free"
    return f"table.machine_{who}", structs.asdict(machine)


def _of_each(fact: str, machines: Sequence[Machine]) -> list[Sentence]:
    """One sentence that tells a fact of all these machines."""
    return [(f"table.{fact}", {"machines": [structs.asdict(machine) for machine in machines]})] if machines else []


COUNTERS = ("tokens_in", "prizes_paid", "tokens_kept")


def _check(machine: Machine, fact: str, row: Situation) -> None:
    """Check that a machine in play has a player who sits there, and that what it shows can come up."""
    if machine.player is not None and machine.player not in map(str, row.seats):
        raise ImpossibleFacts(f"{fact}.player", "nobody sits at {place}", place=machine.player)
    if machine.out and machine.player is not None:
        raise ImpossibleFacts(f"{fact}.out", "a machine out of service is not played")
    if machine.wins and machine.player is None:
        raise ImpossibleFacts(f"{fact}.player", "a prize is won by whoever plays")
    if machine.won != "none" and machine.prize:
        raise ImpossibleFacts(f"{fact}.prize", "what comes up is a sequence or a jackpot")
    if machine.won == "jackpot" and not machine.jackpot:
        raise ImpossibleFacts(f"{fact}.won", "the machine has no jackpot")
    if machine.won == "superjackpot" and not (machine.linked and row.superjackpot):
        raise ImpossibleFacts(f"{fact}.won", "the machine is not linked for a superjackpot")
