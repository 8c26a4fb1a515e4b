"""A fifth card drawn in the deal, before the ponto has spoken.

Portugal 104 f-1 and f-2 (a natural of the ponto is left open, Q11), 106 a; Spain 1 p2-2 and 3 p1.
"""

from msgspec import structs

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.rights import wish_sentence
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Claim, Incident, Says, Situation, is_natural
from rules_engine.games.chemin_de_fer.third_card import SHOWN, Wish, duty_pt, ponto_word


class FifthCardDrawn(Incident, frozen=True, tag="fifth_card_drawn"):
    """The deal was done and the banker drew one more card, the `loose` one; then the ponto spoke.

    `wish`: what the banker would do about a third card of his own, if he is free. `face_up`: the card was face up when
    it left the shoe.
    """

    phrased = {"announcement": "question.announced_result"}

    wish: Wish = "stand"
    face_up: bool = False

    def check(self, situation: Situation) -> None:
        if len(situation.ponto) != 2 or len(situation.banker_cards) != 2:
            raise ImpossibleFacts("ponto", "each side must have received two cards")
        if len(situation.loose) != 1:
            raise ImpossibleFacts("loose", "there must be exactly one fifth card")
        if not situation.next:
            raise ImpossibleFacts("next", "the shoe has no card for the banker")
        ponto_word(situation)

    def narration(self) -> list[Sentence]:
        shown: list[Sentence] = [("incident.fifth_card_face_up", {})] if self.face_up else []
        return [("incident.fifth_card_drawn", {}), *shown, wish_sentence(self.wish)]

    def narrated(self, situation: Situation) -> list[Sentence]:
        *told, wish = super().narrated(situation)
        return [*told, ("incident.fifth_card_next", {"next": situation.next}), wish]


@rule(FifthCardDrawn, *PT)
def fifth_card_drawn_pt(s: Situation, incident: FifthCardDrawn, r: Reasoning) -> None:
    if incident.face_up:
        _burned_pt(s, incident, r)
        return
    word, fifth = ponto_word(s), s.loose[0]
    if word == "no":
        natural = is_natural(s.banker_cards)
        r.pivot("104 f-2", "deal.fifth_takes_natural" if natural else "deal.fifth_to_banker", card=fifth)
        r.fate("loose.1", "banker")
        r.choice("banker_draw", "must_draw", critical=True)
        settle(s, r, ponto=s.ponto, banker=(*s.banker_cards, fifth), shoe=s.next)
        return
    if word != "card":
        takes = r.book.reads("Q11", "bankers")
        r.pivot("104 f-3", "deal.fifth_to_banker" if takes else "deal.fifth_after_natural", card=fifth)
        r.fate("loose.1", "banker" if takes else "burned")
        r.choice("banker_draw", "must_draw" if takes else "must_stand", critical=True)
        hand = (*s.banker_cards, fifth) if takes else s.banker_cards
        settle(s, r, ponto=s.ponto, banker=hand, burned=() if takes else s.loose, shoe=s.next)
        return
    if is_natural(s.banker_cards):
        raise NotRegulated(
            "art. 104 f) gives the card to a ponto who asks, and art. 67 a) lets the banker show: which goes first?"
        )
    r.pivot("104 f-1", "deal.fifth_to_ponto", card=fifth)
    r.fate("loose.1", "ponto")
    duty = duty_pt(s, r, fifth)
    r.choice("banker_draw", duty, critical=True)
    draws = duty == "must_draw" or (duty == "may_choose" and incident.wish == "draw")
    banker = (*s.banker_cards, s.next[0]) if draws else s.banker_cards
    settle(s, r, ponto=(*s.ponto, fifth), banker=banker, shoe=s.next[1:] if draws else s.next)


def _burned_pt(s: Situation, incident: FifthCardDrawn, r: Reasoning) -> None:
    """It came out face up and belongs to nobody (106 a): the coup goes on as if it had not been drawn."""
    r.pivot("106 a", "deal.fifth_burned", card=s.loose[0])
    r.fate("loose.1", "burned")
    word = ponto_word(s)
    if word in SHOWN or is_natural(s.banker_cards):
        r.step("67 a" if is_natural(s.banker_cards) else "64 a", "deal.natural_bars")
        r.choice("banker_draw", "must_stand", critical=True)
        settle(s, r, ponto=s.ponto, banker=s.banker_cards, burned=s.loose, shoe=s.next)
        return
    third, left = (s.next[:1], s.next[1:]) if word == "card" else ((), s.next)
    duty = duty_pt(s, r, third[0] if third else None)
    r.choice("banker_draw", duty, critical=True)
    draws = duty == "must_draw" or (duty == "may_choose" and incident.wish == "draw")
    if draws and not left:
        raise ImpossibleFacts("next", "the shoe has no cards for both sides")
    banker = (*s.banker_cards, left[0]) if draws else s.banker_cards
    shoe = left[1:] if draws else left
    settle(s, r, ponto=(*s.ponto, *third), banker=banker, burned=s.loose, shoe=shoe)


@rule(FifthCardDrawn, SPAIN)
def fifth_card_drawn_spain(s: Situation, incident: FifthCardDrawn, r: Reasoning) -> None:
    word = ponto_word(s)
    if word == "card" and not incident.face_up:
        _asked_spain(s, incident, r)
        return
    if word != "no":
        raise NotRegulated("art. 3 §1 does not say what becomes of the fifth card when the punto shows a natural")
    own_rule = r.book.reads("ES1", "own_rule")
    if incident.face_up and own_rule:
        r.pivot("1 p2-2", "deal.face_up_own_rule", card=s.loose[0])
    elif incident.face_up:
        draws = incident.wish == "draw"
        hand = (*s.banker_cards, s.next[0]) if draws else s.banker_cards
        r.pivot("1 p2-2", "deal.fifth_face_up", card=s.loose[0])
        r.fate("loose.1", "burned")
        r.score("banker_score", score(hand), tempting=[score((*s.banker_cards, s.loose[0]))])
        settle(s, r, ponto=s.ponto, banker=hand, burned=s.loose, shoe=s.next[1:] if draws else s.next)
        return
    # No natural is excepted: a banker with one takes the card too.
    banker = (*s.banker_cards, s.loose[0])
    r.pivot("3 p1", "deal.fifth_to_banker", card=s.loose[0])
    r.fate("loose.1", "banker")
    r.score("banker_score", score(banker))
    settle(s, r, ponto=s.ponto, banker=banker, shoe=s.next)


def _asked_spain(s: Situation, incident: FifthCardDrawn, r: Reasoning) -> None:
    """3 §1 speaks of a punto who asks for none; this one asks (ES3)."""
    burned = r.book.reads("ES3", "burned")
    r.pivot("3 p1-2", "deal.fifth_burned_asked" if burned else "deal.fifth_to_ponto", card=s.loose[0])
    r.fate("loose.1", "burned" if burned else "ponto")
    third, shoe = (s.next[0], s.next[1:]) if burned else (s.loose[0], s.next)
    draws = incident.wish == "draw" and not is_natural(s.banker_cards)
    if draws and not shoe:
        raise ImpossibleFacts("next", "the shoe has no cards for both sides")
    hand = (*s.banker_cards, shoe[0]) if draws else s.banker_cards
    r.score("banker_score", score(hand), tempting=[score((*s.banker_cards, s.loose[0]))])
    burnt = s.loose if burned else ()
    settle(s, r, ponto=(*s.ponto, third), banker=hand, burned=burnt, shoe=shoe[1:] if draws else shoe)


def _fifth(
    draw: Draw, book: Rulebook, difficulty: int, *, word: Says, ponto: int, banker: int, claim: Claim = "stake"
) -> Situation:
    facts = coup(draw, book, difficulty, claim=claim)
    return Situation(
        **facts | {"calls": (*facts["calls"], Call("ponto", word), Call("croupier", word))},
        ponto=draw.hand(ponto),
        banker_cards=draw.hand(banker),
        loose=(draw.card(),),
        next=(draw.card(),),
        incident=FifthCardDrawn(wish=draw.pick(("draw", "stand"))),
    )


@case("deal_faults", {PT[0]: "104 f-3"})
def fifth_card_after_a_natural(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: the ponto shows a natural, and nobody asks for the card."""
    ponto = draw.number(8, 9)
    word: Says = "eight" if ponto == 8 else "nine"
    return _fifth(draw, book, difficulty, word=word, ponto=ponto, banker=draw.number(0, 7))


@case("deal_faults", {SPAIN: "3 p1-2"})
def fifth_card_asked_in_spain(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    made = _fifth(draw, book, difficulty, word="card", ponto=draw.number(0, 4), banker=draw.number(0, 7))
    return structs.replace(made, next=(*made.next, draw.card()))


@case("deal_faults", {PT[0]: "104 f-1"})
def fifth_card_asked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 3 else "stake"
    banker = draw.number(0, 7) if difficulty <= 2 else draw.number(3, 6)
    return _fifth(draw, book, difficulty, word="card", ponto=draw.number(0, 5), banker=banker, claim=claim)


@case("deal_faults", {PT[0]: "104 f-2", SPAIN: "3 p1"})
def fifth_card_not_asked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Hardest where the banker had a natural and must spoil it, or would have stood."""
    scores = (0, 1, 2, 3, 4, 5) if difficulty == 1 else (6, 7, 8, 9)
    return _fifth(draw, book, difficulty, word="no", ponto=draw.number(5, 7), banker=draw.pick(scores))


@case("deal_faults", {PT[0]: "106 a"})
def fifth_card_burned(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike in Portugal: it is burned, and the coup goes on by the table with the next cards of the shoe."""
    word: Says = draw.pick(("card", "no"))
    ponto = draw.number(0, 5) if word == "card" else draw.number(5, 7)
    made = _fifth(draw, book, difficulty, word=word, ponto=ponto, banker=draw.number(3, 9))
    incident = FifthCardDrawn(wish=draw.pick(("draw", "stand")), face_up=True)
    return structs.replace(made, next=(*made.next, draw.card()), incident=incident)


@case("deal_faults", {SPAIN: "1 p2-2"})
def fifth_card_face_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: it came out face up, and nobody has to take it. The banker stands on what he has."""
    made = _fifth(draw, book, difficulty, word="no", ponto=draw.number(5, 7), banker=draw.number(6, 9))
    return structs.replace(made, incident=FifthCardDrawn(wish="stand", face_up=True))
