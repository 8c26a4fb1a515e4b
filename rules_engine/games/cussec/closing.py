"""Bets in time and too late: from the light of the panel to «Nada mais», and after a void coup.

VII 4 s2, VII 5 s1, VII 5 s4, VII 6 s2.
"""

from typing import Any, Literal

from rules_engine.authoring import Draw, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case, case_table, rule
from rules_engine.games.cussec.layout import named
from rules_engine.games.cussec.setting import any_dice, beside, picture, some
from rules_engine.games.cussec.settlement import WINS, explain_loss, prize_clause, times, winning
from rules_engine.games.cussec.table import Call, Dice, Incident, Situation
from rules_engine.games.layout_bets import closing
from rules_engine.games.layout_bets.closing import WISHES, Wish
from rules_engine.games.layout_bets.setting import Crowd

Phase = Literal["before", "open", "rung", "closed", "void"]
# The phase of the coup after each call.
PHASES: dict[str, Phase] = {
    "covers": "before",
    "presses": "before",
    "lights": "open",
    "rings": "rung",
    "closed": "closed",
    "opening": "closed",
    "lifts": "closed",
    "void": "void",
}
# The clause that says whether a bet is in time in each phase.
CITES: dict[Phase, str] = {
    "before": "VII 4 s2",
    "open": "VII 4 s2",
    "rung": "VII 5 s4",
    "closed": "VII 5 s1",
    "void": "VII 6 s2",
}
DOME = ("covers", "presses", "rings", "closed", "opening", "lifts", "void")
FEW_CHIPS = Crowd((2, 3), (1, 2), (1, 2), (1, 4))
COVERED, PRESSED = Call("croupier", "covers"), Call("croupier", "presses")
LIT, RUNG = Call("panel", "lights"), Call("croupier", "rings")
CLOSED, OPENING = Call("croupier", "closed"), Call("croupier", "opening")
LIFTED, VOID = Call("croupier", "lifts"), Call("croupier", "void")
READY = (COVERED, PRESSED)
WHOLE = (*READY, LIT, RUNG, CLOSED, OPENING)


class LateBet(closing.LateBet, Incident, frozen=True, tag="late_bet"):
    """A player places chips in a zone, takes them back, or moves them `to` another zone; the calls tell when."""

    def covered(self, situation: Situation) -> bool:
        """The dome is off once it is lifted, and stays off after a void coup until it is put on again."""
        done = [call.says for call in situation.calls if call.by == "croupier" and call.says in DOME]
        return not done or done[-1] not in ("lifts", "void")

    def dark(self, situation: Situation) -> bool:
        """Whether the dome has been put on and the panel has not lit up since."""
        told = [call.says for call in situation.calls if call.says in ("covers", "presses", "lights")]
        return self.covered(situation) and bool(told) and told[-1] != "lights"

    def narrated(self, situation: Any) -> list[Sentence]:
        """The panel lights up by itself, so the story says when it has not done so yet."""
        unlit: list[Sentence] = [("incident.panel_dark", {})] if self.dark(situation) else []
        return unlit + super().narrated(situation)


def phase(s: Situation) -> Phase:
    """The phase of the coup. After a void coup players may change their bets until betting is closed again."""
    found: Phase | None = None
    for call in s.calls:
        if call.by in ("croupier", "panel"):
            reached = PHASES[call.says]
            found = "void" if found == "void" and reached == "before" else reached
    if found is None:
        raise ImpossibleFacts("calls", "nothing tells how far the coup has come")
    return found


@rule(LateBet, CUSSEC)
def late_bet(s: Situation, incident: LateBet, r: Reasoning) -> None:
    now = phase(s)
    allowed = _in_time(r, now, incident)
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    if dice := s.dice:
        closing.decide_late_prize(
            s,
            r,
            incident,
            incident.lies_on(allowed=allowed),
            cite=CITES[now],
            prize=lambda spot, stake: stake * times(r.book, spot, dice),
            explain=lambda spot: _explain(r, incident.player, spot, incident.stake, dice),
        )


def _in_time(r: Reasoning, now: Phase, incident: LateBet) -> bool:
    wish = incident.wish
    if now == "before" and wish != "place":
        raise NotRegulated("art. VII 4 does not say whether chips may be moved before the panel lights up")
    if now == "void" and wish == "place":
        raise NotRegulated(
            "arts. VII 4 and VII 6 do not say whether new bets may be made before the panel lights up again"
        )
    bell = r.book.reads("VII5", "bell")
    rung = "rung_too_late" if bell else "only_rung"
    text = {"before": "too_early", "open": f"in_time_{wish}", "rung": rung}.get(now)
    r.pivot(CITES[now], text or ("free_again" if now == "void" else f"too_late_{wish}"), by=incident.player)
    return now in ("open", "void") or (now == "rung" and not bell)


def _explain(r: Reasoning, player: str, spot: str, stake: int, dice: Dice) -> None:
    """Cite whether the chips win in this zone, and what they earn."""
    multiple, chance = times(r.book, spot, dice), layout.SPOTS[spot].chance
    if not multiple:
        explain_loss(r, spot, dice)
        return
    r.step(WINS[chance], f"wins_{chance}", total=sum(dice), **named(spot))
    r.pivot(prize_clause(spot), "pays", by=player, stake=stake, times=multiple, prize=stake * multiple, **named(spot))


def _made(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    calls: tuple[Call, ...],
    wishes: tuple[Wish, ...] = WISHES,
    *,
    shown: bool | None = None,
) -> Situation:
    """Hard, or if `shown`: the dice are seen in the end, and what the player did would win or lose a prize.

    After a void coup they often are, so that it does not tell whether the coup was declared void.
    """
    again = VOID in calls
    dice = any_dice(draw, book, difficulty)
    facts = picture(draw, book, difficulty, dice=dice, crowd=FEW_CHIPS)
    bet, wish = draw.pick(facts["bets"]), draw.pick(wishes)
    others = [*winning(book, dice), *some(draw, beside(book, tuple(sorted(dice))), 4)]
    incident = LateBet(**closing.late_chips(draw, bet, wish, others))
    if LIT not in calls:
        facts["bets"] = ()  # nobody can have bet before the panel lights up
    if not (difficulty >= 3 or (again and draw.chance(0.5)) if shown is None else shown):
        facts["dice"] = ()
    return Situation(**facts, calls=calls, incident=incident)


@case("coup", {CUSSEC: ("VII 4 s2",)})
def before_or_after_the_light(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Chips placed while the dice are still being shaken, or after the panel has lit up."""
    if draw.chance(0.45):
        return _made(draw, book, difficulty, (*READY, LIT))
    return _made(draw, book, difficulty, READY if draw.chance(0.5) else (COVERED,), ("place",))


@case("coup", {CUSSEC: ("VII 5 s1",)})
def after_the_words(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _made(draw, book, difficulty, WHOLE[: 4 + (1 if difficulty == 1 else draw.number(1, 2))])


case_table("coup", variant("between_bell_and_words", {CUSSEC: "VII 5 s4"}, calls=WHOLE[:4]))(_made)


@case("null_coup", {CUSSEC: ("VII 6 s2",)})
def after_golpe_nulo(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Players may change their bets at once, and while everything is done again."""
    again = ((), (COVERED,), READY)[draw.number(0, min(2, difficulty - 1))]
    return _made(draw, book, difficulty, (*WHOLE, LIFTED, VOID, *again), ("move", "withdraw"))


@case("null_coup", {CUSSEC: ("VII 5 s1", "VII 4 s2")})
def closed_again_or_not(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """After a void coup the panel has lit up again, or betting is closed again."""
    again = (*READY, LIT) if draw.chance(0.3) else (*READY, LIT, RUNG, CLOSED)
    return _made(draw, book, difficulty, (*WHOLE, LIFTED, VOID, *again))


# The dome is up and nothing has been declared void.
UNDECLARED = {"calls": (*WHOLE, LIFTED), "wishes": ("move", "withdraw"), "shown": True}
case_table("null_coup", variant("stacked_but_not_declared", {CUSSEC: "VII 5 s1"}, **UNDECLARED))(_made)
