"""With third parties at stake, a ponto who must stand asks for a card: what happens to the cards that left the shoe.

Sanremo 126 s2 and 126 s3. The rule is with the other false draws; these cases ask the trainee about its cards.
"""

from rules_engine.authoring import Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.draw_faults.false_draw import PontoFalseDraw
from rules_engine.games.chemin_de_fer.game import case
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Claim, Situation


@case("ponto_faults", {SANREMO: ("126 s2", "126 s3")})
def card_asked_against_the_rule(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A banker who stands once the coup is restored, so that no card is used. Harder: he had drawn too, and his card
    may still lie unseen."""
    claim: Claim = draw.pick(("stake", "banco_table"))
    facts = coup(draw, book, difficulty, claim=claim)
    drew = difficulty >= 2 and draw.chance(0.7)
    third = draw.card(6, 7) if drew else draw.card()
    return Situation(
        **facts | {"calls": (*facts["calls"], Call("ponto", "card"), Call("croupier", "card"))},
        ponto=(*draw.hand(draw.number(6, 7)), third),
        banker_cards=(*draw.hand(6), draw.card()) if drew else draw.hand(7),
        next=(draw.card(), draw.card()),
        hidden=("banker.3",) if drew and draw.chance(0.5) else (),
        incident=PontoFalseDraw(),
    )
