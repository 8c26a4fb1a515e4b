"""The ponto has eight or nine on two cards and asks for a card, or says no, instead of showing; or shows in time.

Portugal 64 a, 105 a-1, 105 a-2 and 105 b; Sanremo 12, 13 s2, 111 s1 and 120; Spain 4 p4-1, 4 p4-2 and 4 p4-3.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.outcome import payments, settle
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Claim, Incident, Says, Side, Situation, alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import SHOWN, Wish, duty_pt, fair_thirds, finish, ponto_word

NATURAL: dict[int, Says] = {8: "eight", 9: "nine"}

domain("natural_right", "kept", "lost")
domain("ponto_card", "given", "refused", "banker_decides")


class NaturalNotShown(Incident, frozen=True, tag="natural_not_shown"):
    """The banker has turned up his cards. Asked for a card, he would give or refuse it; for his own third card he wants
    to draw or to stand. `showed`: the ponto said his score and showed his cards when he spoke."""

    phrased = {"announcement": "question.announced_result"}

    gives: Literal["give", "refuse"]
    wish: Wish
    showed: bool = False

    def check(self, situation: Situation) -> None:
        if not is_natural(situation.ponto):
            raise ImpossibleFacts("ponto", "there is no natural on two cards")
        if len(situation.banker_cards) != 2:
            raise ImpossibleFacts("banker_cards", "the banker must have two cards before he decides")
        if not self.showed and ponto_word(situation) not in ("card", "no"):
            raise ImpossibleFacts("calls", "the ponto has shown his natural")
        if self.showed and ponto_word(situation) != NATURAL[score(situation.ponto)]:
            raise ImpossibleFacts("calls", "the ponto must have said his natural")
        if len(situation.next) < 2:
            raise ImpossibleFacts("next", "the shoe has no cards for both sides")

    def narration(self) -> list[Sentence]:
        told = "natural_shown" if self.showed else "natural_not_shown"
        return [(f"incident.{told}", {"gives": self.gives, "wish": self.wish})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        """What the banker would do about a card for the ponto matters only if the ponto asked for one."""
        told = super().narrated(situation)
        if self.showed or ponto_word(situation) == "card":
            return told
        if is_natural(situation.banker_cards):
            return [("incident.natural_banker_shows", {})]
        return [("incident.natural_no_card_asked", {"wish": self.wish})]


def _shown_in_time(s: Situation, r: Reasoning, cite: str) -> None:
    """Nobody draws against it: the cards are compared as they are."""
    r.pivot(cite, "unshown.right_kept", ponto=score(s.ponto))
    r.choice("natural_right", "kept")
    if not is_natural(s.banker_cards) and r.book.coded_as in PT:
        r.choice("banker_draw", "must_stand", critical=True)
    settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)


@rule(NaturalNotShown, *PT)
def natural_not_shown_pt(s: Situation, incident: NaturalNotShown, r: Reasoning) -> None:
    if incident.showed:
        _shown_in_time(s, r, "64 a")
        return
    ponto, banker = score(s.ponto), score(s.banker_cards)
    r.pivot("105 a-1", "unshown.right_lost", ponto=ponto)
    r.choice("natural_right", "lost")
    if is_natural(s.banker_cards):
        _banker_shows_pt(s, r, ponto, banker)
        return
    cards, shoe, third = s.ponto, s.next, None
    if ponto_word(s) == "card":
        r.pivot("105 a-2", "unshown.banker_decides", gives=incident.gives)
        r.choice("ponto_card", "banker_decides", critical=True)
        if incident.gives == "give":
            third, shoe = s.next[0], s.next[1:]
            cards = (*s.ponto, third)
    finish(s, r, duty_pt(s, r, third), incident.wish, ponto=cards, shoe=shoe)


def _banker_shows_pt(s: Situation, r: Reasoning, ponto: int, banker: int) -> None:
    r.step("67 a", "banker_shows", banker=banker)
    if [ponto, banker] == r.book.param("unshown_natural_loses"):
        r.pivot("105 b", "unshown.nine_loses_to_eight")
        _lost(s, r)
    elif ponto == banker:
        raise NotRegulated(
            "art. 105 does not say who wins when both have {score} and only the banker shows it", score=ponto
        )
    else:
        settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)


@rule(NaturalNotShown, SANREMO)
def natural_not_shown_sanremo(s: Situation, incident: NaturalNotShown, r: Reasoning) -> None:
    if incident.showed:
        r.pivot("13 s2", "unshown.said_and_laid")
        _shown_in_time(s, r, "12")
        return
    if "ponto" in s.by_table:
        # The rule makes him show (113), so the natural of a player by the rule counts as shown.
        r.pivot("113 1-nat", "ponto.show", ponto=score(s.ponto))
        r.pivot("111 s1", "draw_faults.by_rule_corrected", side="ponto")
        r.choice("natural_right", "kept")
        settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)
        return
    if not alone(s):
        raise NotRegulated("art. 120 speaks of a sole ponto; with third parties the coup is restored (art. 126)")
    if not is_natural(s.banker_cards):
        raise NotRegulated("art. 120 speaks only of a banker who shows eight or nine")
    banker = score(s.banker_cards)
    r.pivot("120", "unshown.sole_loses", ponto=score(s.ponto), banker=banker)
    r.choice("natural_right", "lost")
    _lost(s, r)


@rule(NaturalNotShown, SPAIN)
def natural_not_shown_spain(s: Situation, incident: NaturalNotShown, r: Reasoning) -> None:
    if incident.showed:
        _shown_in_time(s, r, "4 p4-1")
        return
    ponto, banker = score(s.ponto), score(s.banker_cards)
    r.pivot("4 p4-1", "unshown.right_lost", ponto=ponto)
    r.choice("natural_right", "lost")
    if is_natural(s.banker_cards):
        if [ponto, banker] != r.book.param("unshown_natural_loses"):
            raise NotRegulated("art. 4 §4 settles only an unshown nine against eight")
        r.pivot("4 p4-3", "unshown.nine_loses_to_eight")
        _lost(s, r)
    elif ponto_word(s) == "card":
        r.pivot("4 p4-2", "unshown.banker_decides", gives=incident.gives)
        r.choice("ponto_card", "banker_decides", critical=True)


def _lost(s: Situation, r: Reasoning) -> None:
    """The bank wins whatever the cards are."""
    r.choice("winner", "banker", critical=True)
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next, payments=payments(s, r.book, "banker")))


def _unshown(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    ponto: int,
    banker: int,
    word: Says,
    third: int | None = None,
    by_table: tuple[Side, ...] = (),
) -> Situation:
    sole = book.coded_as == SANREMO
    claim: Claim = "banco" if sole else draw.pick(("stake", "banco_table")) if difficulty >= 3 else "stake"
    facts = coup(draw, book, difficulty, claim=claim) | {"by_table": by_table}
    thirds = fair_thirds(book, banker) if third is None else (third,)
    return Situation(
        **facts | {"calls": (*facts["calls"], Call("ponto", word), Call("croupier", word))},
        ponto=draw.hand(ponto),
        banker_cards=draw.hand(banker),
        next=(draw.card(*thirds), draw.card()),
        incident=NaturalNotShown(
            gives=draw.pick(("give", "refuse")), wish=draw.pick(("draw", "stand")), showed=word in SHOWN
        ),
    )


@case("ponto_faults", {PT[0]: "64 a", SANREMO: ("12", "13 s2")})
def shows_in_time(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: he said it and laid his cards down. Harder: against a banker who shows too."""
    ponto = draw.pick((8, 9))
    banker = draw.pick((8, 9)) if book.coded_as == SANREMO or draw.chance(0.1 * difficulty) else draw.number(0, 7)
    return _unshown(draw, book, difficulty, ponto=ponto, banker=banker, word=NATURAL[ponto])


@case("ponto_faults", {PT[0]: "64 a"})
def shows_against_a_banker_who_could_draw(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike of a natural that was not shown: the banker has turned up a score on which he would draw."""
    ponto = draw.pick((8, 9))
    return _unshown(draw, book, difficulty, ponto=ponto, banker=draw.number(0, 6), word=NATURAL[ponto])


@case("ponto_faults", {SPAIN: "4 p4-1"})
def shows_nine_against_eight(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: he said it and laid his cards down, also against a banker who does not show."""
    banker = draw.pick((8, 8, 9, draw.number(0, 7)))
    return _unshown(draw, book, difficulty, ponto=9, banker=banker, word="nine")


@case("ponto_faults", {PT[0]: "105 a-1", SPAIN: "4 p4-1"})
def stands_without_showing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker draws against it as against any ponto who stood. Harder, in Spain: his eight beats the nine."""
    if book.coded_as == SPAIN and difficulty >= 2 and draw.chance(0.5 if difficulty <= 3 else 0.9):
        return _unshown(draw, book, difficulty, ponto=9, banker=8, word="no")
    banker = draw.pick((5, 6, 6, 7)) if difficulty >= 3 else draw.number(0, 7)
    return _unshown(draw, book, difficulty, ponto=draw.pick((8, 9)), banker=banker, word="no")


@case("ponto_faults", {PT[0]: ("105 a-1", "105 a-2"), SPAIN: ("4 p4-1", "4 p4-2")})
def asks_with_natural(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    banker = draw.number(3, 6) if difficulty >= 3 else draw.number(0, 7)
    return _unshown(draw, book, difficulty, ponto=draw.pick((8, 9)), banker=banker, word="card")


@case("ponto_faults", {PT[0]: "105 b", SPAIN: "4 p4-3"})
def nine_against_eight(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _unshown(draw, book, difficulty, ponto=9, banker=8, word=draw.pick(("card", "no")))


@case("ponto_faults", {SANREMO: "120"})
def sole_ponto_gives_up_natural(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: the ponto has nine, and would have won or tied."""
    ponto = 9 if difficulty >= 3 else draw.pick((8, 9))
    return _unshown(draw, book, difficulty, ponto=ponto, banker=draw.pick((8, 9)), word=draw.pick(("card", "no")))


@case("ponto_faults", {SANREMO: "111 s1"})
def by_rule_gives_up_natural(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: against a banker who shows. Harder: against any."""
    banker = draw.number(0, 9) if difficulty >= 3 else draw.pick((8, 9))
    word: Says = draw.pick(("card", "no"))
    return _unshown(draw, book, difficulty, ponto=draw.pick((8, 9)), banker=banker, word=word, by_table=("ponto",))
