"""Seats and standing players: how many a table has room for.

1995: 2, 11 s1 (11 s3 is with the bets). Macau 1995: 2, 11 e. Macau: mesa.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rules_engine.authoring import NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.ponto_banca.books import ALL, MACAU_1995, PB, TEXTS_1995, articles, same
from rules_engine.games.ponto_banca.game import case, rule
from rules_engine.games.ponto_banca.setting import table
from rules_engine.games.ponto_banca.table import Incident, Kind, Situation

# Where a standing player would play: between two marked seats, or elsewhere round the table.
Where = Literal["gap", "beside_croupier", "second_row"]


class TableLaidOut(Incident, frozen=True, tag="table_laid_out"):
    """A table is laid out with so many seats; on each board, if it is a double table."""

    betting: ClassVar = False
    own: ClassVar = ("allowed",)

    places: Annotated[int, Meta(ge=1, le=20)]

    def told(self, situation: Situation) -> list[Sentence]:
        return [(f"incident.table_laid_out_{situation.table}", {"places": self.places})]

    def narration(self) -> list[Sentence]:
        return []

    def asked(self, name: str, situation: Situation) -> Sentence | None:
        if name == "most_seats":
            return f"question.most_seats_{situation.table}", {}
        return super().asked(name, situation)

    def sorts(self, situation: Situation) -> set[str]:
        return {f"{situation.table} of {self.places}"}


class StandingArrives(Incident, frozen=True, tag="standing_arrives"):
    """A player wants to stand at a board with so many seats where so many already stand."""

    betting: ClassVar = False
    own: ClassVar = ("allowed",)

    places: Annotated[int, Meta(ge=1, le=20)]
    already: Annotated[int, Meta(ge=0, le=20)]
    where: Where = "gap"

    def narration(self) -> list[Sentence]:
        values = {"places": self.places, "already": self.already}
        return [("incident.standing_arrives", values), (f"incident.standing_where_{self.where}", {})]

    def sorts(self, situation: Situation) -> set[str]:
        return {situation.table, self.where}


def seats_text(table: Kind, right: list[int]) -> str:
    """The sentence that says how many seats such a table has."""
    return f"seats_{table}" if len(right) > 1 else f"seats_{table}_only"


@rule(TableLaidOut, *ALL)
def table_laid_out(s: Situation, incident: TableLaidOut, r: Reasoning) -> None:
    name = "seats_single_table" if s.table == "single" else "seats_per_board_double_table"
    right: list[int] = r.book.param(name)
    r.pivot(same(r.book, "2", "mesa"), seats_text(s.table, right), least=min(right), most=max(right))
    r.choice("allowed", "allowed" if incident.places in right else "refused")
    other = "seats_per_board_double_table" if s.table == "single" else "seats_single_table"
    r.number("most_seats", max(right), tempting=[max(r.book.param(other)), incident.places])


@rule(StandingArrives, *TEXTS_1995)
def standing_arrives(s: Situation, incident: StandingArrives, r: Reasoning) -> None:
    allowance = r.book.param("standing_per_board")
    cite = "11 s1" if r.book.coded_as == PB else "11 e"
    if str(incident.places) not in allowance:
        raise NotRegulated("{cite:cited}: no board of {places} seats", cite=cite, places=incident.places)
    most = int(allowance[str(incident.places)])
    r.pivot(cite, "standing_room", places=incident.places, most=most, already=incident.already)
    if incident.where != "gap":
        r.pivot(cite, "only_in_the_gaps")
    good = incident.already < most and incident.where == "gap"
    r.choice("allowed", "allowed" if good else "refused", tempting=_tempting(good, incident.where != "gap"))


def _tempting(good: bool, elsewhere: bool) -> tuple[str, ...]:
    """A dealer who only counts heads would let him stand anywhere."""
    return ("allowed",) if elsewhere and not good else ()


@case("seating", articles("2", macau="mesa"))
def seats_of_a_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: far from the limits. Harder: just inside and just outside."""
    kind: Kind = draw.pick(("single", "double"))
    facts = table(draw, book, difficulty, kind=kind)
    right = book.param("seats_single_table" if kind == "single" else "seats_per_board_double_table")
    low, high = min(right), max(right)
    near = (low - 1, low, high, high + 1)
    places = draw.pick(near if difficulty >= 2 else (low - 3, low, high, high + 3))
    seated = tuple(seat for seat in facts["seats"] if seat <= places)
    return Situation(**facts | {"seats": seated or (1,)}, table=kind, incident=TableLaidOut(places=places))


@case("seating", {PB: "11 s1", MACAU_1995: "11 e"})
def one_more_standing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Boards of seven. On boards of six the number of gaps and the text of 1995 could disagree."""
    kind: Kind = draw.pick(("single", "double"))
    facts = table(draw, book, difficulty, kind=kind)
    most = int(book.param("standing_per_board")["7"])
    already = draw.pick((most - 1, most - 1, most) if difficulty >= 3 else (most - 3, most - 2, most))
    where: Where = "gap"
    if difficulty >= 2 and draw.chance(0.3):
        already, where = draw.number(most - 3, most - 1), draw.pick(("beside_croupier", "second_row"))
    # A standing player adds to the bet of a seat, so somebody sits there.
    standing = tuple(f"{seat}a" for seat in range(1, already + 1))
    facts["seats"] = tuple(sorted({*facts["seats"], *range(1, already + 1)}))
    incident = StandingArrives(places=7, already=already, where=where)
    return Situation(**facts, standing=standing, table=kind, incident=incident)
