"""The acts of a coup in order, from covering the dice to the last prize: VII 4, VII 5, VII 6 s2, VII 11."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from rules_engine.authoring import (
    FACES,
    Draw,
    ImpossibleFacts,
    NotRegulated,
    Place,
    Reasoning,
    Rulebook,
    Sentence,
    Utterance,
    variant,
)
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case, case_table, domain, rule
from rules_engine.games.cussec.result import announce, results
from rules_engine.games.cussec.setting import CROWDS, any_dice, picture
from rules_engine.games.cussec.settlement import explain_prize, outcomes, settle, winning
from rules_engine.games.cussec.table import Incident, Situation
from rules_engine.games.layout_bets.setting import Crowd, seated
from rules_engine.games.layout_bets.settlement import paid_on

Done = Literal[
    "paid", "covered", "fastened", "pressed", "bets_made", "rung", "closed", "told_opening", "released", "lifted",
    "announced", "zones_lit", "void_declared",
]  # fmt: skip
# The next act after each step, with its clause.
NEXT: dict[str, tuple[str, str]] = {
    "paid": ("cover", "VII 11"),
    "covered": ("fasten", "VII 4 s1"),
    "fastened": ("press_lever", "VII 4 s1"),
    "bets_made": ("ring_bell", "VII 5 s1"),
    "rung": ("say_closed", "VII 5 s1"),
    "closed": ("say_opening", "VII 5 s1"),
    "told_opening": ("release", "VII 5 s2"),
    "released": ("lift", "VII 5 s2"),
    "lifted": ("announce_result", "VII 5 s2"),
    "announced": ("light_zones", "VII 5 s2"),
    "zones_lit": ("pay", "VII 11"),
    "void_declared": ("cover", "VII 6 s2"),
}
SHOWN = ("lifted", "announced", "zones_lit")
SAID = {"say_closed": "bets_closed", "say_opening": "opening"}
FEW_CHIPS = Crowd((1, 2), (1, 2), (0, 2), (1, 4))

domain(
    "act", "cover", "fasten", "press_lever", "take_bets", "ring_bell", "say_closed", "say_opening", "release", "lift",
    "announce_result", "light_zones", "pay",
)  # fmt: skip


class NextAct(Incident, frozen=True, tag="next_act"):
    """`done` is the last step the dealer has finished. `presses` is how often the lever has been pressed."""

    done: Done
    presses: Annotated[int, Meta(ge=0, le=9)] = 0

    def check(self, situation: Situation) -> None:
        if (self.done == "pressed") != bool(self.presses):
            raise ImpossibleFacts("incident.presses", "presses are counted once the lever has been pressed")
        if self.done in SHOWN:
            situation.result()
        elif situation.dice:
            raise ImpossibleFacts("dice", "nobody sees the dice under the dome")

    def covered(self, situation: Situation) -> bool:
        return self.done not in (*SHOWN, "paid", "void_declared")

    def sayable(self, situation: Situation) -> list[Utterance]:
        """Under the dome nobody knows the dice; then a throw is made up from the seats."""
        unseen = tuple(
            1 + seat % len(FACES)
            for seat in (sum(situation.seats), len(situation.seats), max(situation.seats, default=0))
        )
        return [Utterance("bets_closed"), Utterance("opening"), *results(situation.dice or unseen)]

    def narration(self) -> list[Sentence]:
        return [(f"incident.next_act_{self.done}", {"presses": self.presses})]


class CoveringWanted(Incident, frozen=True, tag="covering_wanted"):
    """These players have been paid, and the dealer reaches for the dome to begin the next coup."""

    paid: tuple[Place, ...]

    def check(self, situation: Situation) -> None:
        situation.result()
        situation.check_some_bet()
        if len(set(self.paid)) != len(self.paid):
            raise ImpossibleFacts("incident.paid", "a player is listed twice")

    def narration(self) -> list[Sentence]:
        form = {0: "_nobody", 1: "_one"}.get(len(self.paid), "")
        return [(f"incident.covering_wanted{form}", {"paid": self.paid})]


@rule(NextAct, CUSSEC)
def next_act(s: Situation, incident: NextAct, r: Reasoning) -> None:
    if incident.done == "pressed":
        _pressed(r, incident.presses)
        return
    act, cite = NEXT[incident.done]
    if act == "pay" and not any(one.prize > 0 for one in outcomes(r.book, s.bets, s.result())):
        raise ImpossibleFacts("bets", "there is nothing to pay")
    r.pivot(cite, f"again_{act}" if incident.done == "void_declared" else f"then_{act}")
    r.choice("act", act)
    if act in SAID:
        r.words(SAID[act], tempting=s.likely("announcement"))
    if act == "announce_result":
        announce(s, r, s.result())


def _pressed(r: Reasoning, presses: int) -> None:
    wanted = r.book.number("lever_presses")
    if presses > wanted:
        raise NotRegulated("art. VII 4 does not say what follows when the lever is pressed too often")
    if presses < wanted:
        r.pivot("VII 4 s1", "press_again", presses=presses, wanted=wanted)
        r.choice("act", "press_lever")
        return
    r.step("VII 4 s1", "pressed_enough", wanted=wanted)
    r.pivot("VII 4 s2", "panel_lights")
    r.choice("act", "take_bets")


@rule(CoveringWanted, CUSSEC)
def covering_wanted(s: Situation, incident: CoveringWanted, r: Reasoning) -> None:
    dice = s.result()
    settled = outcomes(r.book, s.bets, dice)
    won = {one.bet.player for one in settled if one.prize > 0}
    if not set(incident.paid) <= won:
        raise ImpossibleFacts("incident.paid", "a player is paid who has won nothing")
    owed = [one for one in settled if one.prize > 0 and one.bet.player not in incident.paid]
    for one in owed:
        explain_prize(r, one, dice, pivot=True)
    r.pivot("VII 11", "prizes_owed" if owed else "all_paid")
    r.choice("allowed", "refused" if owed else "allowed", critical=True)
    mine = paid_on(one for one in settled if one.bet.player in incident.paid)
    r.amount("owed", paid_on(owed), tempting=[paid_on(settled), mine, sum(one.bet.amount for one in owed), 0])
    settle(r, dice, settled)


@case_table("coup", variant("preparing_the_dice", {CUSSEC: "VII 4 s1"}, steps=("covered", "fastened", "pressed")))
def _step(draw: Draw, book: Rulebook, difficulty: int, steps: tuple[Done, ...]) -> Situation:
    """Easy: an empty board. Harder: with chips."""
    done = draw.pick(steps)
    facts: dict[str, Any] = seated(draw, book, difficulty)
    shown = done in SHOWN
    if shown or (difficulty >= 2 and done not in ("paid", "covered", "fastened", "pressed")):
        facts = picture(draw, book, difficulty, dice=any_dice(draw, book, difficulty), crowd=FEW_CHIPS)
    if not shown:
        facts["dice"] = ()
    presses = draw.pick((1, 2, 2)) if done == "pressed" else 0
    return Situation(**facts, incident=NextAct(done=done, presses=presses))


@case("coup", {CUSSEC: ("VII 4 s2",)})
def lever_pressed_three_times(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    presses = book.number("lever_presses")
    return Situation(**seated(draw, book, difficulty), incident=NextAct(done="pressed", presses=presses))


OPENING = ("told_opening", "released", "lifted", "lifted", "lifted", "announced")
case_table(
    "coup",
    variant("closing_the_bets", {CUSSEC: "VII 5 s1"}, steps=("bets_made", "rung", "rung", "closed", "closed")),
    variant("opening_the_dome", {CUSSEC: "VII 5 s2"}, steps=OPENING),
    variant("ending_the_coup", {CUSSEC: "VII 11"}, steps=("zones_lit", "paid")),
)(_step)
# Everything is done again; or the dice are in order, and the coup goes on.
VOID = {"steps": ("void_declared", "void_declared", "lifted")}
case_table("null_coup", variant("after_a_void_coup", {CUSSEC: "VII 6 s2"}, **VOID))(_step)


@case("coup", {CUSSEC: ("VII 11",)})
def dome_reached_for(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Every winner has been paid, or all but one."""
    dice = any_dice(draw, book, difficulty)
    facts = picture(draw, book, difficulty, dice=dice, crowd=CROWDS[min(5, difficulty + 1)])
    zones = set(winning(book, dice))
    won = sorted({bet.player for bet in facts["bets"] if bet.spot in zones})
    paid = won if draw.chance(0.6) else draw.sample(won, len(won) - 1)
    return Situation(**facts, incident=CoveringWanted(paid=tuple(sorted(paid))))
