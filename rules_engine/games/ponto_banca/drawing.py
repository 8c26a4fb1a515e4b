"""The cards of a coup: whose they are, what they count, and who takes a third.

1995: 8 s1, 8 s2, 12 s1, 13 P-draw to B-6-none and 13 s1. Macau: valor s1, valor s2, distribuicao s1, s2 and its table.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, between, one_of, variant
from rules_engine.games.baccarat.cards import PIPS, score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import ALL, MACAU, articles, same
from rules_engine.games.ponto_banca.game import case, case_table, domain, rule
from rules_engine.games.ponto_banca.outcome import (
    Played,
    decide_draws,
    due,
    explain_draws,
    explain_natural,
    finish,
    play_out,
    refuse_against_table,
)
from rules_engine.games.ponto_banca.setting import closed
from rules_engine.games.ponto_banca.table import Incident, Situation

domain("turned_first", "ponto", "banker", "together")
# The most cards that one side, and the coup after its first four, can take.
FULL = 3
EXTRA = 2


class FirstCards(Incident, frozen=True, tag="first_cards"):
    """Both sides have their first two cards; `next` is what the shoe would give."""

    def check(self, situation: Situation) -> None:
        for fact, cards in (("ponto", situation.ponto), ("banker_cards", situation.banker_cards)):
            if len(cards) != 2:
                raise ImpossibleFacts(fact, "each side must have two cards before a third is drawn")
        if len(situation.next) < EXTRA:
            raise ImpossibleFacts("next", "the next two cards of the shoe must be known")


class DealtInOrder(Incident, frozen=True, tag="dealt_in_order"):
    """Four cards have left the shoe and lie in a row, in that order.

    `turns`: whose cards the croupier wants to show first, if that is told.
    """

    turns: Literal["ponto", "banker", "together"] | None = None

    def narration(self) -> list[Sentence]:
        first: list[Sentence] = [(f"incident.turned_{self.turns}", {})] if self.turns else []
        return [("incident.dealt_in_order", {}), *first]

    def asked(self, name: str, situation: Situation) -> Sentence | None:
        """About the four cards in the row; what the sides would have with a third card is not asked here."""
        own = {"allowed": "allowed_turned", "ponto_score": "ponto_first_score", "banker_score": "banker_first_score"}
        return (f"question.{own[name]}", {}) if name in own else None

    def sorts(self, situation: Situation) -> set[str]:
        return {self.turns} if self.turns else set()

    def check(self, situation: Situation) -> None:
        if len(situation.loose) != 4 or situation.ponto or situation.banker_cards:
            raise ImpossibleFacts("loose", "four cards must lie in the row, and neither side have any yet")


class HandsToCount(Incident, frozen=True, tag="hands_to_count"):
    """All cards of both sides are open."""

    def check(self, situation: Situation) -> None:
        for fact, cards in (("ponto", situation.ponto), ("banker_cards", situation.banker_cards)):
            if not 2 <= len(cards) <= FULL:
                raise ImpossibleFacts(fact, "a side ends with two or three cards")


@rule(FirstCards, *ALL)
def first_cards(s: Situation, incident: FirstCards, r: Reasoning) -> None:
    played = play_out(r.book, s.next, ponto=s.ponto, banker=s.banker_cards)
    explain_draws(r, played)
    decide_draws(r, played)
    for index in range(EXTRA):
        r.fate(f"next.{index + 1}", played.sides[index] if index < len(played.sides) else "shoe")
    finish(s, r, played)


@rule(DealtInOrder, *ALL)
def dealt_in_order(s: Situation, incident: DealtInOrder, r: Reasoning) -> None:
    ponto: tuple[str, ...] = ()
    banker: tuple[str, ...] = ()
    cite = same(r.book, "12 s1", "distribuicao s1")
    r.pivot(cite, "row_in_turn", turns=incident.turns or "none")
    for index, card in enumerate(s.loose):
        side = due(r.book, ponto, banker) or "ponto"
        r.fate(f"loose.{index + 1}", side)
        ponto, banker = ((*ponto, card), banker) if side == "ponto" else (ponto, (*banker, card))
    if incident.turns is None:
        r.choice("turned_first", "ponto")
    else:
        r.choice("allowed", "allowed" if incident.turns == "ponto" else "refused")
    _count(r, ponto, banker, plain=True)
    grounds = [cite, same(r.book, "8 s1", "valor s1")]
    grounds += [same(r.book, "8 s2", "valor s2")] if r.told("excess") else []
    for side in ("ponto", "banker"):
        r.rests(f"{side}_score", *grounds)
    r.after(lying(ponto=ponto, banker=banker, shoe=s.next))


@rule(HandsToCount, *ALL)
def hands_to_count(s: Situation, incident: HandsToCount, r: Reasoning) -> None:
    refuse_against_table(r.book, s.ponto, s.banker_cards)
    played = Played(s.ponto, s.banker_cards, s.next)
    explain_natural(r, played, pivot=False)
    _count(r, s.ponto, s.banker_cards)
    finish(s, r, played)


def _count(r: Reasoning, ponto: tuple[str, ...], banker: tuple[str, ...], *, plain: bool = False) -> None:
    """The scores of both sides: values by 8 s1 or valor s1, tens dropped by 8 s2 or valor s2. `plain`: that cards have
    values is not what the case turns on."""
    sums = {"ponto": _pips(ponto), "banker": _pips(banker)}
    r.step(same(r.book, "8 s1", "valor s1"), "values", pivot=not plain, **sums)
    if max(sums.values()) >= 10:
        scores = {"ponto": score(ponto), "banker": score(banker)}
        r.step(same(r.book, "8 s2", "valor s2"), "excess", pivot=True, **scores)
    for side, cards in (("ponto", ponto), ("banker", banker)):
        r.score(f"{side}_score", score(cards))


def _pips(cards: tuple[str, ...]) -> int:
    return sum(PIPS[card[0]] % 10 for card in cards)


def _first_two(
    draw: Draw, book: Rulebook, difficulty: int, *, ponto: int, banker: int, third: int | None = None
) -> Situation:
    """A coup after the first four cards, with these scores; `third` is the value of the next card, if it matters."""
    facts = closed(draw, book, difficulty)
    following = draw.card() if third is None else draw.card(third)
    return Situation(
        **facts,
        ponto=draw.hand(ponto),
        banker_cards=draw.hand(banker),
        next=(following, draw.card()),
        incident=FirstCards(),
    )


def _ponto_drawing(draw: Draw, difficulty: int) -> int:
    """Hardest: five, where chemin de fer leaves a choice, or zero."""
    return draw.pick((0, 5, 5)) if difficulty >= 5 else draw.number(0, 5)


@case("drawing", articles("13 P-draw", macau="distribuicao P-draw"))
def ponto_draws(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _first_two(draw, book, difficulty, ponto=_ponto_drawing(draw, difficulty), banker=draw.number(0, 7))


@case("drawing", articles("13 P-stand", macau="distribuicao P-stand"))
def ponto_stands(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    banker = draw.number(0, 7) if book.coded_as != MACAU else draw.pick((0, 1, 2, 7))
    return _first_two(draw, book, difficulty, ponto=draw.pick((6, 7)), banker=banker)


@case("drawing", articles("13 P-nat", macau="distribuicao P-nat"))
def ponto_natural(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Against a bank that also stands by its own row; what the texts leave open has its own case."""
    banker = draw.number(6, 9) if difficulty >= 3 else draw.number(6, 7)
    return _first_two(draw, book, difficulty, ponto=draw.pick((8, 9)), banker=banker)


@case("drawing", articles("13 P-nat-end"))
def ponto_natural_against_a_low_bank(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _first_two(draw, book, difficulty, ponto=draw.pick((8, 9)), banker=draw.number(0, 5))


@case("drawing", articles("13 B-nat", macau="distribuicao B-nat"))
def banker_natural(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ponto = draw.number(0, 9) if difficulty >= 3 else draw.number(6, 7)
    return _first_two(draw, book, difficulty, ponto=ponto, banker=draw.pick((8, 9)))


case_table(
    "drawing",
    variant("banker_low", articles("13 B-012", macau="distribuicao B-012"), ponto=between(0, 7), banker=between(0, 2)),
    variant("banker_seven", articles("13 B-7", macau="distribuicao B-7"), ponto=between(0, 7), banker=7),
)(_first_two)


@case_table(
    "drawing",
    variant("banker_three", articles("13 B-3", macau="distribuicao B-3"), banker=3),
    variant("banker_four", articles("13 B-4", macau="distribuicao B-4"), banker=4),
    variant("banker_five", articles("13 B-5", macau="distribuicao B-5"), banker=5),
    variant("banker_six", articles("13 B-6", macau="distribuicao B-6"), banker=6),
)
def _by_table(draw: Draw, book: Rulebook, difficulty: int, banker: int) -> Situation:
    """Easy: any cell. Harder: the cells where a draw turns into a stand."""
    row: str = book.param("banker_table")[str(banker)]
    edges = [third for third in range(10) if row[third] != row[(third + 1) % 10] or row[third] != row[third - 1]]
    third = draw.pick(edges) if difficulty >= 3 else draw.number(0, 9)
    return _first_two(draw, book, difficulty, ponto=_ponto_drawing(draw, difficulty), banker=banker, third=third)


case_table(
    "drawing",
    variant("banker_three_to_five_alone", articles("13 B-345-none"), ponto=one_of(6, 7), banker=between(3, 5)),
    variant("banker_six_alone", articles("13 B-6-none"), ponto=one_of(6, 7), banker=6),
    variant("banker_alone", articles(macau="distribuicao B-none"), ponto=one_of(6, 7), banker=between(3, 6)),
)(_first_two)


@case("drawing", articles("13 s1", macau="distribuicao s2"))
def both_draw(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: the bank draws because of the ponto's card, which is next to one on which it would stand."""
    low, high = {1: (0, 3), 2: (0, 3), 3: (0, 6)}.get(difficulty, (3, 6))
    ponto, banker = draw.number(0, 5), draw.number(low, high)
    row: str = book.param("banker_table")[str(banker)]
    drawn = [third for third in range(10) if row[third] == "T"]
    edges = [third for third in drawn if "F" in (row[third - 1], row[(third + 1) % 10])]
    third = draw.pick(edges if difficulty >= 4 else drawn)
    return _first_two(draw, book, difficulty, ponto=ponto, banker=banker, third=third)


@case("drawing", articles("12 s1", macau="distribuicao s1"))
def four_in_a_row(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: no side passes ten. Hard: both do."""
    facts = closed(draw, book, difficulty)
    row = tuple(draw.card() for _ in range(4))
    if difficulty <= 2:
        row = tuple(draw.card(draw.number(0, 4)) for _ in range(4))
    elif difficulty >= 4:
        ponto, banker = (_passing_ten(draw, draw.number(1, 6)) for _ in range(2))
        row = (ponto[0], banker[0], ponto[1], banker[1])
    turns: Literal["ponto", "banker", "together"] = draw.pick(("ponto", "ponto", "banker", "together"))
    return Situation(**facts, loose=row, next=(draw.card(), draw.card()), incident=DealtInOrder(turns=turns))


@case("drawing", articles("8 s1", "8 s2", macau=("valor s1", "valor s2")))
def over_ten(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The ponto's first two cards exceed ten and he draws; hard: the bank's exceed ten too."""
    ponto = _passing_ten(draw, draw.number(1, 5))
    points = draw.number(3, 6)
    banker = _passing_ten(draw, points) if difficulty >= 3 else draw.hand(points)
    cards = (draw.card(), draw.card())
    played = play_out(book, cards, ponto=ponto, banker=banker)
    facts = closed(draw, book, difficulty)
    return Situation(**facts, ponto=played.ponto, banker_cards=played.banker, incident=HandsToCount())


def _passing_ten(draw: Draw, points: int) -> tuple[str, ...]:
    first = draw.number(points + 1, 9)
    return draw.card(first), draw.card(10 + points - first)
