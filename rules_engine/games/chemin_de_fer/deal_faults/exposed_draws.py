"""The third cards after the banker turned up the ponto's cards while dealing.

Portugal 104 b: the banker plays by the table and draws in optional cells (ponto by 64 a-d). Sanremo 61 s5, s7 and s8:
also by the rule, but standing in optional cells, and his cards stay covered until the ponto has spoken.
"""

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.deal_faults.exposed import BOTH, Exposed, check_exposed, exposed_sentence
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Claim, Incident, Says, Situation, alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import (
    CELLS,
    SHOWN,
    BankerToDecide,
    coup_to_decide,
    fair_thirds,
    finish,
    ponto_word,
    table_duty,
)

domain("banker_turns", "now", "after_ponto")
domain("given", "face_up", "face_down")
# The banker's scores and the ponto's third cards of the optional cells.
OPTIONAL = ((3, 9), (5, 4))
# Some with which the banker must stand.
STANDS = ((3, 8), (4, 1), (5, 3), (6, 5), (7, 6))
# The only score with which a ponto is free at Sanremo after his cards were seen.
EXPOSED_FIVE = 5
WAYS: tuple[Exposed, ...] = (("ponto.1",), ("ponto.2",), BOTH)


class BankerAfterExposing(BankerToDecide, frozen=True, tag="banker_after_exposing"):
    """A banker who turned up these cards of the ponto while dealing comes to his own third card."""

    exposed: Exposed

    def check(self, situation: Situation) -> None:
        super().check(situation)
        check_exposed(situation, self.exposed)

    def narration(self) -> list[Sentence]:
        return [exposed_sentence(self.exposed), ("incident.banker_to_decide", {"wish": self.wish})]


@rule(BankerAfterExposing, *PT)
def banker_after_exposing_pt(s: Situation, incident: BankerAfterExposing, r: Reasoning) -> None:
    r.pivot("104 b", "deal.exposed_bound_draws", count=len(incident.exposed))
    finish(s, r, _bound(s, r, "104 b", "deal.choice_gone_draws"), incident.wish, ponto=s.ponto, shoe=s.next)


@rule(BankerAfterExposing, SANREMO)
def banker_after_exposing_sanremo(s: Situation, incident: BankerAfterExposing, r: Reasoning) -> None:
    if len(incident.exposed) == 1:
        raise NotRegulated("art. 61 binds the banker only when he turned up both cards of the ponto")
    r.step("61 s0", "deal.exposed_by_rule")
    if len(s.ponto) == 3:
        r.pivot("61 s5", "deal.third_face_up")
        r.choice("given", "face_up")
    duty = _bound(s, r, "61 s5", "deal.choice_gone_stands")
    if ponto_word(s) == "no" and score(s.ponto) == 5 and score(s.banker_cards) == 5:
        r.pivot("61 s8", "deal.five_five_draws")
    finish(s, r, duty, incident.wish, ponto=s.ponto, shoe=s.next)


def _bound(s: Situation, r: Reasoning, cite: str, text: str) -> str:
    """The duty of a banker who is bound to the table and has no choice in its optional cells."""
    banker, third = score(s.banker_cards), s.ponto[2] if len(s.ponto) == 3 else None
    if ponto_word(s) in SHOWN:
        r.step("12" if r.book.coded_as == SANREMO else "64 a", "ponto_showed", ponto=score(s.ponto), banker=banker)
        return "must_stand"
    duty = table_duty(r, banker, third, pivot=False)
    if duty != "may_choose":
        return duty
    r.pivot(cite, text, banker=banker)
    return CELLS[str(r.book.param("exposed_optional_cells"))]


def _decision(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    exposed: Exposed,
    *,
    banker: int,
    third: int | None = None,
    claim: Claim = "stake",
    word: Says | None = None,
) -> Situation:
    s = coup_to_decide(draw, book, difficulty, banker=banker, word=word, third=third, claim=claim)
    facts = {name: getattr(s, name) for name in s.__struct_fields__ if name != "incident"}
    return Situation(**facts, incident=BankerAfterExposing(wish=draw.pick(("draw", "stand")), exposed=exposed))


@case("deal_faults", {PT[0]: "104 b", SANREMO: "61 s5"})
def exposed_then_banker(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Any cell of the table; bancô would have freed the banker."""
    exposed = BOTH if book.coded_as == SANREMO else draw.pick(WAYS)
    claim: Claim = "banco" if difficulty >= 3 and draw.chance(0.6) else "stake"
    banker = draw.number(3, 6) if difficulty >= 2 else draw.number(0, 7)
    third = draw.pick(fair_thirds(book, banker))
    if book.coded_as in PT and draw.chance(0.5):
        # Where nothing is optional the table still makes him stand.
        banker, third = draw.pick(STANDS)
    return _decision(draw, book, difficulty, exposed, banker=banker, third=third, claim=claim, word="card")


@case("deal_faults", {PT[0]: "104 b", SANREMO: "61 s5"})
def exposed_then_choice_gone(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    exposed = BOTH if book.coded_as == SANREMO else draw.pick(WAYS)
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 3 else "stake"
    banker, third = draw.pick(OPTIONAL)
    return _decision(draw, book, difficulty, exposed, banker=banker, third=third, claim=claim, word="card")


@case("deal_faults", {SANREMO: "61 s8"})
def exposed_five_against_five(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = coup(draw, book, difficulty, claim=draw.pick(("stake", "banco")) if difficulty >= 3 else "stake")
    return Situation(
        **facts | {"calls": (*facts["calls"], Call("ponto", "no"), Call("croupier", "no"))},
        ponto=draw.hand(5),
        banker_cards=draw.hand(5),
        next=(draw.card(),),
        incident=BankerAfterExposing(wish=draw.pick(("draw", "stand")), exposed=BOTH),
    )


class ExposedPontoToSpeak(Incident, frozen=True, tag="exposed_ponto_to_speak"):
    """Both cards of the ponto are face up by the banker's fault; nobody has spoken, and the banker reaches for his."""

    def check(self, situation: Situation) -> None:
        check_exposed(situation, BOTH)
        if len(situation.ponto) != 2:
            raise ImpossibleFacts("ponto", "the ponto must have two cards before he speaks")


@rule(ExposedPontoToSpeak, SANREMO)
def exposed_ponto_to_speak_sanremo(s: Situation, incident: ExposedPontoToSpeak, r: Reasoning) -> None:
    points = score(s.ponto)
    r.step("61 s0", "deal.exposed_by_rule")
    r.pivot("61 s7", "deal.covered_until_ponto")
    r.choice("banker_turns", "after_ponto", critical=True)
    if points == EXPOSED_FIVE:
        r.pivot("61 s7", "deal.exposed_five_free")
        duty = "may_choose"
    elif is_natural(s.ponto):
        r.step("113 1-nat", "deal.exposed_natural", ponto=points)
        duty = "must_stand"
    elif alone(s):
        duty = "must_draw" if points == 0 else "may_choose"
        r.step("113 s1", "deal.exposed_alone", ponto=points)
    else:
        duty = CELLS[str(r.book.param("ponto_table_with_third_parties"))[points]]
        r.step("113 s2", "deal.exposed_third_parties", ponto=points, duty=duty)
    r.choice("ponto_draw", duty)
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


@case("deal_faults", {SANREMO: "61 s7"})
def exposed_ponto_speaks(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Five, where exposure by the dealer would have bound the ponto and exposure by the banker does not; or a score
    next to it."""
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 3 else "stake"
    return Situation(
        **coup(draw, book, difficulty, claim=claim),
        ponto=draw.hand(draw.pick((5, 5, 5, 4, 6, 0))),
        banker_cards=draw.hand(draw.number(0, 9)),
        hidden=("banker.1", "banker.2"),
        incident=ExposedPontoToSpeak(),
    )
