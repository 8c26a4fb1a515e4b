"""What part VIII does not decide: a hopper that runs out, credits left behind, a power cut, a jackpot without a record.

What is due follows from VIII 5 and VIII 14, who pays it from VIII 13.
"""

from typing import ClassVar, Literal

from msgspec import structs

from rules_engine.authoring import After, Draw, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence
from rules_engine.games.machines.books import MACHINES
from rules_engine.games.machines.game import case, domain, rule
from rules_engine.games.machines.paying import payer, payment, show_jackpot
from rules_engine.games.machines.setting import changed, facts, row, some
from rules_engine.games.machines.table import TYPES, AtMachine, Incident, Machine, Situation, Tokens

Cause = Literal["empty", "jam"]
Behind = Literal["nothing", "coat", "word"]
Record = Literal["jackpot", "nothing", "lost"]
REELS = tuple(model for model, type in TYPES.items() if type == "reels")

domain("credits_go", "stay", "cashier")
domain("ends", "paid", "stake_back", "nothing")


class EmptyHopper(AtMachine, Incident, frozen=True, tag="empty_hopper"):
    """The machine stops while it pays what it shows, after `handed` tokens: its hopper is empty, or a token is stuck
    in it. `at_hand` are the tokens that an attendant could fill in."""

    tells: ClassVar = ("limit", "prize")

    handed: Tokens
    cause: Cause
    at_hand: Tokens = 0

    def check(self, situation: Situation) -> None:
        super().check(situation)
        machine = situation.machine(self.machine)
        if not self.handed < machine.prize <= machine.pays_up_to:
            raise ImpossibleFacts("incident.handed", "the machine must have paid part of a prize that it can pay")

    def handed_over(self) -> int:
        return self.handed

    def narration(self) -> list[Sentence]:
        values = {"machine": self.machine, "handed": self.handed, "at_hand": self.at_hand}
        return [("incident.hopper_stops", values), (f"incident.hopper_{self.cause}", values)]

    def asked(self, name: str, row: Situation) -> Sentence | None:
        return ("question.due_left", {}) if name == "due_sum" else None


class CreditsLeft(AtMachine, Incident, frozen=True, tag="credits_left"):
    """A machine that nobody plays shows credits. The player left a coat, or word that they would be back, or nothing;
    `guest` stands there and asks for the machine."""

    behind: Behind
    guest: Place | None = None

    def check(self, situation: Situation) -> None:
        super().check(situation)
        machine = situation.machine(self.machine)
        if not (machine.free and machine.credits):
            raise ImpossibleFacts("incident.machine", "the machine must be free and show credits")
        if self.guest is not None and self.guest not in situation.standing:
            raise ImpossibleFacts("incident.guest", "nobody stands at {place}", place=self.guest)

    def concerns(self, row: Situation) -> tuple[Machine, ...]:
        return row.machines

    def narrated(self, situation: Situation) -> list[Sentence]:
        machine = situation.machine(self.machine)
        found: list[Sentence] = [
            ("incident.credits_left", {"machine": self.machine, "credits": machine.credits}),
            (f"incident.left_{self.behind}", {}),
        ]
        asks: Sentence = ("incident.guest_asks", {"guest": self.guest}) if self.guest else ("incident.nobody_asks", {})
        return [*found, asks]


class PowerCut(AtMachine, Incident, frozen=True, tag="power_cut"):
    """The power fails after a player has bet. `stopped`: the reels stood already, and the panel showed what the machine
    shows. `back` is what it shows of that game when the power is back; nothing if it has lost it. The record, which
    would decide (VIII 14), does not have the game."""

    tells: ClassVar = ("limit",)

    bet: Tokens
    stopped: bool = False
    back: Tokens | None = None

    def check(self, situation: Situation) -> None:
        super().check(situation)
        machine = situation.machine(self.machine)
        if machine.player is None or not self.bet:
            raise ImpossibleFacts("incident.machine", "somebody must have bet")
        if machine.type != "reels":
            raise ImpossibleFacts("incident.machine", "the machine must have reels")
        if not self.stopped and machine.wins:
            raise ImpossibleFacts("machines", "a machine whose reels turn shows no prize")

    def narrated(self, situation: Situation) -> list[Sentence]:
        machine = situation.machine(self.machine)
        values = {"machine": self.machine, "bet": self.bet, "prize": machine.prize, "back": self.back}
        when = "turning" if not self.stopped else "stopped_prize" if machine.prize else "stopped_nothing"
        then = "lost" if self.back is None else "prize" if self.back else "nothing"
        return [
            (f"incident.power_{when}", values),
            (f"incident.restored_{then}", values),
            ("incident.power_unrecorded", values),
        ]

    def panel(self, machine: Machine) -> Machine:
        """What it shows once the power is back."""
        return structs.replace(machine, prize=self.back or 0) if machine.number == self.machine else machine


class JackpotUnrecorded(AtMachine, Incident, frozen=True, tag="jackpot_unrecorded"):
    """The panel shows the jackpot. The machine is opened: its record has the jackpot, or a game without one, or is
    lost. `faulty`: the test finds a fault in the machine."""

    tells: ClassVar = ("limit",)

    bet: Tokens
    record: Record
    faulty: bool = False

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if situation.machine(self.machine).won != "jackpot" or not self.bet:
            raise ImpossibleFacts("incident.machine", "somebody must have bet, and the panel show the jackpot")

    def narrated(self, situation: Situation) -> list[Sentence]:
        values = {"machine": self.machine, "bet": self.bet, "jackpot": situation.machine(self.machine).jackpot}
        return [
            ("incident.jackpot_checked", values),
            (f"incident.record_{self.record}", values),
            (f"incident.test_{'faulty' if self.faulty else 'sound'}", {}),
        ]


@rule(EmptyHopper, MACHINES)
def empty_hopper(s: Situation, incident: EmptyHopper, r: Reasoning) -> None:
    machine = s.machine(incident.machine)
    left = machine.prize - incident.handed
    r.pivot("VIII 14", "handed_counts", handed=incident.handed, tokens=left)
    r.number("tokens_left", left, tempting=[machine.prize, incident.handed, incident.at_hand])
    filled = incident.cause == "jam" or (r.procedure == "refill" and incident.at_hand >= left)
    if incident.cause == "jam":
        text = "jam_cleared"
    elif r.procedure == "slip":
        text = "slip_at_once"
    else:
        text = "refilled" if filled else "too_few_to_refill"
    r.pivot("empty_hopper", text, tokens=left, at_hand=incident.at_hand)
    _pay(r, machine, left * machine.stake, "machine" if filled else "cashier")


def _pay(r: Reasoning, machine: Machine, value: int, by: str) -> None:
    """Decide the sum and who pays it."""
    r.step("VIII 13 s1", f"due_by_{by}", machine=machine.number, sum=value)
    r.choice("paid_by", by, critical=True)
    whole = machine.prize * machine.stake
    r.amount("due_sum", value, tempting=[whole, 2 * value, value + machine.stake])
    r.after(After(payments=(payment(machine, value, by),)))


@rule(CreditsLeft, MACHINES)
def credits_left(s: Situation, incident: CreditsLeft, r: Reasoning) -> None:
    machine = s.machine(incident.machine)
    value = machine.credits * machine.stake
    r.pivot("VIII 14", "credits_worth", tokens=machine.credits, stake=machine.stake, sum=value)
    if r.procedure == "reserved":
        stay = incident.behind != "nothing"
        text = "held_for_player" if stay else "nobody_comes_back"
    else:
        others = [one for one in s.free_of(machine.sort) if one is not machine]
        stay = incident.guest is None or bool(others)
        text = "nobody_needs_it" if incident.guest is None else "another_is_free" if others else "guest_needs_it"
    r.pivot("credits_left", text, machine=machine.number)
    r.choice("credits_go", "stay" if stay else "cashier", critical=True, tempting=["cashier" if stay else "stay"])
    r.amount("credits_sum", value, tempting=[machine.credits, value + machine.stake, 10 * value, machine.stake])


@rule(PowerCut, MACHINES)
def power_cut(s: Situation, incident: PowerCut, r: Reasoning) -> None:
    machine = s.machine(incident.machine)
    if incident.stopped:
        r.pivot("power_cut", "game_was_over")
        tokens, ends = machine.prize, "paid" if machine.prize else "nothing"
    elif r.procedure == "as_restored" and incident.back is not None:
        r.pivot("power_cut", "restored_counts")
        tokens, ends = incident.back, "paid" if incident.back else "nothing"
    else:
        r.pivot("power_cut", "game_lost" if r.procedure == "as_restored" else "game_void")
        tokens, ends = incident.bet, "stake_back"
    _end(s, r, machine, ends, tokens=tokens, wrong=[machine.prize, incident.back or 0, incident.bet])


@rule(JackpotUnrecorded, MACHINES)
def jackpot_unrecorded(s: Situation, incident: JackpotUnrecorded, r: Reasoning) -> None:
    machine = s.machine(incident.machine)
    stake, jackpot = incident.bet * machine.stake, machine.jackpot
    if incident.record != "lost":
        r.pivot("VIII 14", f"record_has_{incident.record}")
        ends = "paid" if incident.record == "jackpot" else "nothing"
    else:
        counts = r.procedure == "panel_counts" and not incident.faulty
        why = "panel_shows" if counts else "panel_faulty" if r.procedure == "panel_counts" else "no_record_no_prize"
        r.pivot("jackpot_unrecorded", why)
        ends = "paid" if counts else "stake_back"
    sums = {"paid": jackpot, "stake_back": stake, "nothing": 0}
    if ends == "paid":
        r.pivot("VIII 5", "jackpot_handed_over", sum=jackpot)
    r.choice("ends", ends, critical=True, tempting=[one for one in sums if one != ends])
    r.amount("due_sum", sums[ends], tempting=[*sums.values(), jackpot + stake], critical=True)
    _by(r, machine, sums[ends])


def _end(s: Situation, r: Reasoning, machine: Machine, ends: str, *, tokens: int, wrong: list[int]) -> None:
    """Decide how a game ends, and what is due in money."""
    value = tokens * machine.stake
    r.choice("ends", ends, critical=True, tempting=["paid", "stake_back", "nothing"])
    r.amount("due_sum", value, tempting=[*(one * machine.stake for one in wrong), tokens, 0], critical=True)
    _by(r, machine, value)


def _by(r: Reasoning, machine: Machine, value: int) -> None:
    """Decide who pays a sum, if anything is due."""
    if value:
        by = payer(machine, value)
        r.pivot("VIII 13 s1", f"due_by_{by}", machine=machine.number, sum=value)
        r.choice("paid_by", by)
        r.after(After(payments=(payment(machine, value, by),)))


# ---------- cases, the easier ones first ----------


@case("procedures", {MACHINES: "power_cut"})
def power_fails(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: what the machine shows is near the limit of what it pays."""
    machines = row(draw, book, min(difficulty, 4))
    index = some(draw, machines)
    changed(machines, index, model=draw.pick(REELS))
    limit = machines[index].pays_up_to
    prize = draw.pick((limit, limit + 1, limit + 2) if difficulty >= 3 else (limit // 2, 2 * limit, 3 * limit))
    shown = draw.pick((prize, prize, 0))
    stopped = draw.chance(0.5)
    back = draw.pick((shown, shown, None))
    if stopped and shown:
        changed(machines, index, prize=shown)
    incident = PowerCut(machine=machines[index].number, bet=draw.number(1, 5), stopped=stopped, back=back)
    return Situation(**facts(machines), incident=incident)


@case("procedures", {MACHINES: "credits_left"})
def credits_found(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: more machines, some of them like this one, free or out of service."""
    machines = row(draw, book, difficulty, least=2)
    index = some(draw, machines)
    changed(machines, index, player=None, credits=draw.number(5, 60))
    own = machines[index]
    for other in range(len(machines)):
        if other != index and draw.chance(0.5):
            out = difficulty >= 3 and draw.chance(0.4)
            changed(machines, other, model=own.model, stake=own.stake, player=None, out=out)
    behind: Behind = draw.pick(("nothing", "nothing", "coat", "word"))
    guest = f"{own.number}a" if draw.chance(0.7) else None
    incident = CreditsLeft(machine=own.number, behind=behind, guest=guest)
    return Situation(**facts(machines, standing=(guest,) if guest else ()), incident=incident)


@case("procedures", {MACHINES: "empty_hopper"})
def hopper_stops(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: as many tokens at hand as are left to pay, or one too few."""
    machines = row(draw, book, min(difficulty, 3))
    index = some(draw, machines)
    limit = machines[index].pays_up_to
    prize = limit - draw.number(0, limit // 4)
    changed(machines, index, prize=prize)
    handed = draw.number(1, prize - 10)
    left = prize - handed
    near = (left - 1, left, left + 1) if difficulty >= 3 else (left // 2, 2 * left)
    cause: Cause = draw.pick(("empty", "empty", "empty", "jam"))
    incident = EmptyHopper(machine=machines[index].number, handed=handed, cause=cause, at_hand=draw.pick(near))
    return Situation(**facts(machines), incident=incident)


@case("procedures", {MACHINES: "jackpot_unrecorded"})
def jackpot_checked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    machines = row(draw, book, min(difficulty, 4))
    index = some(draw, machines)
    show_jackpot(draw, machines, index, large=difficulty == 1 or draw.chance(0.7))
    record: Record = draw.pick(("jackpot", "nothing", "lost", "lost", "lost"))
    faulty = draw.chance(0.5)
    incident = JackpotUnrecorded(machine=machines[index].number, bet=draw.number(1, 5), record=record, faulty=faulty)
    return Situation(**facts(machines), incident=incident)
