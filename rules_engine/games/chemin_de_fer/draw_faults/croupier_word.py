"""The croupier repeats the opposite of what the ponto said.

Portugal 106 b; Sanremo 137; Spain 2 p3.
"""

from itertools import zip_longest
from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.draw_faults.hands import spoken
from rules_engine.games.chemin_de_fer.draw_faults.restored import replay, settle_again, thirds
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.ponto_third import decide_third
from rules_engine.games.chemin_de_fer.table import Incident, Says, Situation, alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import CELLS, ponto_word

# For each rulebook: one card out and two cards out with a banker who draws, and a banker who stands.
CLAUSES = {SANREMO: ("137 s2", "137 s3", "137 s4"), SPAIN: ("2 p3-1", "2 p3-2", "2 p3-3")}
CLAUSES_PT = ("106 b-1", "106 b-2", "106 b-3")

domain("valid_word", "ponto", "croupier")


class WrongWordRepeated(Incident, frozen=True, tag="wrong_word_repeated"):
    """The ponto's word and the croupier's differ; the loose cards came out after it.

    `corrected` is when the ponto objected: before the banker uncovered his cards, or after.
    """

    phrased = {"announcement": "question.announced_result"}

    corrected: Literal["before", "after"]

    def check(self, situation: Situation) -> None:
        words = {ponto_word(situation), croupier_word(situation)}
        if words != {"card", "no"}:
            raise ImpossibleFacts("calls", "one must have said card and the other no")
        if len(situation.ponto) != 2 or len(situation.banker_cards) != 2:
            raise ImpossibleFacts("ponto", "both sides must have their two dealt cards")
        if is_natural(situation.ponto) or is_natural(situation.banker_cards):
            raise ImpossibleFacts("ponto", "with a natural nobody asks for a card or gives one")
        if len(situation.loose) > 2:
            raise ImpossibleFacts("loose", "at most two cards can have come out")
        if situation.loose and self.corrected == "before":
            raise ImpossibleFacts("loose", "no third card is drawn before the banker uncovers his cards")

    def narration(self) -> list[Sentence]:
        return [("incident.wrong_word_repeated", {}), (f"incident.wrong_word_{self.corrected}", {})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        """After the banker has uncovered his cards, more may have come out, or none."""
        told = super().narrated(situation)
        out = ("incident.wrong_word_out", {"out": situation.loose})
        return [*told, out] if self.corrected == "after" else told


def croupier_word(s: Situation) -> str:
    """The croupier's first word after the ponto's."""
    words = [call.says for call in s.calls if call.by == "croupier" and call.says in ("card", "no")]
    if not words:
        raise ImpossibleFacts("calls", "the croupier has not repeated the ponto's word")
    return words[0]


def _article(book: Rulebook) -> str:
    return {SANREMO: "137", SPAIN: "2 p3"}.get(book.coded_as, "106 b")


@rule(WrongWordRepeated, *PT, SPAIN)
def wrong_word_repeated(s: Situation, incident: WrongWordRepeated, r: Reasoning) -> None:
    if ponto_word(s) == "card":
        cite = _article(r.book)
        raise NotRegulated("{cite:cited} does not speak of a croupier who says no for card", cite=cite)
    _card_for_no(s, r)


@rule(WrongWordRepeated, SANREMO)
def wrong_word_repeated_it(s: Situation, incident: WrongWordRepeated, r: Reasoning) -> None:
    if score(s.ponto) == 5:
        _five_it(s, incident, r)
    elif _against_the_rule(s, r):
        _by_the_rule(s, r)
    elif ponto_word(s) == "no":
        r.step("137 s1", "draw_faults.word_restored")
        _card_for_no(s, r)
    else:
        r.pivot("137 s1", "draw_faults.word_restored")
        refs = tuple(f"loose.{number}" for number in range(1, len(s.loose) + 1))
        again = replay(s, r, out=s.loose, ponto_draws=True)
        settle_again(s, r, again, refs, "ponto_third")


def _against_the_rule(s: Situation, r: Reasoning) -> bool:
    """Whether the ponto's own word was forbidden to him: with third parties (126) or playing by the rule."""
    if alone(s) and "ponto" not in s.by_table:
        return False
    due = r.book.param("ponto_table_with_third_parties")[score(s.ponto)]
    return bool(due != ("T" if ponto_word(s) == "card" else "F"))


def _by_the_rule(s: Situation, r: Reasoning) -> None:
    """Neither his word nor the croupier's counts: the coup is restored by the rule, with the cards that came out."""
    draws = ponto_word(s) == "no"
    r.step("137 s1", "draw_faults.word_restored")
    r.pivot("137 s6", "draw_faults.word_against_rule", ponto=score(s.ponto))
    again = replay(s, r, out=s.loose, ponto_draws=draws, choice_gone=True)
    r.choice("coup", "restored", critical=True)
    if draws:
        r.score("banker_score", score(again.banker), tempting=[score(s.banker_cards)])
    else:
        decide_third(r, "ponto_third", takes=False)
        r.choice("banker_draw", CELLS["T" if len(again.banker) == 3 else "F"], critical=True)
    taken = ["ponto"] * (len(again.ponto) - 2) + ["banker"] * (len(again.banker) - 2)
    for number, side in zip_longest(range(1, len(s.loose) + 1), taken[: len(s.loose)], fillvalue="burned"):
        r.fate(f"loose.{number}", str(side))
    shoe = s.next[max(0, again.used - len(s.loose)) :]
    settle(s, r, ponto=again.ponto, banker=again.banker, burned=s.loose[again.used :], shoe=shoe)


def _card_for_no(s: Situation, r: Reasoning) -> None:
    """Cards that came out on a word nobody said: the banker's if he has to draw, otherwise nobody's."""
    if not s.loose:
        cite = _article(r.book)
        raise NotRegulated("{cite:cited}: no card has come out, and the croupier corrects himself", cite=cite)
    one, two, none = CLAUSES.get(r.book.coded_as, CLAUSES_PT)
    banker = score(s.banker_cards)
    r.choice("coup", "restored", critical=True)
    if banker <= r.book.number("wrong_word_banker_draws_to"):
        if len(s.loose) == 1:
            r.pivot(one, "draw_faults.word_first_is_bankers", card=s.loose[0], banker=banker)
        else:
            r.pivot(two, "draw_faults.word_two_out", card=s.loose[0], burned=s.loose[1:], banker=banker)
        hand, burned = (*s.banker_cards, s.loose[0]), s.loose[1:]
    else:
        r.pivot(none, "draw_faults.word_cards_burned", cards=s.loose, banker=banker)
        hand, burned = s.banker_cards, s.loose
    for number in range(1, len(s.loose) + 1):
        r.fate(f"loose.{number}", "burned" if number > len(s.loose) - len(burned) else "banker")
    r.score("banker_score", score(hand), tempting=[score(s.banker_cards), score(s.banker_cards + s.loose[:1])])
    settle(s, r, ponto=s.ponto, banker=hand, burned=burned, shoe=s.next)


def _five_it(s: Situation, incident: WrongWordRepeated, r: Reasoning) -> None:
    """Sanremo 137 s5: five is the ponto's choice, but he must object before the banker uncovers."""
    if s.loose:
        raise NotRegulated("art. 137 does not say whose the cards are that came out against a ponto with five")
    in_time = incident.corrected == "before"
    word = ponto_word(s) if in_time else croupier_word(s)
    r.pivot("137 s5", "draw_faults.five_corrects" if in_time else "draw_faults.five_too_late", word=word)
    r.choice("valid_word", "ponto" if in_time else "croupier", critical=True)
    takes = word == "card"
    decide_third(r, "ponto_third", takes=takes)
    ponto = (*s.ponto, *s.next[:1]) if takes else s.ponto
    r.after(lying(ponto=ponto, banker=s.banker_cards, shoe=s.next[1:] if takes else s.next))


def _wrong_word(
    draw: Draw, book: Rulebook, difficulty: int, *, banker: int, cards: int, word: Says = "no", ponto: int | None = None
) -> Situation:
    """Cards out after the croupier's slip. A card that turns out to be the ponto's leaves the banker no choice."""
    if ponto is None:
        ponto = draw.number(6, 7) if word == "no" else draw.number(0, 4)
    first = (draw.card(*thirds(book, banker, "TF")),) if word == "card" else (draw.card(),)
    out = (*first, draw.card())
    return Situation(
        **spoken(draw, book, difficulty, word, repeated="card" if word == "no" else "no"),
        ponto=draw.hand(ponto),
        banker_cards=draw.hand(banker),
        loose=out[:cards],
        next=(*out[cards:], draw.card()),
        incident=WrongWordRepeated(corrected="after"),
    )


def _low(draw: Draw, difficulty: int) -> int:
    return draw.number(0, 5) if difficulty <= 2 else draw.pick((0, 3, 4, 5, 5))


@case("croupier_faults", {PT[0]: "106 b-1", SANREMO: "137 s2", SPAIN: "2 p3-1"})
def card_for_no_one_out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _wrong_word(draw, book, difficulty, banker=_low(draw, difficulty), cards=1)


@case("croupier_faults", {PT[0]: "106 b-2", SANREMO: "137 s3", SPAIN: "2 p3-2"})
def card_for_no_two_out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _wrong_word(draw, book, difficulty, banker=_low(draw, difficulty), cards=2)


@case("croupier_faults", {PT[0]: "106 b-3", SANREMO: "137 s4", SPAIN: "2 p3-3"})
def card_for_no_banker_stands(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _wrong_word(draw, book, difficulty, banker=draw.number(6, 7), cards=draw.number(1, 2))


@case("croupier_faults", {SANREMO: "137 s1"})
def no_for_card(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A banker who heard no may have drawn for himself, below six."""
    banker = draw.pick((0, 2, 4, 4, 5, 5, 6, 6, 7, 7))
    # With four or five, what the card is decides whether he may keep it.
    cards = draw.number(0, 1) if banker in (4, 5) and difficulty >= 2 else 0
    return _wrong_word(draw, book, difficulty, banker=banker, cards=cards, word="card")


@case("croupier_faults", {SANREMO: "137 s6"})
def wrong_word_for_a_wrong_word(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """With others' stakes down the ponto stood on a low score, and the croupier repeated card: a card is out."""
    return _wrong_word(
        draw, book, difficulty, banker=draw.number(0, 7), cards=draw.number(1, 2), ponto=draw.number(0, 4)
    )


@case("croupier_faults", {SANREMO: "137 s5"})
def wrong_word_on_five(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    word: Says = draw.pick(("card", "no"))
    corrected: Literal["before", "after"] = draw.pick(("before", "after"))
    return Situation(
        **spoken(draw, book, difficulty, word, repeated="card" if word == "no" else "no"),
        ponto=draw.hand(5),
        banker_cards=draw.hand(draw.number(0, 7)),
        next=(draw.card(), draw.card()),
        hidden=("banker.1", "banker.2") if corrected == "before" else (),
        incident=WrongWordRepeated(corrected=corrected),
    )
