"""The banker's third card in an ordinary coup: who must draw, must stand or may choose, and how the coup ends.

Portugal 67 a-d, 70 s2 and 102 s2; Sanremo 12 and 113 (s1, 2 and the Table of the Rule). Spain prints no table.
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, variant
from rules_engine.games.baccarat.cards import score, value
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Claim, Incident, Says, Situation, is_natural

CELLS = {"T": "must_draw", "F": "must_stand", "O": "may_choose", "N": "must_stand"}
SHOWN: tuple[Says, ...] = ("eight", "nine")
# Sanremo prints one cell that every other table contradicts; trainees are never asked about it.
DOUBTFUL = {(SANREMO, 3): (8,)}
Wish = Literal["draw", "stand"]


class BankerToDecide(Incident, frozen=True, tag="banker_to_decide"):
    """The ponto has spoken and both hands are known; the banker wants to draw or to stand."""

    phrased = {"announcement": "question.announced_result"}

    wish: Wish

    def check(self, situation: Situation) -> None:
        word, ponto, banker = ponto_word(situation), situation.ponto, situation.banker_cards
        if len(banker) != 2:
            raise ImpossibleFacts("banker_cards", "the banker must have two cards before he decides")
        if not situation.next:
            raise ImpossibleFacts("next", "the shoe has no card for the banker")
        if word in SHOWN and not (is_natural(ponto) and score(ponto) == {"eight": 8, "nine": 9}[word]):
            raise ImpossibleFacts("calls", "the ponto shows {word:play.word} without having it on two cards", word=word)
        third = word == "card" and not is_natural(banker)
        if len(ponto) != (3 if third else 2):
            raise ImpossibleFacts("ponto", "{count} cards do not fit what was said and shown", count=len(ponto))


def ponto_word(s: Situation) -> str:
    """The ponto's last word: card, no, eight or nine."""
    for call in reversed(s.calls):
        if call.by == "ponto":
            return call.says
    raise ImpossibleFacts("calls", "the ponto has said nothing")


def cell(book: Rulebook, banker: int, third: str | None) -> str:
    """The letter in the drawing table for the banker's score and the ponto's third card, if he took one."""
    row: str = book.param("banker_table")[str(banker)]
    return row[value(third)] if third else row[-1]


def table_duty(r: Reasoning, banker: int, third: str | None, *, pivot: bool = True) -> str:
    """What the table tells a banker, with the row cited; optional cells leave him free."""
    duty = CELLS[cell(r.book, banker, third)]
    given = value(third) if third else "none"
    r.step(row_of(r.book, banker, third), f"table_{duty}", banker=banker, third=given, pivot=pivot)
    return duty


def refuse_false_hands(s: Situation) -> None:
    """Refuse a finished coup that cannot have ended so: with a natural shown nobody has a third card."""
    if 3 not in (len(s.ponto), len(s.banker_cards)):
        return
    if is_natural(s.banker_cards[:2]):
        raise ImpossibleFacts("banker_cards", "a banker with eight or nine on two cards shows, and nobody draws")
    if is_natural(s.ponto[:2]) and ponto_shown(s):
        raise ImpossibleFacts("ponto", "against eight or nine shown on two cards nobody draws")


def ponto_shown(s: Situation) -> bool:
    return any(call.by == "ponto" and call.says in SHOWN for call in s.calls)


def words_of(ponto: tuple[str, ...], banker: tuple[str, ...]) -> tuple[Call, ...]:
    """The ponto's word that led to these final hands; if only the banker has a natural, he says none."""
    naturals: dict[int, Says] = {8: "eight", 9: "nine"}
    if is_natural(banker) and not is_natural(ponto):
        return Call("banker", naturals[score(banker)]), Call("croupier", naturals[score(banker)])
    word: Says = "card" if len(ponto) == 3 else naturals.get(score(ponto), "no")
    return Call("ponto", word), Call("croupier", word)


def bound_in_optional_cells(book: Rulebook) -> str:
    """What a banker does in optional cells if a fault or ignorance has cost him the choice."""
    return CELLS[str(book.param("optional_cells_bound"))]


def row_of(book: Rulebook, banker: int, third: str | None) -> str:
    """The clause about this score of the banker."""
    if book.coded_as == SANREMO:
        return _row_sanremo(banker, third)
    if banker >= 8:
        return "67 a"
    if banker == 7:
        return "67 b"
    if banker <= 2:
        return "67 c"
    # Only the text of 1995 prints the table row by row.
    row = f"67 d-{banker}"
    return row if row in book.law else "67 d"


def _row_sanremo(banker: int, third: str | None) -> str:
    if banker >= 8:
        return "113 T-nat"
    if third is None:
        return "113 2"
    return "113 T-012" if banker <= 2 else f"113 T-{banker}"


def free_duty_sanremo(r: Reasoning, banker: int) -> str:
    """A banker who did not declare to play by the rule does as he likes, but may not stand on baccara."""
    if banker == 0:
        r.pivot("113 s1", "free_baccara_draws")
        return "must_draw"
    r.pivot("113 s1", "free_banker", banker=banker)
    return "may_choose"


def free_duty_pt(s: Situation, r: Reasoning, banker: int) -> str:
    """Under bancô the banker need not follow the table, but may not stand on baccara."""
    if banker == 0:
        r.pivot("70 s2", "banco_baccara_draws")
        return "must_draw"
    r.pivot("70 s2", "banco_frees_banker", holder=s.holder or "ponto")
    return "may_choose"


def duty_pt(s: Situation, r: Reasoning, third: str | None) -> str:
    """What a Portuguese banker without a natural must do, with or without a third card of the ponto."""
    banker, bound = score(s.banker_cards[:2]), "banker" in s.by_table
    free = s.claim == "banco" and not bound
    duty = table_duty(r, banker, third, pivot=not free)
    if free:
        return free_duty_pt(s, r, banker)
    if s.claim == "banco":
        r.pivot("102 s1", "bound_despite_banco", holder=s.holder or "ponto")
    if duty == "may_choose" and bound:
        r.pivot("102 s2", "bound_draws")
        return bound_in_optional_cells(r.book)
    return duty


def duty_sanremo(s: Situation, r: Reasoning, third: str | None) -> str:
    """The same at Sanremo: the table binds only a banker who plays by the rule, and leaves him the optional cells."""
    banker = score(s.banker_cards[:2])
    if "banker" not in s.by_table:
        return free_duty_sanremo(r, banker)
    r.pivot("113 s1", "declared_by_rule")
    return table_duty(r, banker, third)


def finish(s: Situation, r: Reasoning, duty: str, wish: Wish, *, ponto: tuple[str, ...], shoe: tuple[str, ...]) -> None:
    """Decide the banker's draw and end the coup. The ponto has his cards; `shoe` is what the shoe would still give."""
    r.choice("banker_draw", duty, critical=True)
    draws = duty == "must_draw" or (duty == "may_choose" and wish == "draw")
    banker = (*s.banker_cards, shoe[0]) if draws else s.banker_cards
    settle(s, r, ponto=ponto, banker=banker, shoe=shoe[1:] if draws else shoe)


@rule(BankerToDecide, *PT)
def banker_third_card_pt(s: Situation, incident: BankerToDecide, r: Reasoning) -> None:
    banker, third = score(s.banker_cards), s.ponto[2] if len(s.ponto) == 3 else None
    duty = "must_stand"
    if ponto_word(s) in SHOWN:
        r.pivot(row_of(r.book, banker, None), "ponto_showed", ponto=score(s.ponto), banker=banker)
    elif is_natural(s.banker_cards):
        r.pivot("67 a", "banker_shows", banker=banker)
    else:
        duty = duty_pt(s, r, third)
    finish(s, r, duty, incident.wish, ponto=s.ponto, shoe=s.next)


@rule(BankerToDecide, SANREMO)
def banker_third_card_sanremo(s: Situation, incident: BankerToDecide, r: Reasoning) -> None:
    banker, third = score(s.banker_cards), s.ponto[2] if len(s.ponto) == 3 else None
    duty = "must_stand"
    if ponto_word(s) in SHOWN:
        r.pivot("12", "ponto_showed", ponto=score(s.ponto), banker=banker)
    elif is_natural(s.banker_cards):
        r.pivot("113 T-nat", "banker_shows", banker=banker)
        r.pivot("12", "natural_bars_card", banker=banker)
    else:
        duty = duty_sanremo(s, r, third)
    finish(s, r, duty, incident.wish, ponto=s.ponto, shoe=s.next)


def coup_to_decide(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    banker: int,
    word: Says | None = None,
    third: int | None = None,
    claim: Claim = "stake",
    bound: bool = False,
) -> Situation:
    """A coup up to the banker's decision, with these scores; what is not given is drawn."""
    facts = coup(draw, book, difficulty, claim=claim)
    says: Says = draw.pick(("card", "card", "no")) if word is None else word
    ponto_score = {"eight": 8, "nine": 9, "no": draw.number(5, 7), "card": draw.number(0, 5)}[says]
    ponto = draw.hand(ponto_score)
    banker_cards = draw.hand(banker)
    if says == "card" and banker < 8:
        ponto = (*ponto, draw.card(*fair_thirds(book, banker) if third is None else (third,)))
    said = (Call("croupier", "banker_by_table"),) if bound else ()
    return Situation(
        **facts | {"calls": (*said, *facts["calls"], Call("ponto", says), Call("croupier", says))},
        ponto=ponto,
        banker_cards=banker_cards,
        next=(_next_card(draw, banker),),
        by_table=("banker",) if bound else (),
        incident=BankerToDecide(wish=draw.pick(("draw", "stand"))),
    )


def _next_card(draw: Draw, banker: int) -> str:
    """The card that the banker would get, in a third of the cases the worse of two for him. He mostly has three to nine
    here, so that the lower of two scores would otherwise be the ponto's."""
    either = (draw.card(), draw.card())
    return min(either, key=lambda card: (banker + value(card)) % 10) if draw.chance(0.35) else either[0]


def fair_thirds(book: Rulebook, banker: int) -> tuple[int, ...]:
    """Values of the ponto's third card for which the table is beyond doubt."""
    return tuple(third for third in range(10) if third not in DOUBTFUL.get((book.coded_as, banker), ()))


def _declared(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """At Sanremo a table row binds only a banker by the rule. In Portugal, if hard: bancô would free the banker, but he
    was declared to play by the table."""
    if book.coded_as == SANREMO:
        return {"bound": True}
    return {"claim": "banco", "bound": True} if draw.chance(0.22 * (difficulty - 1)) else {}


@case("third_card", {PT[0]: "67 a", SANREMO: ("12", "113 T-nat")})
def banker_natural(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return coup_to_decide(draw, book, difficulty, banker=draw.pick((8, 9)), bound=book.coded_as == SANREMO)


@case("third_card", {SANREMO: "12"})
def ponto_natural(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    bound = draw.chance(0.5)
    return coup_to_decide(draw, book, difficulty, banker=draw.number(0, 9), word=draw.pick(SHOWN), bound=bound)


@case("third_card", {PT[0]: "67 b", SANREMO: "113 T-7"})
def banker_seven(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    if book.coded_as == SANREMO:
        return coup_to_decide(draw, book, difficulty, banker=7, word="card", bound=True)
    return coup_to_decide(draw, book, difficulty, banker=7, **_declared(draw, book, difficulty))


@case("third_card", {PT[0]: "67 c", SANREMO: "113 T-012"})
def banker_low(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    if book.coded_as == SANREMO:
        return coup_to_decide(draw, book, difficulty, banker=draw.number(0, 2), word="card", bound=True)
    shown = difficulty >= 2 and draw.chance(0.3)
    word: Says = draw.pick(SHOWN) if shown else draw.pick(("card", "no"))
    return coup_to_decide(
        draw, book, difficulty, banker=draw.number(0, 2), word=word, **_declared(draw, book, difficulty)
    )


@case_table(
    "third_card",
    variant("banker_three", {PT[0]: "67 d", PT[1]: "67 d-3", SANREMO: "113 T-3"}, banker=3),
    variant("banker_four", {PT[0]: "67 d", PT[1]: "67 d-4", SANREMO: "113 T-4"}, banker=4),
    variant("banker_five", {PT[0]: "67 d", PT[1]: "67 d-5", SANREMO: "113 T-5"}, banker=5),
    variant("banker_six", {PT[0]: "67 d", PT[1]: "67 d-6", SANREMO: "113 T-6"}, banker=6),
)
def _table_row(draw: Draw, book: Rulebook, difficulty: int, banker: int) -> Situation:
    """Easy: cells far from the edge. Harder: cells where drawing changes to standing, or to a choice."""
    declared = _declared(draw, book, difficulty)
    row: str = book.param("banker_table")[str(banker)]
    fair = fair_thirds(book, banker)
    edges = [at for at in fair if len({row[max(0, at - 1)], row[at], row[min(9, at + 1)]}) > 1]
    if difficulty >= 3:
        third = draw.pick(edges if len(edges) > 2 else fair[-3:])
        return coup_to_decide(draw, book, difficulty, banker=banker, word="card", third=third, **declared)
    word: Says | None = "card" if book.coded_as == SANREMO else None
    return coup_to_decide(draw, book, difficulty, banker=banker, word=word, **declared)


@case("third_card", {SANREMO: "113 2"})
def banker_after_no(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    banker = draw.number(3, 7) if difficulty >= 2 else draw.number(0, 7)
    return coup_to_decide(draw, book, difficulty, banker=banker, word="no", bound=True)


@case("third_card", {SANREMO: "113 s1"})
def banker_free(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Not playing by the rule: the cells that would bind another banker tempt most."""
    banker = draw.pick((0, 0, 1, 2, 5, 6, 7)) if difficulty >= 3 else draw.pick((0, 3, 4, 5, 6))
    claim: Claim = draw.pick(("stake", "banco", "banco_table"))
    return coup_to_decide(draw, book, difficulty, banker=banker, word=draw.pick(("card", "no")), claim=claim)


@case("third_card", {PT[0]: "70 s2"})
def banker_freed_by_banco(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    banker = draw.number(0, 7) if difficulty >= 3 else draw.pick((0, 3, 4, 5, 6))
    return coup_to_decide(draw, book, difficulty, banker=banker, word=draw.pick(("card", "no")), claim="banco")


@case("third_card", {PT[0]: "102 s2"})
def banker_bound(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    banker, third = draw.pick(((3, 9), (5, 4)))
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 3 else "stake"
    return coup_to_decide(draw, book, difficulty, banker=banker, word="card", third=third, claim=claim, bound=True)
