"""The throw: how the dice are thrown, and when they may be lifted. IV 7 a, IV 7 c, IV 7 d."""

from typing import Annotated, Literal

from msgspec import Meta

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case, rule
from rules_engine.games.banca_francesa.setting import any_chance, dice_for
from rules_engine.games.banca_francesa.settlement import NONE, chance_of
from rules_engine.games.banca_francesa.table import DICE, Incident, Situation
from rules_engine.games.layout_bets.setting import table

Through = Literal["chute", "hand", "cup_over_arena"]
State = Literal["rolling", "rocking", "unclear", "clear"]


class ThrowPrepared(Incident, frozen=True, tag="throw_prepared"):
    """The dice are about to be thrown: how many are in the cup, the way they take, and whether all at once."""

    in_cup: Annotated[int, Meta(ge=0, le=DICE)]
    through: Through
    together: bool = False

    def check(self, situation: Situation) -> None:
        situation.check_not_thrown()

    def narration(self) -> list[Sentence]:
        at_once = "together" if self.together else "apart"
        return [("incident.throw_in_cup", {"in_cup": self.in_cup}), (f"incident.throw_{self.through}_{at_once}", {})]


class DiceLifted(Incident, frozen=True, tag="dice_lifted"):
    """The dealer is about to lift the dice. `clear`: they lie still and every point can be seen."""

    state: State
    announced: bool = False

    def check(self, situation: Situation) -> None:
        if self.state == "clear":
            situation.result()
        else:
            situation.check_not_thrown()
            if self.announced:
                raise ImpossibleFacts("incident.announced", "nobody can announce what cannot be read yet")

    def moving(self) -> bool:
        return self.state != "clear"

    def narration(self) -> list[Sentence]:
        if self.state != "clear":
            return [(f"incident.dice_lifted_{self.state}", {})]
        return [(f"incident.dice_lifted_{'announced' if self.announced else 'unannounced'}", {})]


@rule(ThrowPrepared, BANCA)
def throw_prepared(s: Situation, incident: ThrowPrepared, r: Reasoning) -> None:
    count = r.book.number("dice_in_set")
    good = incident.in_cup == count and incident.through == "chute" and incident.together
    r.pivot("IV 7 a", "throw_so" if good else "throw_not_so", count=count)
    r.choice("allowed", "allowed" if good else "refused")


@rule(DiceLifted, BANCA)
def dice_lifted(s: Situation, incident: DiceLifted, r: Reasoning) -> None:
    if incident.state != "clear":
        r.pivot("IV 7 c", f"lift_{incident.state}")
        r.choice("allowed", "refused", critical=True)
        return
    if chance_of(r.book, s.result()) == NONE:
        r.pivot("IV 9 none", "decides_nothing", points=sum(s.dice))
        r.pivot("IV 7 c", "lift_clear")
        r.choice("allowed", "allowed", critical=True)
        return
    r.step("IV 7 c", "lift_clear", pivot=incident.announced)
    if incident.announced:
        r.pivot("IV 7 d-1", "announced_in_time")
    else:
        r.pivot("IV 7 d-1", "announce_before_lifting")
    r.choice("allowed", "allowed" if incident.announced else "refused", critical=True)


@case("throw", {BANCA: ("IV 7 a",)})
def about_to_throw(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Correct half of the time; otherwise one thing is wrong. Easy: too few dice. Harder: how they are thrown."""
    in_cup, through, together = DICE, _THROUGH[0], True
    if draw.chance(0.5):
        wrong = draw.pick(("few", "way", "apart")[: 1 + min(difficulty, 2)])
        in_cup = draw.number(1, DICE - 1) if wrong == "few" else in_cup
        through = draw.pick(_THROUGH[1:]) if wrong == "way" else through
        together = wrong != "apart"
    incident = ThrowPrepared(in_cup=in_cup, through=through, together=together)
    return Situation(**table(draw, book, difficulty), incident=incident)


_THROUGH: tuple[Through, ...] = ("chute", "hand", "cup_over_arena")


@case("throw", {BANCA: ("IV 7 c",)})
def lifted_or_not_yet(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: the dice roll, or all is announced. Harder: they rock, or lie still and cannot be read."""
    states: tuple[State, ...] = ("rolling", "rocking", "unclear")
    facts = table(draw, book, difficulty)
    if draw.chance(0.4):
        return Situation(**facts, incident=DiceLifted(state=draw.pick(states[: 1 + min(difficulty, 2)])))
    dice = dice_for(draw, book, any_chance(draw, difficulty))
    return Situation(**facts, dice=dice, incident=DiceLifted(state="clear", announced=True))


@case("throw", {BANCA: ("IV 7 d-1",)})
def lifted_unannounced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    dice = dice_for(draw, book, any_chance(draw, difficulty))
    announced = draw.chance(0.5)
    return Situation(
        **table(draw, book, difficulty), dice=dice, incident=DiceLifted(state="clear", announced=announced)
    )
