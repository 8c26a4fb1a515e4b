"""Throws that count, void throws, and when the dice must be changed. IV 7 b, IV 8."""

from typing import Literal

from rules_engine.authoring import After, Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, Throw, variant
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case, case_table, domain, rule
from rules_engine.games.banca_francesa.setting import CROWDS, Crowd, any_chance, picture
from rules_engine.games.banca_francesa.settlement import NONE, explain_chance
from rules_engine.games.banca_francesa.table import DICE, Incident, Situation

Mishap = Literal[
    "foreign_object",
    "floor",
    "off_table",
    "damaged",
    "soiled",
    "not_in_cup",
    "left_in_cup",
    "out_of_arena",
    "cocked",
    "stacked",
    "surround",
    "reached_later",
]
VOID: dict[Mishap, str] = {
    "foreign_object": "IV 8 a",
    "floor": "IV 8 b-1",
    "off_table": "IV 8 b-1",
    "damaged": "IV 8 b-1",
    "soiled": "IV 8 b-1",
    "not_in_cup": "IV 8 c",
    "left_in_cup": "IV 8 d",
    "out_of_arena": "IV 8 e",
    "cocked": "IV 8 f",
    "stacked": "IV 8 g",
}
# What looks wrong but is not: the surround is part of the table, and an object may reach dice that lie still.
HARMLESS: tuple[Mishap, ...] = ("surround", "reached_later")
# After these the die does not lie flat and apart in the arena, so it is not read.
AWAY: tuple[Mishap, ...] = ("floor", "off_table", "not_in_cup", "left_in_cup", "out_of_arena", "cocked", "stacked")
# These also require another set of dice.
SPOILT = tuple(mishap for mishap, cite in VOID.items() if cite == "IV 8 b-1")

domain("throw_counts", "counts", "void")
domain("dice_change", "at_once", "not_ordered")


class ThrowEnds(Incident, frozen=True, tag="throw_ends"):
    """The dice have come to rest; `happened` is what happened to the first, second and third die."""

    happened: tuple[Mishap, ...] = ()

    def check(self, situation: Situation) -> None:
        situation.result()
        if len(self.happened) > DICE:
            raise ImpossibleFacts("incident.happened", "three dice are thrown")
        if len(set(self.happened)) < len(self.happened):
            raise ImpossibleFacts("incident.happened", "a mishap is listed twice")

    def astray(self) -> tuple[str, ...]:
        return self.happened

    def flat(self, dice: Throw) -> Throw:
        """A die under a stacked die does not lie apart either."""
        away = {index for index, mishap in enumerate(self.happened) if mishap in AWAY}
        if "stacked" in self.happened:
            top = self.happened.index("stacked")
            away.add(next((under for under in ((top + 1) % DICE, (top + 2) % DICE) if under not in away), top))
        return tuple(face for index, face in enumerate(dice) if index not in away)

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.throw_{mishap}", {}) for mishap in self.happened]
        if not self.happened:
            return [("incident.throw_all_apart", {})]
        # If a die is away, the opening has already said how the others landed.
        return told if set(self.happened) & set(AWAY) else [*told, ("incident.throw_rest_apart", {})]


@rule(ThrowEnds, BANCA)
def throw_ends(s: Situation, incident: ThrowEnds, r: Reasoning) -> None:
    wrong = [mishap for mishap in incident.happened if mishap in VOID]
    spoilt = [mishap for mishap in wrong if mishap in SPOILT]
    for mishap in incident.happened:
        if mishap in VOID:
            r.pivot(VOID[mishap], f"void_{mishap}")
        else:
            r.pivot("IV 8 a", f"harmless_{mishap}")
        if mishap in spoilt[-1:]:
            r.pivot("IV 8 b-2", "new_set")
    new_set = bool(spoilt)
    if not new_set:
        r.step("IV 8 b-2", "same_set")
    r.choice("throw_counts", "void" if wrong else "counts", critical=True)
    r.choice("dice_change", "at_once" if new_set else "not_ordered")
    if wrong:
        r.choice("chance", NONE)
        r.after(After())
        return
    r.pivot("IV 7 b", "each_apart")
    chance = explain_chance(r, s.result(), pivot=False)
    r.choice("chance", chance)
    r.after(After(marks={"chance": chance}))


def _throw(draw: Draw, book: Rulebook, difficulty: int, *happened: Mishap) -> Situation:
    """Harder: also something harmless that looks wrong, and more bets."""
    crowd = Crowd((1, 2), (1, difficulty), CROWDS[difficulty].chips)
    facts = picture(draw, book, difficulty, chance=any_chance(draw, difficulty), crowd=crowd)
    if difficulty >= 4 and len(happened) == 1 and happened[0] not in HARMLESS and draw.chance(0.4):
        happened = (happened[0], draw.pick(HARMLESS))
    return Situation(**facts, incident=ThrowEnds(happened=happened))


@case_table(
    "null_throw",
    *(
        variant(f"void_{mishap}", {BANCA: (cite, "IV 8 b-2") if mishap in SPOILT else (cite,)}, mishap=mishap)
        for mishap, cite in VOID.items()
    ),
)
def _void(draw: Draw, book: Rulebook, difficulty: int, mishap: Mishap) -> Situation:
    """If hard and the dice must be changed, sometimes with another mishap that does not require it."""
    happened = [mishap]
    if mishap in SPOILT and difficulty >= 4 and draw.chance(0.5):
        happened = draw.shuffled([mishap, draw.pick([other for other in VOID if other not in SPOILT])])
    return _throw(draw, book, difficulty, *happened)


case_table("null_throw", variant("each_apart", {BANCA: "IV 7 b"}))(_throw)


@case("null_throw", {BANCA: ("IV 7 b", "IV 8 a")})
def only_looks_void(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _throw(draw, book, difficulty, draw.pick(HARMLESS))


@case("null_throw", {BANCA: ("IV 7 b", "IV 8 a")})
def looks_void_twice(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _throw(draw, book, difficulty, *(draw.shuffled(HARMLESS) if difficulty >= 3 else HARMLESS[:1]))


@case("null_throw", {BANCA: ("IV 7 b",)})
def each_apart_among_many(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _throw(draw, book, difficulty, *draw.sample(HARMLESS, draw.number(0, 1)))


@case("null_throw", {BANCA: ("IV 8 a", "IV 7 b")})
def object_in_time_or_late(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The same object, while the dice roll or after they lie still."""
    when: tuple[Mishap, ...] = ("foreign_object", "reached_later", "reached_later")
    return _throw(draw, book, difficulty, draw.pick(when))
