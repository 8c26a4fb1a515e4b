"""Suspected dice: when they must be seized, how, and who pays for the examination. IV 5, IV 6."""

from typing import Annotated, Literal

from msgspec import Meta

from rules_engine.authoring import Draw, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case, case_table, domain, rule
from rules_engine.games.banca_francesa.table import DICE, Incident, Situation
from rules_engine.games.layout_bets.setting import table

Who = Literal["inspectors", "player"]
Done = Literal["seized", "packed", "sealed"]
Found = Literal["faulty", "sound"]
# The next act after each step.
NEXT: dict[Done, str] = {"seized": "pack", "packed": "seal", "sealed": "request_check"}

domain("seizure", "whole_set", "not_ordered")
domain("suspicion_act", *NEXT.values())
domain("costs", "player", "not_player")
domain("sealing", "right", "wrong")


class DiceSuspected(Incident, frozen=True, tag="dice_suspected"):
    """Somebody suspects that a die is loaded or faulty, with or without good grounds."""

    by: Who
    grounds: bool = False

    def narration(self) -> list[Sentence]:
        kind = "grounds" if self.grounds else "hunch"
        return [(f"incident.suspected_{self.by}_{kind}", {})]


class SetSeized(Incident, frozen=True, tag="set_seized"):
    """A set has been seized. `done` is the last step."""

    done: Done

    def narration(self) -> list[Sentence]:
        return [(f"incident.set_seized_{self.done}", {})]


class SetPacked(Incident, frozen=True, tag="set_packed"):
    """Suspected dice are about to be sealed: how many of the set, and in front of how many witnesses."""

    dice: Annotated[int, Meta(ge=1, le=DICE)]
    witnesses: Annotated[int, Meta(ge=0, le=6)]


class CheckReturned(Incident, frozen=True, tag="check_returned"):
    """The dice have been examined: who suspected them, and whether the suspicion was founded."""

    by: Who
    founded: bool = False

    def narration(self) -> list[Sentence]:
        kind = "founded" if self.founded else "unfounded"
        return [(f"incident.check_{self.by}_{kind}", {})]


class SeizureReviewed(Incident, frozen=True, tag="seizure_reviewed"):
    """A seizure is reviewed: who suspected, how many dice were sealed in front of how many witnesses, and what the
    examination found. Dice and witnesses are 0 if nothing was sealed, `found` is None if nothing was examined."""

    by: Who
    grounds: bool = False
    dice: Annotated[int, Meta(ge=0, le=DICE)] = 0
    witnesses: Annotated[int, Meta(ge=0, le=6)] = 0
    found: Found | None = None

    def narration(self) -> list[Sentence]:
        kind = "grounds" if self.grounds else "hunch"
        told: list[Sentence] = [("incident.review", {}), (f"incident.suspected_{self.by}_{kind}", {})]
        if self.dice:
            told.append(("incident.review_sealed", {"dice": self.dice, "witnesses": self.witnesses}))
        if self.found:
            told.append((f"incident.review_{self.found}", {}))
        return told


@rule(DiceSuspected, BANCA)
def dice_suspected(s: Situation, incident: DiceSuspected, r: Reasoning) -> None:
    _seizure(r, by=incident.by, grounds=incident.grounds)


def _seizure(r: Reasoning, *, by: Who, grounds: bool) -> None:
    """Decide whether the set must be seized. The tempting mistake is to require grounds from a player too."""
    founded_only = r.book.reads("IV5p", "founded")
    must = grounds or (by == "player" and not founded_only)
    if by == "player":
        r.pivot("IV 5", "player_suspects")
        if not grounds:
            r.pivot("IV 5 s2", "player_needs_grounds" if founded_only else "player_needs_no_grounds")
    else:
        r.pivot("IV 5", "inspectors_with_grounds" if grounds else "inspectors_without_grounds")
    tempting = ["not_ordered"] if by == "player" and not grounds else []
    r.choice("seizure", "whole_set" if must else "not_ordered", critical=True, tempting=tempting)


@rule(SetSeized, BANCA)
def set_seized(s: Situation, incident: SetSeized, r: Reasoning) -> None:
    act = NEXT[incident.done]
    r.pivot("IV 5", f"then_{act}", witnesses=r.book.number("witnesses"))
    r.choice("suspicion_act", act)


@rule(SetPacked, BANCA)
def set_packed(s: Situation, incident: SetPacked, r: Reasoning) -> None:
    good = _sealed(r, dice=incident.dice, witnesses=incident.witnesses)
    r.choice("allowed", "allowed" if good else "refused")


def _sealed(r: Reasoning, *, dice: int, witnesses: int) -> bool:
    """Whether suspected dice are sealed correctly."""
    whole, enough = r.book.number("dice_in_set"), r.book.number("witnesses")
    if witnesses > enough:
        raise NotRegulated(
            "art. IV 5 does not say whether more than {witnesses} witnesses may be there", witnesses=enough
        )
    r.pivot("IV 5", "sealed_so", dice=whole, witnesses=enough)
    return dice == whole and witnesses == enough


@rule(CheckReturned, BANCA)
def check_returned(s: Situation, incident: CheckReturned, r: Reasoning) -> None:
    _costs(r, by=incident.by, founded=incident.founded)


def _costs(r: Reasoning, *, by: Who, founded: bool) -> None:
    if by == "inspectors":
        r.pivot("IV 6", "no_player_complained")
    else:
        r.pivot("IV 6", "complaint_founded" if founded else "complaint_unfounded")
    r.choice("costs", "player" if by == "player" and not founded else "not_player")


@rule(SeizureReviewed, BANCA)
def seizure_reviewed(s: Situation, incident: SeizureReviewed, r: Reasoning) -> None:
    _seizure(r, by=incident.by, grounds=incident.grounds)
    if incident.dice:
        good = _sealed(r, dice=incident.dice, witnesses=incident.witnesses)
        half_right = not good and r.book.number("witnesses") == incident.witnesses
        r.choice("sealing", "right" if good else "wrong", tempting=["right"] if half_right else [])
    if incident.found:
        _costs(r, by=incident.by, founded=incident.found == "faulty")


# Who suspects, and whether with grounds. Only inspectors without grounds do not force a seizure: every other time.
SUSPICIONS: tuple[tuple[Who, bool], ...] = (
    ("player", True),
    ("inspectors", False),
    ("inspectors", False),
    ("inspectors", False),
    ("player", False),
    ("inspectors", True),
)


@case("suspicion", {BANCA: ("IV 5",)})
def somebody_suspects(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: a player with grounds, or inspectors without. Harder: also a player without."""
    by, grounds = draw.pick(SUSPICIONS if difficulty >= 2 else SUSPICIONS[:2])
    return Situation(**table(draw, book, difficulty), incident=DiceSuspected(by=by, grounds=grounds))


@case("suspicion", {BANCA: ("IV 5 s2",)})
def player_without_grounds(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Inspectors without grounds, or a player without; if easy, a player with grounds, whom nobody disputes."""
    by: Who = draw.pick(("player", "inspectors"))
    grounds = by == "player" and difficulty <= 2
    return Situation(**table(draw, book, difficulty), incident=DiceSuspected(by=by, grounds=grounds))


@case("suspicion", {BANCA: ("IV 5",)})
def what_comes_next(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**table(draw, book, difficulty), incident=SetSeized(done=draw.pick(tuple(NEXT))))


@case("suspicion", {BANCA: ("IV 5",)})
def about_to_be_sealed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    dice, witnesses = _sealing(draw, book, difficulty)
    return Situation(**table(draw, book, difficulty), incident=SetPacked(dice=dice, witnesses=witnesses))


def _sealing(draw: Draw, book: Rulebook, difficulty: int) -> tuple[int, int]:
    """Dice and witnesses: correct half of the time; otherwise not the whole set, or too few witnesses."""
    whole, enough = book.number("dice_in_set"), book.number("witnesses")
    wrong = ((1, enough), (whole, enough - 1), (whole, 0), (whole - 1, enough))
    return draw.pick(wrong[: difficulty + 1]) if draw.chance(0.5) else (whole, enough)


@case("suspicion", {BANCA: ("IV 6",)})
def examined(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    by: Who = "inspectors" if difficulty >= 2 and draw.chance(0.25) else "player"
    return Situation(**table(draw, book, difficulty), incident=CheckReturned(by=by, founded=draw.chance(0.4)))


@case_table(
    "suspicion",
    variant("seized_and_sealed", {BANCA: "IV 5"}, sealed_at=2, examined_at=4),
    variant("seized_and_examined", {BANCA: ("IV 5", "IV 6")}, sealed_at=4, examined_at=1),
)
def _reviewed(draw: Draw, book: Rulebook, difficulty: int, *, sealed_at: int, examined_at: int) -> Situation:
    """Sealing and examination are part of the review from these levels on."""
    by, grounds = draw.pick(SUSPICIONS)
    dice, witnesses = _sealing(draw, book, difficulty) if difficulty >= sealed_at else (0, 0)
    found: Found | None = draw.pick(("faulty", "sound", "sound")) if difficulty >= examined_at else None
    incident = SeizureReviewed(by=by, grounds=grounds, dice=dice, witnesses=witnesses, found=found)
    return Situation(**table(draw, book, difficulty), incident=incident)
