"""Reading a finished coup: what each card counts, what the sums make, and who has won.

Portugal 9 a-c, 10, 11 and 2 s1-s2. The other texts take the values of the cards for granted.
"""

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook
from rules_engine.games.baccarat.cards import PIPS, VALUES, score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.outcome import announce_result, payments, winner_of
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Incident, Situation
from rules_engine.games.chemin_de_fer.third_card import cell, refuse_false_hands, words_of

FIGURES = "KQJ"
SIDES = ("ponto", "banker")


class ScoresToRead(Incident, frozen=True, tag="scores_to_read"):
    """The draws are over and both sides' cards lie face up."""

    phrased = {"announcement": "question.announced_result"}

    def check(self, situation: Situation) -> None:
        for fact, cards in (("ponto", situation.ponto), ("banker_cards", situation.banker_cards)):
            if not 2 <= len(cards) <= 3:
                raise ImpossibleFacts(
                    fact, "{count} cards; a finished coup has two or three on each side", count=len(cards)
                )


@rule(ScoresToRead, *PT)
def read_scores_pt(s: Situation, incident: ScoresToRead, r: Reasoning) -> None:
    refuse_false_hands(s)
    cards = s.ponto + s.banker_cards
    aces = tuple(card for card in cards if card[0] == "A")
    figures = tuple(card for card in cards if card[0] in FIGURES)
    others = tuple(card for card in cards if card not in aces + figures)
    if aces:
        r.pivot("9 a", "values.ace", cards=aces)
    if figures:
        r.pivot("9 b", "values.figure", cards=figures)
    if others:
        r.pivot("9 c", "values.pips", cards=others)
    scores = {side: _read_side(s, r, side) for side in SIDES}
    winner = winner_of(scores["ponto"], scores["banker"])
    if winner == "tie":
        r.pivot("2 s1", "scores_equal", ponto=scores["ponto"], banker=scores["banker"], winner=winner)
    else:
        r.pivot("2 s2", "higher_wins", ponto=scores["ponto"], banker=scores["banker"], winner=winner)
    r.choice("winner", winner, critical=True)
    announce_result(s, r, scores["ponto"], scores["banker"])
    paid = payments(s, r.book, winner)
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next, payments=paid))


def _read_side(s: Situation, r: Reasoning, side: str) -> int:
    cards = s.heap(side)
    total, made = sum(PIPS[card[0]] for card in cards), score(cards)
    if total > 10:
        r.pivot("10", "values.excess", side=side, total=total, score=made)
    if made == 0:
        r.pivot("11", "values.baccara", side=side, total=total)
    r.score(f"{side}_score", made)
    return made


def _played(draw: Draw, book: Rulebook, difficulty: int, ponto: tuple[str, ...], banker: tuple[str, ...]) -> Situation:
    """Two hands of two cards played out by the table; the ponto draws below five, and optional cards are taken."""
    if max(score(ponto), score(banker)) < 8:
        third = draw.card() if score(ponto) < 5 else None
        ponto = (*ponto, third) if third else ponto
        if cell(book, score(banker), third) in "TO":
            banker = (*banker, draw.card())
    return _finished(draw, book, difficulty, ponto, banker)


def _finished(
    draw: Draw, book: Rulebook, difficulty: int, ponto: tuple[str, ...], banker: tuple[str, ...]
) -> Situation:
    facts = coup(draw, book, difficulty)
    calls = (*facts["calls"], *words_of(ponto, banker))
    return Situation(**facts | {"calls": calls}, ponto=ponto, banker_cards=banker, incident=ScoresToRead())


def _partner(draw: Draw, difficulty: int) -> str:
    """A second card: easy ones are low, harder ones bring tens and figures into the sum."""
    return draw.card(1, 2, 3, 4, 5) if difficulty == 1 else draw.card()


@case("card_values", {PT[0]: "9 a"})
def an_ace(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _played(draw, book, difficulty, (draw.rank("A"), _partner(draw, difficulty)), draw.hand(draw.number(0, 9)))


@case("card_values", {PT[0]: "9 b"})
def a_figure(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    banker = (draw.rank(*FIGURES), _partner(draw, difficulty))
    return _played(draw, book, difficulty, draw.hand(draw.number(0, 9)), banker)


@case("card_values", {PT[0]: "9 c"})
def pips_and_tens(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    first = draw.rank("T") if difficulty >= 3 else draw.card(2, 3, 4, 5, 6, 7, 8, 9)
    return _played(draw, book, difficulty, (first, _partner(draw, difficulty)), draw.hand(draw.number(0, 9)))


@case("card_values", {PT[0]: "10"})
def above_ten(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: two cards above ten. Harder: three cards above twenty, the ten among them."""
    banker = draw.hand(draw.number(0, 2))
    if difficulty <= 2:
        return _played(draw, book, difficulty, (draw.card(6, 7, 8, 9), draw.card(5, 6, 7, 8, 9)), banker)
    low = draw.number(1, 4)
    ponto = (draw.rank("T"), draw.card(low), draw.card(*range(10 - low, 10)))
    return _finished(draw, book, difficulty, ponto, (*banker, draw.card()))


@case("card_values", {PT[0]: "11"})
def baccara(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    made = draw.number(0, 4) if difficulty >= 2 else draw.number(1, 4)
    if draw.chance(0.5):
        made %= 3
        ponto = (*draw.hand(draw.number(0, 4)), draw.card())
        return _finished(draw, book, difficulty, ponto, (*draw.hand(made), draw.card(-made % 10)))
    ponto = (*draw.hand(made), draw.card(-made % 10))
    return _finished(draw, book, difficulty, ponto, (*draw.hand(draw.number(0, 2)), draw.card()))


def _three_each(draw: Draw, book: Rulebook, difficulty: int, ahead: int) -> Situation:
    """Both sides on three cards, the bank ahead by so much, modulo ten: a banker up to two always draws."""
    ponto = (*draw.hand(draw.number(0, 4)), draw.card())
    start = draw.hand(draw.number(0, 2))
    last = draw.card((score(ponto) + ahead - sum(VALUES[card] for card in start)) % 10)
    return _finished(draw, book, difficulty, ponto, (*start, last))


@case("card_values", {PT[0]: "2 s1"})
def equal_scores(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    if difficulty == 1:
        made = draw.pick((6, 7, 8, 9))
        return _finished(draw, book, difficulty, draw.hand(made), draw.hand(made))
    return _three_each(draw, book, difficulty, 0)


@case("card_values", {PT[0]: "2 s2"})
def one_side_higher(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: only one point apart."""
    ahead = draw.pick((1, 9)) if difficulty >= 3 else draw.number(1, 9)
    return _three_each(draw, book, difficulty, ahead)
