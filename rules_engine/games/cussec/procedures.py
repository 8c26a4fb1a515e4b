"""What part VII does not decide: a die on the glass, a zone lit by mistake, a prize doubted afterwards.

What wins and what it pays follow from VII 5 s3 and VII 7 to 10; a coup ends by VII 11.
"""

from typing import Any, ClassVar, Literal

from rules_engine.authoring import (
    FACES,
    After,
    Draw,
    Face,
    ImpossibleFacts,
    Place,
    Reasoning,
    Rulebook,
    Sentence,
    SpotKey,
    Utterance,
    variant,
)
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case, case_table, domain, rule
from rules_engine.games.cussec.layout import SPOTS, named
from rules_engine.games.cussec.multiples import multiples
from rules_engine.games.cussec.null_coup import CROWDS
from rules_engine.games.cussec.result import announce, results
from rules_engine.games.cussec.setting import any_dice, beside, chips, in_order, picture, worths
from rules_engine.games.cussec.settlement import (
    explain,
    explain_loss,
    explain_prize,
    outcomes,
    prize_clause,
    settle,
    times,
    winning,
)
from rules_engine.games.cussec.table import DICE, Incident, Situation
from rules_engine.games.layout_bets import corrections
from rules_engine.games.layout_bets.corrections import CORRECTIONS, decide_correction, doubt
from rules_engine.games.layout_bets.settlement import of_player, paid_on

Lie = Literal["flat", "leaning", "edge"]
LIES: tuple[Lie, ...] = ("flat", "leaning", "edge")
HARD_LIES: tuple[Lie, ...] = ("flat", "flat", "leaning", "leaning", "edge")
# How the die lies by which each house still counts it.
COUNTED: dict[str, tuple[Lie, ...]] = {"flat_only": ("flat",), "face_seen": ("flat", "leaning")}
Done = Literal["nothing", "settled", "covered"]
DONE: tuple[Done, ...] = ("nothing", "settled", "covered")

domain("light", "agree", "by_dice", "as_lit")
domain("correction", *CORRECTIONS)


class DieOnGlass(Incident, frozen=True, tag="die_on_glass"):
    """The dome is lifted, and the last die touches the glass: flat, leaning with one face more upwards, or on an edge
    so that nobody can say which face is up. `faces` are those that can be read."""

    lie: Lie
    faces: tuple[Face, ...]

    def check(self, situation: Situation) -> None:
        situation.check_some_bet()
        if situation.dice:
            raise ImpossibleFacts("dice", "no result is announced yet")
        if len(self.faces) != self._readable:
            raise ImpossibleFacts(
                "incident.faces", "the number of visible upper faces must be {count}", count=self._readable
            )

    @property
    def _readable(self) -> int:
        return DICE - 1 if self.lie == "edge" else DICE

    def sayable(self, situation: Situation) -> list[Utterance]:
        """The void coup, or a result with the faces that are seen; a die on its edge is taken to show another."""
        made_up = 1 + (self.faces[0] + sum(situation.seats)) % len(FACES)
        return [Utterance("void"), *results((*self.faces, made_up)[:DICE])]

    def seen(self) -> tuple[int, ...]:
        return self.faces

    def tilted(self) -> bool:
        return self.lie != "flat"

    def narration(self) -> list[Sentence]:
        return [(f"incident.on_glass_{self.lie}", {"faces": self.faces, "last": self.faces[-1]})]


class WrongLight(Incident, frozen=True, tag="wrong_light"):
    """The dealer lit these zones, and somebody says that the zone of a bet was lit or left dark by mistake. `done`: how
    far it is settled by the lights, and whether the glass is covered for the next coup."""

    player: Place
    spot: SpotKey
    zones: tuple[SpotKey, ...]
    done: Done
    tells_dice: ClassVar = True

    def check(self, situation: Situation) -> None:
        situation.result()
        situation.check_bet(self.player, self.spot)
        for index, key in enumerate(self.zones):
            situation.layout.check(key, f"incident.zones[{index}]")

    def lit(self) -> tuple[str, ...]:
        return self.zones

    @property
    def is_lit(self) -> bool:
        return self.spot in self.zones

    def covered(self, situation: Situation) -> bool:
        return self.done == "covered"

    def narrated(self, situation: Situation) -> list[Sentence]:
        bet = {"player": self.player, **named(self.spot)}
        told: list[Sentence] = [
            ("incident.light_zones", {"zones": [named(key) for key in self.zones]}),
            (f"incident.light_{'on' if self.is_lit else 'off'}_{self.done}", bet),
        ]
        seen: list[Sentence] = [("incident.light_dice", {"dice": situation.dice})] if self.done == "covered" else []
        return [*told, *seen]


class PrizeDoubted(corrections.PrizeDoubted, Incident, frozen=True, tag="prize_doubted"):
    """A player was paid this sum on a winning bet, and later somebody doubts that it was right."""

    tells_dice: ClassVar = True

    def covered(self, situation: Situation) -> bool:
        """For the next bets the dome is on again (VII 4)."""
        return self.found != "prize_lying"

    def narrated(self, situation: Any) -> list[Sentence]:
        told = super().narrated(situation)
        return [("incident.doubt_dice", {"dice": situation.dice}), *told] if self.covered(situation) else told


@rule(DieOnGlass, CUSSEC)
def die_on_glass(s: Situation, incident: DieOnGlass, r: Reasoning) -> None:
    whole = sum(bet.amount for bet in s.bets)
    if incident.lie not in COUNTED[r.procedure]:
        r.pivot("die_on_glass", f"glass_void_{incident.lie}")
        r.choice("coup", "void", critical=True)
        r.words("void", tempting=s.likely("announcement"))
        r.step("VII 6 s2", "all_again")
        r.amount("total", 0, tempting=[whole, 2 * whole, 5 * whole])
        r.after(After())
        return
    dice = incident.faces
    settled = outcomes(r.book, s.bets, dice)
    r.pivot("die_on_glass", f"glass_counts_{incident.lie}")
    r.choice("coup", "stands", critical=True)
    announce(s, r, dice, pivot=True)
    explain(s, r, dice, settled)
    paid = paid_on(settled)
    r.amount("total", paid, tempting=[0, paid + whole, whole, 5 * whole])
    settle(r, dice, settled)


@rule(WrongLight, CUSSEC)
def wrong_light(s: Situation, incident: WrongLight, r: Reasoning) -> None:
    dice, spot = s.result(), incident.spot
    settled = outcomes(r.book, s.bets, dice)
    mine = of_player(settled, incident.player, spot)
    won, lit = paid_on(mine), incident.is_lit
    stake = sum(one.bet.amount for one in mine)
    if won:
        for one in mine:
            explain_prize(r, one, dice)
    else:
        explain_loss(r, spot, dice)
    way = "agree" if bool(won) == lit else _by_house(r.procedure, incident)
    text = {"agree": "light_agrees", "by_dice": f"{r.procedure}_dice", "as_lit": f"{r.procedure}_lit"}[way]
    r.pivot("wrong_light", text, by=incident.player, **named(spot))
    if r.procedure == "until_covered" and way != "agree":
        r.step("VII 11", "coup_ended" if incident.done == "covered" else "coup_not_ended")
    as_lit = stake * min(multiples(r.book, prize_clause(spot))) if lit else 0
    r.choice("light", way, critical=True, tempting=["by_dice", "as_lit"])
    r.amount("zone_prize", as_lit if way == "as_lit" else won, tempting=[as_lit, won, stake, 0], critical=True)
    r.after(After(marks={"lit": " ".join(winning(r.book, dice))}))


def _by_house(procedure: str, incident: WrongLight) -> str:
    """Whether the dice or the lights decide where they differ."""
    if procedure == "until_covered":
        return "as_lit" if incident.done == "covered" else "by_dice"
    # What was paid on a zone that was lit stays paid; what a player was not paid is always made good.
    return "as_lit" if incident.is_lit and incident.done != "nothing" else "by_dice"


@rule(PrizeDoubted, CUSSEC)
def prize_doubted(s: Situation, incident: PrizeDoubted, r: Reasoning) -> None:
    dice = s.result()
    mine = of_player(outcomes(r.book, s.bets, dice), incident.player, incident.spot)
    right, stake = paid_on(mine), sum(one.bet.amount for one in mine)
    if not right:
        raise ImpossibleFacts(
            "incident.spot",
            "{player:player} has won nothing on {name:spot}{at}",
            player=incident.player,
            **named(incident.spot),
        )
    for one in mine:
        explain_prize(r, one, dice)
    wrong = [incident.paid, right + stake, right - stake, 2 * right, stake]
    r.amount("due", right, tempting=[one for one in wrong if one > 0], critical=True)
    decide_correction(r, incident, right)
    r.after(After(marks={"lit": " ".join(winning(r.book, dice))}))


# ---------- cases, the easier ones first ----------


@case("procedures", {CUSSEC: "prize_doubted"})
def prize_found_wrong(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Paid with the stake, once too often or too seldom, or rightly."""
    dice = any_dice(draw, book, difficulty)
    facts = picture(draw, book, difficulty, dice=dice, crowd=CROWDS[difficulty])
    bet = draw.pick([bet for bet in facts["bets"] if times(book, bet.spot, dice)])
    mine = of_player(outcomes(book, facts["bets"], dice), bet.player, bet.spot)
    right, stake = paid_on(mine), sum(one.bet.amount for one in mine)
    found: dict[str, Any] = doubt(
        draw, right, [right + stake, right + 2 * stake, 2 * right], [right - stake, right - 2 * stake]
    )
    return Situation(**facts, incident=PrizeDoubted(player=bet.player, spot=bet.spot, **found))


@case_table(
    "procedures",
    variant("zone_lit_by_mistake", {CUSSEC: "wrong_light"}, too_many=True),
    variant("zone_left_dark", {CUSSEC: "wrong_light"}, too_many=False),
)
def _light(draw: Draw, book: Rulebook, difficulty: int, *, too_many: bool) -> Situation:
    """Now and then the lights were right. Harder: more bets, doubles and triples."""
    dice = any_dice(draw, book, difficulty)
    facts = picture(draw, book, difficulty, dice=dice, crowd=CROWDS[difficulty])
    zones = list(winning(book, dice))
    spot = draw.pick(beside(book, tuple(sorted(dice))) if too_many else zones)
    player = str(draw.pick(facts["seats"]))
    bet = chips(draw, book, player, spot, worths(book, difficulty), CROWDS[difficulty].chips)
    others = [one for one in facts["bets"] if (one.player, one.spot) != (player, spot)]
    if draw.chance(0.8):
        zones = [*zones, spot] if too_many else [key for key in zones if key != spot]
    lit = tuple(key for key in SPOTS if key in zones)
    incident = WrongLight(player=player, spot=spot, zones=lit, done=draw.pick(DONE))
    return Situation(**facts | {"bets": in_order([*others, bet])}, incident=incident)


@case("procedures", {CUSSEC: "die_on_glass"})
def die_found_on_glass(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: more bets to pay where the coup counts."""
    dice = any_dice(draw, book, min(difficulty, 3))
    facts = picture(draw, book, difficulty, dice=dice, crowd=CROWDS[difficulty])
    lie = draw.pick(LIES if difficulty <= 2 else HARD_LIES)
    faces = dice[: DICE - 1] if lie == "edge" else dice
    return Situation(**facts | {"dice": ()}, incident=DieOnGlass(lie=lie, faces=faces))
