"""The packs: how many, which backs, and what is done with worn cards.

Portugal 4 and 5; Sanremo 1 and 33.
"""

from typing import Annotated

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.shoe.moments import CARDS_IN_PACK, first_shoe, later_shoe
from rules_engine.games.chemin_de_fer.table import DECKS, Incident, Situation

Packs = Annotated[int, Meta(ge=0, le=12)]
# What a croupier used to other tables would bring.
HABITS = (4, 8)


class PacksSupplied(Incident, frozen=True, tag="packs_supplied"):
    """Packs are brought to open the table, so many of each back colour; plain backs or patterned ones."""

    setting_up = True

    phrased = {"allowed": "question.packs_good"}

    blue: Packs
    red: Packs
    yellow: Packs = 0
    indices: bool = False
    patterned: bool = False

    def narration(self) -> list[Sentence]:
        values = {"blue": self.blue, "red": self.red, "yellow": self.yellow}
        backs = [{"count": count, "colour": colour} for colour, count in values.items() if count]
        return [
            ("incident.packs_supplied.start", {**values, "backs": backs}),
            (f"incident.packs_supplied.{'patterned' if self.patterned else 'plain'}", {}),
            (f"incident.packs_supplied.{'indices' if self.indices else 'no_indices'}", {}),
        ]

    @property
    def by_colour(self) -> tuple[int, ...]:
        return tuple(count for count in (self.blue, self.red, self.yellow) if count)


class WornCards(Incident, frozen=True, tag="worn_cards"):
    """After `sessions` sessions with these packs, `cards` cards of `packs` packs are creased or stained."""

    cards: Annotated[int, Meta(ge=0, le=312)]
    packs: Annotated[int, Meta(ge=0, le=DECKS)]
    sessions: Annotated[int, Meta(ge=1, le=99)] = 1
    mid_shoe: bool = False
    inspector_wants_all: bool = False

    def check(self, situation: Situation) -> None:
        if not self.packs <= self.cards <= self.packs * CARDS_IN_PACK:
            raise ImpossibleFacts(
                "incident.cards", "{cards} worn cards cannot be of {packs} packs", cards=self.cards, packs=self.packs
            )

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [
            ("incident.worn_cards.start", {"sessions": self.sessions}),
            (f"incident.worn_cards.{'mid_shoe' if self.mid_shoe else 'between'}", {}),
            ("incident.worn_cards.found", {"cards": self.cards, "packs": self.packs})
            if self.cards
            else ("incident.worn_cards.none_found", {}),
        ]
        if self.inspector_wants_all:
            told.append(("incident.worn_cards.wants_all", {}))
        return told


@rule(PacksSupplied, *PT)
def packs_supplied_pt(s: Situation, incident: PacksSupplied, r: Reasoning) -> None:
    packs, colours = r.book.number("decks"), r.book.number("back_colours")
    each = packs // colours
    right = incident.by_colour == (each,) * colours and not incident.indices
    r.pivot("4", "shoe.packs_pt", packs=packs, each=each)
    r.number("packs", packs, tempting=[sum(incident.by_colour), *HABITS])
    r.number("packs_each_colour", each, tempting=[*incident.by_colour, packs, colours])
    r.choice("allowed", "allowed" if right else "refused")


@rule(PacksSupplied, SANREMO)
def packs_supplied_sanremo(s: Situation, incident: PacksSupplied, r: Reasoning) -> None:
    packs, colours = r.book.number("decks"), r.book.number("back_colours")
    right = sum(incident.by_colour) == packs and len(incident.by_colour) == colours
    r.pivot("1", "shoe.packs_sanremo", packs=packs, colours=colours)
    r.number("packs", packs, tempting=[sum(incident.by_colour), *HABITS])
    r.choice("allowed", "allowed" if right else "refused")


@rule(WornCards, *PT)
def worn_cards_pt(s: Situation, incident: WornCards, r: Reasoning) -> None:
    if incident.inspector_wants_all:
        raise NotRegulated("art. 5 does not speak of replacing packs that are perfect")
    every = r.book.number("decks") * CARDS_IN_PACK
    r.pivot("5", "shoe.whole_packs" if incident.packs else "shoe.packs_serve_again", packs=incident.packs)
    r.number("cards_replaced", incident.packs * CARDS_IN_PACK, tempting=[0, incident.cards, CARDS_IN_PACK, every])


@rule(WornCards, SANREMO)
def worn_cards_sanremo(s: Situation, incident: WornCards, r: Reasoning) -> None:
    every = r.book.number("decks") * CARDS_IN_PACK
    count = every if incident.inspector_wants_all else incident.cards
    r.pivot(
        "33", "shoe.inspector_replaces_all" if incident.inspector_wants_all else "shoe.worn_cards_only", count=count
    )
    r.number("cards_replaced", count, tempting=[0, incident.cards, incident.packs * CARDS_IN_PACK, every])


@case("shoe", {PT[0]: "4", SANREMO: "1"})
def packs_to_open(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Right ones; too few or too many; one colour only. Harder: uneven halves, indices, a third colour."""
    facts = first_shoe(draw, difficulty)
    wrong: list[tuple[int, int, int]] = [(6, 0, 0), (4, 4, 0), (2, 2, 0)]
    if difficulty >= 3:
        wrong.append((2, 2, 2))
        if book.coded_as != SANREMO:
            wrong += [(4, 2, 0), (2, 4, 0)]
    counts = (3, 3, 0) if draw.chance(0.5) else draw.pick(wrong)
    blue, red, yellow = draw.shuffled(counts)
    # Only Portugal forbids indices, only Sanremo speaks of patterns.
    indices = book.coded_as != SANREMO and difficulty >= 2 and draw.chance(0.3)
    patterned = book.coded_as == SANREMO and draw.chance(0.5)
    incident = PacksSupplied(blue=blue, red=red, yellow=yellow, indices=indices, patterned=patterned)
    return Situation(**facts, incident=incident)


@case("shoe", {PT[0]: "5"})
def worn_packs(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = later_shoe(draw, book, difficulty)
    packs = 0 if draw.chance(0.25) else draw.number(1, 1 + difficulty // 2)
    cards = packs + draw.number(0, difficulty) if packs else 0
    return Situation(**facts, incident=WornCards(cards=cards, packs=packs, sessions=draw.number(1, 5)))


@case("shoe", {SANREMO: "33"})
def worn_cards_found(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = later_shoe(draw, book, difficulty)
    packs = draw.number(1, 1 + difficulty // 2)
    incident = WornCards(
        cards=packs + draw.number(0, difficulty),
        packs=packs,
        mid_shoe=draw.chance(0.5),
        inspector_wants_all=difficulty >= 2 and draw.chance(0.4),
    )
    return Situation(**facts, incident=incident)
