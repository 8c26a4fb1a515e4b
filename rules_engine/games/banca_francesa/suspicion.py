"""Dice under suspicion: when they must be seized, how, and who bears the cost. IV 5, IV 6."""

from typing import Annotated, Literal

from msgspec import Meta

from rules_engine.draw import Draw
from rules_engine.errors import NotRegulated
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case, domain, rule
from rules_engine.games.banca_francesa.setting import table
from rules_engine.games.banca_francesa.table import DICE, Incident, Situation
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning
from rules_engine.situation import Sentence

Who = Literal["inspectors", "player"]
Done = Literal["seized", "packed", "sealed"]
# What follows each thing done, in the order of the text.
NEXT: dict[Done, str] = {"seized": "pack", "packed": "seal", "sealed": "request_check"}

domain("seizure", "whole_set", "one_die", "not_ordered")
domain("suspicion_act", *NEXT.values())
domain("costs", "player", "not_player")


class DiceSuspected(Incident, frozen=True, tag="dice_suspected"):
    """Somebody suspects that a die is loaded or faulty, with good grounds or without."""

    by: Who
    grounds: bool = False

    def narration(self) -> list[Sentence]:
        kind = "grounds" if self.grounds else "hunch"
        return [(f"incident.suspected_{self.by}_{kind}", {})]


class SetSeized(Incident, frozen=True, tag="set_seized"):
    """A set has been seized, and so much has been done with it."""

    done: Done

    def narration(self) -> list[Sentence]:
        return [(f"incident.set_seized_{self.done}", {})]


class SetPacked(Incident, frozen=True, tag="set_packed"):
    """Suspected dice are about to be sealed: how many of the set, and before how many witnesses."""

    dice: Annotated[int, Meta(ge=1, le=DICE)]
    witnesses: Annotated[int, Meta(ge=0, le=6)]


class CheckReturned(Incident, frozen=True, tag="check_returned"):
    """The dice have been examined: who had suspected them, and whether rightly."""

    by: Who
    founded: bool = False

    def narration(self) -> list[Sentence]:
        kind = "founded" if self.founded else "unfounded"
        return [(f"incident.check_{self.by}_{kind}", {})]


@rule(DiceSuspected, BANCA)
def dice_suspected(s: Situation, incident: DiceSuspected, r: Reasoning) -> None:
    must = incident.by == "player" or incident.grounds
    if incident.by == "player":
        r.pivot("IV 5", "player_suspects")
    else:
        r.pivot("IV 5", "inspectors_with_grounds" if incident.grounds else "inspectors_without_grounds")
    r.choice("seizure", "whole_set" if must else "not_ordered", critical=True)


@rule(SetSeized, BANCA)
def set_seized(s: Situation, incident: SetSeized, r: Reasoning) -> None:
    act = NEXT[incident.done]
    r.pivot("IV 5", f"then_{act}", witnesses=r.book.number("witnesses"))
    r.choice("suspicion_act", act)


@rule(SetPacked, BANCA)
def set_packed(s: Situation, incident: SetPacked, r: Reasoning) -> None:
    whole, witnesses = r.book.number("dice_in_set"), r.book.number("witnesses")
    if incident.witnesses > witnesses:
        raise NotRegulated(f"{r.book.id} does not say whether more than {witnesses} witnesses may be there")
    r.pivot("IV 5", "sealed_so", dice=whole, witnesses=witnesses)
    good = incident.dice == whole and incident.witnesses == witnesses
    r.choice("allowed", "allowed" if good else "refused")


@rule(CheckReturned, BANCA)
def check_returned(s: Situation, incident: CheckReturned, r: Reasoning) -> None:
    if incident.by == "inspectors":
        r.pivot("IV 6", "no_player_complained")
    else:
        r.pivot("IV 6", "complaint_founded" if incident.founded else "complaint_unfounded")
    r.choice("costs", "player" if incident.by == "player" and not incident.founded else "not_player")


@case("suspicion", {BANCA: ("IV 5",)})
def somebody_suspects(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: a player with grounds, or inspectors without. Harder: a player without."""
    pairs: tuple[tuple[Who, bool], ...] = (
        ("player", True),
        ("inspectors", False),
        ("inspectors", True),
        ("player", False),
    )
    by, grounds = draw.pick(pairs if difficulty >= 2 else pairs[:2])
    return Situation(**table(draw, difficulty), incident=DiceSuspected(by=by, grounds=grounds))


@case("suspicion", {BANCA: ("IV 5",)})
def what_comes_next(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**table(draw, difficulty), incident=SetSeized(done=draw.pick(tuple(NEXT))))


@case("suspicion", {BANCA: ("IV 5",)})
def about_to_be_sealed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Good as often as not; else not the whole set, or too few witnesses."""
    whole, enough = book.number("dice_in_set"), book.number("witnesses")
    dice, witnesses = whole, enough
    if draw.chance(0.5):
        dice, witnesses = draw.pick(
            ((1, enough), (whole, enough - 1), (whole, 0), (whole - 1, enough))[: difficulty + 1]
        )
    return Situation(**table(draw, difficulty), incident=SetPacked(dice=dice, witnesses=witnesses))


@case("suspicion", {BANCA: ("IV 6",)})
def examined(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    by: Who = "inspectors" if difficulty >= 2 and draw.chance(0.25) else "player"
    return Situation(**table(draw, difficulty), incident=CheckReturned(by=by, founded=draw.chance(0.4)))
