"""Bets in time and too late: from the light of the panel to «Nada mais», and after a void coup.

VII 4 s2, VII 5 s1, VII 5 s4, VII 6 s2.
"""

from typing import Literal

from rules_engine.authoring import Draw, ImpossibleFacts, NotRegulated, Place, Reasoning, Rulebook, Sentence, SpotKey
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case, rule
from rules_engine.games.cussec.setting import Crowd, any_dice, beside, picture, some
from rules_engine.games.cussec.settlement import WINS, explain_loss, prize_clause, times, winning
from rules_engine.games.cussec.table import (
    Call,
    Count,
    Dice,
    Incident,
    Situation,
    Worth,
    check_at_table,
    check_spot,
    named,
)

Wish = Literal["place", "move", "withdraw"]
Phase = Literal["before", "open", "rung", "closed", "void"]
# How far the coup has come with what was last said or done; what is not here changes nothing.
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
# The clause that says whether a bet is in time.
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


class LateBet(Incident, frozen=True, tag="late_bet"):
    """A player puts chips in a zone, takes his own out of it, or moves them `to` another; the calls tell when."""

    player: Place
    wish: Wish
    spot: SpotKey
    count: Count
    value: Worth
    to: SpotKey | None = None

    def check(self, situation: Situation) -> None:
        check_at_table(situation, self.player)
        check_spot(self.spot, "incident.spot")
        if (self.to is None) == (self.wish == "move"):
            raise ImpossibleFacts("incident.to", "only chips that are moved go to another zone")
        if self.to is not None:
            check_spot(self.to, "incident.to")
        mine = [bet for bet in situation.on(self.spot) if (bet.player, bet.value) == (self.player, self.value)]
        if self.wish != "place" and sum(bet.count for bet in mine) != self.count:
            raise ImpossibleFacts(
                "incident.spot",
                "{player:player} has other chips on {name:spot}{at}",
                player=self.player,
                **named(self.spot),
            )

    def covered(self, situation: Situation) -> bool:
        """The dome comes off when it is lifted, and stays off after a void coup until it is put on again."""
        done = [call.says for call in situation.calls if call.by == "croupier" and call.says in DOME]
        return not done or done[-1] not in ("lifts", "void")

    def narration(self) -> list[Sentence]:
        values = {"player": self.player, "count": self.count, "value": self.value, **named(self.spot)}
        if self.to is not None:
            values |= {f"{key}_to": value for key, value in named(self.to).items()}
        return [(f"incident.late_bet_{self.wish}", values)]


def phase(s: Situation) -> Phase:
    """How far the coup has come. After a void one everybody stays free to change until betting is closed again."""
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
    if not s.dice:
        return
    goes = {"place": incident.spot, "move": incident.to, "withdraw": None}
    stays = {"place": None, "move": incident.spot, "withdraw": incident.spot}
    spot = (goes if allowed else stays)[incident.wish]
    stake = incident.count * incident.value
    paid = {where: _paid(r, where, stake, s.dice) for where in (incident.spot, incident.to, None)}
    r.step(CITES[now], "lies_nowhere" if spot is None else "lies_there", **(named(spot) if spot else {}))
    if spot is not None:
        _explain(r, incident.player, spot, stake, s.dice)
    r.amount("late_prize", paid[spot], tempting=[*paid.values(), stake, 0])


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
    """Whether the chips win where they lie, and what they earn."""
    multiple, chance = times(r.book, spot, dice), layout.SPOTS[spot].chance
    if not multiple:
        explain_loss(r, spot, dice)
        return
    r.step(WINS[chance], f"wins_{chance}", total=sum(dice), **named(spot))
    r.pivot(prize_clause(spot), "pays", by=player, stake=stake, times=multiple, prize=stake * multiple, **named(spot))


def _paid(r: Reasoning, spot: str | None, stake: int, dice: Dice) -> int:
    return stake * times(r.book, spot, dice) if spot else 0


def _made(
    draw: Draw, book: Rulebook, difficulty: int, calls: tuple[Call, ...], wishes: tuple[Wish, ...], *, shown: bool
) -> Situation:
    """Hard: the dice are seen in the end, and what he did would have paid, or cost, a prize."""
    dice = any_dice(draw, book, difficulty)
    facts = picture(draw, book, difficulty, dice=dice, crowd=FEW_CHIPS)
    bet, wish = draw.pick(facts["bets"]), draw.pick(wishes)
    spot, to, count = bet.spot, None, bet.count
    others = [*winning(book, dice), *some(draw, beside(book, tuple(sorted(dice))), 4)]
    if wish == "move":
        to = draw.pick([other for other in others if other != spot])
    if wish == "place":
        spot, count = draw.pick(others), draw.number(1, 4)
    if not shown:
        facts["dice"] = ()
    incident = LateBet(player=bet.player, wish=wish, spot=spot, to=to, count=count, value=bet.value)
    return Situation(**facts, calls=calls, incident=incident)


@case("coup", {CUSSEC: ("VII 4 s2",)})
def before_or_after_the_light(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Chips put down while the dice are still being shaken, or once the panel has lit up."""
    if draw.chance(0.45):
        return _made(draw, book, difficulty, (*READY, LIT), ("place", "move", "withdraw"), shown=difficulty >= 3)
    calls = READY if draw.chance(0.5) else (COVERED,)
    return _made(draw, book, difficulty, calls, ("place",), shown=difficulty >= 3)


@case("coup", {CUSSEC: ("VII 5 s1",)})
def after_the_words(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    last = 1 if difficulty == 1 else draw.number(1, 2)
    calls = WHOLE[: 4 + last]
    return _made(draw, book, difficulty, calls, ("place", "move", "withdraw"), shown=difficulty >= 3)


@case("coup", {CUSSEC: ("VII 5 s4",)})
def between_bell_and_words(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _made(draw, book, difficulty, WHOLE[:4], ("place", "move", "withdraw"), shown=difficulty >= 3)


@case("null_coup", {CUSSEC: ("VII 6 s2",)})
def after_golpe_nulo(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Free to change at once, and while all is done again."""
    again = ((), (COVERED,), READY)[draw.number(0, min(2, difficulty - 1))]
    calls = (*WHOLE, LIFTED, VOID, *again)
    return _made(draw, book, difficulty, calls, ("move", "withdraw"), shown=difficulty >= 3)


@case("null_coup", {CUSSEC: ("VII 5 s1", "VII 4 s2")})
def closed_again_or_not(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """After a void coup: the panel has lit up again, or betting is closed again."""
    again = (*READY, LIT) if draw.chance(0.3) else (*READY, LIT, RUNG, CLOSED)
    calls = (*WHOLE, LIFTED, VOID, *again)
    return _made(draw, book, difficulty, calls, ("place", "move", "withdraw"), shown=difficulty >= 3)


@case("null_coup", {CUSSEC: ("VII 5 s1",)})
def stacked_but_not_declared(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The dome is up and nothing has been declared void."""
    return _made(draw, book, difficulty, (*WHOLE, LIFTED), ("move", "withdraw"), shown=True)
