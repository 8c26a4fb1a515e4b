"""The sets of dice and the dealer who throws them: IV 2 a, IV 3, IV 4, IV 18."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from rules_engine.authoring import Draw, Face, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case, case_table, domain, rule
from rules_engine.games.banca_francesa.table import DICE, Incident, Situation
from rules_engine.games.layout_bets import relief
from rules_engine.games.layout_bets.relief import Minutes
from rules_engine.games.layout_bets.setting import table

Millimetres = Annotated[int, Meta(ge=5, le=30)]
FewDice = Annotated[int, Meta(ge=0, le=6)]
Colour = Literal["same", "mixed"]
Transparency = Literal["even", "uneven"]
Pips = Literal["alike", "unequal", "faint"]
Balance = Literal["perfect", "off"]
Service = Literal["playing", "no_players", "suspended", "closed"]
SERVED: tuple[Service, ...] = ("suspended", "closed")

# The likely wrong answer for each right one.
TEMPTING_RELIEF = {"now": "not_yet", "not_yet": "now", "stays_reported": "now"}

domain("relief", *relief.RELIEF)


class DiceBrought(Incident, frozen=True, tag="dice_brought"):
    """A set of dice is inspected before use. `opposite` is the face opposite the one."""

    edges: Annotated[tuple[Millimetres, ...], Meta(min_length=DICE, max_length=DICE)]
    colour: Colour = "same"
    transparency: Transparency = "even"
    opposite: Face = 6
    pips: Pips = "alike"
    balance: Balance = "perfect"

    def check(self, situation: Situation) -> None:
        if self.opposite == 1:
            raise ImpossibleFacts("incident.opposite", "the one cannot be opposite itself")

    def narration(self) -> list[Sentence]:
        alike = len(set(self.edges)) == 1
        edges = "incident.dice_edges_alike" if alike else "incident.dice_edges"
        return [
            (edges, {"edge": self.edges[0]} if alike else {"edges": self.edges}),
            (f"incident.dice_colour_{self.colour}_{self.transparency}", {}),
            (f"incident.dice_opposite{'_right' if self.opposite == 6 else ''}", {"opposite": self.opposite}),
            (f"incident.dice_pips_{self.pips}", {}),
            (f"incident.dice_balance_{self.balance}", {}),
        ]


class CaseBrought(Incident, frozen=True, tag="case_brought"):
    """The dice are brought to open a table: how many in each set, and whether in their own case."""

    sets: tuple[FewDice, ...]
    cased: bool = False

    def check(self, situation: Situation) -> None:
        if not self.sets:
            raise ImpossibleFacts("incident.sets", "no dice are brought")

    def narration(self) -> list[Sentence]:
        kind = "cased" if self.cased else "loose"
        alike = "_alike" if len(set(self.sets)) == 1 else ""
        values = {"count": len(self.sets), "sets": self.sets, "dice": self.sets[0]}
        return [(f"incident.case_brought_{kind}{alike}", values)]


class CaseWanted(Incident, frozen=True, tag="case_wanted"):
    """Somebody wants to take the case with the sets away. `service` is the state of the table."""

    service: Service

    def narration(self) -> list[Sentence]:
        return [(f"incident.case_wanted_{self.service}", {})]


class SetInUse(Incident, frozen=True, tag="set_in_use"):
    """Before a throw: which of the three sets is in use, and for how long. The sets are used in turn."""

    in_use: Annotated[int, Meta(ge=1, le=3)]
    minutes: Minutes


class ThrowerOn(relief.ThrowerOn, Incident, frozen=True, tag="thrower_on"):
    """How long the dealer who throws has been on duty, and the reason given for staying."""


@rule(DiceBrought, BANCA)
def dice_brought(s: Situation, incident: DiceBrought, r: Reasoning) -> None:
    limits, facing = r.book.param("edge_mm"), r.book.number("opposite_faces")
    least, largest = int(limits["least"]), int(limits["largest"])
    fits = len(set(incident.edges)) == 1 and least <= incident.edges[0] <= largest
    checks: dict[str, tuple[bool, dict[str, Any]]] = {
        "IV 3 a": (incident.colour == "same" and incident.transparency == "even", {}),
        "IV 3 b": (fits, {"least": least, "largest": largest}),
        "IV 3 c": (1 + incident.opposite == facing, {"sum": facing, "right": facing - 1}),
        "IV 3 d": (incident.pips == "alike", {}),
        "IV 3 e": (incident.balance == "perfect", {}),
    }
    good = all(right for right, _values in checks.values())
    for cite, (right, values) in checks.items():
        text = f"dice_{cite[-1]}" if right else f"dice_{cite[-1]}_wrong"
        r.step(cite, text, pivot=good or not right, **values)
    # A single fault is easily overlooked, and dice at a limit look as if they were beyond it.
    at_limit = good and incident.edges[0] in (least, largest)
    r.choice("may_serve", "yes" if good else "no", tempting=[] if good and not at_limit else ["yes", "no"])


@rule(CaseBrought, BANCA)
def case_brought(s: Situation, incident: CaseBrought, r: Reasoning) -> None:
    sets, dice = r.book.number("sets"), r.book.number("dice_in_set")
    if len(incident.sets) > sets:
        raise NotRegulated("art. IV 2 a) does not say whether a table may have more than {sets} sets", sets=sets)
    r.pivot("IV 2 a", "sets_of_table", sets=sets, dice=dice)
    r.choice("may_serve", "yes" if incident.cased and incident.sets == (dice,) * sets else "no")


@rule(CaseWanted, BANCA)
def case_wanted(s: Situation, incident: CaseWanted, r: Reasoning) -> None:
    free = incident.service in SERVED
    r.pivot("IV 4 s1", "case_may_go" if free else "case_stays")
    r.choice("allowed", "allowed" if free else "refused")


@rule(SetInUse, BANCA)
def set_in_use(s: Situation, incident: SetInUse, r: Reasoning) -> None:
    hour, sets = r.book.number("set_change_minutes"), r.book.number("sets")
    due = incident.minutes >= hour
    following = incident.in_use % sets + 1
    r.pivot("IV 4 s2", "next_set_due" if due else "same_set_on", minutes=incident.minutes, hour=hour)
    r.number("next_set", following if due else incident.in_use, tempting=range(1, sets + 1))


@rule(ThrowerOn, BANCA)
def thrower_on(s: Situation, incident: ThrowerOn, r: Reasoning) -> None:
    found = relief.explain_relief(r, "IV 18", incident.minutes, incident.reason)
    r.choice("relief", found, critical=True, tempting=[TEMPTING_RELIEF[found]])


def _edges(draw: Draw, book: Rulebook, difficulty: int, *, good: bool) -> tuple[int, ...]:
    """Good: alike and within the limits. Otherwise outside them, or one of another length."""
    limits = book.param("edge_mm")
    least, largest = int(limits["least"]), int(limits["largest"])
    if good:
        return (draw.pick((least, largest)) if difficulty >= 3 else draw.number(least, largest),) * DICE
    gap = 1 if difficulty >= 3 else 3
    edge = draw.number(least, largest - 1)
    return draw.pick(((least - gap,) * DICE, (largest + gap,) * DICE, (edge, edge, edge + 1)))


@case_table(
    "dice",
    variant("dice_of_one_colour", {BANCA: "IV 3 a"}, wrong=({"colour": "mixed"}, {"transparency": "uneven"})),
    variant("dice_of_one_size", {BANCA: "IV 3 b"}),
    variant("faces_that_face", {BANCA: "IV 3 c"}, wrong=tuple({"opposite": face} for face in (5, 4, 2))),
    variant("pips_alike", {BANCA: "IV 3 d"}, wrong=({"pips": "unequal"}, {"pips": "faint"})),
    variant("dice_balanced", {BANCA: "IV 3 e"}, wrong=({"balance": "off"},)),
)
def _dice(draw: Draw, book: Rulebook, difficulty: int, wrong: tuple[dict[str, Any], ...] = ()) -> Situation:
    """Half of the time correct dice, otherwise one of the wrong facts, or wrong edges if none is given. Harder: more
    often correct ones, which have to be checked in every respect."""
    good = draw.chance(0.65 if difficulty >= 4 else 0.5)
    edges = _edges(draw, book, difficulty, good=good or bool(wrong))
    other = draw.pick(wrong) if wrong and not good else {}
    return Situation(**table(draw, book, difficulty), incident=DiceBrought(edges=edges, **other))


@case("dice", {BANCA: ("IV 2 a",)})
def sets_for_a_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    sets, dice = book.number("sets"), book.number("dice_in_set")
    found: tuple[int, ...] = (dice,) * sets
    cased = True
    if draw.chance(0.5):
        one_off = tuple(draw.shuffled([*[dice] * (sets - 1), dice + draw.pick((1, -1))]))
        found, cased = draw.pick((((dice,) * (sets - 1), True), (one_off, True), (found, False)))
    return Situation(**table(draw, book, difficulty), incident=CaseBrought(sets=found, cased=cased))


@case("dice", {BANCA: ("IV 4 s1",)})
def case_to_go(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    services: tuple[Service, ...] = ("playing", "closed", "suspended", "no_players")
    incident = CaseWanted(service=draw.pick(services if difficulty >= 2 else services[:2]))
    facts = table(draw, book, difficulty)
    if incident.service != "playing":
        facts["seats"] = ()
    return Situation(**facts, incident=incident)


@case("dice", {BANCA: ("IV 4 s2",)})
def set_after_an_hour(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    incident = SetInUse(
        in_use=draw.number(1, book.number("sets")), minutes=_near(draw, book.number("set_change_minutes"), difficulty)
    )
    return Situation(**table(draw, book, difficulty), incident=incident)


def _near(draw: Draw, hour: int, difficulty: int) -> int:
    """Easy: well before or after the hour. Harder: a minute before, at the hour, a minute after."""
    return draw.pick(
        (hour - 1, hour - 1, hour, hour + 1) if difficulty >= 3 else (hour - 20, hour - 10, hour + 5, hour + 10)
    )


@case("dice", {BANCA: ("IV 18",)})
def thrower_relieved(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    incident = ThrowerOn(**relief.some_thrower(draw, book, difficulty))
    return Situation(**table(draw, book, difficulty), incident=incident)
