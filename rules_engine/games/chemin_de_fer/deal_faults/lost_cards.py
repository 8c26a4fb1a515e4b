"""Cards that leave the cloth while dealing: fallen on the floor, thrown away, or dropped into the basket.

Floor, in the deal or the draw: Portugal 104 m, Sanremo 29, Spain 1 p4. Thrown away or binned: Portugal 104 i (read
apart from 104 m, Q13), Sanremo 63 s1-s3, Spain 3 p4-1.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.exposed import difference_may_be_made, offers, uncovered
from rules_engine.games.chemin_de_fer.deal_faults.rights import is_closed, still_open
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.setting import coup, pontos
from rules_engine.games.chemin_de_fer.table import Call, Claim, Incident, Place, Side, Situation, is_natural

Fallen = Literal["ponto.1", "ponto.2", "ponto.3", "banker.1", "banker.2", "banker.3"]
PontoCards = tuple[Literal["ponto.1", "ponto.2"], ...]
STAFF = ("croupier", "inspector")

domain(
    *("dropped", "keeps_value", "burned", "ponto_nine", "annuls"),
    unknown=dict.fromkeys((*PT, SANREMO), ("burned", "annuls")) | {SPAIN: ("annuls",)},
)
# The clauses about a card that comes out face up, a card of the ponto in the basket, and his third card there.
NEAR_FLOOR = {SANREMO: ("31", "63 s1", "64"), SPAIN: ("1 p2-2", "3 p4-1", "3 p4-2")}

TOLD = {
    "floor": "card_on_floor",
    "face_up": "card_on_floor_face_up",
    "basket": "card_in_basket",
    "thrown": "card_thrown",
}


def _check_dealt(s: Situation) -> None:
    if len(s.ponto) != 2 or len(s.banker_cards) != 2:
        raise ImpossibleFacts("ponto", "each side must have been dealt two cards")


class CardOnFloor(Incident, frozen=True, tag="card_on_floor"):
    """A card, dealt or drawn, fell on the floor by accident, from the hands of `by`; `picker` is about to pick it up.

    `way`: it had come out of the shoe face up; or it fell into the basket, not on the floor; or it was no accident:
    while dealing, the banker threw that card of the ponto down.
    """

    card: Fallen
    by: Side
    picker: Annotated[str, Meta(pattern="^([1-9][a-i]?|croupier|inspector)$")]
    way: Literal["floor", "face_up", "basket", "thrown"] = "floor"

    def check(self, situation: Situation) -> None:
        side, _, number = self.card.partition(".")
        for fact, cards in (("ponto", situation.ponto), ("banker_cards", situation.banker_cards)):
            if not 2 <= len(cards) <= 3:
                raise ImpossibleFacts(fact, "each side must have its two cards, or a third as well")
        if int(number) > len(situation.heap(side)):
            raise ImpossibleFacts("incident.card", "there is no card {ref:lying}", ref=self.card)
        if self.picker not in ("croupier", "inspector", *map(str, situation.seats), *situation.standing):
            raise ImpossibleFacts("incident.picker", "nobody is at {place}", place=self.picker)
        if self.way == "basket" and (side, self.by) != ("ponto", "banker"):
            raise ImpossibleFacts(
                "incident.way", "here it is the banker who lets a card of the ponto fall into the discard box"
            )
        if self.way == "thrown" and (self.by != "banker" or self.card not in ("ponto.1", "ponto.2")):
            raise ImpossibleFacts("incident.way", "it is a card of the ponto that the banker may throw down in dealing")

    def narration(self) -> list[Sentence]:
        fell = (f"incident.{TOLD[self.way]}", {"card": self.card, "by": self.by})
        return [fell] if self.way == "basket" else [fell, ("incident.deal_picker", {"picker": self.picker})]

    def elsewhere(self) -> dict[str, str]:
        return {self.card: "basket" if self.way == "basket" else "floor"}


def _floor(s: Situation, r: Reasoning, cite: str, card: str) -> None:
    """The card keeps its value in the hand it was dealt to."""
    side = card.partition(".")[0]
    r.pivot(cite, "deal.floor_keeps_value", card=s.card(card))
    r.choice("dropped", "keeps_value", critical=True)
    r.fate(card, side)
    r.score(f"{side}_score", score(s.heap(side)))
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


def _not_on_floor(s: Situation, incident: CardOnFloor, r: Reasoning) -> None:
    """It was void before it fell; or it is in the basket, and the ponto counts nine."""
    face_up, dealt, third = NEAR_FLOOR[r.book.coded_as]
    side = incident.card.partition(".")[0]
    left = {
        name: tuple(card for at, card in enumerate(s.heap(name), 1) if f"{name}.{at}" != incident.card)
        for name in ("ponto", "banker")
    }
    if incident.way == "face_up":
        r.pivot(face_up, "deal.floor_face_up", card=s.card(incident.card))
        r.choice("dropped", "burned", critical=True)
    else:
        nine = r.book.number("deal_basket_ponto_score")
        drawn = incident.card == "ponto.3"
        r.pivot(third if drawn else dealt, "deal.basket_third_nine" if drawn else "deal.binned_gives_nine", nine=nine)
        r.choice("dropped", "ponto_nine", critical=True)
        r.score(f"{side}_score", nine, tempting=[score(s.ponto)])
    r.fate(incident.card, "burned")
    r.after(lying(ponto=left["ponto"], banker=left["banker"], burned=(s.card(incident.card),), shoe=s.next))


@rule(CardOnFloor, *PT)
def card_on_floor_pt(s: Situation, incident: CardOnFloor, r: Reasoning) -> None:
    if incident.way == "thrown":
        _thrown(s, r, incident.card)
        return
    if incident.way != "floor":
        raise NotRegulated("art. 104 m) speaks of a good card on the floor; arts. 104 i) and 106 a) of the others")
    _floor(s, r, "104 m", incident.card)
    r.pivot("104 m", "deal.floor_watched")
    r.player("watched_by", "inspector", tempting=("croupier", "banker"))


@rule(CardOnFloor, SANREMO)
def card_on_floor_sanremo(s: Situation, incident: CardOnFloor, r: Reasoning) -> None:
    _only_fallen(incident, "29")
    if incident.way == "floor":
        _floor(s, r, "29", incident.card)
    else:
        _not_on_floor(s, incident, r)
    if incident.way != "basket":
        _staff_only(r, "29", incident.picker)


@rule(CardOnFloor, SPAIN)
def card_on_floor_spain(s: Situation, incident: CardOnFloor, r: Reasoning) -> None:
    _only_fallen(incident, "1 p4")
    own_rule = incident.way == "face_up" and r.book.reads("ES1", "own_rule")
    if own_rule:
        r.pivot("1 p2-2", "deal.face_up_own_rule", card=s.card(incident.card))
    if incident.way == "floor" or own_rule:
        _floor(s, r, "1 p4", incident.card)
    else:
        _not_on_floor(s, incident, r)
    if incident.way != "basket":
        _staff_only(r, "1 p4", incident.picker)


def _thrown(s: Situation, r: Reasoning, card: str) -> None:
    """Portugal 104 i, which we distinguish from an accident (Q13): the ponto has shown nine, and the thrown cards are
    out."""
    nine = r.book.number("deal_basket_ponto_score")
    r.pivot("104 i", "deal.thrown_gives_nine", nine=nine, card=s.card(card))
    r.choice("dropped", "ponto_nine", critical=True)
    r.fate(card, "burned")
    r.score("ponto_score", nine, tempting=[score(s.ponto)])
    left = tuple(other for number, other in enumerate(s.ponto, 1) if f"ponto.{number}" != card)
    r.after(lying(ponto=left, banker=s.banker_cards, burned=(s.card(card),), shoe=s.next))


def _only_fallen(incident: CardOnFloor, cite: str) -> None:
    if incident.way == "thrown":
        raise NotRegulated(
            "{cite:cited} speaks of a card that falls to the floor by itself, not of one that the banker throws there",
            cite=cite,
        )


def _staff_only(r: Reasoning, cite: str, picker: str) -> None:
    r.pivot(cite, "deal.floor_staff" if picker in STAFF else "deal.floor_not_player", picker=picker)
    r.choice("allowed", "allowed" if picker in STAFF else "refused")


@case_table(
    "deal_faults",
    variant("card_fell", {PT[0]: ("104 m", "104 i"), SANREMO: "29", SPAIN: "1 p4"}, way="floor"),
    # A look-alike: the card on the floor had come out of the shoe face up.
    variant("void_card_fell", {SPAIN: "1 p2-2"}, way="face_up"),
)
def _fell(draw: Draw, book: Rulebook, difficulty: int, way: Literal["floor", "face_up"]) -> Situation:
    """In Portugal the ponto's card may have been thrown down instead: the words say which."""
    claim: Claim = draw.pick(("stake", "banco"))
    facts = coup(draw, book, difficulty, claim=claim)
    thrown = book.coded_as in PT and draw.chance(0.5)
    # In Portugal mostly the ponto's, so that the side does not tell which of the two it was.
    side: Side = "ponto" if thrown or draw.chance(0.8 if book.coded_as in PT else 0.5) else "banker"
    picker = draw.pick((*STAFF, facts["banker"], *pontos(facts)[:1]))
    ponto, banker = draw.hand(draw.number(0, 9)), draw.hand(draw.number(0, 9))
    number = draw.number(1, 2 if thrown else 3)
    if number == 3:
        # The third card: the ponto's in any hand that asks, the banker's in one that draws on every card.
        ponto, banker = (*draw.hand(draw.number(0, 4)), draw.card()), draw.hand(draw.number(0, 2))
        banker = (*banker, draw.card()) if side == "banker" else banker
        facts["calls"] = (*facts["calls"], Call("ponto", "card"), Call("croupier", "card"))
    card: Fallen = f"{side}.{number}"  # type: ignore[assignment]
    by: Side = "banker" if thrown else draw.pick(("banker", side))
    incident = CardOnFloor(card=card, by=by, picker=picker, way="thrown" if thrown else way)
    return Situation(**facts, ponto=ponto, banker_cards=banker, incident=incident)


@case("deal_faults", {SANREMO: "63 s1", SPAIN: "3 p4-1"})
def card_fell_into_the_basket(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: not the floor but the basket."""
    facts = coup(draw, book, difficulty, claim=draw.pick(("stake", "banco")))
    card: Fallen = draw.pick(("ponto.1", "ponto.2"))
    return Situation(
        **facts,
        ponto=draw.hand(draw.number(0, 9)),
        banker_cards=draw.hand(draw.number(0, 9)),
        incident=CardOnFloor(card=card, by="banker", picker="croupier", way="basket"),
    )


class PontoCardsBinned(Incident, frozen=True, tag="ponto_cards_binned"):
    """While dealing the banker threw these cards of the ponto away or let them drop into the basket.

    `lost_before` and `asking` matter while the betting is open: who lost the bancô before, who offers the difference.
    """

    phrased = {"announcement": "question.announced_result"}

    cards: PontoCards
    lost_before: Place | None = None
    asking: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        _check_dealt(situation)
        if not self.cards or len(set(self.cards)) != len(self.cards):
            raise ImpossibleFacts("incident.cards", "one card or two different ones must have been lost")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.deal_binned_{len(self.cards)}", {})]
        if self.lost_before:
            told.append(("incident.deal_lost_before", {"player": self.lost_before}))
        if self.asking:
            told.append(("incident.deal_asking", {"players": self.asking}))
        return told

    def elsewhere(self) -> dict[str, str]:
        return dict.fromkeys(self.cards, "basket")


def _binned(s: Situation, r: Reasoning, incident: PontoCardsBinned, cite: str, *, tie: str = "") -> None:
    """The ponto counts as having shown his nine; the banker plays the two cards he has, and `tie` says what they do."""
    nine, banker = r.book.number("deal_basket_ponto_score"), score(s.banker_cards)
    r.pivot(cite, "deal.binned_gives_nine", nine=nine)
    if tie:
        r.pivot(tie, "deal.binned_tie" if banker == nine else "deal.binned_no_tie", banker=banker)
    r.score("ponto_score", nine)
    r.choice("banker_draw", "must_stand")
    lost = tuple(s.card(ref) for ref in incident.cards)
    left = tuple(card for number, card in enumerate(s.ponto, 1) if f"ponto.{number}" not in incident.cards)
    settle(s, r, ponto=left, banker=s.banker_cards, burned=lost, shoe=s.next, ponto_score=nine)


@rule(PontoCardsBinned, *PT)
def ponto_cards_binned_pt(s: Situation, incident: PontoCardsBinned, r: Reasoning) -> None:
    _binned(s, r, incident, "104 i", tie="104 i")


@rule(PontoCardsBinned, SANREMO)
def ponto_cards_binned_sanremo(s: Situation, incident: PontoCardsBinned, r: Reasoning) -> None:
    if not is_closed(s):
        r.pivot("63 s3", "deal.binned_betting_open")
        r.choice("stakes_may", "add_difference")
        difference_may_be_made(s, r, "61 b", incident.lost_before, incident.asking)
    else:
        r.step("10 s4", "deal.binned_betting_closed")
        r.choice("stakes_may", "unchanged")
    _binned(s, r, incident, "63 s1", tie="63 s2")


@rule(PontoCardsBinned, SPAIN)
def ponto_cards_binned_spain(s: Situation, incident: PontoCardsBinned, r: Reasoning) -> None:
    if is_natural(s.banker_cards) and score(s.banker_cards) == r.book.number("deal_basket_ponto_score"):
        raise NotRegulated("art. 3 §4 does not say what a nine of the banker is then worth")
    _binned(s, r, incident, "3 p4-1")


def _throw(draw: Draw, facts: dict[str, Any], banker: int, **more: Any) -> Situation:
    ways: tuple[PontoCards, ...] = (("ponto.1",), ("ponto.2",), ("ponto.1", "ponto.2"))
    return Situation(
        **facts,
        ponto=draw.hand(draw.number(0, 9)),
        banker_cards=draw.hand(banker),
        incident=PontoCardsBinned(cards=draw.pick(ways), **more),
    )


@case("discard_faults", {SPAIN: "3 p4-1"})
def ponto_cards_in_the_basket(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco", "banco_table")) if difficulty >= 2 else "stake"
    return _throw(draw, coup(draw, book, difficulty, claim=claim), draw.number(0, 8))


@case("deal_faults", {PT[0]: "104 i", SANREMO: ("63 s1", "63 s2")})
def ponto_cards_thrown(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Half of the harder ones give the banker the nine that saves him, or the eight that does not."""
    banker = draw.pick((8, 9)) if difficulty >= 2 and draw.chance(0.6) else draw.number(0, 9)
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 2 else "stake"
    return _throw(draw, coup(draw, book, difficulty, claim=claim), banker)


@case("deal_faults", {SANREMO: ("63 s1", "63 s2", "63 s3")})
def ponto_cards_thrown_while_betting(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = uncovered(draw, still_open(coup(draw, book, difficulty)))
    return _throw(draw, facts, draw.pick((8, 9, draw.number(0, 7))), **offers(draw, facts, difficulty))
