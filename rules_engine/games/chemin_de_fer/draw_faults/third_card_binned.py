"""The banker lets the card that the ponto asked for fall into the discard box.

Portugal 104 j, with 67 c and 70 s2; Sanremo 64, with 113; Spain 3 p4-2.
"""

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.draw_faults.hands import dealt, spoken
from rules_engine.games.chemin_de_fer.draw_faults.restored import draws
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.kept_right import kept_right
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Situation, is_natural
from rules_engine.games.chemin_de_fer.third_card import Wish, ponto_word

CITES = {SANREMO: "64", SPAIN: "3 p4-2"}


class ThirdCardBinned(Incident, frozen=True, tag="third_card_binned"):
    """The loose card was drawn for the ponto and lies in the discard box. `wish`: what a free banker does."""

    phrased = {"announcement": "question.announced_result"}

    wish: Wish

    def check(self, situation: Situation) -> None:
        if ponto_word(situation) != "card":
            raise ImpossibleFacts("calls", "the ponto did not ask for a card")
        if len(situation.ponto) != 2 or len(situation.banker_cards) != 2:
            raise ImpossibleFacts("ponto", "both sides must have their two dealt cards")
        if is_natural(situation.banker_cards):
            raise ImpossibleFacts("banker_cards", "a banker who shows gives no card")
        if len(situation.loose) != 1:
            raise ImpossibleFacts("loose", "exactly one card must have fallen into the discard box")
        if not situation.next:
            raise ImpossibleFacts("next", "the shoe has no card for the banker")

    def elsewhere(self) -> dict[str, str]:
        return {"loose.1": "basket"}


@rule(ThirdCardBinned, *PT, SANREMO, SPAIN)
def third_card_binned(s: Situation, incident: ThirdCardBinned, r: Reasoning) -> None:
    cite = CITES.get(r.book.coded_as, "104 j")
    awarded, banker = r.book.number("binned_third_card_score"), score(s.banker_cards)
    r.pivot(cite, "draw_faults.binned_gives_score", awarded=awarded)
    barred = banker >= r.book.number("binned_third_card_banker_stands")
    r.pivot(cite, "draw_faults.binned_banker_stands" if barred else "draw_faults.binned_banker_may", banker=banker)
    duty = "must_stand" if barred else kept_right(s, r, banker, cite=cite)
    r.score("ponto_score", awarded)
    r.choice("banker_draw", duty, tempting=r.book.game.options("banker_draw", r.book.coded_as), critical=True)
    takes = draws(duty, incident.wish)
    settle(
        s,
        r,
        ponto=s.ponto,
        banker=(*s.banker_cards, s.next[0]) if takes else s.banker_cards,
        burned=s.loose,
        shoe=s.next[1:] if takes else s.next,
        ponto_score=awarded,
    )


@case("discard_faults", {PT[0]: "104 j", SANREMO: "64", SPAIN: "3 p4-2"})
def ponto_third_card_binned(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: the limits, two and three, six and seven, and a card of the shoe that makes nine; bancô or a stake.

    In Spain not below three: the text gives him a choice that no table leaves with so little."""
    banker = draw.pick((0, 1, 2, 3, 4, 5, 6, 7, 7, 7) if difficulty <= 2 else (0, 2, 3, 6, 7))
    if book.coded_as == SPAIN:
        banker = draw.pick((3, 4, 5, 6, 7, 7))
    near = banker < 7 and draw.chance(0.6)
    claim: Claim = "banco" if draw.chance(0.2 * (difficulty - 1)) else "stake"
    return Situation(
        **spoken(draw, book, difficulty, "card", claim=claim),
        ponto=dealt(draw, "card"),
        banker_cards=draw.hand(banker),
        loose=(draw.card(),),
        next=(draw.card((9 - banker) % 10) if near else draw.card(),),
        incident=ThirdCardBinned(wish=draw.pick(("draw", "draw", "stand"))),
    )
