"""Making up the shoe: packs, shuffle, cut, warning card, first burn.

1995: 1, 3, 4 s1 to s4, 5 s1, 5 s2. Macau: intro, cartas, carta-aviso s1; it says nothing of a first burn.
"""

from typing import Annotated, Literal

from msgspec import Meta

from rules_engine.equipment.places import Place
from rules_engine.errors import ImpossibleFacts
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import ALL, MACAU, PACKS, TEXTS_1995, articles, same
from rules_engine.games.ponto_banca.calls import Call
from rules_engine.games.ponto_banca.game import case, domain, rule
from rules_engine.games.ponto_banca.setting import table
from rules_engine.games.ponto_banca.table import Incident, Kind, Situation
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning

domain("cut_card", "covers_last", "on_top", "left_in_place", "taken_out")
domain("loaded", "face_down", "face_up")

Packs = Annotated[int, Meta(ge=0, le=12)]
Colour = Literal["blue", "red", "yellow"]
COLOURS: tuple[Colour, ...] = ("blue", "red", "yellow")
# Cards that a croupier used to other shoes would burn or leave behind the warning card.
HABITS = (1, 6, 7, 10, 20)


class PacksBrought(Incident, frozen=True, tag="packs_brought"):
    """Packs are brought to open the table, so many with blue backs and so many with red."""

    blue: Packs
    red: Packs


class PacksReused(Incident, frozen=True, tag="packs_reused"):
    """The packs served before; `worn` of them have a card that is no longer perfect."""

    sessions: Annotated[int, Meta(ge=1, le=20)]
    worn: Packs

    def check(self, situation: Situation) -> None:
        if self.worn > PACKS[situation.table]:
            raise ImpossibleFacts("incident.worn", "more worn packs than the table has")


class Shuffling(Incident, frozen=True, tag="shuffling"):
    """Somebody, or a machine, is about to shuffle."""

    by: Literal["croupier", "machine", "player"]


class CutCardChosen(Incident, frozen=True, tag="cut_card_chosen"):
    """The card with which the cut would be made: the colours of its faces and of the packs' backs."""

    front: Colour
    back: Colour
    packs: Colour


class CutOffered(Incident, frozen=True, tag="cut_offered"):
    """The cards are shuffled; `declined` were offered the cut and did not want it."""

    declined: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        order = cut_order(situation)
        if not order:
            raise ImpossibleFacts("seats", "nobody is seated to be offered the cut")
        if self.declined != order[: len(self.declined)]:
            raise ImpossibleFacts("incident.declined", f"the cut is offered in the order {', '.join(order)}")


class CutMade(Incident, frozen=True, tag="cut_made"):
    """The cut is made; the shoe is to be made ready. `next` is what it will give."""

    def check(self, situation: Situation) -> None:
        if len(situation.next) < 12:
            raise ImpossibleFacts("next", "the first twelve cards of the shoe must be known")


def cut_order(s: Situation) -> tuple[str, ...]:
    """From the first player at the croupier's left onwards: the highest seat first."""
    return tuple(str(seat) for seat in sorted(s.seats, reverse=True))


@rule(PacksBrought, *ALL)
def packs_brought(s: Situation, incident: PacksBrought, r: Reasoning) -> None:
    wanted = int(r.book.param("packs")[s.table])
    right = wanted in (incident.blue, incident.red) and 0 in (incident.blue, incident.red)
    r.pivot(same(r.book, "1", "intro"), f"packs_{s.table}", count=wanted)
    r.number("packs", wanted, tempting=[6, 8, incident.blue + incident.red])
    r.choice("allowed", "allowed" if right else "refused")


@rule(PacksReused, *TEXTS_1995)
def packs_reused(s: Situation, incident: PacksReused, r: Reasoning) -> None:
    packs = int(r.book.param("packs")[s.table])
    r.pivot("3", "replace_all" if incident.worn else "use_again", count=packs)
    r.number("packs_replaced", packs if incident.worn else 0, tempting=[0, 1, incident.worn, packs])


@rule(Shuffling, *ALL)
def shuffling(s: Situation, incident: Shuffling, r: Reasoning) -> None:
    by = ("croupier", "machine") if r.book.id == MACAU else ("croupier",)
    text = "shuffled_by_croupier_or_machine" if r.book.id == MACAU else "shuffled_by_croupier"
    r.pivot(same(r.book, "4 s1", "cartas"), text)
    r.choice("allowed", "allowed" if incident.by in by else "refused")


@rule(CutCardChosen, *TEXTS_1995)
def cut_card_chosen(s: Situation, incident: CutCardChosen, r: Reasoning) -> None:
    right = incident.front == incident.back != incident.packs
    r.pivot("4 s1", "cut_card")
    r.choice("allowed", "allowed" if right else "refused")


@rule(CutOffered, *TEXTS_1995)
def cut_offered(s: Situation, incident: CutOffered, r: Reasoning) -> None:
    order = cut_order(s)
    r.step("4 s2", "cut_from_left", first=order[0], pivot=len(incident.declined) < len(order))
    if len(incident.declined) == len(order):
        r.pivot("4 s3", "croupier_cuts")
        who = "croupier"
    else:
        who = order[len(incident.declined)]
    r.player("cuts", who, tempting=(order[-1], order[0], "croupier", "inspector"))


@rule(CutMade, *TEXTS_1995)
def cut_made(s: Situation, incident: CutMade, r: Reasoning) -> None:
    burn, last = r.book.number("opening_burn"), r.book.number("warning_card_before_last")
    r.pivot("4 s4", "cut_card_covers_last")
    r.pivot("5 s1", "warning_card", count=last)
    r.pivot("5 s2", "opening_burn", count=burn)
    r.choice("cut_card", "covers_last")
    r.number("warning_card", last, tempting=(burn, *HABITS))
    r.choice("loaded", "face_down")
    r.number("opening_burn", burn, tempting=(last, *HABITS))
    r.after(lying(burned=s.next[:burn], shoe=s.next[burn:]))


@rule(CutMade, MACAU)
def cut_made_macau(s: Situation, incident: CutMade, r: Reasoning) -> None:
    last = r.book.number("warning_card_before_last")
    r.pivot("carta-aviso s1", "warning_card", count=last)
    r.number("warning_card", last, tempting=HABITS)
    r.choice("loaded", "face_down")
    r.after(lying(shoe=s.next))


@case("shoe", articles("1", macau=("intro",)))
def packs_for_the_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Right, the other table's number, or right in number but of two colours."""
    facts = table(draw, book, difficulty)
    kind: Kind = draw.pick(("single", "double"))
    wanted, wrong = (6, 8) if kind == "single" else (8, 6)
    blue, red = draw.pick(((wanted, 0), (wanted // 2, wanted // 2), (wrong, 0)))
    if draw.chance(0.5):
        blue, red = red, blue
    return Situation(**facts, table=kind, incident=PacksBrought(blue=blue, red=red))


@case("shoe", articles("3"))
def packs_again(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    kind: Kind = draw.pick(("single", "double"))
    worn = draw.number(1, 3) if draw.chance(0.6) else 0
    return Situation(**facts, table=kind, incident=PacksReused(sessions=draw.number(1, 4), worn=worn))


@case("shoe", articles("4 s1", macau=("cartas",)))
def shuffle_begun(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    by: Literal["croupier", "machine", "player"] = draw.pick(("croupier", "machine", "player"))
    return Situation(**facts, incident=Shuffling(by=by))


@case("shoe", articles("4 s1"))
def cut_card_brought(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Right; two-coloured; or plain but of the packs' own colour."""
    facts = table(draw, book, difficulty)
    packs, plain, third = draw.shuffled(COLOURS)
    front, back = draw.pick(((plain, plain), (plain, third), (packs, packs), (plain, plain)))
    return Situation(**facts, incident=CutCardChosen(front=front, back=back, packs=packs))


def _offered(draw: Draw, book: Rulebook, difficulty: int, *, all_decline: bool) -> Situation:
    facts = table(draw, book, difficulty)
    order = tuple(str(seat) for seat in sorted(facts["seats"], reverse=True))
    count = len(order) if all_decline else draw.number(0 if difficulty <= 2 else 1, len(order) - 1)
    calls = tuple(Call(place, "no_cut") for place in order[:count])
    return Situation(**facts, calls=calls, incident=CutOffered(declined=order[:count]))


@case("shoe", articles("4 s2"))
def cut_offered_round(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _offered(draw, book, difficulty, all_decline=False)


@case("shoe", articles("4 s3"))
def nobody_cuts(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _offered(draw, book, difficulty, all_decline=True)


@case("shoe", articles("4 s4", "5 s1", "5 s2", macau=("carta-aviso s1",)))
def shoe_made_ready(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    return Situation(**facts, next=tuple(draw.card() for _ in range(14)), incident=CutMade())
