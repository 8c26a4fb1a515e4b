"""More than two cards after the deal: in the banker's hand, or in the ponto's.

Banker: Portugal 104 d, 106 a; Sanremo 31, 67, 68, 75, 111; Spain 1 p2, 3 p2.
Ponto: Portugal 104 g-1, g-2; Sanremo 66 s1-s2, 68.
"""

from itertools import combinations

from msgspec import structs

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Sentence
from rules_engine.games.baccarat.cards import score, value
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.rights import wish_sentence
from rules_engine.games.chemin_de_fer.game import rule
from rules_engine.games.chemin_de_fer.kept_right import kept_right
from rules_engine.games.chemin_de_fer.outcome import annul, settle
from rules_engine.games.chemin_de_fer.table import Incident, Situation, alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import (
    CELLS,
    SHOWN,
    BankerToDecide,
    Wish,
    duty_pt,
    duty_sanremo,
    ponto_word,
)

BACCARA = 0
HAND = 2


class BankerHasExtraCards(Incident, frozen=True, tag="banker_has_extra_cards"):
    """After the deal the banker has more than two cards; the ponto has spoken.

    `extra`: the position in his hand of the card known to be the extra one, if that can be told; `wish`: what he would
    do about another card, if he is free. `void_at`: the position of a card that came out of the shoe face up.
    """

    phrased = {"announcement": "question.announced_result", "banker_draw": "question.another_card"}

    wish: Wish = "draw"
    extra: int | None = None
    void_at: int | None = None

    def check(self, situation: Situation) -> None:
        word, ponto = ponto_word(situation), situation.ponto
        check_extra("banker_cards", situation.banker_cards, self.extra)
        if self.void_at is not None and (len(situation.banker_cards) != 3 or not 1 <= self.void_at <= 3):
            raise ImpossibleFacts("incident.void_at", "one of three cards came out face up")
        if not situation.next:
            raise ImpossibleFacts("next", "the shoe has no card for the banker")
        if word in SHOWN and not is_natural(ponto):
            raise ImpossibleFacts("calls", "the ponto shows without a natural")
        if len(ponto) != (3 if word == "card" else HAND):
            raise ImpossibleFacts("ponto", "{count} cards do not fit what was said", count=len(ponto))

    def narration(self) -> list[Sentence]:
        which = ("incident.deal_extra_turned", {"extra": self.void_at}) if self.void_at else _told_apart(self.extra)
        return [("incident.banker_has_extra_cards", {}), which, wish_sentence(self.wish)]


class PontoHasExtraCards(Incident, frozen=True, tag="ponto_has_extra_cards"):
    """After the deal the ponto has more than two cards; nobody has spoken.

    `extra`: the position of the card known to be the extra one, if that can be told; the wishes are what each side
    would do about another card, if free. The banker's cards may still be face down.
    """

    phrased = {"announcement": "question.announced_result"}

    ponto_wish: Wish = "stand"
    banker_wish: Wish = "draw"
    extra: int | None = None

    def check(self, situation: Situation) -> None:
        check_extra("ponto", situation.ponto, self.extra)
        if len(situation.banker_cards) != HAND:
            raise ImpossibleFacts("banker_cards", "the banker must have been dealt two cards")
        if len(situation.next) < HAND:
            raise ImpossibleFacts("next", "the shoe does not have a card for each side")

    def narration(self) -> list[Sentence]:
        told = ("incident.ponto_has_extra_cards", {"wish": self.ponto_wish})
        return [told, _told_apart(self.extra), wish_sentence(self.banker_wish)]


def _told_apart(extra: int | None) -> Sentence:
    if extra is None:
        return "incident.deal_extra_unknown", {}
    return "incident.deal_extra_known", {"extra": extra}


def check_extra(fact: str, cards: tuple[str, ...], extra: int | None) -> None:
    if len(cards) <= HAND:
        raise ImpossibleFacts(fact, "the deal must have given more than two cards")
    if extra is not None and not 1 <= extra <= len(cards):
        raise ImpossibleFacts("incident.extra", "there is no card {number} in that hand", number=extra)


@rule(BankerHasExtraCards, *PT)
def banker_has_extra_cards_pt(s: Situation, incident: BankerHasExtraCards, r: Reasoning) -> None:
    if incident.void_at:
        _void_was_none(s, incident, r, "106 a")
        return
    _banker_baccara(s, r, "104 d")
    if ponto_word(s) in SHOWN:
        r.pivot("104 d", "deal.may_draw_against_natural", ponto=score(s.ponto))
        duty = "may_choose"
    else:
        cite = "70 s2" if s.claim == "banco" else "67 c"
        r.step(cite, "deal.baccara_draws")
        duty = "must_draw"
    _banker_ends(s, r, duty, incident.wish)


@rule(BankerHasExtraCards, SANREMO)
def banker_has_extra_cards_sanremo(s: Situation, incident: BankerHasExtraCards, r: Reasoning) -> None:
    if incident.void_at:
        r.choice("coup", "stands")
        _void_was_none(s, incident, r, "31")
        return
    if _by_rule_sanremo(s, r, incident.extra, heap="banker"):
        return
    r.choice("coup", "stands")
    _banker_baccara(s, r, "67")
    _banker_ends(s, r, _baccara_draw_sanremo(r, shown=ponto_word(s) in SHOWN, cite="67"), incident.wish)


@rule(BankerHasExtraCards, SPAIN)
def banker_has_extra_cards_spain(s: Situation, incident: BankerHasExtraCards, r: Reasoning) -> None:
    if ponto_word(s) in SHOWN:
        raise NotRegulated("art. 3 §2 does not say whether he may draw against a natural")
    void = s.banker_cards[incident.void_at - 1] if incident.void_at else ""
    if void and r.book.reads("ES1", "own_rule"):
        r.pivot("1 p2-2", "deal.face_up_own_rule", card=void)
    elif void:
        good = tuple(card for at, card in enumerate(s.banker_cards, 1) if at != incident.void_at)
        r.pivot("1 p2-2", "deal.extra_was_void", card=void)
        r.score("banker_counts", score(good), tempting=[BACCARA, score(s.banker_cards)])
        draws = incident.wish == "draw" and not is_natural(good)
        hand = (*good, s.next[0]) if draws else good
        settle(s, r, ponto=s.ponto, banker=hand, burned=(void,), shoe=s.next[1:] if draws else s.next)
        return
    _banker_baccara(s, r, "3 p2")
    r.pivot("3 p2", "deal.keeps_right_to_draw")
    _banker_ends(s, r, "may_choose", incident.wish)


def _void_was_none(s: Situation, incident: BankerHasExtraCards, r: Reasoning, cite: str) -> None:
    """One of the three came out face up: it plays for nobody, and the banker goes on with the other two."""
    at = incident.void_at or 0
    void, good = s.banker_cards[at - 1], s.banker_cards[: at - 1] + s.banker_cards[at:]
    r.pivot(cite, "deal.extra_was_void", card=void)
    r.score("banker_counts", score(good), tempting=[BACCARA, score(s.banker_cards)])
    third = s.ponto[2] if len(s.ponto) == 3 else None
    if third and is_natural(good):
        _gave_with_natural(s, r, void, good)
        return
    if ponto_word(s) in SHOWN or is_natural(good):
        natural = "12" if r.book.coded_as == SANREMO else "67 a" if is_natural(good) else "64 a"
        r.step(natural, "deal.natural_bars")
        duty = "must_stand"
    else:
        two = structs.replace(s, banker_cards=good, incident=BankerToDecide(wish=incident.wish))
        duty = duty_sanremo(two, r, third) if r.book.coded_as == SANREMO else duty_pt(two, r, third)
    r.choice("banker_draw", duty, critical=True)
    draws = duty == "must_draw" or (duty == "may_choose" and incident.wish == "draw")
    hand = (*good, s.next[0]) if draws else good
    settle(s, r, ponto=s.ponto, banker=hand, burned=(void,), shoe=s.next[1:] if draws else s.next)


def _gave_with_natural(s: Situation, r: Reasoning, void: str, good: tuple[str, ...]) -> None:
    """The other two make a natural, and he gave a card instead of showing it: Sanremo 75, by the rule 111."""
    if r.book.coded_as != SANREMO:
        raise NotRegulated(
            "art. 106 a) voids the card turned up; no article says what a banker loses who gives a card with a natural"
        )
    banker, given = score(good), s.ponto[2]
    r.choice("banker_draw", "must_stand", critical=True)
    if "banker" in s.by_table:
        r.pivot("113 T-nat", "banker_shows", banker=banker)
        r.pivot("111 s1", "draw_faults.by_rule_corrected", side="banker")
        r.pivot("111 s2", "draw_faults.seen_cancelled", card=given)
        settle(s, r, ponto=s.ponto[:2], banker=good, burned=(void, given), shoe=s.next)
        return
    r.pivot("75 s1", "draw_faults.natural_right_lost", banker=banker)
    r.pivot("75 s2", "draw_faults.natural_compared", banker=banker, ponto=score(s.ponto))
    settle(s, r, ponto=s.ponto, banker=good, burned=(void,), shoe=s.next)


def _banker_baccara(s: Situation, r: Reasoning, cite: str) -> None:
    r.pivot(cite, "deal.extra_banker_baccara", count=len(s.banker_cards))
    r.score("banker_counts", BACCARA)


def _banker_ends(s: Situation, r: Reasoning, duty: str, wish: Wish) -> None:
    """The banker's baccara, plus the further card if he takes it, against the ponto's cards."""
    r.choice("banker_draw", duty, critical=True)
    draws = duty == "must_draw" or (duty == "may_choose" and wish == "draw")
    drawn = s.next[:1] if draws else ()
    settle(
        s,
        r,
        ponto=s.ponto,
        banker=(*s.banker_cards, *drawn),
        shoe=s.next[len(drawn) :],
        banker_score=BACCARA + sum(map(value, drawn)),
    )


def _baccara_draw_sanremo(r: Reasoning, *, shown: bool, cite: str) -> str:
    """A banker left with baccara draws, because nobody may stand on it, unless the ponto has a natural."""
    if shown:
        r.pivot(cite, "deal.natural_bars_baccara")
        r.step("12", "deal.natural_bars")
        return "must_stand"
    r.pivot(cite, "deal.keeps_right_to_draw")
    r.step("113 s1", "deal.baccara_draws")
    return "must_draw"


def _by_rule_sanremo(s: Situation, r: Reasoning, extra: int | None, *, heap: str) -> bool:
    """Whether the banker plays by the rule; then the same fault is undone, or the coup annulled."""
    if "banker" not in s.by_table:
        return False
    if extra is None:
        r.pivot("68", "deal.by_rule_annulled")
        annul(s, r)
        return True
    r.pivot("68", "deal.by_rule_told_apart", card=s.heap(heap)[extra - 1])
    r.step("111 s1", "deal.by_rule_restored")
    r.choice("coup", "restored", critical=True)
    hands = {"ponto": s.ponto, "banker": s.banker_cards}
    gone = hands[heap][extra - 1]
    hands[heap] = hands[heap][: extra - 1] + hands[heap][extra:]
    r.after(lying(ponto=hands["ponto"], banker=hands["banker"], burned=(gone,), shoe=s.next))
    return True


def best_of(cards: tuple[str, ...], sizes: tuple[int, ...]) -> tuple[str, ...]:
    """The cards with the highest score, in one of these numbers of cards."""
    return max((hand for size in sizes for hand in combinations(cards, size)), key=score)


def _ponto_best(
    s: Situation, r: Reasoning, cite: str, sizes: tuple[int, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ponto's best cards and those left over, with his score decided."""
    best = best_of(s.ponto, sizes)
    r.pivot(cite, f"deal.ponto_best_{max(sizes)}", score=score(best), cards=best)
    r.score("ponto_counts", score(best))
    rest = list(s.ponto)
    for card in best:
        rest.remove(card)
    return best, tuple(rest)


@rule(PontoHasExtraCards, *PT)
def ponto_has_extra_cards_pt(s: Situation, incident: PontoHasExtraCards, r: Reasoning) -> None:
    if incident.extra is not None or len(s.ponto) != 3:
        raise NotRegulated("art. 104 g) rules on three cards of which nobody can tell the extra one")
    best, rest = _ponto_best(s, r, "104 g-1", (2, 3))
    if "banker.1" in s.hidden:
        r.after(lying(ponto=best, banker=s.banker_cards, burned=rest, shoe=s.next))
        return
    duty = _right_to_draw_pt(s, r, score(s.banker_cards))
    r.choice("banker_draw", duty, critical=True)
    draws = duty == "must_draw" or (duty == "may_choose" and incident.banker_wish == "draw")
    drawn = s.next[:1] if draws else ()
    hand, shoe = (*s.banker_cards, *drawn), s.next[len(drawn) :]
    settle(s, r, ponto=best, banker=hand, burned=rest, shoe=shoe, no_tie=_no_tie_pt(s, r, score(best)))


def _no_tie_pt(s: Situation, r: Reasoning, ponto: int) -> bool:
    """With seven or eight against the same score the exception takes the tie as well, by another reading (Q12)."""
    banker = score(s.banker_cards)
    equal = banker == ponto and banker in r.book.param("extra_card_banker_stands")
    lost = equal and r.book.reads("Q12", "tie_too")
    if equal:
        r.pivot("104 g-2", "deal.seven_eight_no_tie" if lost else "deal.seven_eight_tie", banker=banker)
    return lost


def _right_to_draw_pt(s: Situation, r: Reasoning, banker: int) -> str:
    """104 g leaves the banker his card except with seven or eight; with nine he shows it and does not draw."""
    stands = banker in r.book.param("extra_card_banker_stands")
    if is_natural(s.banker_cards) and not stands:
        r.pivot("67 a", "banker_shows", banker=banker)
        return "must_stand"
    r.pivot("104 g-2", "deal.seven_eight_stand" if stands else "deal.keeps_draw_and_tie", banker=banker)
    return "must_stand" if stands else kept_right(s, r, banker, cite="104 g")


@rule(PontoHasExtraCards, SANREMO)
def ponto_has_extra_cards_sanremo(s: Situation, incident: PontoHasExtraCards, r: Reasoning) -> None:
    if _by_rule_sanremo(s, r, incident.extra, heap="ponto"):
        return
    r.choice("coup", "stands")
    best, rest = _ponto_best(s, r, "66 s1", (HAND,))
    r.pivot("66 s2", "deal.banker_counts_baccara")
    r.score("banker_counts", BACCARA)
    ponto_duty = _ponto_duty_sanremo(s, r, score(best))
    r.choice("ponto_draw", ponto_duty)
    draws = ponto_duty == "must_draw" or (ponto_duty == "may_choose" and incident.ponto_wish == "draw")
    third = s.next[:1] if draws else ()
    left = s.next[len(third) :]
    duty = _baccara_draw_sanremo(r, shown=is_natural(best), cite="66 s2")
    r.choice("banker_draw", duty, critical=True)
    drawn = left[:1] if duty == "must_draw" else ()
    settle(
        s,
        r,
        ponto=(*best, *third),
        banker=(*s.banker_cards, *drawn),
        burned=rest,
        shoe=left[len(drawn) :],
        banker_score=BACCARA + sum(map(value, drawn)),
    )


def _ponto_duty_sanremo(s: Situation, r: Reasoning, points: int) -> str:
    """Third parties bind the ponto to the rule except on five; alone, he only may not stand on baccara."""
    if points >= 8:
        r.step("12", "deal.best_is_natural", ponto=points)
        return "must_stand"
    if alone(s):
        r.step("113 s1", "deal.exposed_alone", ponto=points)
        return "must_draw" if points == BACCARA else "may_choose"
    duty = CELLS[str(r.book.param("ponto_table_with_third_parties"))[points]]
    r.step("113 s2", "deal.exposed_third_parties", ponto=points, duty=duty)
    return duty
