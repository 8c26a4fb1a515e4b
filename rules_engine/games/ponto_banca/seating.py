"""Seats and standing players: how many a table has room for.

1995: 2, 11 s1 (11 s3 is with the bets). Macau 1995: 2, 11 e. Macau: mesa.
"""

from typing import Annotated

from msgspec import Meta

from rules_engine.errors import NotRegulated
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.ponto_banca.books import ALL, MACAU_1995, PB, TEXTS_1995, articles, same
from rules_engine.games.ponto_banca.game import case, rule
from rules_engine.games.ponto_banca.setting import table
from rules_engine.games.ponto_banca.table import Incident, Kind, Situation
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning


class TableLaidOut(Incident, frozen=True, tag="table_laid_out"):
    """A table is laid out with so many seats: on each board, if it is a double one."""

    places: Annotated[int, Meta(ge=1, le=20)]


class StandingArrives(Incident, frozen=True, tag="standing_arrives"):
    """A player wants to stand at a board of so many seats where so many stand already."""

    places: Annotated[int, Meta(ge=1, le=20)]
    already: Annotated[int, Meta(ge=0, le=20)]


@rule(TableLaidOut, *ALL)
def table_laid_out(s: Situation, incident: TableLaidOut, r: Reasoning) -> None:
    name = "seats_single_table" if s.table == "single" else "seats_per_board_double_table"
    right: list[int] = r.book.param(name)
    r.pivot(same(r.book, "2", "mesa"), f"seats_{s.table}", least=min(right), most=max(right))
    r.choice("allowed", "allowed" if incident.places in right else "refused")
    r.number("most_seats", max(right), tempting=[6, 7, 8, 9, incident.places])


@rule(StandingArrives, *TEXTS_1995)
def standing_arrives(s: Situation, incident: StandingArrives, r: Reasoning) -> None:
    allowance = r.book.param("standing_per_board")
    cite = "11 s1" if r.book.id == PB else "11 e"
    if str(incident.places) not in allowance:
        raise NotRegulated(f"{cite}: no board of {incident.places} seats")
    most = int(allowance[str(incident.places)])
    r.pivot(cite, "standing_room", places=incident.places, most=most, already=incident.already)
    r.choice("allowed", "allowed" if incident.already < most else "refused")


@case("seating", articles("2", macau=("mesa",)))
def seats_of_a_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: far from the limits. Harder: just inside and just outside."""
    facts = table(draw, book, difficulty)
    kind: Kind = draw.pick(("single", "double"))
    right = book.param("seats_single_table" if kind == "single" else "seats_per_board_double_table")
    low, high = min(right), max(right)
    near = (low - 1, low, high, high + 1)
    places = draw.pick(near if difficulty >= 2 else (low - 3, low, high, high + 3))
    seated = tuple(seat for seat in facts["seats"] if seat <= places)
    return Situation(**facts | {"seats": seated or (1,)}, table=kind, incident=TableLaidOut(places=places))


@case("seating", {PB: ("11 s1",), MACAU_1995: ("11 e",)})
def one_more_standing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Boards of seven. On boards of six the number of gaps and the text of 1995 could be read apart."""
    facts = table(draw, book, difficulty)
    most = int(book.param("standing_per_board")["7"])
    already = draw.pick((most - 1, most)) if difficulty >= 3 else draw.pick((most - 3, most, most + 1))
    kind: Kind = draw.pick(("single", "double"))
    standing = tuple(f"{seat}a" for seat in range(1, already + 1))
    return Situation(**facts, standing=standing, table=kind, incident=StandingArrives(places=7, already=already))
