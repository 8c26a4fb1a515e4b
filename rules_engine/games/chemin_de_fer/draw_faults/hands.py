"""Coups up to the draw, for the generators of this package."""

from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SPAIN
from rules_engine.games.chemin_de_fer.draw_faults.restored import thirds
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Claim, Says, Side

# What a ponto who knows the table says on each score below a natural; on five he chooses.
ASKS, STANDS = (0, 1, 2, 3, 4, 5), (5, 6, 7)


def spoken(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    word: Says,
    *,
    claim: Claim = "stake",
    by_table: tuple[Side, ...] = (),
    repeated: Says | None = None,
) -> dict[str, Any]:
    """A table where the ponto has said his word and the croupier has repeated it, or `repeated` another."""
    facts = coup(draw, book, difficulty, claim=claim)
    declared = (Call("croupier", "banker_by_table"),) if "banker" in by_table else ()
    words = (Call("ponto", word), Call("croupier", repeated or word))
    return facts | {"calls": (*declared, *facts["calls"], *words), "by_table": by_table}


def dealt(draw: Draw, word: str) -> tuple[str, ...]:
    """Two cards on which a ponto rightly says this word."""
    return draw.hand(draw.pick(ASKS if word == "card" else STANDS))


def third_for(draw: Draw, book: Rulebook, banker: int, letters: str) -> str:
    """A third card of the ponto for which the table gives this banker one of these answers."""
    return draw.card(*thirds(book, banker, letters))


def played(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    claim: Claim = "stake",
    baccara: Side | None = None,
    by_table: tuple[Side, ...] = (),
    drawn: bool = False,
) -> dict[str, Any]:
    """A coup drawn to its end by the table. Only the side named by `baccara` ends with baccara.

    `drawn`: at least one side took a third card.
    """
    start, banker, third = _course(draw, book, baccara, drawn)
    word: Says = "card" if third is not None else "no"
    ponto = (*draw.hand(start), *((draw.card(third),) if third is not None else ()))
    banker_cards = draw.hand(banker)
    if _draws(book, banker, third):
        worth = [other for other in range(10) if (other + banker) % 10 != 0]
        banker_cards += (draw.card((-banker) % 10) if baccara == "banker" else draw.card(*worth),)
    facts = spoken(draw, book, difficulty, word, claim=claim, by_table=by_table)
    if len(banker_cards) == 3:
        facts["calls"] += (Call("banker", "draws"),)
    return facts | {"ponto": ponto, "banker_cards": banker_cards, "next": (draw.card(),)}


def _course(draw: Draw, book: Rulebook, baccara: Side | None, drawn: bool) -> tuple[int, int, int | None]:
    """The ponto's two-card score, the banker's, and the value of the ponto's third card if he takes one."""
    if baccara == "ponto":
        start = draw.number(0, 5)
        third = (-start) % 10
        return start, draw.pick([banker for banker in range(1, 8) if third in _sure(book, banker)]), third
    if baccara == "banker":
        start = draw.number(1, 7)
        banker = draw.number(0, 2) if start < 5 else draw.number(0, 5)
    else:
        start = draw.number(1, 7)
        banker = draw.number(1, 5 if drawn and start >= 5 else 7)
    if start >= 5:
        return start, banker, None
    return start, banker, draw.pick([third for third in _sure(book, banker) if (start + third) % 10])


def _sure(book: Rulebook, banker: int) -> list[int]:
    """Third cards of the ponto for which the banker's play is beyond doubt. Spain prints no table."""
    return list(range(10)) if book.coded_as == SPAIN else thirds(book, banker, "TF")


def _draws(book: Rulebook, banker: int, third: int | None) -> bool:
    if book.coded_as == SPAIN:
        return banker < 5
    row: str = book.param("banker_table")[str(banker)]
    return (row[-1] if third is None else row[third]) == "T"
