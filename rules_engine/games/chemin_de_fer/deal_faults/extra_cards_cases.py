"""Situations with too many cards after the deal: Portugal 104 d, g; Sanremo 66-68; Spain 3 p2."""

from typing import Any

from msgspec import structs

from rules_engine.authoring import Rulebook, one_of, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.extra_cards import BankerHasExtraCards, PontoHasExtraCards, best_of
from rules_engine.games.chemin_de_fer.game import case, case_table
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Claim, Says, Situation
from rules_engine.games.chemin_de_fer.third_card import SHOWN, Wish

WISHES: tuple[Wish, ...] = ("draw", "stand")


@case_table(
    "deal_faults",
    variant("banker_dealt_too_many", {PT[0]: "104 d", SANREMO: "67", SPAIN: "3 p2"}, word=one_of("card", "no")),
    variant("banker_too_many_against_natural", {PT[0]: "104 d", SANREMO: "67"}, word=one_of(*SHOWN)),
    variant("banker_by_rule_too_many", {SANREMO: "68"}, word=one_of("card", "no", *SHOWN), bound=True),
)
def _banker(draw: Draw, book: Rulebook, difficulty: int, *, word: Says, bound: bool = False) -> Situation:
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 3 else "stake"
    facts = coup(draw, book, difficulty, claim=claim)
    said = (Call("croupier", "banker_by_table"),) if bound else ()
    points = {"eight": 8, "nine": 9, "no": draw.number(5, 7), "card": draw.number(0, 5)}[word]
    ponto = (*draw.hand(points), *((draw.card(),) if word == "card" else ()))
    count = 3 if difficulty <= 3 else draw.number(3, 4)
    # Harder where the cards would make a fine score if they counted.
    worth = draw.pick((8, 9)) if difficulty >= 2 else draw.number(1, 9)
    extra = draw.number(1, count) if bound and draw.chance(0.5) else None
    return Situation(
        **facts | {"calls": (*said, *facts["calls"], Call("ponto", word), Call("croupier", word))},
        ponto=ponto,
        banker_cards=draw.hand(worth, count),
        next=(draw.card(),),
        by_table=("banker",) if bound else (),
        incident=BankerHasExtraCards(wish=draw.pick(WISHES), extra=extra),
    )


@case("deal_faults", {PT[0]: "106 a", SANREMO: "31", SPAIN: "1 p2-2"})
def banker_card_void_not_too_many(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: one of the three came out face up. The banker stands, as he would by any table."""
    word: Says = draw.pick(("card", "no"))
    good = draw.hand(7 if word == "card" else draw.number(6, 9))
    at = draw.number(1, 3)
    made = _banker(draw, book, difficulty, word=word)
    cards = (*good[: at - 1], draw.card(), *good[at - 1 :])
    return structs.replace(made, banker_cards=cards, incident=BankerHasExtraCards(wish="stand", void_at=at))


def _ponto(draw: Draw, book: Rulebook, difficulty: int, cards: tuple[str, ...], banker: int, **more: Any) -> Situation:
    facts = coup(draw, book, difficulty)
    bound = "banker" in more.get("by_table", ())
    if bound:
        facts["calls"] = (Call("croupier", "banker_by_table"), *facts["calls"])
    extra = draw.number(1, len(cards)) if bound and draw.chance(0.5) else None
    incident = PontoHasExtraCards(ponto_wish=draw.pick(WISHES), banker_wish=draw.pick(WISHES), extra=extra)
    return Situation(
        **facts, **more, ponto=cards, banker_cards=draw.hand(banker), next=(draw.card(), draw.card()), incident=incident
    )


@case("deal_faults", {PT[0]: "104 g-1"})
def ponto_dealt_three(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker has not turned his cards: only the ponto's score is settled."""
    hidden = ("banker.1", "banker.2")
    return _ponto(draw, book, difficulty, _three(draw), draw.number(0, 9), hidden=hidden)


@case("deal_faults", {PT[0]: ("104 g-1", "104 g-2")})
def ponto_dealt_three_banker_turns(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    cards = _three(draw)
    best = score(best_of(cards, (2, 3)))
    # With 7 or 8 against the same score the text can be read in two ways.
    banker = draw.pick([points for points in (2, 3, 5, 6, 7, 8, 9) if points not in (7, 8) or points != best])
    return _ponto(draw, book, difficulty, cards, banker)


@case("deal_faults", {PT[0]: ("104 g-1", "104 g-2")})
def ponto_dealt_three_equal(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker has the very score of the ponto, seven or eight: what the exception takes from him is open."""
    cards = _three(draw)
    while score(best_of(cards, (2, 3))) not in (7, 8):
        cards = _three(draw)
    return _ponto(draw, book, difficulty, cards, score(best_of(cards, (2, 3))))


def _three(draw: Draw) -> tuple[str, ...]:
    return tuple(draw.card() for _ in range(3))


@case("deal_faults", {SANREMO: ("66 s1", "66 s2")})
def ponto_dealt_too_many(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    count = 3 if difficulty <= 3 else draw.number(3, 4)
    cards = tuple(draw.card() for _ in range(count))
    return _ponto(draw, book, difficulty, cards, draw.number(0, 9))


@case("deal_faults", {SANREMO: "68"})
def ponto_too_many_by_rule(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _ponto(draw, book, difficulty, _three(draw), draw.number(0, 9), by_table=("banker",))
