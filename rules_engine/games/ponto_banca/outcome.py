"""The course of a coup: who gets the next card, the drawing table, the winner, and what every bet wins.

Drawing table: 13 (1995), distribuicao (Macau). Winner and prizes: 16 to 19 (1995), premios and deducoes (Macau).
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Literal

from msgspec import Struct

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Payment, Reasoning, Rulebook, rulebook
from rules_engine.games.baccarat.cards import score, value
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import MACAU, same
from rules_engine.games.ponto_banca.table import PAIRS, SIDES, Bet, Side, Situation, loses

Winner = Literal["ponto", "banker", "tie"]
WHOLE = 100
TWO = 2
# The letters of the drawing tables; in this game nobody has a choice.
DRAWS = {"T": True, "F": False}


class Played(Struct, frozen=True):
    """A finished coup: the cards of both sides and the cards left over."""

    ponto: tuple[str, ...]
    banker: tuple[str, ...]
    left: tuple[str, ...]
    sides: tuple[Side, ...] = ()

    @property
    def winner(self) -> Winner:
        ponto, banker = score(self.ponto), score(self.banker)
        return "tie" if ponto == banker else "ponto" if ponto > banker else "banker"


def due(book: Rulebook, ponto: tuple[str, ...], banker: tuple[str, ...]) -> Side | None:
    """The side that gets the next card from the shoe; None if the coup is over."""
    if len(banker) < 2:
        return "ponto" if len(ponto) == len(banker) else "banker"
    if natural(book, ponto) or natural(book, banker):
        return None
    if len(ponto) == 2 and ponto_draws(book, ponto):
        return "ponto"
    return "banker" if len(banker) == 2 and banker_draws(book, ponto, banker) else None


def natural(book: Rulebook, cards: tuple[str, ...]) -> bool:
    """Whether the first two cards end the drawing for both sides."""
    return score(cards[:2]) in book.param("naturals")


def ponto_draws(book: Rulebook, ponto: tuple[str, ...]) -> bool:
    return DRAWS[book.param("ponto_table")[score(ponto[:2])]]


def banker_draws(book: Rulebook, ponto: tuple[str, ...], banker: tuple[str, ...]) -> bool:
    row: str = book.param("banker_table")[str(score(banker[:2]))]
    return DRAWS[row[value(ponto[2])] if len(ponto) == 3 else row[-1]]


def by_table(book: Rulebook, ponto: tuple[str, ...], banker: tuple[str, ...]) -> bool:
    """Whether these final hands follow the drawing table from their first two cards."""
    if natural(book, ponto) or natural(book, banker):
        return len(ponto) == len(banker) == 2
    return ponto_draws(book, ponto) == (len(ponto) == 3) and banker_draws(book, ponto, banker) == (len(banker) == 3)


def refuse_against_table(book: Rulebook, ponto: tuple[str, ...], banker: tuple[str, ...]) -> None:
    """Refuse hands that the drawing table does not allow: they are a slip, to be corrected before the coup is paid."""
    if not by_table(book, ponto, banker):
        if same(book, "14", "") == "14":
            raise NotRegulated(
                "art. 13: a third card is missing or one too many was drawn; art. 14 puts that right first"
            )
        raise NotRegulated(
            "{cite:cited}: a third card is missing or one too many was drawn; how that is put right is not said",
            cite="distribuicao",
        )


def play_out(
    book: Rulebook, cards: tuple[str, ...], *, ponto: tuple[str, ...] = (), banker: tuple[str, ...] = ()
) -> Played:
    """Give the cards one by one to the side they are due to until the coup is over."""
    sides: list[Side] = []
    for index, card in enumerate(cards):
        side = due(book, ponto, banker)
        if side is None:
            return Played(ponto, banker, cards[index:], tuple(sides))
        sides.append(side)
        ponto, banker = ((*ponto, card), banker) if side == "ponto" else (ponto, (*banker, card))
    if due(book, ponto, banker) is not None:
        raise ImpossibleFacts("next", "the shoe has no card for the end of the coup")
    return Played(ponto, banker, (), tuple(sides))


def explain_natural(r: Reasoning, played: Played, *, pivot: bool = True) -> bool:
    """Whether an 8 or 9 on two cards ended the drawing, with the clauses that say so."""
    ponto, banker = played.ponto[:2], played.banker[:2]
    if natural(r.book, ponto):
        r.step(drawing(r.book, "P-nat"), "ponto_natural", ponto=score(ponto), pivot=pivot)
    if natural(r.book, banker):
        r.step(drawing(r.book, "B-nat"), "banker_natural", banker=score(banker), pivot=pivot)
    elif natural(r.book, ponto) and r.book.coded_as != MACAU and banker_draws(r.book, ponto, banker):
        r.step("13 P-nat-end", "natural_ends_draw", banker=score(banker), pivot=pivot)
    return natural(r.book, ponto) or natural(r.book, banker)


def explain_draws(r: Reasoning, played: Played, *, pivot: bool = True) -> None:
    """The clauses of the drawing table that this coup used."""
    if explain_natural(r, played, pivot=pivot):
        return
    ponto, banker = played.ponto[:2], played.banker[:2]
    third = played.ponto[2] if len(played.ponto) == 3 else None
    clause, text = ("P-draw", "ponto_draws") if third else ("P-stand", "ponto_stands")
    r.step(drawing(r.book, clause), text, ponto=score(ponto), pivot=pivot)
    text = "banker_draws" if len(played.banker) == 3 else "banker_stands"
    given = str(value(third)) if third else "none"
    r.step(banker_clause(r.book, score(banker), third), text, banker=score(banker), third=given, pivot=pivot)
    if third and len(played.banker) == 3:
        r.step(same(r.book, "13 s1", "distribuicao s2"), "ponto_card_first", pivot=pivot)


def decide_draws(r: Reasoning, played: Played) -> None:
    """Whether each side takes a third card. Tempting: what the table says about a neighbouring hand or third card, or
    would say without the natural."""
    ponto, banker = score(played.ponto[:2]), score(played.banker[:2])
    over = natural(r.book, played.ponto) or natural(r.book, played.banker)
    row: str = r.book.param("ponto_table")
    near = over and ponto < len(row) and DRAWS[row[ponto]]
    near = near or (
        not over and any(row[other] != row[ponto] for other in (ponto - 1, ponto + 1) if 0 < other < len(row))
    )
    _decide_draw(r, "ponto_draw", len(played.ponto) > TWO, near)
    table: dict[str, str] = r.book.param("banker_table")
    if over:
        near = str(banker) in table and DRAWS[table[str(banker)][-1]]
    else:
        row = table[str(banker)]
        third = value(played.ponto[TWO]) if len(played.ponto) > TWO else None
        now = row[-1] if third is None else row[third]
        beside = (
            row[:10]
            if third is None
            else (*(row[other] for other in (third - 1, third + 1) if 0 <= other <= 9), row[-1])
        )
        near = any(letter != now for letter in beside)
    _decide_draw(r, "banker_draw", len(played.banker) > TWO, near)


def _decide_draw(r: Reasoning, key: str, draws: bool, near: bool) -> None:
    right, other = ("must_draw", "must_stand") if draws else ("must_stand", "must_draw")
    r.choice(key, right, critical=True, tempting=[other] if near else [])


def drawing(book: Rulebook, clause: str) -> str:
    return f"{same(book, '13', 'distribuicao')} {clause}"


def banker_clause(book: Rulebook, banker: int, third: str | None) -> str:
    if banker <= 2:
        return drawing(book, "B-012")
    if banker == 7 or third:
        return drawing(book, f"B-{banker}")
    if book.coded_as == MACAU:
        return drawing(book, "B-none")
    return drawing(book, "B-6-none" if banker == 6 else "B-345-none")


def prize(book: Rulebook, bet: Bet, played: Played) -> int:
    """What the house pays on a bet besides the stake; negative if it takes the stake; 0 if the stake stays."""
    if bet.on not in book.param("chances"):
        cite = same(book, "10", "apostas")
        raise NotRegulated("{cite:cited}: no bets are taken on {chance:chance}", cite=cite, chance=bet.on)
    if loses(bet.on, played.ponto, played.banker):
        return -bet.amount
    if played.winner == "tie" and bet.on in SIDES:
        return 0
    return gross(book, bet) - _kept(book, bet, played)


def gross(book: Rulebook, bet: Bet) -> int:
    """The prize of a bet that wins, before any deduction."""
    pays = book.param("payouts")[bet.on]
    if isinstance(pays, int):
        return bet.amount * pays
    won = Fraction(str(pays)) * bet.amount
    if won.denominator != 1:
        cite = same(book, "17", "premios")
        raise NotRegulated(
            "{cite:cited} does not say how to round the prize on {amount:amount}", cite=cite, amount=bet.amount
        )
    return won.numerator


def _kept(book: Rulebook, bet: Bet, played: Played) -> int:
    """What the casino keeps of the prize of a bet that wins."""
    pair = bet.on in PAIRS and book.reads("PBPAR", "deducted")
    return deduction(book, gross(book, bet)) if played.winner == "banker" and (pair or bet.on == "banker") else 0


def deduction(book: Rulebook, won: int) -> int:
    """What the casino keeps of the prizes in a coup won by the bank (the commission)."""
    kept, rest = divmod(won * book.number("deduction_percent"), WHOLE)
    if rest:
        cite = same(book, "19", "deducoes")
        raise NotRegulated("{cite:cited} does not say how to round the deduction from {won:amount}", cite=cite, won=won)
    return kept


def surplus_goes(book: Rulebook) -> str:
    """Where a card goes that was drawn and is due to nobody: 14 s3, by either reading."""
    return "shoe" if book.reads("PB14", "returned") else "burned"


def explain_surplus(r: Reasoning, cards: tuple[str, ...], *, pivot: bool) -> None:
    text = "surplus_back" if surplus_goes(r.book) == "shoe" else "surplus_used"
    r.step("14 s3", text, cards=cards, pivot=pivot)


def without_surplus(book: Rulebook, played: Played, surplus: tuple[str, ...]) -> tuple[Played, tuple[str, ...]]:
    """The coup without cards due to nobody, which are the first that it left over, and the cards that are burned."""
    if surplus_goes(book) == "shoe":
        return played, ()
    return Played(played.ponto, played.banker, played.left[len(surplus) :]), surplus


def compare_scores(r: Reasoning, played: Played, *, pivot: bool = False) -> None:
    """The higher score wins: 16 and 17 (1995), premios s1 and s3 (Macau)."""
    ponto, banker, winner = score(played.ponto), score(played.banker), played.winner
    r.outcome(ponto_score=ponto, banker_score=banker)
    if winner == "tie":
        r.step(same(r.book, "17 s1", "premios s3"), "scores_equal", score=ponto, pivot=pivot)
    else:
        cite = same(r.book, "16", "premios s1")
        r.step(cite, "higher_wins", ponto=ponto, banker=banker, winner=winner, pivot=pivot)


def finish(
    s: Situation, r: Reasoning, played: Played, *, burned: tuple[str, ...] = (), tempting: tuple[str, ...] = ()
) -> None:
    """Decide the coup on its final cards: the winner, the payments and where every card lies."""
    compare_scores(r, played)
    r.choice("winner", played.winner, critical=True, tempting=tempting)
    lay_out(s, r, played, burned=burned)


def lay_out(s: Situation, r: Reasoning, played: Played, *, burned: tuple[str, ...] = ()) -> None:
    """Where every card lies and who pays whom when the coup is over."""
    results = [(bet, prize(r.book, bet, played)) for bet in s.bets]
    won = [bet for bet, amount in results if amount > 0]
    r.outcome(
        deduction=sum(_kept(r.book, bet, played) for bet in won),
        paid=sum(amount for _, amount in results if amount > 0),
    )
    payments = paid(results)
    r.after(lying(ponto=played.ponto, banker=played.banker, burned=burned, shoe=played.left, payments=payments))


def paid(results: Iterable[tuple[Bet, int]]) -> tuple[Payment, ...]:
    """The chips that change hands, from each bet and what it won (more than nothing) or lost (less)."""
    return tuple(
        Payment("house", bet.player, amount, bet.on) if amount > 0 else Payment(bet.player, "house", -amount, bet.on)
        for bet, amount in results
        if amount
    )


class Ending(Struct, frozen=True):
    """One way a coup can go by the drawing table, in scores and values: two cards each, then the third cards."""

    ponto: int
    banker: int
    ponto_third: int | None
    banker_third: int | None
    winner: Winner

    @property
    def extra(self) -> int:
        return (self.ponto_third is not None) + (self.banker_third is not None)


@cache
def endings(book_id: str) -> tuple[Ending, ...]:
    """Every way a coup can go. Generators choose among them, so that no facts have to be discarded."""
    book = rulebook(book_id)
    found = []
    for ponto in range(10):
        for banker in range(10):
            found += _endings(book, ponto, banker)
    return tuple(found)


def _endings(book: Rulebook, ponto: int, banker: int) -> list[Ending]:
    hands = _two(ponto), _two(banker)
    found = []
    over = natural(book, hands[0]) or natural(book, hands[1])
    draws = not over and ponto_draws(book, hands[0])
    for third in range(10) if draws else (None,):
        ponto_cards = hands[0] if third is None else (*hands[0], _worth(third))
        more = not over and banker_draws(book, ponto_cards, hands[1])
        for last in range(10) if more else (None,):
            banker_cards = hands[1] if last is None else (*hands[1], _worth(last))
            winner = Played(ponto_cards, banker_cards, ()).winner
            found.append(Ending(ponto, banker, third, last, winner))
    return found


def _worth(points: int) -> str:
    return ("K" if points == 0 else "A23456789"[points - 1]) + "s"


def _two(points: int) -> tuple[str, str]:
    return "Kh", _worth(points)
