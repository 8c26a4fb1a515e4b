"""The counters of a machine: whether it may be opened for play, and what it returned. VIII 2, VIII 9."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.machines.books import MACHINES
from rules_engine.games.machines.game import case, case_table, domain, rule
from rules_engine.games.machines.setting import changed, facts, row, some
from rules_engine.games.machines.table import AtMachine, Incident, Situation, Tokens

Counter = Literal["tokens_in", "prizes_paid", "tokens_kept", "games", "door"]
REQUIRED: tuple[Counter, ...] = ("tokens_in", "prizes_paid", "tokens_kept")
FURTHER: tuple[Counter, ...] = ("games", "door")
Steps = Annotated[int, Meta(ge=0, le=100_000)]

domain("may_open", "yes", "no")
domain("reached", "yes", "no")


class Try(Struct, frozen=True, kw_only=True):
    """A counter that was tested: how much went through the machine, and how far the counter moved."""

    counter: Counter
    went: Steps
    moved: Steps


class CountersTested(AtMachine, Incident, frozen=True, tag="counters_tested"):
    """Before a machine is opened, its counters are tested one by one."""

    tries: tuple[Try, ...]

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if len({one.counter for one in self.tries}) != len(self.tries):
            raise ImpossibleFacts("incident.tries", "a counter is tested twice")

    def narration(self) -> list[Sentence]:
        tried: list[Sentence] = [
            (f"incident.tried_{one.counter}", {"went": one.went, "moved": one.moved}) for one in self.tries
        ]
        return [("incident.counters_tested", {"machine": self.machine}), *tried]


class CountersRead(AtMachine, Incident, frozen=True, tag="counters_read"):
    """The counters are read for a period. They stood at `in_before` and `paid_before` when it began. `slips` are
    prizes, in tokens, that the cashier paid and the machine's own counter does not show."""

    tells: ClassVar = ("counters",)

    in_before: Tokens = 0
    paid_before: Tokens = 0
    slips: Tokens = 0

    def check(self, situation: Situation) -> None:
        super().check(situation)
        machine = situation.machine(self.machine)
        if machine.tokens_in <= self.in_before:
            raise ImpossibleFacts("incident.in_before", "nothing was played since")
        if machine.prizes_paid < self.paid_before:
            raise ImpossibleFacts("incident.paid_before", "a counter does not run backwards")

    def period(self, row: Situation) -> tuple[int, int]:
        """What was played in the period, and what the machine itself paid of it."""
        machine = row.machine(self.machine)
        return machine.tokens_in - self.in_before, machine.prizes_paid - self.paid_before

    def asked(self, name: str, row: Situation) -> Sentence | None:
        played, paid = self.period(row)
        whole = (paid + self.slips) * 100 % played == 0
        return ("question.return_percent_whole", {}) if name == "return_percent" and whole else None

    def narration(self) -> list[Sentence]:
        values = {"machine": self.machine, "in_before": self.in_before, "paid_before": self.paid_before}
        form = "since" if self.in_before or self.paid_before else "whole"
        slips: list[Sentence] = [("incident.counters_slips", {"slips": self.slips})] if self.slips else []
        return [(f"incident.counters_read_{form}", values), *slips]


@rule(CountersTested, MACHINES)
def counters_tested(s: Situation, incident: CountersTested, r: Reasoning) -> None:
    required = r.book.param("counters")
    r.pivot("VIII 9 s1", "counters_needed", machine=incident.machine)
    tried = {one.counter: one for one in incident.tries}
    wrong = 0
    for counter in required:
        one = tried.get(counter)
        if one is None:
            r.pivot("VIII 9 s1", "counter_lacking", counter=counter)
        elif one.went != one.moved:
            r.pivot("VIII 9 s1", "counter_wrong", counter=counter, went=one.went, moved=one.moved)
        wrong += one is None or one.went != one.moved
    others = [one.counter for one in incident.tries if one.counter not in required and one.went != one.moved]
    closes = bool(others) and r.book.reads("VIII9", "every")
    if others and not wrong:
        r.pivot("VIII 9 s2", "further_counter_closes" if closes else "further_counter", counter=others[0])
    r.choice("may_open", "no" if wrong or closes else "yes", critical=True)
    r.number("counters_wrong", wrong, tempting=[0, 1, 2, 3, wrong + len(others)])


@rule(CountersRead, MACHINES)
def counters_read(s: Situation, incident: CountersRead, r: Reasoning) -> None:
    machine, least_return = s.machine(incident.machine), r.book.number("least_return")
    played, by_machine = incident.period(s)
    returned = by_machine + incident.slips
    r.step("VIII 9 s1", "counters_say", machine=incident.machine, played=played, paid=by_machine)
    if incident.slips:
        r.pivot("VIII 13 s1", "slips_are_prizes", slips=incident.slips, returned=returned)
    least = -(-played * least_return // 100)
    percent = returned * 100 // played
    r.pivot("VIII 2 s2", "least_return", least_return=least_return, played=played, least=least)
    r.step("VIII 2 s2", "return_given", returned=returned, percent=percent)
    wrong = [by_machine * 100 // played, machine.prizes_paid * 100 // machine.tokens_in, 100 - percent, percent + 1]
    r.number("return_percent", percent, tempting=wrong)
    r.number("least_prizes", least, tempting=[returned, machine.tokens_in * least_return // 100, played - least])
    r.choice("reached", "yes" if returned >= least else "no", critical=True)


@case("counters", {MACHINES: "VIII 9 s1"})
def counters_before_opening(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: all right, or one that does not move. Harder: one off by a step, one missing, further ones besides."""
    none = 0.1 if difficulty >= 3 else 0.55  # from the third level on, the other case has no fault that counts
    return _tested(
        draw, book, difficulty, faults=0 if draw.chance(none) else draw.number(1, 1 if difficulty < 4 else 2)
    )


@case_table("counters", variant("further_counter_faulty", {MACHINES: "VIII 9 s2"}, faults=0, further=True))
def _tested(draw: Draw, book: Rulebook, difficulty: int, *, faults: int, further: bool = False) -> Situation:
    machines = row(draw, book, min(difficulty, 3))
    index = some(draw, machines)
    changed(machines, index, player=None)
    bad = draw.sample(REQUIRED, faults)
    tries = []
    for counter in REQUIRED:
        went = draw.pick((10, 20, 50)) if difficulty <= 2 else draw.number(17, 240)
        if counter in bad and difficulty >= 3 and draw.chance(0.25):
            continue
        out = (-1, 1, -10, 10) if difficulty >= 3 else (-went,)
        tries.append(Try(counter=counter, went=went, moved=went + (draw.pick(out) if counter in bad else 0)))
    if further or difficulty >= 4:
        counter = draw.pick(FURTHER)
        went = draw.number(6, 15) if counter == "door" else draw.number(17, 240)
        moved = went - draw.number(1, 5) if further else went
        tries.append(Try(counter=counter, went=went, moved=moved))
    incident = CountersTested(machine=machines[index].number, tries=tuple(tries))
    return Situation(**facts(machines), incident=incident)


@case_table(
    "counters",
    # Easy: whole hundreds, far from the limit. Harder: a token below, at or above it, counted from an earlier reading.
    variant("return_from_counters", {MACHINES: "VIII 2 s2"}, slips=False),
    variant("return_with_slips", {MACHINES: ("VIII 2 s2", "VIII 13 s1")}, slips=True),
)
def _read(draw: Draw, book: Rulebook, difficulty: int, *, slips: bool) -> Situation:
    least_return = book.number("least_return")
    played = draw.number(2, 30) * (1_000 if difficulty <= 2 else 100 if difficulty == 3 else 50)
    least = -(-played * least_return // 100)
    if difficulty >= 4:
        returned = least + draw.pick((-1, 0, 1, -played // 100, played // 50))
    else:
        returned = (
            played * (least_return + draw.pick((-15, -10, 5, 10) if difficulty == 1 else (-2, -1, 0, 1, 2))) // 100
        )
    by_slip = returned * draw.number(1, 4) // 20 if slips else 0
    since = difficulty >= 3
    in_before = draw.number(1_000, 90_000) if since else 0
    paid_before = in_before * draw.number(70, 92) // 100
    machines = row(draw, book, min(difficulty, 3))
    index = some(draw, machines)
    paid = paid_before + returned - by_slip
    kept = max(0, in_before + played - paid)
    changed(machines, index, tokens_in=in_before + played, prizes_paid=paid, tokens_kept=kept)
    incident = CountersRead(machine=machines[index].number, in_before=in_before, paid_before=paid_before, slips=by_slip)
    return Situation(**facts(machines), incident=incident)
