"""One third card too many: the banker takes two for himself, or gives the ponto several.

Portugal 104 e and 104 h; Sanremo 70 s2, s3, s4 and, for a banker who plays by rule, 111; Spain 3 p3.
"""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.cards import score, value
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.draw_faults.hands import dealt, spoken, third_for
from rules_engine.games.chemin_de_fer.draw_faults.restored import banker_duty, draws, left_over, set_aside, thirds
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.outcome import annul, settle
from rules_engine.games.chemin_de_fer.table import Incident, Says, Side, Situation, is_natural
from rules_engine.games.chemin_de_fer.third_card import Wish, cell, ponto_word, table_duty


class BankerTakesTwo(Incident, frozen=True, tag="banker_takes_two"):
    """Drawing his own third card, the banker pulls two; both lie on the cloth, in the order in which they came."""

    phrased = {"announcement": "question.announced_result"}

    def check(self, situation: Situation) -> None:
        _check_open_coup(situation)
        if len(situation.ponto) != (3 if ponto_word(situation) == "card" else 2):
            raise ImpossibleFacts("ponto", "the cards do not fit the ponto's word")
        if len(situation.loose) != 2:
            raise ImpossibleFacts("loose", "the banker must have drawn exactly two cards")


class PontoGetsSeveral(Incident, frozen=True, tag="ponto_gets_several"):
    """The ponto asked for one card and the banker gave two or three, so that nobody can tell which came first.

    The first two cards of the ponto's heap are the dealt ones. `wish` is what the banker does where he may choose;
    `banker_stood` that he has taken nothing, which a text without a drawing table cannot tell.
    """

    phrased = {"announcement": "question.announced_result"}

    wish: Wish
    banker_stood: bool = False

    def narration(self) -> list[Sentence]:
        return [("incident.ponto_gets_several_stood", {})] if self.banker_stood else super().narration()

    def check(self, situation: Situation) -> None:
        _check_open_coup(situation)
        if ponto_word(situation) != "card":
            raise ImpossibleFacts("calls", "the ponto did not ask for a card")
        if not 4 <= len(situation.ponto) <= 5:
            raise ImpossibleFacts("ponto", "the ponto must hold his two cards and two or three more")


def _check_open_coup(s: Situation) -> None:
    if len(s.banker_cards) != 2:
        raise ImpossibleFacts("banker_cards", "the banker must have his two dealt cards")
    if is_natural(s.banker_cards):
        raise ImpossibleFacts("banker_cards", "a banker who shows gives and takes no third card")


def three_of_four(cards: tuple[str, ...], best: Callable[[Iterable[int]], int]) -> int:
    """Which card to leave out, counted from 0, so that the other three make the best (max) or worst (min) score.

    Of cards with the same value, the last is left out.
    """
    scores = [score(cards[:index] + cards[index + 1 :]) for index in range(4)]
    wanted = best(scores)
    return max(index for index in range(4) if scores[index] == wanted)


def fate_of_left_out(r: Reasoning, refs: tuple[str, ...], cards: tuple[str, ...], left: int, side: str) -> None:
    """Ask about each card, unless another of the same value could be left out just as well."""
    if [value(card) for card in cards].count(value(cards[left])) == 1:
        for index, ref in enumerate(refs):
            r.fate(ref, "burned" if index == left else side)


@rule(BankerTakesTwo, *PT)
def banker_takes_two_pt(s: Situation, incident: BankerTakesTwo, r: Reasoning) -> None:
    third = s.ponto[2] if len(s.ponto) == 3 else None
    if s.claim != "banco" and cell(r.book, score(s.banker_cards), third) == "F":
        raise NotRegulated("art. 104 e) is about a banker who was entitled to a third card")
    four = s.banker_cards + s.loose
    left = three_of_four(four, min)
    counted = four[:left] + four[left + 1 :]
    lowest = score(counted)
    r.pivot("104 e", "draw_faults.lowest_three", cards=four, counted=counted, banker=lowest, burned=four[left])
    other_books = [score((*s.banker_cards, card)) for card in s.loose]
    r.score("banker_score", lowest, tempting=[*other_books, score(four)])
    fate_of_left_out(r, ("banker.1", "banker.2", "loose.1", "loose.2"), four, left, "banker")
    settle(s, r, ponto=s.ponto, banker=counted, burned=(four[left],), shoe=s.next)


@rule(BankerTakesTwo, SPAIN)
def banker_takes_two_es(s: Situation, incident: BankerTakesTwo, r: Reasoning) -> None:
    first, second = s.loose
    kept, burned = (
        (first, second) if score((*s.banker_cards, first)) <= score((*s.banker_cards, second)) else s.loose[::-1]
    )
    hand = (*s.banker_cards, kept)
    r.pivot("3 p3-2", "draw_faults.worse_of_two", kept=kept, burned=burned, banker=score(hand))
    r.score("banker_score", score(hand), tempting=[score((*s.banker_cards, burned)), score(s.banker_cards + s.loose)])
    if value(first) != value(second):
        for number, card in enumerate(s.loose, 1):
            r.fate(f"loose.{number}", "banker" if card == kept else "burned")
    settle(s, r, ponto=s.ponto, banker=hand, burned=(burned,), shoe=s.next)


@rule(BankerTakesTwo, SANREMO)
def banker_takes_two_it(s: Situation, incident: BankerTakesTwo, r: Reasoning) -> None:
    if "banker" not in s.by_table:
        raise NotRegulated("art. 39: Sanremo leaves two cards taken by a free banker to the inspector")
    third = s.ponto[2:]
    r.pivot("111 s1", "draw_faults.by_rule_corrected", side="banker")
    if table_duty(r, score(s.banker_cards), third[0] if third else None, pivot=False) != "must_draw":
        raise NotRegulated("art. 111 is applied here to a banker who was to draw one card")
    hand = (*s.banker_cards, s.loose[0])
    left_over(s, r, ("loose.2",), "111 s2")
    r.choice("coup", "restored", critical=True)
    r.fate("loose.1", "banker")
    burned, kept = set_aside(s, r, ("loose.2",))
    r.score("banker_score", score(hand), tempting=[score((*s.banker_cards, s.loose[1]))])
    settle(s, r, ponto=s.ponto, banker=hand, burned=burned, next_coup=kept, shoe=s.next)


@rule(PontoGetsSeveral, *PT)
def ponto_gets_several_pt(s: Situation, incident: PontoGetsSeveral, r: Reasoning) -> None:
    if len(s.ponto) != 4:
        raise NotRegulated("art. 104 h) is about a ponto with four cards")
    left = three_of_four(s.ponto, max)
    counted = s.ponto[:left] + s.ponto[left + 1 :]
    best = score(counted)
    r.pivot("104 h", "draw_faults.best_three", cards=s.ponto, counted=counted, ponto=best, burned=s.ponto[left])
    either = [score((*s.ponto[:2], card)) for card in s.ponto[2:]]
    r.score("ponto_score", best, tempting=[*either, score(s.ponto)])
    fate_of_left_out(r, ("ponto.1", "ponto.2", "ponto.3", "ponto.4"), s.ponto, left, "ponto")
    banker = score(s.banker_cards)
    if cell(r.book, banker, s.ponto[2]) != cell(r.book, banker, s.ponto[3]):
        raise NotRegulated("art. 104 h) does not say which of the two third cards the banker plays on")
    r.step("104 h", "draw_faults.same_on_either", first=s.ponto[2], second=s.ponto[3])
    duty = banker_duty(s, r, s.ponto[2])
    r.choice("banker_draw", duty, critical=True)
    takes = draws(duty, incident.wish)
    hand = (*s.banker_cards, *(s.next[:1] if takes else ()))
    settle(s, r, ponto=counted, banker=hand, burned=(s.ponto[left],), shoe=s.next[1:] if takes else s.next)


@rule(PontoGetsSeveral, SPAIN)
def ponto_gets_several_es(s: Situation, incident: PontoGetsSeveral, r: Reasoning) -> None:
    if len(s.ponto) != 4:
        raise NotRegulated("art. 3 §3: Spain speaks of two third cards")
    dealt, given = s.ponto[:2], s.ponto[2:]
    kept, burned = given if score((*dealt, given[0])) >= score((*dealt, given[1])) else given[::-1]
    hand = (*dealt, kept)
    r.pivot("3 p3-1", "draw_faults.better_of_two", kept=kept, burned=burned, ponto=score(hand))
    r.score("ponto_score", score(hand), tempting=[score((*dealt, burned)), score(s.ponto)])
    if value(given[0]) != value(given[1]):
        for number, card in enumerate(given, 3):
            r.fate(f"ponto.{number}", "ponto" if card == kept else "burned")
    if incident.banker_stood:
        settle(s, r, ponto=hand, banker=s.banker_cards, burned=(burned,), shoe=s.next)
    else:
        r.after(lying(ponto=hand, banker=s.banker_cards, burned=(burned,), shoe=s.next))


@rule(PontoGetsSeveral, SANREMO)
def ponto_gets_several_it(s: Situation, incident: PontoGetsSeveral, r: Reasoning) -> None:
    if "banker" in s.by_table:
        r.pivot("70 s4", "draw_faults.several_by_rule")
        annul(s, r, refs=(f"ponto.{number}" for number in range(3, len(s.ponto) + 1)))
        return
    dealt, given = s.ponto[:2], s.ponto[2:]
    favourable = _most_favourable(s, r)
    rest = [index for index in range(len(given)) if index != favourable]
    ponto = (*dealt, given[favourable])
    told = "most_favourable_ending" if r.book.reads("SR70", "ending") else "most_favourable"
    r.pivot("70 s2", f"draw_faults.{told}", card=given[favourable], ponto=score(ponto))
    worst = min(rest, key=lambda index: score((*s.banker_cards, given[index])))
    banker = (*s.banker_cards, given[worst])
    if len(rest) > 1:
        r.pivot("70 s3", "draw_faults.least_favourable", card=given[worst], banker=score(banker))
    r.choice("coup", "stands", critical=True)
    r.score("ponto_score", score(ponto), tempting=[score((*dealt, given[index])) for index in rest])
    r.score("banker_score", score(banker), tempting=[score(s.banker_cards)])
    if len({value(card) for card in given}) == len(given):
        for index in range(len(given)):
            r.fate(f"ponto.{index + 3}", {favourable: "ponto", worst: "banker"}.get(index, "burned"))
    burned = tuple(given[index] for index in rest if index != worst)
    settle(s, r, ponto=ponto, banker=banker, burned=burned, shoe=s.next)


def _most_favourable(s: Situation, r: Reasoning) -> int:
    """Which of the cards given out of order is the ponto's: by the score it makes or, by a house's reading, by how the
    coup then ends. The banker gets the worst of the others, which is the same either way."""
    dealt, given = s.ponto[:2], s.ponto[2:]
    by_ending = r.book.reads("SR70", "ending")

    def favour(index: int) -> tuple[int, int]:
        ponto = score((*dealt, given[index]))
        banker = min(score((*s.banker_cards, card)) for at, card in enumerate(given) if at != index)
        return ((ponto > banker) - (ponto < banker) if by_ending else 0), ponto

    return max(range(len(given)), key=favour)


@case_table(
    "draw_faults",
    variant("banker_takes_two", {PT[0]: "104 e", SPAIN: "3 p3-2"}),
    variant("banker_by_rule_takes_two", {SANREMO: ("111 s1", "111 s2")}, by_rule=True),
)
def takes_two(draw: Draw, book: Rulebook, difficulty: int, *, by_rule: bool = False) -> Situation:
    """A banker entitled to draw pulls two cards. Harder: the card to leave out is one of his first two."""
    banker = draw.number(0, 2) if difficulty == 1 else draw.number(0, 6)
    word: Says = "card" if banker == 6 else draw.pick(("card", "no"))
    own = draw.hand(banker)
    pairs = telling_pairs(value(own[0]), value(own[1])) if difficulty >= 3 and book.coded_as != SPAIN else ()
    # The lowest of four scores usually loses, so in Portugal some are drawn again until it does not.
    tries = 8 if book.coded_as in PT and draw.chance(0.4) else 1
    for _ in range(tries):
        worths = draw.pick(pairs) if pairs else draw.sample(range(10), 2)
        loose = [draw.card(worth) for worth in worths]
        ponto = dealt(draw, word)
        if word == "card":
            ponto += (third_for(draw, book, banker, "T"),) if book.coded_as != SPAIN else (draw.card(),)
        if min(map(score, combinations((*own, *loose), 3))) >= score(ponto):
            break
    facts = spoken(draw, book, difficulty, word, by_table=("banker",) if by_rule else ())
    hidden = ("loose.2",) if by_rule and draw.chance(0.5) else ()
    return Situation(
        **facts, ponto=ponto, banker_cards=own, loose=tuple(loose), hidden=hidden, incident=BankerTakesTwo()
    )


@cache
def telling_pairs(first: int, second: int) -> tuple[tuple[int, int], ...]:
    """Values of two extra cards with which the lowest score leaves out a dealt card, and differs from the others."""
    found = []
    for third in range(10):
        for fourth in range(10):
            total = first + second + third + fourth
            without_dealt = min((total - first) % 10, (total - second) % 10)
            if without_dealt < min((total - third) % 10, (total - fourth) % 10):
                found.append((third, fourth))
    return tuple(found)


@case_table(
    "draw_faults",
    variant("ponto_gets_two", {PT[0]: "104 h", SANREMO: "70 s2", SPAIN: "3 p3-1"}),
    variant("ponto_gets_three", {SANREMO: ("70 s2", "70 s3")}, given=3),
)
def gets_several(
    draw: Draw, book: Rulebook, difficulty: int, *, given: int = 2, by_table: tuple[Side, ...] = ()
) -> Situation:
    """The ponto asked for one card and has too many. Where a table binds the banker, each of them leads to the same
    duty."""
    banker = draw.pick((0, 1, 2, 7)) if difficulty <= 2 else draw.number(0, 7)
    if book.coded_as == SPAIN:
        banker = draw.pick((5, 6, 7, 7))
    letters = (
        draw.pick([letter for letter in "TF" if len(thirds(book, banker, letter)) > 1]) if book.coded_as in PT else ""
    )
    worths = draw.sample(range(10), given)
    extra = [third_for(draw, book, banker, letters) if letters else draw.card(worth) for worth in worths]
    return Situation(
        **spoken(draw, book, difficulty, "card", by_table=by_table),
        ponto=(*dealt(draw, "card"), *extra),
        banker_cards=draw.hand(banker),
        next=(draw.card(),),
        incident=PontoGetsSeveral(wish=draw.pick(("draw", "stand")), banker_stood=book.coded_as == SPAIN),
    )


@case("draw_faults", {SANREMO: ("70 s2", "70 s4")})
def ponto_gets_several_by_rule(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """By the rule, or freely: the easier half of the tables have the same cards in either case."""
    by_table: tuple[Side, ...] = ("banker",) if difficulty >= 3 or draw.chance(0.5) else ()
    return gets_several(draw, book, difficulty, by_table=by_table)
