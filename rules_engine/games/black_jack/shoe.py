"""Packs, shuffle, cut, warning card and burned card: V 3, 5, 7 to 10."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rules_engine.authoring import PLACE, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case, rule
from rules_engine.games.black_jack.setting import table
from rules_engine.games.black_jack.table import Call, Incident, Situation

Colours = Literal["one_colour", "two_colours"]
Manner = Literal["rows_by_pack", "rows_mixed", "rows_face_down", "one_heap"]
Shuffler = Literal["croupier", "inspector", "player"]
CutWith = Literal["special_card", "pack_card", "hand"]
Shoe = Literal["opening", "restart", "later"]
BurnedTo = Literal["discard", "back_in_shoe"]
INSPECTOR = "inspector"


class PacksBrought(Incident, frozen=True, tag="packs_brought"):
    """These packs are brought to the table."""

    tells: ClassVar = ()

    count: Annotated[int, Meta(ge=1, le=12)]
    colours: Colours = "one_colour"
    jokers: bool = False

    def narration(self) -> list[Sentence]:
        form = "with" if self.jokers else "without"
        return [(f"incident.packs_{form}_jokers", {"count": self.count, "colours": self.colours})]


class CardsWorn(Incident, frozen=True, tag="cards_worn"):
    """Before a session: the number of worn cards in each pack that has any.

    `authorised`: the inspectors have, with good reason, allowed only the damaged cards to be replaced.
    """

    tells: ClassVar = ("packs",)

    worn: tuple[Annotated[int, Meta(ge=1, le=52)], ...] = ()
    authorised: bool = False

    def check(self, situation: Situation) -> None:
        if len(self.worn) > situation.packs:
            raise ImpossibleFacts("incident.worn", "there are {packs} packs", packs=situation.packs)

    def narration(self) -> list[Sentence]:
        if not self.worn:
            return [("incident.cards_perfect", {})]
        form = "many" if len(self.worn) > 1 else "one" if self.worn[0] > 1 else "single"
        values = {"worn": self.worn, "packs": len(self.worn)}
        told: list[Sentence] = [(f"incident.cards_worn_{form}", values)]
        return [*told, ("incident.worn_authorised", {})] if self.authorised else told


class CardsShown(Incident, frozen=True, tag="cards_shown"):
    """Before play the dealer shows the cards."""

    tells: ClassVar = ()

    manner: Manner


class CutPrepared(Incident, frozen=True, tag="cut_prepared"):
    """Who shuffled, and what is used for the cut."""

    tells: ClassVar = ()

    shuffler: Shuffler
    cut_with: CutWith


class CutOffered(Incident, frozen=True, tag="cut_offered"):
    """The cards are shuffled. `last` cut the previous shoe, if there was one; `declined` do not want to cut."""

    tells: ClassVar = ()

    shoe: Shoe
    last: Annotated[str, Meta(pattern=f"^({INSPECTOR}|{PLACE})$")] | None = None
    declined: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        if not situation.seats:
            raise ImpossibleFacts("seats", "nobody is seated to be offered the cut")
        if (self.shoe == "later") != (self.last is not None):
            raise ImpossibleFacts("incident.last", "who cut last is given for a later shoe, and only then")
        if self.last is not None and self.last != INSPECTOR and not self.last.isdigit():
            raise ImpossibleFacts("incident.last", "whoever cuts must be seated")
        order = cut_order(situation, self)
        if self.declined != order[: len(self.declined)]:
            raise ImpossibleFacts(
                "incident.declined", "the cut is offered in the order {order:players}", order=tuple(order)
            )

    def narration(self) -> list[Sentence]:
        told = [(f"incident.cut_{self.shoe}", {"last": self.last or ""})]
        form = "incident.cut_declined_one" if len(self.declined) == 1 else "incident.cut_declined"
        return [*told, (form, {"declined": self.declined})] if self.declined else told


class WarningCardToPlace(Incident, frozen=True, tag="warning_card_to_place"):
    """The cards are cut, and the warning card has to be inserted."""

    tells: ClassVar = ("packs", "people")

    def check(self, situation: Situation) -> None:
        if not situation.people():
            raise ImpossibleFacts("seats", "nobody is at the table")


class CardsBurned(Incident, frozen=True, tag="cards_burned"):
    """Before the first coup the dealer takes cards from the shoe."""

    tells: ClassVar = ()

    count: Annotated[int, Meta(ge=0, le=12)]
    to: BurnedTo = "discard"

    def narration(self) -> list[Sentence]:
        if not self.count:
            return [("incident.burned_none", {})]
        return [(f"incident.burned_{'one_' if self.count == 1 else ''}{self.to}", {"count": self.count})]


def cut_order(s: Situation, incident: CutOffered) -> tuple[str, ...]:
    """From the lowest seat when play starts; otherwise from the seat after the player who cut last."""
    seats = sorted(s.seats)
    last = int(incident.last) if incident.last and incident.last != INSPECTOR else 0
    later = [seat for seat in seats if seat > last]
    return tuple(map(str, [*later, *(seat for seat in seats if seat <= last)]))


@rule(PacksBrought, BJ)
def packs_brought(s: Situation, incident: PacksBrought, r: Reasoning) -> None:
    packs: list[int] = r.book.param("packs")
    wrong = {"packs_wrong_count": incident.count not in packs, "packs_no_jokers": incident.jokers}
    found = [text for text, holds in wrong.items() if holds]
    for text in found or ["packs"]:
        r.pivot("3", text, count=incident.count, few=min(packs), many=max(packs))
    r.choice("allowed", "refused" if found else "allowed")


@rule(CardsWorn, BJ)
def cards_worn(s: Situation, incident: CardsWorn, r: Reasoning) -> None:
    pack = r.book.number("cards_of_a_pack")
    whole, single = pack * len(incident.worn), sum(incident.worn)
    if incident.worn and incident.authorised:
        r.pivot("5 s2", "only_damaged", count=single)
    else:
        r.pivot(
            "5 s1", "whole_packs" if incident.worn else "packs_again", packs=len(incident.worn), cards=pack, count=whole
        )
    right = single if incident.authorised else whole
    r.number("cards_replaced", right, tempting=[0, single or 1, whole or pack, s.packs * pack])


@rule(CardsShown, BJ)
def cards_shown(s: Situation, incident: CardsShown, r: Reasoning) -> None:
    right = incident.manner == "rows_by_pack"
    r.pivot("7", "shown_right" if right else "shown_in_rows")
    r.choice("allowed", "allowed" if right else "refused")


@rule(CutPrepared, BJ)
def cut_prepared(s: Situation, incident: CutPrepared, r: Reasoning) -> None:
    wrong = {
        "dealer_shuffles": incident.shuffler != "croupier",
        "cut_with_special": incident.cut_with != "special_card",
    }
    found = [text for text, holds in wrong.items() if holds]
    for text in found or ["shuffle_and_cut"]:
        r.pivot("8 s1", text)
    r.choice("allowed", "refused" if found else "allowed")


@rule(CutOffered, BJ)
def cut_offered(s: Situation, incident: CutOffered, r: Reasoning) -> None:
    order = cut_order(s, incident)
    left = order[len(incident.declined) :]
    fresh = incident.shoe != "later"
    if incident.last == INSPECTOR:
        r.pivot("8 s3", "as_at_the_start")
    if not left:
        r.pivot("8 s3", "inspector_cuts")
        who = INSPECTOR
    else:
        who = left[0]
        again = not fresh and incident.last != INSPECTOR and int(who) <= int(str(incident.last))
        if again and r.book.reads("V8", "inspector"):
            r.pivot("8 s2-round", "round_is_over")
            who = INSPECTOR
        elif again:
            r.pivot("8 s2-round", "round_again", first=who)
        else:
            start = fresh or incident.last == INSPECTOR
            r.pivot("8 s2", "cut_from_lowest" if start else "cut_goes_on", first=who)
    r.player("cuts", who, tempting=(*order, INSPECTOR), critical=True)


@rule(WarningCardToPlace, BJ)
def warning_card_to_place(s: Situation, incident: WarningCardToPlace, r: Reasoning) -> None:
    cards = r.book.number("cards_of_a_pack") * s.packs
    usual, middle = r.book.number("warning_card_from_end"), cards // 2
    alone = len(s.people()) == 1
    if alone:
        r.pivot("9 s2", "middle", cards=cards, count=middle)
    else:
        r.pivot("9 s1", "from_the_end", count=usual)
    r.number("warning_card", middle if alone else usual, tempting=[usual, middle, usual + 2, 12])


@rule(CardsBurned, BJ)
def cards_burned(s: Situation, incident: CardsBurned, r: Reasoning) -> None:
    burn = r.book.number("opening_burn")
    right = incident.count == burn and incident.to == "discard"
    r.pivot("10", "burned_right" if right else "burn_one")
    r.choice("allowed", "allowed" if right else "refused")


@case("shoe", {BJ: "3"})
def packs_for_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    right: list[int] = book.param("packs")
    count = draw.pick(right) if draw.chance(0.65) else draw.pick((5, 8) if difficulty >= 2 else (2, 3, 8))
    jokers = difficulty >= 2 and draw.chance(0.2)
    colours: Colours = draw.pick(("one_colour", "two_colours"))
    return Situation(
        **table(draw, book, difficulty), incident=PacksBrought(count=count, colours=colours, jokers=jokers)
    )


@case("shoe", {BJ: ("5 s1", "5 s2")})
def worn_cards(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    packs = 0 if draw.chance(0.15) else 1 if difficulty <= 2 else draw.number(2, 3)
    worn = tuple(draw.number(1, 4) for _ in range(packs))
    authorised = packs > 0 and draw.chance(0.5)
    return Situation(**table(draw, book, difficulty), incident=CardsWorn(worn=worn, authorised=authorised))


@case("shoe", {BJ: "7"})
def cards_laid_out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    wrong: tuple[Manner, ...] = ("rows_mixed", "rows_face_down", "one_heap")
    manner: Manner = "rows_by_pack" if draw.chance(0.5) else draw.pick(wrong[: 1 + difficulty])
    return Situation(**table(draw, book, difficulty), incident=CardsShown(manner=manner))


@case("shoe", {BJ: "8 s1"})
def ready_to_cut(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    shuffler: Shuffler = "croupier" if draw.chance(0.7) else draw.pick(("inspector", "player"))
    cut_with: CutWith = "special_card" if draw.chance(0.7) else draw.pick(("pack_card", "hand"))
    return Situation(**table(draw, book, difficulty), incident=CutPrepared(shuffler=shuffler, cut_with=cut_with))


def _offered(
    draw: Draw, book: Rulebook, difficulty: int, *, shoe: Shoe, last: str | None = None, all_decline: bool = False
) -> Situation:
    facts = table(draw, book, difficulty, least=3)
    seats = sorted(facts["seats"])
    if shoe == "later" and last is None:
        last = str(seats[-1] if difficulty >= 4 and draw.chance(0.4) else draw.pick(seats[:-1]))
    bare = CutOffered(shoe=shoe, last=last)
    order = cut_order(Situation(**facts, incident=CardsShown(manner="one_heap")), bare)
    room = len([seat for seat in seats if last is None or last == INSPECTOR or seat > int(last)]) or 1
    count = len(order) if all_decline else draw.number(0, min(room - 1, difficulty - 1))
    calls = tuple(Call(place, "no_cut") for place in order[:count])
    return Situation(**facts, calls=calls, incident=CutOffered(shoe=shoe, last=last, declined=order[:count]))


@case("shoe", {BJ: "8 s2"})
def cut_at_a_start(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    shoe: Shoe = draw.pick(("opening", "restart"))
    return _offered(draw, book, difficulty, shoe=shoe)


@case("shoe", {BJ: ("8 s2", "8 s2-round")})
def cut_of_a_later_shoe(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _offered(draw, book, difficulty, shoe="later")


@case("shoe", {BJ: "8 s3"})
def nobody_cuts(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """All decline; or all declined last time, and the order starts again."""
    if draw.chance(0.5):
        return _offered(draw, book, difficulty, shoe="later", last=INSPECTOR)
    return _offered(draw, book, difficulty, shoe=draw.pick(("opening", "restart")), all_decline=True)


@case("shoe", {BJ: ("9 s1", "9 s2")})
def warning_card(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    if draw.chance(0.5):
        facts["seats"] = facts["seats"][:1]
    elif len(facts["seats"]) == 1:
        facts["seats"] = (1, 2)
    return Situation(**facts, incident=WarningCardToPlace())


@case("shoe", {BJ: "10"})
def opening_burn(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    count = 1 if draw.chance(0.6) else draw.pick((0, 3, 5, 8) if difficulty < 3 else (0, 2, 2, 3))
    to: BurnedTo = "back_in_shoe" if difficulty >= 2 and count and draw.chance(0.15) else "discard"
    return Situation(**table(draw, book, difficulty), incident=CardsBurned(count=count, to=to))
