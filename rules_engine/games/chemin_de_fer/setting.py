"""Ordinary tables for generators: players, a bank, stakes and the calls that led to them, by difficulty."""

from typing import Any, cast

from msgspec import structs

from rules_engine import situation
from rules_engine.authoring import Rulebook
from rules_engine.equipment.places import names
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import BANK
from rules_engine.games.chemin_de_fer.order import from_right
from rules_engine.games.chemin_de_fer.table import FOR_FOREIGNERS, SEATS, Call, Claim, Situation, Stake

# How many players sit and how many stand, from and to, at each difficulty.
SEATED = {1: (4, 5), 2: (5, 7), 3: (6, 8), 4: (7, 9), 5: (8, 9)}
STANDING = {1: (0, 1), 2: (0, 2), 3: (0, 2), 4: (1, 4), 5: (3, 6)}
# How many stand where a standing player is often the answer: one or two would be a safe guess.
BYSTANDERS = (4, 6)
# A bank holds at least so many smallest stakes, so that several players can stake different sums against it.
STAKES_IN_BANK = 20


def places(draw: Draw, difficulty: int, *, standing: int | None = None, seated: int = 0) -> dict[str, Any]:
    """Who is at the table, and who holds the bank. At least `seated` players are seated."""
    fewest, most = SEATED[difficulty]
    seats = tuple(sorted(draw.sample(range(1, SEATS + 1), draw.number(max(fewest, seated), max(most, seated)))))
    count = draw.number(*STANDING[difficulty]) if standing is None else standing
    banker = draw.pick(seats)
    # Nobody stands behind the banker's own seat, whom the texts do not rank, nor behind the last, beside the croupier.
    open_seats = [seat for seat in seats if seat not in (banker, SEATS)]
    behind = sorted([draw.pick(open_seats) for _ in range(count)])
    # The first behind a seat is a, the next one b.
    arrivals = [f"{seat}{'abcdefghi'[index - behind.index(seat)]}" for index, seat in enumerate(behind)]
    return {"seats": seats, "standing": tuple(arrivals), "banker": str(banker)}


def bystanders(draw: Draw) -> int:
    """How many players stand at a table where a standing one is often the answer."""
    return draw.number(*BYSTANDERS)


def with_bystanders(draw: Draw, made: situation.Situation) -> Situation:
    """The same table with more people standing around it, who do and say nothing."""
    table = cast(Situation, made)
    standing, banker = list(table.standing), table.banker[0]
    behind = [seat for seat in table.seats if str(seat) != banker and seat != SEATS]
    for _ in range(bystanders(draw) - len(standing)):
        seat = draw.pick(behind)
        taken = {place for place in standing if place[0] == str(seat)}
        standing.append(next(place for letter in "abcdefghi" if (place := f"{seat}{letter}") not in taken))
    return structs.replace(table, standing=tuple(sorted(standing)))


def money(draw: Draw, book: Rulebook) -> dict[str, int]:
    """The smallest bank and stake of the table, and a bank of an even number of smallest banks, large enough for
    several stakes."""
    unit, minimum = book.table.minimum, book.table.limit(BANK).minimum
    fewest = -(-STAKES_IN_BANK * unit // (2 * minimum))
    return {"minimum": minimum, "unit": unit, "bank": 2 * minimum * draw.number(fewest, fewest + 7)}


def foreigners(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """At some tables, players who are spoken to in another language, if the text provides for that."""
    if FOR_FOREIGNERS not in book.law or difficulty < 2 or not draw.chance(0.25):
        return {}
    return {"foreigners": True, "foreign_language": draw.pick(("fr", "en"))}


def pontos(facts: dict[str, Any]) -> tuple[str, ...]:
    """Everybody except the banker, the seated first, each group from the banker's right."""
    return seated_pontos(facts) + from_right(facts["banker"], facts["standing"])


def seated_pontos(facts: dict[str, Any]) -> tuple[str, ...]:
    banker = facts["banker"]
    return from_right(banker, [place for place in names(tuple(facts["seats"])) if place != banker])


def coup(draw: Draw, book: Rulebook, difficulty: int, *, claim: Claim = "stake") -> dict[str, Any]:
    """A table where the betting is closed and one ponto has the right to the cards."""
    facts: dict[str, Any] = places(draw, difficulty) | money(draw, book)
    bank = facts["bank"]
    if claim == "banco":
        holder = draw.pick(pontos(facts))
        stakes = [Stake(holder, bank)]
        calls = [Call(holder, "banco")]
    elif claim == "banco_table":
        holder = draw.pick(pontos(facts))
        # Half the bank is his; the table covers the rest.
        stakes, calls = _side_stakes(draw, facts, holder), [Call(holder, "banco_table")]
    else:
        holder = draw.pick(seated_pontos(facts))
        stakes, calls = _side_stakes(draw, facts, holder), []
    facts |= {"stakes": tuple(stakes), "holder": holder, "claim": claim}
    facts["calls"] = (Call("croupier", "bank_of", bank), *calls, Call("croupier", "closed"))
    return facts


def _side_stakes(draw: Draw, facts: dict[str, Any], holder: str) -> list[Stake]:
    """The holder has the largest stake of the seated; some others stake less, and never more than the bank together."""
    unit = facts["unit"]
    left = facts["bank"] // unit
    top = max(2, left // 2)
    stakes = [Stake(holder, top * unit)]
    left -= top
    for other in draw.sample([place for place in pontos(facts) if place != holder], 3):
        if left:
            stakes.append(Stake(other, draw.number(1, min(left, top - 1)) * unit))
            left -= stakes[-1].amount // unit
    return stakes
