"""The deal in its order, cards that come out face up, and passing the cards to the ponto.

Portugal 62, 63, 106 a; Sanremo 11 s1, 31, 32, 74; Spain 1 p2.
"""

from typing import Annotated, Literal

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults import rights  # noqa: F401  (declares what stakes may do)
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.setting import coup, pontos
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Place, Situation

domain("next_card", "ponto", "banker")
domain("laid", "right", "left")
# The hands of an unfinished deal: how many cards the ponto and the banker have.
UNFINISHED = ((0, 0), (1, 0), (1, 1), (2, 1))
HAND = 2
Wish = Literal["withdraw", "reduce", "raise", ""]


class DealUnderWay(Incident, frozen=True, tag="deal_under_way"):
    """The deal is not finished. Cards that came out face up are `loose`; somebody wants to change his stake because of
    it.

    `wish` is empty if nothing came out face up.
    """

    by: Annotated[str, Meta(pattern="^([1-9][a-i]?|banker)?$")] = ""
    wish: Wish = ""

    def check(self, situation: Situation) -> None:
        dealt = (len(situation.ponto), len(situation.banker_cards))
        if dealt not in UNFINISHED:
            raise ImpossibleFacts("ponto", "these hands are not those of an unfinished deal")
        if len(situation.next) < 2 * HAND - sum(dealt):
            raise ImpossibleFacts("next", "the shoe does not have the cards to finish the deal")
        if bool(self.wish) != bool(situation.loose) or bool(self.by) != bool(self.wish):
            raise ImpossibleFacts(
                "incident.wish", "somebody wishes something when, and only when, a card came out face up"
            )
        if self.by not in ("", "banker", *map(str, situation.seats), *situation.standing):
            raise ImpossibleFacts("incident.by", "nobody is at {place}", place=self.by)

    def narration(self) -> list[Sentence]:
        if not self.wish:
            return [("incident.deal_under_way", {})]
        return [("incident.deal_face_up", {"by": self.by, "wish": self.wish})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        out = [("incident.deal_came_face_up", {"out": situation.loose})] if self.wish else []
        return [*out, *super().narrated(situation)]


def _next_side(s: Situation) -> str:
    """The ponto first, then alternately."""
    return "ponto" if len(s.ponto) == len(s.banker_cards) else "banker"


def _finish_deal(s: Situation, r: Reasoning, cite: str) -> None:
    """Deal the missing cards alternately, ponto first, until each side has two."""
    side = _next_side(s)
    r.pivot(cite, "deal.turn_about", side=side, out=len(s.ponto) + len(s.banker_cards))
    r.choice("next_card", side)
    if r.book.coded_as == SANREMO:
        r.choice("laid", "right" if side == "ponto" else "left")
    hands = {"ponto": list(s.ponto), "banker": list(s.banker_cards)}
    missing = 2 * HAND - len(s.ponto) - len(s.banker_cards)
    sides = (side, "banker" if side == "ponto" else "ponto") * HAND
    for card, owner in zip(s.next[:missing], sides, strict=False):
        hands[owner].append(card)
    ponto, banker = tuple(hands["ponto"]), tuple(hands["banker"])
    r.score("ponto_score", score(ponto))
    r.score("banker_score", score(banker))
    r.after(lying(ponto=ponto, banker=banker, burned=s.loose, shoe=s.next[missing:]))


def _face_up_is_out(s: Situation, r: Reasoning, cite: str) -> None:
    """A card that came out face up plays for nobody, and nobody may change his stake because of it."""
    if not s.loose:
        return
    r.pivot(cite, "deal.face_up_burned", count=len(s.loose))
    for number in range(1, len(s.loose) + 1):
        r.fate(f"loose.{number}", "burned")
    r.choice("stakes_may", "unchanged")


@rule(DealUnderWay, *PT)
def deal_under_way_pt(s: Situation, incident: DealUnderWay, r: Reasoning) -> None:
    _face_up_is_out(s, r, "106 a")
    _finish_deal(s, r, "62")


@rule(DealUnderWay, SANREMO)
def deal_under_way_sanremo(s: Situation, incident: DealUnderWay, r: Reasoning) -> None:
    _face_up_is_out(s, r, "31")
    _finish_deal(s, r, "11 s1")


@rule(DealUnderWay, SPAIN)
def deal_under_way_spain(s: Situation, incident: DealUnderWay, r: Reasoning) -> None:
    if not s.loose:
        raise NotRegulated("arts. 1 to 4 speak of errors only: this text does not describe the deal")
    _face_up_is_out(s, r, "1 p2")
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, burned=s.loose, shoe=s.next))


@case_table("deal_faults", variant("deal_in_order", {PT[0]: "62", SANREMO: "11 s1"}, face_up=0))
def _deal(draw: Draw, book: Rulebook, difficulty: int, *, face_up: int) -> Situation:
    facts = coup(draw, book, difficulty, claim=draw.pick(("stake", "banco", "banco_table")))
    ponto, banker = draw.pick(UNFINISHED[:3] if difficulty == 1 else UNFINISHED)
    by = draw.pick(facts["stakes"]).player if face_up else ""
    # Spain mentions stakes that are reduced or withdrawn, not raised ones.
    wishes: tuple[Wish, ...] = ("withdraw", "reduce") if book.coded_as == SPAIN else ("withdraw", "reduce", "raise")
    return Situation(
        **facts,
        ponto=tuple(draw.card() for _ in range(ponto)),
        banker_cards=tuple(draw.card() for _ in range(banker)),
        loose=tuple(draw.card() for _ in range(face_up)),
        next=tuple(draw.card() for _ in range(2 * HAND - ponto - banker + (difficulty >= 3))),
        incident=DealUnderWay(by=by, wish=draw.pick(wishes) if face_up else ""),
    )


@case("deal_faults", {PT[0]: ("62", "106 a"), SANREMO: ("11 s1", "31"), SPAIN: "1 p2"})
def face_up_cards(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _deal(draw, book, difficulty, face_up=1 if difficulty <= 2 else draw.number(1, 2))


class PeekedIntoShoe(Incident, frozen=True, tag="peeked_into_shoe"):
    """Somebody has looked at the next `seen` cards in the shoe; `sends` would have him leave his seat."""

    phrased = {"allowed": "question.may_send_away"}

    by: Place
    seen: int
    sends: Literal["inspector", "croupier", "banker", ""] = ""

    def check(self, situation: Situation) -> None:
        if not 1 <= self.seen < len(situation.next):
            raise ImpossibleFacts("incident.seen", "the shoe gives the seen cards and at least one more")

    def narration(self) -> list[Sentence]:
        count = "one" if self.seen == 1 else "many"
        told: list[Sentence] = [(f"incident.peeked_into_shoe_{count}", {"by": self.by, "seen": self.seen})]
        return [*told, ("incident.peeked_sent_away", {"sends": self.sends})] if self.sends else told


@rule(PeekedIntoShoe, SANREMO)
def peeked_into_shoe_sanremo(s: Situation, incident: PeekedIntoShoe, r: Reasoning) -> None:
    r.pivot("32", "deal.peeked_cancelled", count=incident.seen, by=incident.by)
    for number in range(1, incident.seen + 2):
        r.fate(f"next.{number}", "burned" if number <= incident.seen else "shoe")
    if incident.sends:
        r.choice("allowed", "allowed" if incident.sends == "inspector" else "refused")
    else:
        r.player("may_remove", "inspector", tempting=("croupier", "banker"))
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, burned=s.next[: incident.seen], shoe=s.next[incident.seen :]))


@case("deal_faults", {SANREMO: "32"})
def cards_peeked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = coup(draw, book, difficulty)
    seen = 1 if difficulty == 1 else draw.number(1, 3)
    return Situation(
        **facts,
        next=tuple(draw.card() for _ in range(seen + 1)),
        incident=PeekedIntoShoe(
            by=draw.pick(pontos(facts)[:3]),
            seen=seen,
            sends=draw.pick(("inspector", "inspector", "croupier", "banker")),
        ),
    )


class CardsToPass(Incident, frozen=True, tag="cards_to_pass"):
    """The deal is done and somebody is about to pass the ponto's two cards to him.

    `trouble`: what went wrong if a banker has already passed them himself: the cards went to the wrong player, or the
    one who called bancô did not have the money.
    """

    by: Literal["croupier", "banker"]
    palette: bool = True
    face_down: bool = True
    trouble: Literal["none", "wrong_player", "empty_banco"] = "none"

    def check(self, situation: Situation) -> None:
        if len(situation.ponto) != HAND or len(situation.banker_cards) != HAND:
            raise ImpossibleFacts("ponto", "each side must have two cards when they are passed")
        if self.trouble == "empty_banco" and situation.claim != "banco":
            raise ImpossibleFacts("incident.trouble", "nobody called bancô")
        if self.trouble != "none" and self.by == "croupier":
            raise ImpossibleFacts("incident.trouble", "this is about a banker who passed the cards himself")

    def narration(self) -> list[Sentence]:
        how = "palette" if self.palette else "by_hand"
        shown = "face_down" if self.face_down else "face_up"
        passing = {"by": self.by, "how": how, "shown": shown}
        told: list[Sentence] = [("incident.deal_done", {}), ("incident.cards_to_pass", passing)]
        return told if self.trouble == "none" else [*told, (f"incident.deal_{self.trouble}", {})]


@rule(CardsToPass, *PT)
def cards_to_pass_pt(s: Situation, incident: CardsToPass, r: Reasoning) -> None:
    right = incident.by == "croupier" and incident.palette and incident.face_down
    r.pivot("63", "deal.palette_face_down")
    r.choice("allowed", "allowed" if right else "refused")
    r.player("passes_cards", "croupier", tempting=("banker", "inspector"))
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


@rule(CardsToPass, SANREMO)
def cards_to_pass_sanremo(s: Situation, incident: CardsToPass, r: Reasoning) -> None:
    by_banker = incident.by == "banker"
    r.pivot("74", "deal.only_croupier_passes")
    r.choice("allowed", "refused" if by_banker else "allowed")
    others = [person for person in ("banker", "croupier", "inspector", s.holder) if person]
    if incident.trouble != "none":
        r.pivot("74", f"deal.banker_answers_{incident.trouble}")
        r.player("answers", "banker", tempting=[*others, "nobody"], critical=True)
    else:
        # Nothing went wrong for which anybody is responsible.
        r.player("passes_cards", "croupier", tempting=("banker", "inspector"))
        r.player("answers", "nobody", tempting=others)
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


@case("deal_faults", {PT[0]: "63", SANREMO: "74"})
def cards_passed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ways = (
        ("croupier", True, True),
        ("banker", True, True),
        ("banker", False, True),
        ("croupier", False, True),
        ("croupier", True, False),
    )
    # Portugal names three things that may each be wrong; Sanremo only says who may pass the cards.
    put = (*ways, ways[0], ways[0]) if book.coded_as != SANREMO else (ways[0], ways[0], ways[3], ways[2])
    by, palette, face_down = draw.pick(put)
    incident = CardsToPass(by=by, palette=palette, face_down=face_down)  # type: ignore[arg-type]
    return _passed(draw, book, difficulty, "stake", incident)


@case("deal_faults", {SANREMO: "74"})
def banker_passed_cards(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    trouble: Literal["wrong_player", "empty_banco"] = draw.pick(("wrong_player", "empty_banco"))
    claim: Claim = "banco" if trouble == "empty_banco" else draw.pick(("stake", "banco"))
    incident = CardsToPass(by="banker", palette=False, trouble=trouble)
    return _passed(draw, book, difficulty, claim, incident)


def _passed(draw: Draw, book: Rulebook, difficulty: int, claim: Claim, incident: CardsToPass) -> Situation:
    facts = coup(draw, book, difficulty, claim=claim)
    if incident.trouble == "empty_banco":
        facts["stakes"] = ()  # what he asked for without the money for it
    ponto, banker = draw.hand(draw.number(0, 9)), draw.hand(draw.number(0, 9))
    hidden = ("ponto.1", "ponto.2", "banker.1", "banker.2")
    return Situation(**facts, ponto=ponto, banker_cards=banker, hidden=hidden, incident=incident)
