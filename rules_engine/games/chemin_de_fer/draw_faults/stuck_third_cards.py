"""Two cards leave the shoe stuck together when the ponto's third card is drawn.

Portugal 104 c; Sanremo 34, and 39 where the inspector can still restore the coup.
"""

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.draw_faults.hands import dealt, spoken, third_for
from rules_engine.games.chemin_de_fer.draw_faults.restored import banker_duty, draws, set_aside, thirds
from rules_engine.games.chemin_de_fer.game import case_table, rule
from rules_engine.games.chemin_de_fer.outcome import annul, settle
from rules_engine.games.chemin_de_fer.table import Incident, Situation, is_natural
from rules_engine.games.chemin_de_fer.third_card import Wish, ponto_word


class StuckThirdCards(Incident, frozen=True, tag="stuck_third_cards"):
    """Two cards came out as one. `order_known`: it is certain which lay on top. `wish`: a free banker's choice."""

    phrased = {"announcement": "question.announced_result"}

    order_known: bool
    wish: Wish

    def check(self, situation: Situation) -> None:
        if ponto_word(situation) != "card":
            raise ImpossibleFacts("calls", "no third card is drawn for a ponto who did not ask for one")
        if len(situation.ponto) != 2 or len(situation.banker_cards) != 2:
            raise ImpossibleFacts("ponto", "both sides must have their two dealt cards when the third is drawn")
        if is_natural(situation.banker_cards):
            raise ImpossibleFacts("banker_cards", "a banker who shows gives no third card")
        if len(situation.loose) != 2:
            raise ImpossibleFacts("loose", "exactly two cards must be stuck together")

    def narration(self) -> list[Sentence]:
        known = "known" if self.order_known else "unknown"
        return [("incident.stuck_third_cards", {}), (f"incident.stuck_order_{known}", {"wish": self.wish})]


@rule(StuckThirdCards, *PT)
def stuck_third_cards_pt(s: Situation, incident: StuckThirdCards, r: Reasoning) -> None:
    if not incident.order_known:
        r.pivot("104 c", "draw_faults.stuck_annulled")
        annul(s, r, refs=("loose.1", "loose.2"))
        return
    r.pivot("104 c", "draw_faults.stuck_rebuilt", card=s.loose[0])
    takes = _rebuild(s, incident, r)
    r.step("97 s1" if takes else "97 s2", f"draw_faults.second_{'taken' if takes else 'left'}", card=s.loose[1])


@rule(StuckThirdCards, SANREMO)
def stuck_third_cards_it(s: Situation, incident: StuckThirdCards, r: Reasoning) -> None:
    if not incident.order_known:
        r.pivot("34", "draw_faults.stuck_annulled")
        annul(s, r, refs=("loose.1", "loose.2"))
        return
    r.step("34", "draw_faults.stuck_certain")
    r.pivot("39", "draw_faults.inspector_restores", card=s.loose[0])
    _rebuild(s, incident, r)


def _rebuild(s: Situation, incident: StuckThirdCards, r: Reasoning) -> bool:
    """The first card is the ponto's; the second serves a banker who draws, and says so, and is otherwise nobody's."""
    r.choice("coup", "restored", critical=True)
    duty = banker_duty(s, r, s.loose[0])
    r.choice("banker_draw", duty, critical=True)
    r.fate("loose.1", "ponto")
    ponto, banker = (*s.ponto, s.loose[0]), s.banker_cards
    burned: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    takes = draws(duty, incident.wish)
    if takes:
        banker = (*banker, s.loose[1])
        r.fate("loose.2", "banker")
    else:
        burned, kept = set_aside(s, r, ("loose.2",))
    r.score("ponto_score", score(ponto), tempting=[score((*s.ponto, s.loose[1]))])
    settle(s, r, ponto=ponto, banker=banker, burned=burned, next_coup=kept, shoe=s.next)
    return takes


@case_table(
    "draw_faults",
    variant("stuck_order_unknown", {PT[0]: "104 c", SANREMO: "34"}, order_known=False),
    variant("stuck_order_known", {PT[0]: "104 c", SANREMO: "39"}, order_known=True),
)
def _stuck(draw: Draw, book: Rulebook, difficulty: int, *, order_known: bool) -> Situation:
    banker = draw.number(0, 7)
    letters = draw.pick([letter for letter in "TF" if thirds(book, banker, letter)])
    first = third_for(draw, book, banker, letters)
    return Situation(
        **spoken(draw, book, difficulty, "card"),
        ponto=dealt(draw, "card"),
        banker_cards=draw.hand(banker),
        loose=(first, draw.card()),
        next=(draw.card(),),
        incident=StuckThirdCards(order_known=order_known, wish=draw.pick(("draw", "stand"))),
    )
