"""The banker gives a card to a ponto who asked for none, and perhaps takes another for himself.

Sanremo 69, and 111 s2 for the cards left over when he plays by rule.
"""

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.draw_faults.hands import dealt, spoken
from rules_engine.games.chemin_de_fer.draw_faults.restored import left_over, set_aside
from rules_engine.games.chemin_de_fer.draw_faults.two_third_cards import telling_pairs, three_of_four
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.table import Incident, Side, Situation, is_natural
from rules_engine.games.chemin_de_fer.third_card import ponto_word, table_duty


class UnaskedCard(Incident, frozen=True, tag="unasked_card"):
    """The ponto said no; the first loose card was given to him anyway, the second the banker drew for himself."""

    def check(self, situation: Situation) -> None:
        if ponto_word(situation) != "no":
            raise ImpossibleFacts("calls", "the ponto must have said no")
        if len(situation.ponto) != 2 or len(situation.banker_cards) != 2:
            raise ImpossibleFacts("ponto", "both sides must have their two dealt cards")
        if is_natural(situation.banker_cards):
            raise ImpossibleFacts("banker_cards", "a banker who shows gives no card")
        if not 1 <= len(situation.loose) <= 2:
            raise ImpossibleFacts("loose", "one card must have been given, and at most one more taken")

    def narrated(self, situation: Situation) -> list[Sentence]:
        told = super().narrated(situation)
        return [*told, ("incident.unasked_card_second", {})] if len(situation.loose) > 1 else told


@rule(UnaskedCard, SANREMO)
def unasked_card_it(s: Situation, incident: UnaskedCard, r: Reasoning) -> None:
    if "banker" in s.by_table:
        _restore(s, r)
        return
    dealt_score, four = score(s.banker_cards), s.banker_cards + s.loose
    r.choice("coup", "stands", critical=True)
    r.pivot("69 s1", "draw_faults.unasked_is_bankers", card=s.loose[0], banker=dealt_score)
    for number in range(1, len(s.loose) + 1):
        r.fate(f"loose.{number}", "banker")
    if len(s.loose) == 1:
        r.score("banker_score", score(four), tempting=[dealt_score])
        settle(s, r, ponto=s.ponto, banker=four, shoe=s.next)
        return
    left = three_of_four(four, min)
    lowest = score(four[:left] + four[left + 1 :])
    r.pivot("69 s2", "draw_faults.four_kept_lowest_three", cards=four, banker=lowest)
    r.score("banker_score", lowest, tempting=[score(four), score(four[:3]), dealt_score])
    settle(s, r, ponto=s.ponto, banker=four, shoe=s.next, banker_score=lowest)


def _restore(s: Situation, r: Reasoning) -> None:
    """The card was due to nobody. A banker who has to draw might take it or the next in the shoe: the text does not
    say."""
    if table_duty(r, score(s.banker_cards), None, pivot=False) != "must_stand":
        raise NotRegulated("art. 69 does not say which card a banker playing by rule takes when he has to draw")
    r.pivot("69 s3", "draw_faults.unasked_by_rule_restored")
    refs = tuple(f"loose.{number}" for number in range(1, len(s.loose) + 1))
    left_over(s, r, refs, "69 s3")
    r.choice("coup", "restored", critical=True)
    burned, kept = set_aside(s, r, refs)
    r.score("banker_score", score(s.banker_cards), tempting=[score(s.banker_cards + s.loose[:1])])
    settle(s, r, ponto=s.ponto, banker=s.banker_cards, burned=burned, next_coup=kept, shoe=s.next)


def _unasked(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    cards: int,
    banker: int,
    by_table: tuple[Side, ...] = (),
    hidden: tuple[str, ...] = (),
) -> Situation:
    own = draw.hand(banker)
    loose = [draw.card() for _ in range(cards)]
    if cards == 2 and difficulty >= 3:
        pairs = telling_pairs(*(int(score((card,))) for card in own))
        loose = [draw.card(worth) for worth in draw.pick(pairs)] if pairs else loose
    return Situation(
        **spoken(draw, book, difficulty, "no", by_table=by_table),
        ponto=dealt(draw, "no"),
        banker_cards=own,
        loose=tuple(loose),
        next=(draw.card(),),
        hidden=hidden,
        incident=UnaskedCard(),
    )


@case("draw_faults", {SANREMO: "69 s1"})
def unasked_card(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    banker = draw.number(0, 7) if difficulty >= 2 else draw.number(0, 5)
    return _unasked(draw, book, difficulty, cards=1, banker=banker)


@case("draw_faults", {SANREMO: ("69 s1", "69 s2")})
def unasked_card_and_another(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _unasked(draw, book, difficulty, cards=2, banker=draw.number(0, 7))


@case("draw_faults", {SANREMO: "69 s3"})
def unasked_card_by_rule(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    cards = draw.number(1, 2) if difficulty >= 2 else 1
    unseen = draw.number(0, cards)
    hidden = tuple(f"loose.{number}" for number in range(cards - unseen + 1, cards + 1))
    return _unasked(draw, book, difficulty, cards=cards, banker=draw.number(6, 7), by_table=("banker",), hidden=hidden)
