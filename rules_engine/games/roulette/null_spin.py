"""Void spins: something falls into the wheel while the ball is moving (X 16), or after it has settled (X 17)."""

from collections.abc import Iterable
from typing import Any, ClassVar, Literal

from rules_engine.authoring import (
    After,
    Draw,
    ImpossibleFacts,
    NotRegulated,
    Reasoning,
    Rulebook,
    Sentence,
    Utterance,
    variant,
)
from rules_engine.games.layout_bets.setting import Crowd, table
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case, case_table, domain, rule
from rules_engine.games.roulette.layout import Pocket
from rules_engine.games.roulette.setting import any_number, picture
from rules_engine.games.roulette.spin import announce, with_colours
from rules_engine.games.roulette.table import Incident, Situation

Thing = Literal["chip", "ball", "object"]
BESIDE_ZERO = 26
THINGS: tuple[Thing, ...] = ("chip", "ball", "object")
Moment = Literal["before_throw", "rolling", "dropping", "settled"]
Done = Literal["noticed", "stopped", "announced", "removed", "put_back"]
# The next act after each step, with its clause.
NEXT: dict[Done, tuple[str, str]] = {
    "noticed": ("stop_plate", "X 16 s1"),
    "stopped": ("announce", "X 16 s2"),
    "announced": ("remove", "X 16 s3"),
    "removed": ("put_back", "X 16 s3"),
    "put_back": ("throw", "X 16 s3"),
}

domain("spin", "stands", "void", "not_begun")
domain("null_act", *(act for act, _ in NEXT.values()))


class FellIn(Incident, frozen=True, tag="fell_in"):
    """Something falls into the wheel. `over` is the pocket in which the ball lies or is about to fall.

    `again`: the throw before was void too, so `previous` is the number of the spin before that one.
    """

    thing: Thing
    moment: Moment
    over: Pocket | None = None
    again: bool = False

    def check(self, situation: Situation) -> None:
        if situation.number is not None:
            raise ImpossibleFacts("number", "no number is out before it is announced")
        if (self.over is None) != (self.moment in ("before_throw", "rolling")):
            raise ImpossibleFacts("incident.over", "the ball is near a pocket once it drops, and not before")

    def sorts(self, situation: Situation) -> set[str]:
        return {self.thing, self.moment}

    def lying(self) -> Pocket | None:
        return self.over if self.moment == "settled" else None

    def sayable(self, situation: Situation) -> list[Utterance]:
        return void_or_number(situation, self.over)

    def narration(self) -> list[Sentence]:
        again: list[Sentence] = [("incident.fell_in_again", {})] if self.again else []
        return [*again, (f"incident.fell_in_{self.moment}", {"thing": self.thing, "over": self.over})]


class VoidSpin(Incident, frozen=True, tag="void_spin"):
    """Something fell in while the ball was rolling. `done` is the last step the dealer has finished."""

    tells: ClassVar = ()

    thing: Thing
    done: Done

    def check(self, situation: Situation) -> None:
        if situation.number is not None:
            raise ImpossibleFacts("number", "a void spin has no number")

    def sorts(self, situation: Situation) -> set[str]:
        return {self.thing, self.done}

    def narration(self) -> list[Sentence]:
        return [("incident.void_spin", {"thing": self.thing}), (f"incident.void_spin_{self.done}", {})]


def void_or_number(situation: Situation, over: int | None) -> list[Utterance]:
    """A void spin, zero, and a number: where the ball is or, if it is nowhere yet, where it was last."""
    number = over or situation.previous or BESIDE_ZERO
    return [Utterance("no_spin"), *with_colours(number), Utterance("result_zero")]


def _previous(s: Situation, r: Reasoning) -> int:
    if s.previous is None:
        raise NotRegulated("art. X 16 does not say where the ball goes before any number has come out")
    return s.previous


@rule(FellIn, FRENCH)
def fell_in(s: Situation, incident: FellIn, r: Reasoning) -> None:
    if incident.moment == "before_throw":
        r.pivot("X 16 s1", "fell_before_throw", thing=incident.thing)
        r.choice("spin", "not_begun", critical=True)
        return
    if incident.over is not None and incident.moment == "settled":
        r.pivot("X 16 s1", "fell_after_rest", thing=incident.thing)
        r.choice("spin", "stands", critical=True)
        announce(s, r, incident.over)
        r.after(After(marks={"marker": str(incident.over)}))
        return
    r.pivot("X 16 s1", "fell_on_the_way", thing=incident.thing)
    decide_void(s, r, tempting=[incident.over], again=incident.again)


def decide_void(s: Situation, r: Reasoning, *, tempting: Iterable[int | None], again: bool = False) -> None:
    """The spin is void: it is announced, and the ball goes back on the last number. `tempting` are other pockets."""
    back = _previous(s, r)
    r.pivot("X 16 s2", "announce_void")
    r.pivot("X 16 s3", "back_on_last_number" if again else "back_on_number", number=back)
    r.choice("spin", "void", critical=True)
    r.words("no_spin", tempting=s.likely("announcement"))
    r.number("ball_back", back, tempting=[number for number in (*tempting, 0) if number is not None])
    r.after(After(marks={"ball": str(back)}))


@rule(VoidSpin, FRENCH)
def void_spin(s: Situation, incident: VoidSpin, r: Reasoning) -> None:
    act, cite = NEXT[incident.done]
    back = _previous(s, r)
    r.pivot(cite, f"then_{act}", thing=incident.thing, number=back)
    r.choice("null_act", act)


def rolling(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """A table with bets while the ball is moving; the previous number is known."""
    crowd = Crowd((1, 2), (1, 2), (0, 2), (1, 4))
    facts = picture(draw, book, difficulty, number=any_number(draw, difficulty), crowd=crowd)
    return facts | {"number": None, "previous": draw.number(0, 36)}


@case("null_spin", {FRENCH: ("X 16 s1", "X 16 s2", "X 16 s3")})
def fell_on_the_way(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: the ball still rolls. Harder: it is dropping into a pocket, or the throw before was void too."""
    moment: Moment = draw.pick(("rolling", "dropping")) if difficulty >= 2 else "rolling"
    over = draw.number(0, 36) if moment == "dropping" else None
    again = difficulty >= 4 and draw.chance(0.4)
    incident = FellIn(thing=draw.pick(THINGS), moment=moment, over=over, again=again)
    return Situation(**rolling(draw, book, difficulty), incident=incident)


@case("null_spin", {FRENCH: ("X 16 s1", "X 17")})
def fell_after_rest(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The ball lies on any number, now and then on zero, which is announced without a colour."""
    over = 0 if draw.chance(0.1) else any_number(draw, difficulty)
    incident = FellIn(thing=draw.pick(THINGS), moment="settled", over=over)
    return Situation(**rolling(draw, book, difficulty), incident=incident)


@case("null_spin", {FRENCH: ("X 16 s1",)})
def fell_before_throw(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    incident = FellIn(thing=draw.pick(THINGS), moment="before_throw")
    return Situation(**rolling(draw, book, difficulty), incident=incident)


@case_table(
    "null_spin",
    variant("void_spin_noticed", {FRENCH: "X 16 s1"}, done=("noticed",)),
    variant("void_spin_stopped", {FRENCH: "X 16 s2"}, done=("stopped",)),
    variant("void_spin_cleared", {FRENCH: "X 16 s3"}, done=("announced", "removed", "put_back")),
)
def _acts(draw: Draw, book: Rulebook, difficulty: int, done: tuple[Done, ...]) -> Situation:
    incident = VoidSpin(thing=draw.pick(THINGS), done=draw.pick(done))
    return Situation(**table(draw, book, difficulty), previous=draw.number(0, 36), incident=incident)
