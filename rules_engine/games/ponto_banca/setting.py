"""Ordinary tables for generators: players, limits, bets and cards, by difficulty."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from rules_engine.authoring import RANKS, Rulebook, rulebook
from rules_engine.games.baccarat.cards import PIPS
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.ponto_banca.books import MACAU, PB
from rules_engine.games.ponto_banca.calls import Call
from rules_engine.games.ponto_banca.house import GAP, kind_of_table, seats_of
from rules_engine.games.ponto_banca.outcome import WHOLE, Ending, endings
from rules_engine.games.ponto_banca.table import Bet, Chance, Kind, Side

# How many players sit, from and to, at each difficulty.
SEATED = {1: (2, 3), 2: (3, 4), 3: (4, 5), 4: (5, 6), 5: (6, 7)}
SIDES: tuple[Chance, ...] = ("ponto", "banker")


def table(draw: Draw, book: Rulebook, difficulty: int, *, least: int = 2, kind: Kind | None = None) -> dict[str, Any]:
    """Who sits at a board of the house's table, and its limits; a maximum difference is fixed only for the Macau game.

    `kind`: at another table of this kind, for cases about tables themselves.
    """
    seen = book.table
    places = seen.seats if kind is None else max(seats_of(book, kind))
    count = min(places, max(least, draw.number(*SEATED[difficulty])))
    facts: dict[str, Any] = {"seats": tuple(sorted(draw.sample(range(1, places + 1), count)))}
    facts["minimum"] = seen.minimum
    if book.coded_as != PB:
        facts["max_gap"] = seen.limit(GAP).maximum
    return facts if kind else facts | {"table": kind_of_table(seen, book)}


def has_gap(book: Rulebook, player: str) -> bool:
    """Whether there is another seat after this one, and so a gap between them."""
    return int(player) < book.table.seats


def most_each(facts: dict[str, Any], most: int) -> int:
    """The most least bets of each player with which no side can exceed the other by more than is fixed."""
    gap: int = facts.get("max_gap", 0)
    return min(most, max(1, int(gap) // int(facts["minimum"]) // len(facts["seats"]))) if gap else most


def most_on_tie(book: Rulebook, facts: dict[str, Any]) -> int:
    """How many least bets all players together may have on the tie: 11 d, limites s3. By art. 20 s2, each player."""
    gap: int = facts.get("max_gap", 0)
    if not gap:
        return int(book.param("maximum_times_minimum")["tie"])
    share = "tie_percent_of_difference" if book.coded_as == MACAU else "tie_percent_of_max_gap"
    return max(1, gap * book.number(share) // WHOLE // int(facts["minimum"]))


def stand(draw: Draw, book: Rulebook, facts: dict[str, Any], count: int) -> tuple[str, ...]:
    """Standing players, one in the gap beside a seat."""
    beside = [seat for seat in facts["seats"] if has_gap(book, str(seat))]
    return tuple(f"{seat}a" for seat in sorted(draw.sample(beside, count)))


def side_bets(draw: Draw, facts: dict[str, Any], *, most: int = 12) -> tuple[Bet, ...]:
    """A bet of every seated player, at least one on each side."""
    first, *others = draw.shuffled(facts["seats"])
    last = others.pop()
    sides: dict[int, Chance] = {first: "ponto", last: "banker"} | {seat: draw.pick(SIDES) for seat in others}
    minimum, most = facts["minimum"], most_each(facts, most)
    return tuple(Bet(str(seat), sides[seat], minimum * draw.number(1, most)) for seat in facts["seats"])


def by_place(bets: Iterable[Bet]) -> tuple[Bet, ...]:
    """Bets as they are told: seat by seat, each followed by those who stand there."""
    return tuple(sorted(bets, key=lambda bet: (bet.player, bet.on)))


def closed(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """A table where the bets are made and closed."""
    facts = table(draw, book, difficulty)
    return facts | {"bets": side_bets(draw, facts), "calls": (Call("croupier", "closed"),)}


def ending(
    draw: Draw, book: Rulebook, *, extra: tuple[int, ...], winner: str | None = None, even: Side | None = None
) -> Ending:
    """One of the ways a coup can go: with so many third cards, this winner, and an even first score of a side."""
    return draw.pick(_endings(book.id, extra, winner, even))


def _open(book_id: str, way: Ending) -> bool:
    """Whether it rests on what the texts of 1995 leave open: 8 or 9 of the ponto against a bank that would draw."""
    return rulebook(book_id).coded_as != MACAU and way.ponto >= 8 and way.banker < 6


@cache
def _endings(book_id: str, extra: tuple[int, ...], winner: str | None, even: Side | None) -> tuple[Ending, ...]:
    return tuple(
        way
        for way in endings(book_id)
        if way.extra in extra
        and not _open(book_id, way)
        and winner in (None, way.winner)
        and (even is None or (way.ponto if even == "ponto" else way.banker) % 2 == 0)
    )


def cards(draw: Draw, way: Ending) -> dict[str, Any]:
    """The final cards of such a coup."""
    return with_thirds(draw, way, draw.hand(way.ponto), draw.hand(way.banker))


def with_thirds(draw: Draw, way: Ending, ponto: tuple[str, ...], banker: tuple[str, ...]) -> dict[str, Any]:
    ponto = ponto if way.ponto_third is None else (*ponto, draw.card(way.ponto_third))
    banker = banker if way.banker_third is None else (*banker, draw.card(way.banker_third))
    return {"ponto": ponto, "banker_cards": banker}


def in_order(ponto: tuple[str, ...], banker: tuple[str, ...]) -> tuple[str, ...]:
    """The cards of a coup in the order in which they left the shoe: alternately, then the ponto's third, then the
    bank's."""
    return (ponto[0], banker[0], ponto[1], banker[1], *ponto[2:], *banker[2:])


def pair(draw: Draw, points: int) -> tuple[str, ...]:
    """Two cards of one rank that make an even score."""
    rank = draw.pick([rank for rank in RANKS if PIPS[rank] * 2 % 10 == points])
    return draw.rank(rank), draw.rank(rank)


def unpaired(draw: Draw, points: int) -> tuple[str, ...]:
    """Two cards of different ranks that make a score; for zero, two that look like a pair at a glance."""
    first, second = draw.pick([(a, b) for a in RANKS for b in RANKS if a != b and _sum((a, b)) == points])
    if points == 0:
        first, second = draw.sample("TJQK", 2)
    return draw.rank(first), draw.rank(second)


def _sum(ranks: Iterable[str]) -> int:
    return sum(PIPS[rank] for rank in ranks) % 10
