"""Disputed bets, prizes and credits: the machine's own record settles them. VIII 14, VIII 13 s1."""

from typing import ClassVar, Literal

from rules_engine.authoring import After, Draw, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.machines.books import MACHINES
from rules_engine.games.machines.game import case, domain, rule
from rules_engine.games.machines.paying import payer, payment
from rules_engine.games.machines.setting import LIMITS, changed, facts, row, some
from rules_engine.games.machines.table import AtMachine, Call, Incident, Situation, Tokens

About = Literal["bets", "prize", "credits"]
Witness = Literal["none", "attendant", "neighbour", "recording"]
ABOUT: tuple[About, ...] = ("bets", "prize", "credits")
WITNESSES: tuple[Witness, ...] = ("attendant", "neighbour", "recording")

domain("against_claim", "same", "less", "more")


class ClaimMade(AtMachine, Incident, frozen=True, tag="claim_made"):
    """A player says how many tokens they bet, or are still due for a prize or for credits.

    `recorded` is what the machine has on record, if anything; `handed` what it has already paid of that. `said` is what
    somebody else says it should be.
    """

    tells: ClassVar = ("limit",)

    about: About
    claimed: Tokens
    recorded: Tokens | None = None
    handed: Tokens = 0
    witness: Witness = "none"
    said: Tokens = 0

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if situation.machine(self.machine).player is None:
            raise ImpossibleFacts("incident.machine", "nobody plays the machine")
        if self.handed and self.about == "bets":
            raise ImpossibleFacts("incident.handed", "nothing is handed over for bets")
        if self.recorded is not None and self.handed > self.recorded:
            raise ImpossibleFacts("incident.handed", "no more is paid than is on record")

    def narration(self) -> list[Sentence]:
        values = {"machine": self.machine, "claimed": self.claimed, "recorded": self.recorded, "said": self.said}
        record = "unrecorded" if self.recorded is None else f"{self.about}_recorded"
        found: list[Sentence] = [(f"incident.{self.about}_claimed", values)]
        if self.witness != "none":
            found.append((f"incident.{self.witness}_says", values))
        found.append((f"incident.{record}", values))
        if self.handed:
            found.append(("incident.handed_already", {"tokens": self.handed}))
        return found


@rule(ClaimMade, MACHINES)
def claim_made(s: Situation, incident: ClaimMade, r: Reasoning) -> None:
    machine = s.machine(incident.machine)
    if incident.recorded is None:
        raise NotRegulated("art. VIII 14 says nothing where the machine gives no record")
    right = incident.recorded - incident.handed
    r.pivot("VIII 14", f"{incident.about}_on_record", machine=machine.number, recorded=incident.recorded)
    if incident.witness != "none":
        r.step("VIII 14", "word_against_record", witness=incident.witness)
    if incident.handed:
        r.step("VIII 14", "handed_counts", handed=incident.handed, tokens=right)
    value = right * machine.stake
    r.step("VIII 14", "in_money", tokens=right, stake=machine.stake, sum=value)
    against = "same" if right == incident.claimed else "less" if right < incident.claimed else "more"
    r.choice("against_claim", against, critical=True)
    half = (incident.claimed + right) // 2
    wrong = [one for one in (incident.claimed, incident.recorded, incident.said, half, right + 10) if one]
    r.number("settled", right, tempting=wrong)
    r.amount("settled_sum", value, tempting=[tokens * machine.stake for tokens in wrong])
    if incident.about != "bets" and value:
        by = payer(machine, value)
        r.pivot(
            "VIII 13 s1", f"claim_by_{by}", machine=machine.number, tokens=right, limit=machine.pays_up_to, sum=value
        )
        r.choice("paid_by", by)
        r.after(After(payments=(payment(machine, value, by),)))


@case("disputes", {MACHINES: "VIII 14"})
def claim_against_record(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: only the player and the record. Harder: part or all is paid already, what is left is at the limit of what
    the machine pays, and somebody backs the player or gives a third number."""
    machines = row(draw, book, min(difficulty, 4))
    index = some(draw, machines)
    about = draw.pick(ABOUT)
    recorded = draw.number(6, 15) * 10 if difficulty <= 2 else draw.number(80, 290)
    handed = draw.number(1, recorded - 50) if difficulty >= 3 and about != "bets" and draw.chance(0.7) else 0
    if about != "bets" and draw.chance(0.2):
        handed = recorded
    right = recorded - handed
    near = (-30, -1, 0, 10) if difficulty >= 3 else (-right // 2, right)
    changed(machines, index, pays_up_to=right + draw.pick(near) if right else draw.pick(LIMITS))
    machine = machines[index]
    off = draw.number(2, 5) if difficulty >= 4 else draw.number(1, 4) * 10
    claimed = draw.pick((right, right + off, right + off, max(0, right - off)))
    if handed and draw.chance(0.4):
        claimed = recorded
    claimed = claimed or off
    witness = draw.pick(WITNESSES) if difficulty >= 3 else "none"
    said = 0 if witness == "none" else draw.pick((claimed, right + (1 if right else 3), right + off + 2))
    incident = ClaimMade(
        machine=machine.number,
        about=about,
        claimed=claimed,
        recorded=recorded,
        handed=handed,
        witness=witness,
        said=said,
    )
    calls = (Call(by=str(machine.player), says="calls_attendant"),)
    return Situation(**facts(machines, calls=calls), incident=incident)
