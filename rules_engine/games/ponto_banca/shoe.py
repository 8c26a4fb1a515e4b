"""Making up the shoe: packs, shuffle, cut, warning card, first burn.

1995: 1, 3, 4 s1 to s4, 5 s1, 5 s2. Macau: intro, cartas, carta-aviso s1; it says nothing of a first burn.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rules_engine.authoring import PACK, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, rulebook, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import ALL, MACAU, PACKS, TEXTS_1995, articles, same
from rules_engine.games.ponto_banca.calls import Call
from rules_engine.games.ponto_banca.game import case, case_table, domain, rule
from rules_engine.games.ponto_banca.setting import table
from rules_engine.games.ponto_banca.table import Incident, Kind, Situation

domain("cut_card", "covers_last", "on_top", "left_in_place", "taken_out")
domain("loaded", "face_down", "face_up")

Packs = Annotated[int, Meta(ge=0, le=12)]
Colour = Literal["blue", "red", "yellow"]
COLOURS: tuple[Colour, ...] = ("blue", "red", "yellow")
# Numbers of cards that a croupier used to other shoes would burn or leave behind the warning card.
HABITS = (6, 20)
# How many cards of a shoe must be known to say what is burned of it.
KNOWN = 12


class PacksBrought(Incident, frozen=True, tag="packs_brought"):
    """Packs are brought to open the table, so many with blue backs and so many with red."""

    betting: ClassVar = False
    own: ClassVar = ("allowed",)

    blue: Packs
    red: Packs

    def sorts(self, situation: Situation) -> set[str]:
        return {situation.table, "mixed" if self.blue and self.red else f"{self.blue + self.red} packs"}

    def narration(self) -> list[Sentence]:
        form = "mixed" if self.blue and self.red else "blue" if self.blue else "red"
        return [
            ("incident.packs_brought", {}),
            (f"incident.checked_packs_{form}", {"blue": self.blue, "red": self.red}),
        ]


class PacksReused(Incident, frozen=True, tag="packs_reused"):
    """The packs have been used before; `worn` of them have a card that is no longer perfect."""

    betting: ClassVar = False

    sessions: Annotated[int, Meta(ge=1, le=20)]
    worn: Packs

    def sorts(self, situation: Situation) -> set[str]:
        return {situation.table, "some worn" if self.worn else "perfect"}

    def narration(self) -> list[Sentence]:
        once = "once" if self.sessions == 1 else "often"
        worn = {0: "none", 1: "one"}.get(self.worn, "several")
        values = {"sessions": self.sessions, "worn": self.worn}
        return [(f"incident.packs_used_{once}", values), (f"incident.packs_worn_{worn}", values)]

    def check(self, situation: Situation) -> None:
        if self.worn > PACKS[situation.table]:
            raise ImpossibleFacts("incident.worn", "more worn packs than the table has")


class Shuffling(Incident, frozen=True, tag="shuffling"):
    """Somebody, or a machine, is about to shuffle."""

    betting: ClassVar = False
    own: ClassVar = ("allowed",)

    by: Literal["croupier", "machine", "player"]

    def sorts(self, situation: Situation) -> set[str]:
        return {self.by}


class CutCardChosen(Incident, frozen=True, tag="cut_card_chosen"):
    """The card for the cut: the colours of its faces and of the packs' backs."""

    betting: ClassVar = False
    own: ClassVar = ("allowed",)

    front: Colour
    back: Colour
    packs: Colour

    def sorts(self, situation: Situation) -> set[str]:
        return {"plain" if self.front == self.back else "two colours", "like" if self.packs == self.back else "unlike"}

    def narration(self) -> list[Sentence]:
        form = "plain" if self.front == self.back else "two_coloured"
        values = {"front": self.front, "back": self.back, "packs": self.packs}
        return [(f"incident.cut_card_{form}", values), ("incident.cut_card_packs", values)]


class CutOffered(Incident, frozen=True, tag="cut_offered"):
    """The cards are shuffled; `declined` were offered the cut and did not want it."""

    betting: ClassVar = False

    declined: tuple[Place, ...] = ()

    def narration(self) -> list[Sentence]:
        form = {0: "first", 1: "declined_one"}.get(len(self.declined), "declined")
        return [(f"incident.cut_offered_{form}", {"declined": self.declined})]

    def check(self, situation: Situation) -> None:
        order = cut_order(situation)
        if not order:
            raise ImpossibleFacts("seats", "nobody is seated to be offered the cut")
        if self.declined != order[: len(self.declined)]:
            raise ImpossibleFacts(
                "incident.declined", "the cut is offered in the order {order:players}", order=tuple(order)
            )


class CutMade(Incident, frozen=True, tag="cut_made"):
    """The cut is made; the shoe is to be prepared. `next` is what it will give, where a text burns some of it."""

    betting: ClassVar = False

    def check(self, situation: Situation) -> None:
        if 0 < len(situation.next) < KNOWN:
            raise ImpossibleFacts("next", "the first twelve cards of the shoe must be known")

    def told(self, situation: Situation) -> list[Sentence]:
        return [("incident.cut_made" if situation.next else "incident.cut_made_plain", {})]

    def narration(self) -> list[Sentence]:
        return []


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
    r.number("packs_replaced", packs if incident.worn else 0, tempting=[incident.worn, 0 if incident.worn else packs])


@rule(Shuffling, *ALL)
def shuffling(s: Situation, incident: Shuffling, r: Reasoning) -> None:
    by = ("croupier", "machine") if r.book.coded_as == MACAU else ("croupier",)
    text = "shuffled_by_croupier_or_machine" if r.book.coded_as == MACAU else "shuffled_by_croupier"
    r.pivot(same(r.book, "4 s1", "cartas"), text)
    r.choice("allowed", "allowed" if incident.by in by else "refused")


@rule(CutCardChosen, *TEXTS_1995)
def cut_card_chosen(s: Situation, incident: CutCardChosen, r: Reasoning) -> None:
    plain, unlike = incident.front == incident.back, incident.back != incident.packs
    text = "cut_card_two_colours" if not plain else "cut_card" if unlike else "cut_card_like_packs"
    r.pivot("4 s1", text)
    r.choice("allowed", "allowed" if plain and unlike else "refused")


@rule(CutOffered, *TEXTS_1995)
def cut_offered(s: Situation, incident: CutOffered, r: Reasoning) -> None:
    order = cut_order(s)
    if len(incident.declined) == len(order):
        r.pivot("4 s3", "croupier_cuts")
        who = "croupier"
    else:
        who = order[len(incident.declined)]
        r.pivot("4 s2", "cut_goes_on" if incident.declined else "cut_from_left", first=order[0], by=who)
    r.player("cuts", who, tempting=(order[-1], "croupier"))


@rule(CutMade, *TEXTS_1995)
def cut_made(s: Situation, incident: CutMade, r: Reasoning) -> None:
    if not s.next:
        raise ImpossibleFacts("next", "the first twelve cards of the shoe must be known")
    burn, last = r.book.number("opening_burn"), r.book.number("warning_card_before_last")
    r.pivot("4 s4", "cut_card_covers_last")
    r.pivot("5 s1", "warning_card", count=last)
    r.pivot("5 s2", "opening_burn", count=burn)
    r.choice("cut_card", "covers_last")
    r.number("warning_card", last, tempting=(burn, *HABITS))
    r.choice("loaded", "face_down")
    r.number("opening_burn", burn, tempting=(last, *HABITS))
    _to_warning_card(s, r, burn)
    r.after(lying(burned=s.next[:burn], shoe=s.next[burn:]))


@rule(CutMade, MACAU)
def cut_made_macau(s: Situation, incident: CutMade, r: Reasoning) -> None:
    last = r.book.number("warning_card_before_last")
    r.pivot("carta-aviso s1", "warning_card", count=last)
    r.number("warning_card", last, tempting=HABITS)
    r.choice("loaded", "face_down")
    _to_warning_card(s, r, 0)
    r.after(lying(shoe=s.next))


def _to_warning_card(s: Situation, r: Reasoning, burn: int) -> None:
    """How many cards can be dealt before the warning card. The options are the same at both kinds of table."""
    last, packs = r.book.number("warning_card_before_last"), r.book.param("packs")
    in_1995 = rulebook(TEXTS_1995[0]).number("opening_burn")
    r.pivot(same(r.book, "1", "intro"), f"packs_{s.table}", count=packs[s.table])
    wrong = [len(PACK) * count - last - less for count in packs.values() for less in (0, in_1995)]
    r.number("to_warning_card", len(PACK) * packs[s.table] - last - burn, tempting=wrong)


@case("shoe", articles("1", macau="intro"))
def packs_for_the_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Right, the other table's number, or right in number but of two colours."""
    kind: Kind = draw.pick(("single", "double"))
    facts = table(draw, book, difficulty, kind=kind)
    wanted, wrong = (6, 8) if kind == "single" else (8, 6)
    blue, red = draw.pick(((wanted, 0), (wanted, 0), (wanted // 2, wanted // 2), (wrong, 0)))
    if draw.chance(0.5):
        blue, red = red, blue
    return Situation(**facts, table=kind, incident=PacksBrought(blue=blue, red=red))


@case("shoe", articles("3"))
def packs_again(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    kind: Kind = draw.pick(("single", "double"))
    facts = table(draw, book, difficulty, kind=kind)
    worn = draw.number(1, 3) if draw.chance(0.6) else 0
    return Situation(**facts, table=kind, incident=PacksReused(sessions=draw.number(1, 4), worn=worn))


@case("shoe", articles("4 s1", macau="cartas"))
def shuffle_begun(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    by: Literal["croupier", "machine", "player"] = draw.pick(("croupier", "machine", "player"))
    return Situation(**facts, incident=Shuffling(by=by))


@case("shoe", articles("4 s1"))
def cut_card_brought(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Right, two-coloured, or plain but in the packs' own colour."""
    facts = table(draw, book, difficulty)
    packs, plain, third = draw.shuffled(COLOURS)
    front, back = draw.pick(((plain, plain), (plain, third), (packs, packs), (plain, plain)))
    return Situation(**facts, incident=CutCardChosen(front=front, back=back, packs=packs))


@case_table(
    "shoe",
    variant("cut_offered_round", articles("4 s2"), all_decline=False),
    variant("nobody_cuts", articles("4 s3"), all_decline=True),
)
def _offered(draw: Draw, book: Rulebook, difficulty: int, *, all_decline: bool) -> Situation:
    facts = table(draw, book, difficulty)
    order = tuple(str(seat) for seat in sorted(facts["seats"], reverse=True))
    count = len(order) if all_decline else draw.number(0, len(order) - 1)
    calls = tuple(Call(place, "no_cut") for place in order[:count])
    return Situation(**facts, calls=calls, incident=CutOffered(declined=order[:count]))


@case("shoe", articles("4 s4", "5 s1", "5 s2", macau="carta-aviso s1"))
def shoe_made_ready(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The first cards of the shoe are known where some are burned, so not in the present Macau text."""
    kind: Kind = draw.pick(("single", "double"))
    facts = table(draw, book, difficulty, kind=kind)
    if book.coded_as != MACAU:
        facts["next"] = tuple(draw.card() for _ in range(14))
    return Situation(**facts, table=kind, incident=CutMade())
