"""Prizes: which the machine pays itself, which the cashier pays on a slip, and how. VIII 13."""

from typing import Any, ClassVar, Literal

from rules_engine.authoring import After, Draw, ImpossibleFacts, Payment, Reasoning, Rulebook, Sentence
from rules_engine.games.machines.books import MACHINES
from rules_engine.games.machines.game import case, domain, rule
from rules_engine.games.machines.setting import changed, facts, row, some, superjackpot
from rules_engine.games.machines.table import AtMachine, Incident, Machine, Money, Situation

Means = Literal["cash", "house_cheque", "cash_and_cheque", "other_cheque", "table_chips"]
# The parts of a way of paying.
MADE_OF: dict[Means, tuple[str, ...]] = {
    "cash": ("cash",),
    "house_cheque": ("house_cheque",),
    "cash_and_cheque": ("cash", "house_cheque"),
    "other_cheque": ("other_cheque",),
    "table_chips": ("table_chips",),
}
Amiss = Literal["slip", "means", "sum", "machine"]
AMISS: tuple[Amiss, ...] = ("slip", "means", "sum", "machine")

domain("paid_by", "machine", "cashier")
domain("amiss", "nothing", *AMISS, "several")


class PrizesShown(Incident, frozen=True, tag="prizes_shown"):
    """The reels have stopped; what the panels show is to be paid."""

    tells: ClassVar = ("limit", "prize")

    def check(self, situation: Situation) -> None:
        if not any(machine.wins for machine in situation.machines):
            raise ImpossibleFacts("machines", "no machine shows a prize")


class PaymentMade(AtMachine, Incident, frozen=True, tag="payment_made"):
    """The cashier is about to pay this sum for what a machine shows."""

    tells: ClassVar = ("limit", "prize")

    sum: Money
    means: Means
    slip: bool = False

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if not situation.machine(self.machine).wins:
            raise ImpossibleFacts("incident.machine", "the machine shows no prize")

    def narration(self) -> list[Sentence]:
        values = {"machine": self.machine, "sum": self.sum, "means": self.means}
        return [(f"incident.payment_{'with' if self.slip else 'without'}_slip", values)]


def payer(machine: Machine, due: int) -> str:
    """Who pays this sum: the machine itself, or the cashier where it is too large for the machine."""
    return "machine" if due <= machine.pays_up_to * machine.stake else "cashier"


def _paid_by(s: Situation, machine: Machine, r: Reasoning) -> str:
    """Who pays, with the step that says so."""
    form = machine.won if machine.won != "none" else "prize"
    by = payer(machine, s.prize_of(machine))
    values = {"machine": machine.number, "tokens": machine.prize, "limit": machine.pays_up_to}
    most = machine.pays_up_to * machine.stake
    r.pivot("VIII 13 s1", f"{form}_by_{by}", sum=s.prize_of(machine), most=most, **values)
    return by


@rule(PrizesShown, MACHINES)
def prizes_shown(s: Situation, incident: PrizesShown, r: Reasoning) -> None:
    paid = {"machine": 0, "cashier": 0}
    payments = []
    for machine in s.machines:
        if machine.wins:
            by, amount = _paid_by(s, machine, r), s.prize_of(machine)
            paid[by] += amount
            r.choice(f"paid_by.{machine.number}", by, critical=True)
            if machine.won != "none":
                r.pivot("VIII 5", "jackpot_handed_over", sum=amount)
            payments.append(payment(machine, amount, by))
    total = sum(paid.values())
    # As if a machine paid what it can of a larger prize, and the cashier the rest.
    part = sum(min(s.prize_of(one), one.pays_up_to * one.stake) for one in s.machines if one.wins)
    r.amount("by_machines", paid["machine"], tempting=[paid["cashier"], total, part, 0])
    r.amount("by_slip", paid["cashier"], tempting=[paid["machine"], total, total - part, 0])
    r.outcome(paid=total)
    r.after(After(payments=tuple(payments)))


def payment(machine: Machine, amount: int, by: str) -> Payment:
    """A payment from the machine's tray, or from the cashier."""
    player = str(machine.player)
    if by == "machine":
        return Payment("house", player, amount, str(machine.number))
    return Payment("cashier", player, amount)


@rule(PaymentMade, MACHINES)
def payment_made(s: Situation, incident: PaymentMade, r: Reasoning) -> None:
    machine = s.machine(incident.machine)
    due = s.prize_of(machine)
    amiss: list[str] = []
    if _paid_by(s, machine, r) == "machine":
        amiss.append("machine")
    elif not incident.slip:
        r.pivot("VIII 13 s1", "no_slip")
        amiss.append("slip")
    means = MADE_OF[incident.means]
    good = set(means) <= set(r.book.param("means"))
    r.pivot("VIII 13 s2", "means_good" if good else "means_wrong", means=incident.means)
    amiss += [] if good else ["means"]
    if incident.sum != due:
        r.pivot("VIII 13 s1", "sum_wrong", sum=incident.sum, due=due)
        amiss.append("sum")
    r.choice("amiss", "several" if len(amiss) > 1 else amiss[0] if amiss else "nothing", critical=True)
    r.amount("due", due, tempting=[incident.sum, max(0, due - machine.pays_up_to * machine.stake), due + machine.stake])
    if not amiss:
        r.after(After(payments=(Payment("cashier", str(machine.player), due),)))


def show_prize(draw: Draw, machines: list[Machine], index: int, difficulty: int, *, large: bool) -> None:
    """A prize that the machine can pay or cannot: easy, far from its limit; hard, at the limit or a token above."""
    limit = machines[index].pays_up_to
    if difficulty >= 3:
        prize = limit + (draw.pick((1, 1, 2, 50)) if large else draw.pick((0, 0, -1, -30)))
    else:
        prize = limit * draw.pick((2, 3, 4)) if large else limit // draw.pick((2, 4, 5))
    changed(machines, index, prize=prize, credits=draw.number(0, 40))


def show_jackpot(draw: Draw, machines: list[Machine], index: int, *, large: bool = True) -> None:
    machine = machines[index]
    tokens = machine.pays_up_to + draw.number(40, 4_000) if large else machine.pays_up_to - draw.number(0, 20)
    changed(machines, index, jackpot=tokens * machine.stake, won="jackpot")


def _winners(draw: Draw, book: Rulebook, difficulty: int) -> list[Machine]:
    machines = row(draw, book, difficulty)
    winners = draw.sample(range(len(machines)), {1: 1, 2: 1, 3: 2, 4: 2, 5: 3}[difficulty])
    for index in winners:
        show_prize(draw, machines, index, difficulty, large=draw.chance(0.5))
    return machines


@case("paying", {MACHINES: "VIII 13 s1"})
def prizes_of_sequences(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**facts(_winners(draw, book, difficulty)), incident=PrizesShown())


@case("paying", {MACHINES: "VIII 13 s1"})
def prizes_with_jackpot(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A jackpot on one of the machines, rarely small enough for the machine to pay. Hard: a superjackpot besides."""
    machines = _winners(draw, book, difficulty)
    index = some(draw, machines)
    changed(machines, index, prize=0)
    show_jackpot(draw, machines, index, large=difficulty == 1 or draw.chance(0.6))
    more: dict[str, Any] = {}
    others = [place for place in range(len(machines)) if place != index]
    if difficulty >= 4:
        other = draw.pick(others)
        more["superjackpot"] = superjackpot(draw, book)
        changed(machines, other, prize=0, won="superjackpot")
        for place in (other, draw.pick([place for place in range(len(machines)) if place != other])):
            changed(machines, place, linked=True)
    return Situation(**facts(machines, **more), incident=PrizesShown())


@case("paying", {MACHINES: ("VIII 13 s1", "VIII 13 s2")})
def slip_paid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """All in order about one time in five, otherwise one fault or two; hard: a sum that is nearly right."""
    amiss: set[Amiss] = set() if draw.chance(0.2) else {draw.pick(AMISS)}
    if amiss and draw.chance(0.25):
        amiss = set(draw.sample(AMISS[:3], 2))
    machines = row(draw, book, min(difficulty, 3))
    index = some(draw, machines)
    show_prize(draw, machines, index, difficulty, large="machine" not in amiss)
    if difficulty >= 2 and "machine" not in amiss and draw.chance(0.4):
        changed(machines, index, prize=0)
        show_jackpot(draw, machines, index)
    machine = machines[index]
    due = machine.prize * machine.stake or machine.jackpot
    instead = (due - machine.pays_up_to * machine.stake, due - machine.stake, due + machine.stake)
    good: tuple[Means, ...] = ("cash", "house_cheque", "cash_and_cheque")
    bad: tuple[Means, ...] = ("other_cheque", "table_chips")
    incident = PaymentMade(
        machine=machine.number,
        sum=draw.pick(instead) if "sum" in amiss else due,
        means=draw.pick(bad if "means" in amiss else good),
        slip="slip" not in amiss,
    )
    return Situation(**facts(machines), incident=incident)
